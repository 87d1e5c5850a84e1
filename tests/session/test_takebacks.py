"""Takebacks: how the board is put right, and readings that stay open."""

from __future__ import annotations

from typing import Any

from engine.reading.observations import Edges
from tests.support.session_parts import wrong


def test_the_back_button_undoes_and_guides(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+ 1 A1- A2+ 1 B3- B2- B2+ hand.A.C+ 1")
    board.hands("B1- B2- B2+ hand.B.C+ 1 [C4C3, A1A2, B3B2, B1B2]")
    board.hands("<back> 2 [C4C3, A1A2, B3B2] guiding:yes")
    assert wrong(board.session) == (("B1",), ())
    board.hands("B2- B1+ hand.B.C- B2+ 5 [C4C3, A1A2, B3B2] guiding:no")


def test_a_capture_that_was_tried_before_the_piece_went_elsewhere_stays_open(timeline: Any) -> None:
    board = timeline(unsensed=("hand",)).hands("1 B3- 0.4 B2- 0.4 B2+ 5")
    board.hands("B1- 0.4 B2- 0.5 B2+ 0.6 B1+ 2 B1- 0.4 C2+ 5")
    found = [line.match.moves()[1:] for line in board.session.view.shown]
    assert sorted(found) == [["B1B2", "C*C2"], ["B1C2"]]


def test_a_piece_that_is_pushed_on_while_it_still_rocks_was_put_down() -> None:
    edges = Edges()
    edges.restart({}, 0.0)
    for at, reading in ((2.0, 1), (2.008, 0), (2.019, 1), (2.021, 0), (2.036, 1), (2.041, 0)):
        edges.add(at, "C3", reading)
    found = [put for put in edges.placements(1.0, 2.1, 2.4, {}) if put.reading]
    assert [put.at for put in found] == [2.0]
