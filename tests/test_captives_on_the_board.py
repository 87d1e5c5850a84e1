"""Captured men that are put down on the board before they are taken off."""

from __future__ import annotations

from typing import Any

import pytest

SENSINGS = ("presence", "polarity")
TRAYS = [(), ("hand",)]


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("unsensed", TRAYS)
def test_a_captive_where_his_captor_came_from(
    timeline: Any, sensing: str, unsensed: tuple[str, ...]
) -> None:
    board = timeline(sensing=sensing, unsensed=unsensed).hands("1 B3- 0.4 B2- 0.3 B2+")
    board.hands("0.4 B3+ 0.8 A1- 0.4 A2+ 0.7 B3- 0.4 hand.A.C+").rest()
    assert board.moves == ["B3B2", "A1A2"]


def test_a_captive_who_is_put_down_when_the_next_man_has_just_been_lifted(timeline: Any) -> None:
    # Nobody carries the lion from B1 to A2 in no time, where it might go as well.
    board = timeline(position="gle/L2/3/EGc b C 1").hands("1 A2- 0.4 A1- 0.7 A1+ 0.35")
    board.hands("B1- 0.03 A2+ 0.7 B2+ 1.1 A2- 0.3 hand.A.G+").rest()
    assert board.moves == ["A2A1", "B1B2"]


def test_who_rocks_after_he_took_a_man_was_not_exchanged_for_him(timeline: Any) -> None:
    board = timeline(unsensed=("hand",)).hands("1 B3- 0.4 B2- 0.3 B2+ 0.01 B2- 0.01 B2+")
    board.hands("0.5 B3+").rest(1.2)
    assert board.moves == ["B3B2"]
    board.hands("0.5 B3-").rest()
    assert board.moves == ["B3B2"]
