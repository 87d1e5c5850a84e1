"""A piece that is slid from sensor to sensor, and seen by two of them at once."""

from __future__ import annotations

from typing import Any

import pytest

SENSINGS = ("presence", "polarity")
TRAYS = ((), ("hand",))
ROOK = "ln2kgsn1/1rgs3bl/p1p1ppp1p/1p1p3p1/9/3P5/PPP1PPPPP/1B6R/LNSGKGSNL b - 1"


@pytest.mark.parametrize("reply", [0.3, 1.5])
@pytest.mark.parametrize("rest", [0.6, 2.0])
@pytest.mark.parametrize("way", ["5h", "5h 4h 3h"])
@pytest.mark.parametrize("unsensed", TRAYS)
@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_has_rested_is_slid_back_a_part_of_its_way(
    timeline: Any,
    sensing: str,
    unsensed: tuple[str, ...],
    way: str,
    rest: float,
    reply: float,
) -> None:
    board = timeline("shogi", sensing, ROOK, unsensed).hands("1 1h- 0.5 6h+").rest(rest)
    stands = "6h"
    for cell in way.split():  # the one before lets go when this one has seen the piece
        board.hands(f"0.16 {cell}+ 0.1 {stands}-")
        stands = cell
    board.rest(reply).hands("4a- 0.16 4b+").rest(2).hands(f"{stands}- 0.22 2h+").rest()
    assert board.moves == [f"1h{stands}", "4a4b", f"{stands}2h"]
    assert not {"ask", "fault"}.intersection(board.events)


@pytest.mark.parametrize("lap", [0.02, 0.06, 0.1, 0.14])
@pytest.mark.parametrize("flat", [0.2, 0.5, 1.2])
@pytest.mark.parametrize("unsensed", TRAYS)
def test_a_piece_is_turned_over_where_it_was_slid(
    timeline: Any, unsensed: tuple[str, ...], flat: float, lap: float
) -> None:
    pieces = "lnsgkgsnl/1r5b1/ppppppp1p/9/9/7p1/PPPPPPP1P/1B5R1/LNSGKGSNL w P 1"
    board = timeline("shogi", "polarity", pieces, unsensed)
    board.hands(f"1 2g+ {lap} 2f- {flat} 2g- 0.17 2g/").rest(1.8).hands("7g- 0.2 7f+").rest()
    assert board.moves == ["2f2g+", "7g7f"]
    assert not {"ask", "fault"}.intersection(board.events)


@pytest.mark.parametrize("blink", [0.014, 0.03])
@pytest.mark.parametrize("sensing", ["presence", "polarity"])
def test_two_sensors_lose_a_piece_at_once_that_both_have_seen_slid(
    timeline: Any, sensing: str, blink: float
) -> None:
    """It is no other piece than the one that comes down there: the order of the moves is known."""
    board = timeline("chaturaji", sensing, dice=2).throw(5, 5)
    board.hands(f"1 d3+ 0.11 d2- 0.0 d3- {blink} d3+ 0.26 c3+ 0.03 c2-").rest(1)
    assert board.moves == ["d2d3", "c2c3"]
    assert not board.asked


@pytest.mark.parametrize("lap", [0.17, 0.25])
@pytest.mark.parametrize("reply", [0.3, 1.5])
@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_is_seen_for_long_where_it_rested_beside_its_way(
    timeline: Any, sensing: str, reply: float, lap: float
) -> None:
    pieces = "gce/2L/l2/EG1 w C 1"
    board = timeline("robot-duel", sensing, pieces, ("hand",))
    board.hands(f"1 B3+ 0.03 A3- 0.7 B2+ {lap} B3-").rest(reply).hands("C2- 0.11 B3+").rest(2)
    assert board.moves == ["A3B2", "C2B3"]
    assert not board.asked


@pytest.mark.parametrize("stood", [0.6, 1.0])
@pytest.mark.parametrize("reply", [0.5, 2.0])
@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_rests_where_the_last_one_chattered_when_it_was_lifted(
    timeline: Any, sensing: str, reply: float, stood: float
) -> None:
    """The piece that stood there before is known: it was no third piece."""
    board = timeline("shogi", sensing, "k8/9/9/4p4/1r2R4/9/9/9/K8 b - 1", ("hand",))
    board.hands("1 5d- 0.3 5e- 0.02 5e+ 0.05 5e- 0.2 5d+").rest(reply)
    board.hands(f"8e- 0.06 7e+ 0.1 7e- 0.06 6e+ 0.1 6e- 0.06 5e+ {stood} 5e- 0.06 4e+").rest(3)
    assert board.moves == ["5e5d", "8e4e"]
    assert not board.asked


def test_a_piece_that_was_slid_where_another_is_taken_next_was_no_captive(timeline: Any) -> None:
    """The next one would have come to the cell before the captive left it."""
    board = timeline("robot-duel", "polarity", "gle/1c1/LC1/E1G w - 1")
    board.hands("1 B1- 0.5 C2+").rest(2).hands("B3- 0.03 B2- 0.24 B2+ 0.38 hand.A.C+")
    board.hands("0.4 B2- 0.07 B2+").rest(1.6).hands("C3+ 0.03 C2- 0.64 B2- 0.07 B2+").rest(2.3)
    board.hands("C4- 0.13 C4+ 0.45 C4- 0.03 C3- 0.35 C3+").rest(0.4)
    board.hands("A4- 0.39 A4+ 0.46 C1- 0.25 C1+").rest(1.5)
    assert board.moves == ["B1C2", "B3B2", "C2C3", "C4C3"]
    assert not board.asked


@pytest.mark.parametrize("unsensed", TRAYS)
@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_is_slid_back_over_a_cell_that_it_has_just_come_over(
    timeline: Any, sensing: str, unsensed: tuple[str, ...]
) -> None:
    """He was seen there twice, on his way both times, and the other player has moved meanwhile."""
    board = timeline("shogi", sensing, "4k4/r8/9/9/9/9/2P6/9/4K4 w - 1", unsensed)
    board.hands("1 8b+ 0.02 9b- 0.075 7b+ 0.004 8b- 0.067 6b+ 0.004 7b- 0.1 5b+ 0.004 6b-")
    board.hands("0.08 4b+ 0.002 4b- 0.0 5b- 0.002 5b+ 0.002 4b+ 0.002 5b-")
    board.hands("0.084 7f+ 0.002 7g- 0.013 7f- 0.002 7f+ 0.036 7f- 0.027 7f+")
    board.hands("0.0 5b+ 0.009 4b- 0.062 6b+ 0.005 5b-").rest()
    assert board.moves == ["9b4b", "7g7f", "4b6b"]
    assert not board.asked
