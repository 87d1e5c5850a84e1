"""Sensors that all work, and are not blamed for what hands do or people say."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.session_parts import wrong

SENSINGS = ("presence", "polarity")
BARE = ("hand",)


# ---- what hands do


def test_hands_that_hesitate_or_err_make_no_sensor_fail(timeline: Any) -> None:
    board = timeline().hands("1 A1- A2+").rest(8)
    board.hands("A2- 2.5 A1+").rest(5)
    board.hands("C4- 3 B4- 2.5 B4+ 3 C3+").rest(3)
    board.hands("A1- 2 A2+ 3 C3- 2 C4+ 3 A2- 3 A1+").rest(5)
    assert "fault" not in board.events
    assert board.session.view.masked == frozenset()


def test_a_piece_put_on_the_board_from_beside_it_is_no_failing_sensor(timeline: Any) -> None:
    board = timeline("shogi")
    board.pieces["5e"] = 0
    board.hands("1 5e+").rest(4)
    assert (board.moves, board.session.view.masked) == ([], frozenset())
    assert wrong(board.session) == ((), ("5e",))


@pytest.mark.parametrize("rest", [0.4, 1.2, 2.0, 4.0, 12.0])
@pytest.mark.parametrize("goes", ["A1+ 1 A2- 0.5 A3+", "B2+"])
@pytest.mark.parametrize("unsensed", [(), ("hand",)])
@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_put_where_it_may_not_go_blames_no_sensor(
    timeline: Any, sensing: str, unsensed: tuple[str, ...], goes: str, rest: float
) -> None:
    # Had the sensor of B2 stuck, A1 might have gone there, and a chick been dropped on C1.
    board = timeline(sensing=sensing, position="el1/g1L/1E1/G2 w 2C 1", unsensed=unsensed)
    board.hands("1 A1- 0.42 C1+").rest(rest).hands(f"C1- 0.5 {goes}").rest()
    assert board.moves == (["A1B2"] if goes == "B2+" else ["A2A3"])
    assert "fault" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
def test_clumsy_hands_blame_no_sensor_where_all_sensors_tell_what_they_did(
    timeline: Any, sensing: str
) -> None:
    # Had A2 or C2 stuck, a chick might have gone there, and taken B2 two plies later.
    board = timeline(sensing=sensing).hands("1 B3- 0.16 B2- 0.17 B2+ 0.62 B2- 0.03 hand.A.C+")
    board.hands("0.33 B3+ 0.19 B1- 0.06 B2+ 0.29 B3- B2- 0.22 A4- 0.1 B3+ 0.01 B2+ 0.18 hand.B.C+")
    board.hands("0.34 B2- 0.06 B2+ 1.42 B3- 0.2 hand.B.E+ 0.49 B2- 0.36 B3+ 1.5 C4- 0.4 C3+").rest()
    assert board.moves == ["B3B2", "B1B2", "A4B3", "B2B3", "C4C3"]
    assert "fault" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_is_held_blames_no_sensor(timeline: Any, sensing: str) -> None:
    # Had A2 stuck, the lion might have gone there. He is taken so soon that he seems to rock.
    board = timeline(sensing=sensing).hands(
        "0.13 C4- 0.17 C3+ 0.14 B1- 0.17 C2+ 0.083 C2- 0.014 C3-"
    )
    board.hands("0.014 C2+").rest(35)
    assert board.session.view.masked == frozenset()
    assert board.asked[-1] == {"C3C2", ""}
    board.choose("C3C2").rest()
    assert board.moves == ["C4C3", "B1C2", "C3C2"]
    assert "fault" not in board.events


def test_a_robot_that_ate_unseen_blames_no_sensor(timeline: Any) -> None:
    # Had c4 stuck, a refill that nobody sees might have been made instead: only people can tell.
    board = timeline("robotory").hands("1 stock.light.b- 0.5 b4+").rest().choose("P b b4")
    board.hands("1 stock.dark.b- 0.5 a1+").rest().choose("P b a1")
    board.hands("1 c4-").rest(4.6).hands("stock.dark.b- 0.43 a2+").rest(1.5)
    assert "fault" not in board.events
    board.choose("M B c4-b4").rest()
    assert board.moves == ["P b b4", "P b a1", "M B c4-b4", "P b a2"]


# ---- what people say


def test_a_player_who_names_a_move_with_the_piece_in_the_hand_accuses_no_sensor(
    timeline: Any,
) -> None:
    board = timeline().hands("1 C4-").rest(0.5).choose("C4C3").rest(2)
    assert (board.moves, board.events) == (["C4C3"], ["move"])
    board.hands("C3+").rest(1)
    assert (board.moves, board.events) == (["C4C3"], ["move"])


def test_an_answer_that_names_the_next_move_accuses_no_sensor(
    timeline: Any,
) -> None:
    # A piece is tried where it may turn over, and lifted again; the drop that is played instead may
    # have been made long before, in the place of a move that is final, if a sensor sticks.
    board = timeline(position="g2/lCc/G2/E1L b E 1", unsensed=("hand",))
    board.hands("1 A3- 0.55 B3+ 1 A2- 0.6 A3+ 1 B3- 0.6 B4+ 1 A1- 0.5 A2+").rest(1)
    played = ["A3B3", "A2A3", "B3B4", "A1A2"]
    assert board.moves == played
    board.hands("B2- 0.7 B1+").rest(0.4)
    assert board.asked == [{"B2B1", "B2B1+"}]
    board.hands("B1-").rest(0.5).choose("E*B3").hands("0.2 B2+").rest(1)
    assert board.moves == played
    board.hands("B3+").rest()
    assert board.moves == [*played, "E*B3"]
    assert "fault" not in board.events


def test_a_player_who_took_back_more_than_anybody_saw_and_names_the_next_move_accuses_no_sensor(
    timeline: Any,
) -> None:
    # A token and the refill after it are taken back: it is only seen that e4 is empty again.
    board = timeline("robotory", "presence", "..B....W........R.....w./2w2b:2w2b 3w5b l")
    board.hands("1 stock.light.w- 0.12 b3+").rest(0.5).choose("P w b3")
    board.hands("stock.dark.w- 0.6 e4+").rest(1.9).choose("P w e4").rest(0.05).choose("F 1w")
    board.rest(3.6).hands("e4- 0.4 stock.dark.w+ 2.1 e3- 0.27 a3- 0.18 a3+ 0.1 e3+")
    board.hands("0.31 b4- 0.08 b3- 0.18 b3+").rest(1.2).choose("M W b4-b3").rest(0.2)
    board.hands("stock.light.w- 0.5 e1+").rest()
    assert board.moves == ["P w b3", "M W b4-b3", "P w e1"]
    assert "fault" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_move_that_went_on_after_a_rest_is_named_and_no_sensor_accused(
    timeline: Any, sensing: str
) -> None:
    board = timeline("shogi", sensing).hands("1 4i- .3 4h+").rest(2)
    assert board.moves == ["4i4h"]  # all pieces stand still as it is shown
    board.hands("0 4h- .003 4h+ .004 5h+ .003 4h- .27 9a- .15 9b+ .02 9b- .01 9b+")
    board.rest(0.3).choose("4i5h")
    board.hands("0.06 8g- .2 8f+").rest(3)
    assert board.moves == ["4i5h", "9a9b", "8g8f"]
    assert "fault" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_move_that_is_named_while_the_next_piece_is_held_blames_no_sensor(
    timeline: Any, sensing: str
) -> None:
    board = timeline("robotory", sensing, unsensed=("stock", "pool")).hands("1.43 a4+").rest(0.79)
    board.hands("c3+ 0.014 c3- 0.01 c3+").rest(0.11).choose("P w a4")
    board.hands("0.11 c3- 0.17 b3- 0.18 d3-").rest(0.2).choose("P w c3")
    board.hands("0.03 d3+ 0.23 c3+").rest(1).choose("M W b3-c3").rest(2)
    assert board.moves == ["P w a4", "P w c3", "M W b3-c3"]
    assert not board.asked
    assert "fault" not in board.events


def test_a_capture_between_two_looks_that_is_named_blames_no_sensor(timeline: Any) -> None:
    """That C3 never let go of the piece that was taken is no worse than a piece of whom it showed
    neither that it left nor that another came.
    """
    board = timeline(position="l2/LeE/2G/CG1 w C 1", unsensed=BARE).rest(2)
    board.hands("B2- 0.495 A3+ 0.001 A3- 0.002 A3+").rest(2.05).hands("C4+").rest(1.28)
    board.hands("A3- 0.22 B2+ 0.65 C2- 0.15 C2+ 0.05 C2- 0.13 C2+ 0.01 C2- 0.76 B1+").rest(1.43)
    board.hands("B2-").rest(1.68).choose("B2C3").rest()
    assert board.moves == ["B2A3", "C*C4", "A3B2", "C2B1", "B2C3"]
    assert "fault" not in board.events
