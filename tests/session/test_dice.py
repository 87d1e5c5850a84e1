"""Throws that come before a move is read, or late, or again."""

from __future__ import annotations

from typing import Any

import pytest

SENSINGS = ("presence", "polarity")


def test_a_throw_that_arrives_while_a_reading_waits_plays_it(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- 0.5 c3+ 0.06").rest(0.0)
    assert board.moves == []
    board.throw(3).rest()
    assert board.moves == ["b1c3"]
    assert [e.texts[0] for e in board.session.record if e.kind == "throw"] == ["3", "3"]
    assert board.session.view.dice.to_play == (3,)


def test_a_throw_that_is_told_after_its_move_was_made(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(2)
    board.hands("a7- c6+").rest(2)
    assert board.moves == ["b1c3"]
    board.throw(3).rest()
    assert board.moves == ["b1c3", "a7c6"]


def test_revising_a_move_keeps_the_throw_after_it(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(0.6).throw(3).rest(0.2)
    board.hands("c3- a3+").rest()
    assert board.moves == ["b1a3"]
    assert board.session.view.dice.to_play == (3,)
    assert "revise" in board.events


@pytest.mark.parametrize("dice", [3, 4])
@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_throw_after_which_one_must_pass_while_a_knocked_piece_is_put_back(
    timeline: Any, sensing: str, dice: int
) -> None:
    start = (
        "wB,wP,2,nK,nE,nH,nB/wH,wP,2,nP,nP,nP,nP/wE,wP,6/wK,wP,6/6,eP,eK/3,sP,2,eP,eE/"
        "sP,sP,sP,3,eP,eH/sB,sH,sE,sK,2,eP,eB W - 0,0,0,0 -"
    )
    board = timeline("chaturaji", sensing, start).throw(3)
    turned = "/" if sensing == "polarity" else "+"
    board.hands(f"2 a7- 0.4 b8- 0.35 c6{turned} 0.65").throw(dice)
    board.hands(f"1.6 b8{turned}").rest()
    assert board.moves == ["a7c6", "--"][: 1 + (dice == 4)]  # no king or pawn of North can move
    assert not board.asked


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_was_tried_and_put_back_is_not_played_when_the_other_goes_back(
    timeline: Any, sensing: str
) -> None:
    board = timeline("shogi", sensing).hands("1 2h- 5h+ 1 6a- 6b+").rest(1)
    board.hands("5h- 0.4 3h+ 0.5 3h- 0.4 5h+ 0.8 6b- 0.5 6a+").rest(0.3)
    board.hands("5h- 0.03 4h+ 0.16 4h- 0.03 3h+ 0.13 3h- 0.03 2h+").rest()
    assert board.moves == []


def test_dice_thrown_again_by_who_made_the_same_move_again(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(1).throw(3).rest(1)
    board.throw(5).rest(1)
    assert board.session.view.dice.to_play == (3,)  # nobody throws twice for one move
    board.hands("c3- 0.5 b1+ 0.2 b1- 0.4 c3+").rest(1).throw(5).rest(1)
    assert board.moves == ["b1c3"]
    assert board.session.view.dice.to_play == (5,)


def test_takeback_restores_the_throw_of_the_move_undone(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(1).throw(3)
    board.hands("a7- c6+").rest(1)
    assert board.moves == ["b1c3", "a7c6"]
    board.hands("c6- a7+").rest(1)
    assert board.moves == ["b1c3"]
    assert board.session.view.dice.to_play == (3,)
    board.hands("c3- b1+").rest()
    assert board.moves == []
    assert board.session.view.dice.to_play == (3,)


def test_a_throw_after_other_moves_were_taken_back_replaces_the_one_that_stood(
    timeline: Any,
) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(1).throw(3)
    board.hands("a7- c6+").rest(1)
    board.hands("c6- a7+ 1.5 c3- b1+ 0.4 b1- a3+").rest(1)
    assert board.moves == ["b1a3"]
    board.throw(5).hands("1 b5- c5+").rest(1)
    assert board.moves == ["b1a3", "b5c5"]
    board.throw(5).throw(3).rest(1)
    assert board.session.view.dice.to_play == (5,)


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("back", ["c3- b1+", "c3- 0.3 b1+"])
@pytest.mark.parametrize("knocked", [0.5, 1.2])
@pytest.mark.parametrize("waited", [0.08, 0.15, 0.22, 0.5])
def test_a_throw_soon_after_another_move_was_made_instead_of_the_one_before_the_last(
    timeline: Any, sensing: str, back: str, knocked: float, waited: float
) -> None:
    board = timeline("chaturaji", sensing).throw(3).hands("1 b1- c3+").rest(1).throw(3)
    turned = "/" if sensing == "polarity" else "+"
    board.hands(f"2 a7- 0.16 c6{turned} 0.8 c6- 0.1 a7{turned} 0.8 {back} 0.4")
    board.hands(f"b2- b1- 0.02 a3+ {knocked} b2+ {waited}").throw(5)
    board.hands(f"1 b5- c5{turned}").rest(1)
    assert board.moves == ["b1a3", "b5c5"]
    assert not board.asked


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("hold", [0.5, 2.0])
@pytest.mark.parametrize("waited", [0.5, 1.0, 2.0])
def test_a_captive_laid_where_he_came_from_takes_no_throw_back(
    timeline: Any, sensing: str, waited: float, hold: float
) -> None:
    pieces = "5,nK,1,1/7,nP/8/wK,7/8/6,eK,eE/8/2,sK,5 N - 0,0,0,0 -"
    turned = "/" if sensing == "polarity" else "+"
    board = timeline("chaturaji", sensing, pieces).throw(5).hands("1 h7- 0.4 h6+").rest(1).throw(4)
    board.hands(f"1.6 h3- 0.5 h4{turned} 0.5 h4- 0.7 h3{turned} 0.6 h6- 0.6 h7+")
    board.hands(f"{waited} h3- {hold} h6{turned} 0.6 h7- 0.8").throw(3).rest(2)
    assert board.moves == ["h7h6", "h3h6", "--"]


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("told", [0.08, 0.22, 1.0])
@pytest.mark.parametrize("tried", ["h3- 0.5 h4{} 0.5 h4- 0.5 h3{} 1.1 ", ""])
@pytest.mark.parametrize("other", ["f8- 0.4 e8+", "h7- 0.4 h6+", "e8+ 0.03 f8-", "e8+ 0.15 f8-"])
@pytest.mark.parametrize("waited", [0.6, 2.0])
def test_after_a_ply_and_its_throw_were_taken_back_another_throw_falls(
    timeline: Any, sensing: str, waited: float, other: str, tried: str, told: float
) -> None:
    # A hand that has tried another piece makes the ply before it final, so that it is taken back.
    pieces = "5,nK,1,1/7,nP/8/wK,7/8/6,eK,eE/8/2,sK,5 N - 0,0,0,0 -"
    turned = "/" if sensing == "polarity" else "+"
    board = timeline("chaturaji", sensing, pieces).throw(5).hands("1 h7- 0.4 h6+").rest(1).throw(4)
    board.hands(f"0.6 {tried.format(turned, turned)}h6- 0.6 h7+").rest(waited)
    board.hands(other).rest(told).throw(5).hands(f"0.3 g3- 0.4 g4{turned}").rest(1.5)
    assert board.moves == ["h7h6" if "h" in other else "f8e8", "g3g4"]


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("early", [0.2, 0.0, -0.03])
def test_a_throw_that_is_told_before_another_move_is_made_after_a_takeback(
    timeline: Any, sensing: str, early: float
) -> None:
    pieces = "5,nK,1,1/7,nP/8/wK,7/8/6,eK,eE/8/2,sK,5 N - 0,0,0,0 -"
    turned = "/" if sensing == "polarity" else "+"
    board = timeline("chaturaji", sensing, pieces).throw(5).hands("1 h7- 0.4 h6+").rest(1).throw(4)
    board.hands(f"0.6 h3- 0.5 h4{turned} 0.5 h4- 0.5 h3{turned} 1.1 h6- 0.6 h7+ 2 f8- 0.4")
    if early < 0:
        board.hands(f"e8+ {-early}").throw(5)
    else:
        board.throw(5).hands(f"{early} e8+")
    board.rest(0.3).hands(f"0.3 g3- 0.4 g4{turned}").rest(1.5)
    assert board.moves == ["f8e8", "g3g4"]


@pytest.mark.parametrize("waited", [0.6, 2.0])
@pytest.mark.parametrize("told", [0.1, 1.0])
def test_a_throw_with_which_one_would_have_to_pass_after_another_move_falls_anew(
    timeline: Any, told: float, waited: float
) -> None:
    pieces = "5,nK,1,nE/8/8/wK,7/8/6,eK,eE/8/2,sK,5 N - 0,0,0,0 -"
    board = (
        timeline("chaturaji", "polarity", pieces).throw(4).hands("1 h8- 0.4 h7+").rest(1).throw(4)
    )
    board.hands("0.5 h3- 0.5 h4/ 0.5 h4- 0.5 h3/ 1.1 h7- 0.6 h8+").rest(waited)
    board.hands("h3- 0.3 h8- 0.5 h3+").rest(told).throw(5).hands("1 g3- 0.4 g4/").rest(1)
    assert board.moves == ["h8h3", "g3g4"]


def test_a_forced_pass_plays_itself_and_is_said(timeline: Any) -> None:
    board = timeline("chaturaji").throw(4).rest()  # the elephant is shut in at the start
    assert board.told[-1] == ("move", {"seat": 0, "move": "--"})
    assert board.session.view.match.seat == 0
    board.throw(3).hands("1 a7- c6+").rest()
    assert board.moves == ["--", "a7c6"]


def test_a_throw_that_cannot_fall_is_no_throw(timeline: Any) -> None:
    board = timeline("chaturaji").throw(6).throw(1, 2).rest()
    assert board.told == []
    assert board.session.view.dice.to_play == ()
    assert timeline("robot-duel").throw(3).rest().told == []


def test_a_throw_while_the_last_piece_has_hardly_come_down(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 c3+ 0.0 b1- 0.02").throw(5).rest(1)
    board.hands("a5- 0.4 b4+").rest(1)
    assert board.moves == ["b1c3", "a5b4"]
    assert "refused" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_throw_when_a_piece_has_just_come_to_where_another_was_slid_from(
    timeline: Any, sensing: str
) -> None:
    """What was read before the dice fell is read again, now that somebody stands there."""
    board = timeline("chaturaji", sensing, dice=2).throw(5, 5)
    board.hands("1 d3+ 0.08 d2- 0.03 d1- 0.13 d2+ 0.025").throw(3, 4).rest(1)
    assert board.moves == ["d2d3", "d1d2"]
    assert board.session.view.dice.to_play == (3, 4)


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_throw_while_the_piece_that_is_slid_after_a_capture_might_be_the_captive(
    timeline: Any, sensing: str
) -> None:
    start = (
        "wB,wP,2,nK,nE,1,nB/wH,wP,2,nP,nP,nP,nP/wE,wP,6/wK,wP,6/6,eP,eK/2,nH,3,eP,eE/"
        "sP,sP,sP,sP,2,eP,eH/sB,sH,sE,sK,2,eP,eB S - 0,0,0,0 -"
    )
    board = timeline("chaturaji", sensing, start, dice=2).throw(3, 5)
    board.hands("1 c3- 0.2 b1- 0.3 c3+ 1 d3+ 0.06").throw(3, 3).hands("0.02 d2-").rest(1)
    assert board.moves == ["b1c3", "d2d3"]
    assert board.session.view.dice.to_play == (3, 3)


@pytest.mark.parametrize(("lift", "back"), [("a3- 0.02", "a3+"), ("b2- 0.03", "b2+")])
@pytest.mark.parametrize("waited", [0.06, 0.3, 1.0])
def test_a_throw_while_a_piece_rocks_after_three_plies_were_taken_back(
    timeline: Any, waited: float, lift: str, back: str
) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(1).throw(3)
    board.hands("a7- c6+").rest(1).throw(3).hands("1 g8- f6+").rest(1)
    board.hands(f"f6- g8+ 1.5 c6- a7+ 1.5 c3- b1+ 0.4 b1- a3+ {waited}")
    board.hands(lift).throw(5).hands(f"0.03 {back}").rest(1).hands("1 b5- c5+").rest(2)
    assert board.moves == ["b1a3", "b5c5"]


@pytest.mark.parametrize("lifted", [0.1, 0.3])
def test_a_throw_told_when_its_piece_is_in_a_hand_after_three_plies_were_taken_back(
    timeline: Any, lifted: float
) -> None:
    """A throw before the last ply does not count, though a piece is moved as if it did."""
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(1).throw(3)
    board.hands("a7- c6+").rest(1).throw(3).hands("1 g8- f6+").rest(1)
    board.hands("f6- g8+ 1.5 c6- a7+ 1.5 c3- b1+ 0.4 b1- a3+").rest(1)
    board.hands(f"b5- {lifted}").throw(5).hands("0.2 c5+").rest(1)
    assert board.moves == ["b1a3", "b5c5"]
    board.throw(3).rest(1)
    assert board.session.view.dice.to_play == (3,)
    assert board.hands("g8- f6+").rest(1).moves == ["b1a3", "b5c5", "g8f6"]


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("early", [0.008, 0.05, 0.09])
@pytest.mark.parametrize("lap", [0.0, 0.11])
def test_a_throw_that_is_told_before_a_sensor_shows_the_move_it_fell_after(
    timeline: Any, sensing: str, early: float, lap: float
) -> None:
    turned = "/" if sensing == "polarity" else "+"
    board = timeline("chaturaji", sensing).throw(5).hands("1").throw(5)
    board.hands(f"{early} b3+ {lap} b2-").rest(1).hands(f"b5- 0.3 c5{turned}").rest(1)
    assert board.moves == ["b2b3", "b5c5"]
    board.throw(3).hands("1 g8- 0.3 f6+").rest(1)
    assert board.moves == ["b2b3", "b5c5", "g8f6"]


def test_dice_that_fall_twice_before_a_piece_is_lifted_are_thrown_once(timeline: Any) -> None:
    board = timeline("chaturaji").throw(5).hands("1").throw(5)
    board.hands("0.2 b2- 0.3 b3+").rest(1).throw(3).rest(1)
    assert board.moves == ["b2b3"]
    assert board.session.view.dice.to_play == (3,)


def test_a_throw_that_fell_again_is_none_of_the_next_match(timeline: Any) -> None:
    board = timeline("chaturaji").throw(5).rest(1).throw(5)
    board.new_match()
    board.hands("0.05 b2- 0.4 b2+").rest(1)
    assert board.session.view.dice.to_play == ()
