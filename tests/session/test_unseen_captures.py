"""Captures that nobody saw, and moves that people name."""

from __future__ import annotations

from typing import Any

import pytest

SENSINGS = ("presence", "polarity")
BARE = ("hand",)


def test_a_named_capture_stands_though_nothing_was_seen_of_its_end(timeline: Any) -> None:
    # Both pieces go to B3 in one breath: its sensor sees only one of them come.
    board = timeline(sensing="polarity", position="1CG/gl1/2L/E1c w E 1")
    board.hands("1 B2- 0.23 B3+ 0.02 B3- 0.27 A4- 0.26 B3+").rest(0.9)
    board.choose("B2B3").rest(0.9)
    board.choose("A4B3").rest()
    assert board.moves == ["B2B3", "A4B3"]


def test_a_capture_between_two_looks_is_asked_for_when_the_piece_is_long_missing(
    timeline: Any,
) -> None:
    board = timeline(sensing="presence", position="g1e/1l1/1c1/ELG b C 1", unsensed=BARE)
    board.hands("1 B4-").rest(29.0)
    assert board.asked == []
    board.rest(2.0)
    (asked,) = board.asked
    assert "B4B3" in asked
    board.choose("B4B3").rest()
    assert board.moves == ["B4B3"]


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("hovers", ["0.3 A2+ 0.1 A2-", "A1+ 0.02 A1- 0.3 A2+ 0.1 A2-"])
def test_a_piece_that_hovers_before_it_takes_another_between_two_looks(
    timeline: Any, sensing: str, hovers: str
) -> None:
    board = timeline(sensing=sensing, position="1g1/3/l2/CLC b EEG 1")
    board.hands(f"1 B4- {hovers}").rest(40)
    assert any("B4A3" in texts for texts in board.asked)


def test_a_piece_held_for_long_may_still_go_anywhere(timeline: Any) -> None:
    board = timeline(sensing="presence", position="g1e/1l1/1c1/ELG b C 1", unsensed=BARE)
    board.hands("1 B4-").rest(31.0)
    assert board.asked
    board.hands("A3+").rest()
    assert board.asked == []
    assert board.moves == ["B4A3"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_play_that_goes_on_shows_that_a_piece_was_taken_between_two_looks(
    timeline: Any, sensing: str
) -> None:
    # After B3 takes on B2 unseen, both players move back: it might be two moves taken back.
    board = timeline(sensing=sensing, unsensed=BARE).hands("1 C4- 0.3 C3+ 1 A1- 0.3 A2+")
    board.hands("1 B3- 1 A2- 0.3 A1+ 0.8 C3- 0.3 C4+").rest()
    assert board.moves == ["C4C3", "A1A2", "B3B2", "A2A1", "C3C4"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_drop_where_the_piece_stood_that_took_another_between_two_looks(
    timeline: Any, sensing: str
) -> None:
    # It might be put back, but then the pieces on B3 and B2 could not go on as they do.
    board = timeline(sensing=sensing, position="l2/1e1/1C1/2L b ggec 1", unsensed=BARE)
    board.hands("1 B3- 0.9 B3+ 1 B2- 0.3 B1+ 1 B3- 0.3 A3+").rest()
    board.choose("G*B3").choose("B2B1").rest()
    assert board.moves == ["B3B2", "G*B3", "B2B1", "B3A3"]


def test_what_is_too_odd_to_be_read_is_asked_in_the_end(timeline: Any) -> None:
    pieces = "wB,2,wP,nK,1,nE,1/2,wP,1,nP,nP,nP,nP/1,wP,wH,5/1,wP,3,eP,1,eE/8/wE,3,eP,1,sB,1/"
    pieces += "sP,sP,sP,sP,1,nB,1,eH/1,sE,1,sK,eP,2,eB W - 5,3,6,3 f5:K lost=W,E quiet=1"
    board = timeline("chaturaji", sensing="polarity", position=pieces).throw(4)
    board.hands("1 a3- 0.85 f2- 0.15 f2+ 0.003").throw(4)
    board.hands("1 f7- 0.3 f7+ 0.1 h8+ 0.04 g8-").rest(3)
    assert board.asked == [{"a3e3", ""}, {"4", ""}, {"g8h8", ""}]
    board.rest(30)
    assert board.moves == ["?", "?"]  # nothing has happened that would tell
    board.choose("a3e3")
    assert board.moves == ["a3e3", "g8h8"]


def test_a_piece_that_is_captured_early_is_put_into_a_wrong_tray_after_the_end(
    timeline: Any,
) -> None:
    board = timeline(sensing="polarity").hands("1 B3- 0.3 B2- 0.3 B2+ 1 B1- 0.3 B2- 0.3 B2+")
    board.hands("0.4 hand.B.C+ 1 C4- 0.9 C3+ 0.06 B2- 0.17 C3- 0.03 B3+ 0.1 C3+ 0.36 B4- 0.17 C3-")
    board.hands("0.22 C3+ 0.39 B3- 0.42 hand.B.G+ 0.22 hand.A.G+ 1.46 hand.A.G- 0.53 hand.A.C+")
    assert board.rest(6).moves == ["B3B2", "B1B2", "C4C3", "B2C3", "B4C3"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_had_only_just_come_may_be_taken_between_two_looks(
    timeline: Any, sensing: str
) -> None:
    board = timeline(sensing=sensing, position="1l1/2G/3/1L1 w GEECC 1").hands("1 B1- 0.17 B2+")
    board.hands("0.27 C2- 0.42 A2+ 0.2 A2-").rest(31)  # the lion is parked on A2, or the giraffe
    assert board.moves == ["B1B2", "?"]
    assert board.asked == [{"C2B2", ""}]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_what_came_before_the_last_ply_may_have_been_a_capture_that_nobody_saw(
    timeline: Any, sensing: str
) -> None:
    # B3 takes on A3 or C3, and B1 goes to B2; or B3 goes to B2, where B1 takes it.
    board = timeline(sensing=sensing, position="lg1/3/cGe/1L1 b CE 1", unsensed=BARE)
    board.hands("1 B3- 1.5 B1- 0.08 B2+").rest(31)
    assert {"B3B2", "B3A3", "B3C3"} in board.asked
    board.choose("B3C3").rest()
    assert board.moves == ["B3C3", "B1B2"]


@pytest.mark.parametrize("straightened", [0.4, 0.49, 0.58])
def test_a_piece_that_may_have_been_taken_while_another_was_straightened_is_asked_about(
    timeline: Any, straightened: float
) -> None:
    # The pawn slides to d3 when that has been cleared; meanwhile d1 is lifted and put back.
    pieces = "2,nK,4,nB/5,nP,2/5,wE,nP,nP/2,wP,5/wK,3,wB,1,eP,eK/1,nE,sB,sP,2,eP,eE/sP,sP,2,eP,3/"
    pieces += "3,sE,2,eP,1 E - 6,7,6,5 - lost=S quiet=7"
    board = timeline("chaturaji", position=pieces).throw(5).hands("1 d3- 0.14 d1- 0.34 e2- 0.0 d3+")
    board.hands("0.006 d3- 0.002 d3+ 0.006 e2+ 0.006 e2- 0.002 e2+ 0.008 e2-")
    board.hands(f"{straightened - 0.37:.2f} d1+").rest(1).throw(3).rest(2)
    assert board.asked == [{"e2d3", "e2d1"}]


def test_a_player_who_throws_for_others_has_seen_a_capture_that_no_sensor_saw(
    timeline: Any,
) -> None:
    pieces = "1,wP,3,nK,nE,nB/2,wP,1,nP,nP,nP,eK/wE,wP,1,wH,4/wK,wP,6/4,wB,1,eP,eE/1,sP,sH,3,eP,1/"
    pieces += "sP,1,sP,sP,2,eP,eH/sB,sE,1,sK,1,eP,1,eB S - 0,0,0,4 -"
    board = timeline("chaturaji", position=pieces).throw(3).hands("1 b5- 0.8 c3- 0.4 b5+ 1")
    board.throw(5).hands("2 a5- 1").throw(4)  # North's elephant is shut in
    board.hands("1").throw(5).hands("3 h8- 0.8 h7- 0.006 h8+ 0.6").throw(5)
    board.hands("0.8 d2- 0.4 d3+ 0.3").throw(5).rest(2)
    assert board.moves == ["c3b5", "a5b5", "--", "h7h8", "d2d3"]


@pytest.mark.parametrize("pause", [1.0, 2.5])
def test_a_piece_that_had_come_before_the_hand_lifted_was_not_put_there_by_it(
    timeline: Any, pause: float
) -> None:
    board = timeline(sensing="presence", position="l1e/1+c1/2C/GLE w g 1", unsensed=BARE)
    board.hands("1 B2- 0.3 B3+ 0.2 C3- 0.07 C3+")  # the chick is only nudged
    board.hands(f"{pause} B4- 0.2 B3- 0.15 B3+").rest(10)
    # if the hen took the chick, the lion went to where a piece stood before it was lifted
    assert board.moves == ["?", "B4B3"]
    assert board.asked == [{"B2B3", "B2C3"}]
