"""Captured pieces that are put down on the board before they are taken off."""

from __future__ import annotations

from typing import Any

import pytest

SENSINGS = ("presence", "polarity")
TRAYS = [(), ("hand",)]
BEFORE_THE_THROW = (
    "wB,6,nB/1,wP,2,nP,nP,nP,1/nK,wP,3,nH,1,nP/4,sB,3/5,eP,1,eK/1,sP,4,eP,eE/"
    "sP,1,sP,sP,1,eP,2/1,sE,1,sK,1,eP,2 N - 6,7,13,0 - lost=W quiet=4"
)
"""The king on a6 may take the pawn on b7."""


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("unsensed", TRAYS)
def test_a_captive_where_his_captor_came_from(
    timeline: Any, sensing: str, unsensed: tuple[str, ...]
) -> None:
    board = timeline(sensing=sensing, unsensed=unsensed).hands("1 B3- 0.4 B2- 0.3 B2+")
    board.hands("0.4 B3+ 0.8 A1- 0.4 A2+ 0.7 B3- 0.4 hand.A.C+").rest()
    assert board.moves == ["B3B2", "A1A2"]


def test_a_captive_who_is_put_down_when_the_next_piece_has_just_been_lifted(timeline: Any) -> None:
    # Nobody carries the lion from B1 to A2 in no time, where it might go as well.
    board = timeline(position="gle/L2/3/EGc b C 1").hands("1 A2- 0.4 A1- 0.7 A1+ 0.35")
    board.hands("B1- 0.03 A2+ 0.7 B2+ 1.1 A2- 0.3 hand.A.G+").rest()
    assert board.moves == ["A2A1", "B1B2"]


@pytest.mark.parametrize("stood", [0.2, 0.6, 2.0])
def test_a_piece_that_went_home_before_it_moves_elsewhere_was_no_captive(
    timeline: Any, stood: float
) -> None:
    # The pawn is but tried: the king goes home, on to a7, and is straightened there.
    board = timeline("chaturaji", position=BEFORE_THE_THROW).throw(5)
    board.hands("1 a6- 0.28 b7- 0.46 b7+ 0.6 a6+").hands(f"{stood} a6- 0.9 a7+")
    board.hands("0.35 a7- 0.14 a7+").rest(2.4).throw(2)
    assert board.moves == ["a6a7", "--"]
    assert board.asked == []


@pytest.mark.parametrize("adjusted", [0.08, 0.2])
@pytest.mark.parametrize("stood", [0.2, 0.25, 0.36])
@pytest.mark.parametrize(("touched", "times", "thrown"), [(0.13, 1, 0.5), (0.05, 2, 0.1)])
def test_a_piece_that_was_home_for_a_moment_and_is_straightened_elsewhere_was_no_captive(
    timeline: Any, touched: float, times: int, thrown: float, stood: float, adjusted: float
) -> None:
    # The bishop goes home from d1, where he touched the king, and on to h5, where he knocks h4.
    pieces = "wB,wP,2,nK,nE,nH,nB/wH,wP,2,nP,nP,nP,nP/wE,wP,6/wK,wP,6/6,eP,eK/sH,4,eB,eP,eE/"
    pieces += "sP,sP,sP,sP,2,eP,eH/sB,1,sE,sK,2,eP,1 E - 0,0,0,0 - quiet=7"
    board = timeline("chaturaji", position=pieces).throw(2)
    board.hands(f"1 f3- 0.47 d1- {touched} d1+ 0.35 f3+ {stood} f3- 0.39 h5+ 0.03 h4- 0.04 h4+")
    for _ in range(times):
        board.hands(f"0.5 h5- {adjusted} h5+")
    board.hands(f"{thrown}").throw(4).hands("0.06 c1- 0.29 b1+ 0.57")
    board.throw(4).hands("1.4").throw(3).hands("0.55 g8- 0.28 h6+ 1").throw(3).rest(3)
    assert board.moves == ["f3h5", "c1b1", "--", "g8h6"]
    assert not {"ask", "fault"}.intersection(board.events)


def test_a_piece_that_stays_on_the_board_for_long_was_no_captive(timeline: Any) -> None:
    # A piece is lifted, another knocked, both are put back; then the ply before is taken back.
    board = timeline(sensing="polarity").hands("1 B4- 0.5 C3+ 1.5 A1- 0.5 A2+").rest(2.5)
    board.hands("B3- 0.4 B2- 0.1 B2+ 0.4 B3+ 0.8 A2- 0.5 A1+").rest(10)
    assert board.moves == ["B4C3"]


def test_a_capture_was_none_if_the_captive_is_straightened_where_his_captor_stood(
    timeline: Any,
) -> None:
    board = timeline(sensing="polarity").hands("1 B4- 0.4 C3+ 0.1 C3- 0.4 B4+").rest(2.5)
    board.hands("B3- 0.4 B2- 0.1 B2+ 0.4 B3+").rest(2).hands("C4- 0.3 C3+ 0.3 C3- 0.06 C3+")
    board.hands("1.2 B1- 0.5 C2+").rest(2.5).hands("C3- 0.4 C2- 0.1 C2+ 0.43 C3+")
    board.hands("0.27 C3- 0.08 C3+").rest(2.5).hands("C3- 0.06 C3+").rest(10)
    assert board.moves == ["C4C3", "B1C2"]


@pytest.mark.parametrize(
    "pieces",
    [
        "0.13 b7- 0.93 b7+ 0.25 a6+ 0.527 b7- 0.37 a6- 0.0945 a6+ 0.206 b7+ 0.93",
        "0.4 b7- 0.21 b7+ 0.004 b7- 0.008 b7+ 0.06 a6+ 0.29",
        "0.1 b7- 0.9 b7+ 0.07 a6+ 0.33",
        "0.06 b7- 0.01 b7+ 0.01 a6+ 0.93",
    ],
)
def test_a_player_who_throws_has_seen_a_capture_that_looks_like_one_taken_back(
    timeline: Any, pieces: str
) -> None:
    board = timeline("chaturaji", position=BEFORE_THE_THROW).throw(5).hands(f"1 a6- {pieces}")
    board.throw(2).hands("0.86 a6-").rest()
    assert board.moves[:1] == ["a6b7"]


def test_a_captive_where_his_captor_came_from_before_that_is_turned_over(timeline: Any) -> None:
    board = timeline("shogi", "polarity", "4k4/9/7p1/6S2/9/9/9/9/4K4 b - 1")
    board.hands("1 2c- 0.1 2c+ 0.01 3d- 0.24 3d+ 0.08 2c- 0.35 2c/ 1.9 3d- 0.36 hand.sente.P+")
    board.hands("1.2 5a- 0.3 5b+").rest()
    assert board.moves == ["3d2c+", "5a5b"]


@pytest.mark.parametrize("rest", [0.3, 1.5, 2.8])
@pytest.mark.parametrize("unsensed", TRAYS)
@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_stays_where_the_own_last_move_could_have_ended_went_there(
    timeline: Any, sensing: str, unsensed: tuple[str, ...], rest: float
) -> None:
    board = timeline("robot-duel", sensing, "gl+C/1e1/3/+cLG w e 1", unsensed)
    board.hands("0.5 B2- 0.112 C3+").rest(rest).hands("C4- 0.1 C3- 0.2 A3+ 0.4 C3+").rest(7)
    board.hands("A1- 0.4 A2+").rest()
    assert board.moves == ["B2A3", "C4C3", "A1A2"]
    assert "fault" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_lion_that_was_not_captured_is_not_asked_about_once_play_goes_on(
    timeline: Any, sensing: str
) -> None:
    board = timeline(sensing=sensing, position="l1e/1L1/1E1/1G1 w CGc 1")
    board.hands("1 A1- 0.25 B2- C3+ 0.04 B2+ 0.18 C3- 0.39 A2+ 0.8 B4- 0.3 C4+").rest(2.5)
    assert board.moves == ["A1A2", "B4C4"]
    assert "ask" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("unsensed", TRAYS)
def test_a_player_who_only_tries_to_take_the_lion_has_not_won(
    timeline: Any, sensing: str, unsensed: tuple[str, ...]
) -> None:
    board = timeline(sensing=sensing, position="l1e/1L1/1E1/1G1 w CGc 1", unsensed=unsensed)
    board.hands("1 A1- 0.7 B2- 0.6 A1+ 0.6 B2+ 0.5 A1- 0.5 A2+").rest(10)
    assert board.moves == ["A1A2"]
    assert "ask" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_came_before_the_captive_was_lifted_is_another(
    timeline: Any, sensing: str
) -> None:
    # C4 is bumped into as a chick is dropped beside it, and the lion is taken at once.
    board = timeline(sensing=sensing, position="gee/l1L/3/2G b 2C 1", unsensed=("hand",))
    board.hands("1 C4- 0.024 B4+ 0.21 C4+ 0.18 B1- 0.17 C2- 0.012 C2+").rest()
    if board.asked:
        assert board.asked == [{"C*B4", "C4B4"}]
        board.choose("C*B4")
    assert board.moves == ["C*B4", "B1C2"]
