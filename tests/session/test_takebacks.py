"""Takebacks by hand, and what is kept of what was taken back."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import CHANCE
from engine.reading.mismatch import mismatch
from engine.reading.observations import Edges
from firmware_host.text.announcements import status
from tests.support.session_parts import reader_of

SENSINGS = ("presence", "polarity")
BARE = ("hand",)


def played(board: Any) -> Any:
    """Play C4C3, A1A2, B3B2 (a capture), B1B2 (one back)."""
    board.hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1)
    board.hands("B3- B2- B2+ hand.A.C+").rest(1).hands("B1- B2- B2+ hand.B.C+").rest(1)
    assert board.moves == ["C4C3", "A1A2", "B3B2", "B1B2"]
    board.told.clear()
    return board


@pytest.mark.parametrize("sensing", SENSINGS)
def test_takeback_of_several_plies_the_last_mover_first(timeline: Any, sensing: str) -> None:
    board = played(timeline(sensing=sensing))
    board.hands("hand.B.C- 0.2 B2- B1+ B2+").rest()
    assert board.moves == ["C4C3", "A1A2", "B3B2"]
    board.hands("B2- B3+ hand.A.C- B2+").rest()
    assert board.moves == ["C4C3", "A1A2"]
    board.hands("A2- A1+").rest()
    board.hands("C3- C4+").rest()
    assert board.moves == []
    assert board.events[0] == "retract"
    assert board.events.count("takeback") == 3
    assert not board.asked


def test_takeback_of_three_plies_in_one_go(timeline: Any) -> None:
    board = played(timeline())
    board.hands("B2- B1+ hand.B.C- B2+ 1.2 B2- B3+ hand.A.C- B2+ 1.2 A2- A1+").rest()
    assert board.moves == ["C4C3"]
    assert board.session.view.match.turn == 1


def test_four_plies_taken_back_as_quickly_as_hands_can(timeline: Any) -> None:
    """Be it that the piece that was taken last never came to its tray; and the first of them, which
    was named, is made again and withdrawn.
    """
    board = timeline(sensing="polarity").rest()
    board.hands("B3- B2- B2+ hand.A.C+").rest(1).choose("B3B2").hands("B1- A2+").rest(1)
    board.hands("A4- B3+").rest(1).hands("A2- B2- B2+").rest()
    assert board.moves == ["B3B2", "B1A2", "A4B3", "A2B2"]
    board.hands("B2- 0.13 A2+ 0.06 B2+ 0.1 B3- 0.1 A4+ 0.1 A2- 0.12 B1+ 0.07 B2- 0.11 B3+")
    board.hands("0.08 hand.A.C- 0.11 B2+").rest()
    assert board.moves == []
    board.hands("B3- B2- 0.4 B2+ 0.3 hand.A.C+ 2 B2- 0.8 B3+ hand.A.C- 0.8 B2+").rest()
    assert board.moves == []


def test_another_order_is_play_that_is_taken_back_by_button(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1)
    board.hands("C3- C4+").rest(1).hands("A2- A1+").rest(1)
    assert board.moves == ["C4C3", "A1A2", "C3C4", "A2A1"]
    assert not status(board.session.view, 1).question
    for _ in range(4):
        board.press("back").rest(1)
    assert board.moves == []
    assert not board.session.view.repair.guiding
    board.hands("B4- A3+").rest()
    assert board.moves == ["B4A3"]


def test_the_back_button_undoes_and_guides(timeline: Any) -> None:
    board = played(timeline()).press("back").rest(2)
    assert board.moves == ["C4C3", "A1A2", "B3B2"]
    assert board.session.view.repair.guiding
    reader = reader_of(board.session)
    put, take = mismatch(reader.shown[0], reader.levels)
    assert (put, take) == (("B1",), ())
    board.hands("B2- B1+ hand.B.C- B2+").rest()
    assert not board.session.view.repair.guiding
    assert board.moves == ["C4C3", "A1A2", "B3B2"]


def test_the_start_set_up_during_a_match_is_a_takeback(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1)
    board.hands("A2- A1+ 0.8 C3- C4+").rest(6)
    assert board.moves == []
    assert "takeback" in board.events


@pytest.mark.parametrize("late", [0.03, 0.1, 0.25])
def test_a_takeback_in_which_the_piece_comes_before_its_sensor_lets_go(
    timeline: Any, late: float
) -> None:
    board = timeline("abalone").hands("1 c4- 0.1 d5+ 1.5 i5- 0.02 f5+ 1 c5- 0.1 d6+").rest(1)
    assert board.moves == ["c4d5", "i5h5", "c5d6"]
    board.hands(f"c5+ {late} d6- 0.8 i5+ {late} f5- 0.8 c4+ {late} d5-").rest(1)
    assert board.moves == []
    assert not board.session.view.repair.guiding


def test_a_takeback_of_a_move_after_which_the_dice_were_thrown_at_once(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- 0.3 c3+ 0.02").throw(4)
    board.hands("1").throw(5).hands("0.5 g7- g6+").rest(1)
    assert board.moves == ["b1c3", "--", "g7g6"]
    board.hands("g6- g7+ 0.8 c3- 0.5 b1+").rest(0.8)
    assert board.moves == []


def test_a_player_who_has_set_up_the_start_during_a_match_plays_at_once(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+ 1").throw(3).hands("0.5 a7- c6+ 1")
    board.throw(2).hands("0.5 h8- f6+ 1").throw(2).hands("0.5 h1- f3+ 1").throw(5)
    board.hands("0.5 a2- a3+").rest(1)
    assert board.moves == ["b1c3", "a7c6", "h8f6", "h1f3", "a2a3"]
    board.hands("f6- h8+ 0.2 a3- a2+ c3- f3- c6- b1+ a7+ h1+ 0.7").throw(5)
    board.hands("0.3 b2- 0.5 b3+").rest(1)
    assert board.moves == ["b2b3"]


def test_dice_that_were_taken_back_are_waited_for_no_more(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- 0.3 c3+ 0.1").throw(3)
    board.hands("0.6 c3- 0.2 a7- 0.3 c6+ 0.25 c3+ 0.15").throw(2).hands("2 h8- 0.2 f6+").rest(1)
    assert board.moves == ["b1c3", "a7c6", "h8f6"]
    board.hands("f6- 0.5 h8+ 2 c6- 0.5 a7+").rest(2)
    assert board.moves == ["b1c3"]
    board.hands("c3- 0.5 b1+ 0.2 b1- 0.7 a3+").rest()
    assert board.moves == ["b1a3"]
    assert board.session.view.dice.to_play == (3,)  # those of the next player


@pytest.mark.parametrize("sensing", ["presence", "polarity"])
def test_pieces_that_go_back_in_another_order_than_they_came(timeline: Any, sensing: str) -> None:
    acts = "1 7g- 0.3 7f+ 1 8c- 0.3 8d+ 1 2h- 0.4 6h+ 1 3c- 0.3 3d+"
    board = timeline("shogi", sensing).hands(acts).rest(1)
    assert board.moves == ["7g7f", "8c8d", "2h6h", "3c3d"]
    board.hands("6h- 0.3 2h+ 0.5 3d- 0.7 3c+").rest(2)
    assert board.moves == ["7g7f", "8c8d"]
    board = timeline("shogi", sensing).hands(f"{acts} 1 6h- 0.3 5h+").rest(1)
    board.hands("5h- 0.3 2h+ 0.06 3d- 0.7 3c+").rest(2)
    assert board.moves == ["7g7f", "8c8d"]


def test_a_captured_piece_that_goes_back_last_is_not_dropped(timeline: Any) -> None:
    pieces = "1n2kg1n1/l3gs1bl/p2p1ppp1/1pP3s1p/4p2P1/3P5/PPG1PPP1P/3S1R2L/LNB1KGSN1 w Rp 1"
    board = (
        timeline("shogi", position=pieces).hands("1 3d- 0.45 2e- 0.5 2e+ 0.8 7d- 0.6 7c+").rest(2)
    )
    board.choose("7d7c+")
    assert board.moves == ["3d2e", "7d7c+"]
    board.hands("2e- 0.3 3d+ 0.5 7c- 0.45 7d+ 1 2e+").rest(10)
    assert board.moves == []


@pytest.mark.parametrize("to", ["6b", "7b"])
@pytest.mark.parametrize("hold", [0.6, 1.0, 1.3, 2.0, 4.0])
@pytest.mark.parametrize("unsensed", [(), BARE])
@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_is_long_in_a_hand_is_not_one_that_another_was_put_for(
    timeline: Any, sensing: str, unsensed: tuple[str, ...], hold: float, to: str
) -> None:
    # Without it the cells read as before its own move: on 6a a piece stands again, but another.
    pieces = "lnsgkg1nl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKG1NL w 2S 1"
    board = timeline("shogi", sensing, pieces, unsensed)
    board.hands(f"1 6a- 0.4 6b+ 2 {'' if unsensed else 'hand.sente.S- '}0.6 6a+").rest(2.5)
    board.hands(f"6b- {hold} {to}+").rest(1)
    assert board.moves == ["6a6b", "S*6a", *(["6b7b"] if to == "7b" else [])]
    assert set(board.events) == {"move"}


@pytest.mark.parametrize("hold", [1.3, 3.0])
@pytest.mark.parametrize("unsensed", [(), BARE])
@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_lift_after_which_all_stand_as_before_undoes_nothing_soon(
    timeline: Any, sensing: str, unsensed: tuple[str, ...], hold: float
) -> None:
    # Both have gone to and fro since the drop.
    board = timeline("robot-duel", sensing, "1l1/3/3/EL1 b CCGGE 1", unsensed)
    board.hands(f"1 {'' if unsensed else 'hand.A.C- '}0.5 B2+").rest(1.5)
    board.hands("B1- 0.4 C1+ 1.5 B4- 0.4 C4+ 1.5 C1- 0.4 B1+ 1.5 C4- 0.4 B4+").rest(1.5)
    board.hands("B2-").rest(hold).hands("B2+").rest()
    assert board.moves[1:] == ["B1C1", "B4C4", "C1B1", "C4B4"]
    assert "takeback" not in board.events


def test_a_lift_undoes_nothing_while_a_tray_lacks_the_piece(timeline: Any) -> None:
    board = timeline("robot-duel", "polarity", "1l1/3/3/EL1 b CCGGE 1")
    board.hands("1 hand.A.C- 0.5 B2+").rest(1.5)
    board.hands("B1- 0.4 C1+ 1.5 B4- 0.4 C4+ 1.5 C1- 0.4 B1+ 1.5 C4- 0.4 B4+").rest(1.5)
    board.hands("B2-").rest(8).hands("B2+").rest()
    assert board.moves == ["C*B2", "B1C1", "B4C4", "C1B1", "C4B4"]
    assert "takeback" not in board.events


@pytest.mark.parametrize("hold", [0.6, 1.5, 3.0])
@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_token_that_is_lifted_is_not_taken_back_with_the_refills_after_it(
    timeline: Any, sensing: str, hold: float
) -> None:
    board = timeline("robotory", sensing, unsensed=("stock", "pool")).hands("1 c2+").rest(1.5)
    board.choose("P w c2").rest(1.5).hands("d5+").rest(1.5)
    board.choose("P w d5").rest(0.5).choose("F 1w").rest(1.5).choose("F 1w").rest(1.5)
    board.hands("d5-").rest(hold).hands("d5+").rest(2)
    assert board.moves == ["P w c2", "P w d5", "F 1w", "F 1w"]
    assert "takeback" not in board.events


def test_a_takeback_that_begins_with_a_drop_where_no_tray_tells(timeline: Any) -> None:
    board = timeline(unsensed=BARE).hands("1 B3- B2- 0.2 B2+ 1 B1- B2- 0.2 B2+ 1 B4- A3+ 1 B3+")
    assert board.rest(1).moves == ["B3B2", "B1B2", "B4A3", "C*B3"]
    board.hands("B3- 1.3 A3- 0.8 B4+ 0.4 B2- 0.8 B1+ 1.2 B2+").rest()
    assert board.moves == ["B3B2"]


@pytest.mark.parametrize("unsensed", [(), BARE])
def test_a_takeback_of_two_plies_that_puts_the_captured_piece_back_first(
    timeline: Any, unsensed: tuple[str, ...]
) -> None:
    board = timeline(unsensed=unsensed).hands("1 B3- B2- 0.2 B2+ hand.A.C+ 1.5 A1- 0.4 A2+")
    assert board.rest(1).moves == ["B3B2", "A1A2"]
    board.hands("A2- A1+ 1 B2- hand.A.C- 0.2 B2+ 0.6 B3+").rest()
    assert board.moves == []


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_stands_where_it_came_from_is_in_nobodys_hand(
    timeline: Any, sensing: str
) -> None:
    board = timeline(sensing=sensing).hands("1 B3- B2- B2+ hand.A.C+ 0.8 B2- 0.5 B3+ hand.A.C-")
    board.hands("0.5 B2+ 6.5 B3- 0.4 B2- 0.1 B2+ 0.4 B3+ 1 B3- 0.13 B2- 0.03 B2+").rest(2)
    assert board.moves == ["B3B2"]  # much was tried before
    board.hands("0.5 B1- 0.4 A2+ 0.1 A2- 0.4 B1+").rest()
    assert board.moves == ["B3B2"]


def test_a_capture_that_was_tried_before_the_piece_went_elsewhere_stays_open(timeline: Any) -> None:
    board = timeline(unsensed=BARE).hands("1 B3- 0.4 B2- 0.4 B2+").rest()
    board.hands("B1- 0.4 B2- 0.5 B2+ 0.6 B1+ 2 B1- 0.4 C2+").rest()
    found = [line.match.moves()[1:] for line in board.session.view.shown]
    assert sorted(found) == [["B1B2", "C*C2"], ["B1C2"]]


@pytest.mark.parametrize("wait", [2.0, 5.0])
def test_a_drop_where_a_captor_came_from_long_ago_was_not_only_tried(
    timeline: Any, wait: float
) -> None:
    board = timeline(unsensed=BARE).hands("1 B3- 0.4 B2- 0.4 B2+").rest()
    board.hands(f"C1- 0.4 B2- 0.5 B2+ {wait} C1+").rest()
    assert board.moves == ["B3B2", "C1B2", "C*C1"]


def test_a_piece_that_is_pushed_on_while_it_still_rocks_was_put_down() -> None:
    edges = Edges()
    edges.restart({}, 0.0)
    for at, reading in ((2.0, 1), (2.008, 0), (2.019, 1), (2.021, 0), (2.036, 1), (2.041, 0)):
        edges.add(at, "C3", reading)
    found = [put for put in edges.placements(1.0, 2.1, 2.4, {}) if put.reading]
    assert [put.at for put in found] == [2.0]


@pytest.mark.parametrize(
    ("position", "hands"),
    [
        (
            "Sr1kg1+Bn1/l2s2p1l/n1gp1+P2p/s4PP2/p7P/PPP1P4/2N+b+p1NPL/L2PR1K2/3G1G2S w 3P 1",
            "6g- 0.6 8i+ 1.2 8i- 0.5 6g+",
        ),
        (
            "l4skn1/r1s1+N3l/2+Pp1p1pp/pp2p1G2/P2P3P1/1P7/+nS+b1PPP1P/+b2G1S1RL/L3G1KN1 w G2P 1",
            "7g- 0.6 6f+ 1.2 6f- 0.5 7g+",
        ),
    ],
)
def test_a_piece_that_goes_back_was_no_captive_though_it_might_have_taken_another(
    timeline: Any, position: str, hands: str
) -> None:
    board = timeline("shogi", "presence", position, BARE).hands("0.2 " + hands).rest()
    assert (board.moves, board.asked) == ([], [])


@pytest.mark.parametrize("over", ["1.03", "0.12 B3+ 0.04 B3- 0.87"])
@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_player_who_makes_a_move_again_that_was_taken_back_names_it_again(
    timeline: Any, sensing: str, over: str
) -> None:
    board = timeline("robot-duel", sensing, "g2/1cl/L1G/E2 b Ce 1", BARE)
    board.hands("1 A3- 0.66 B2- 0.034 B2+").rest(0.76).choose("A3B2")
    board.hands("1.02 C3- 0.31 C2- 0.38 C3+").rest(1.3).choose("C2C3")
    board.hands("0.6 C2+").rest(0.94).choose("C*C2")
    board.hands("0.47 C2- 1.57 C3- 0.11 C3+ 0.5 C2+").rest(3.9)
    board.hands(f"C3- 0.15 C2- {over} C3+ 0.17 B2- 0.12 C2+").rest(0.79).choose("C2C3")
    board.rest(0.48).choose("B2C2").rest(2)
    assert board.moves == ["A3B2", "C2C3", "B2C2"]
    assert not board.asked
    assert "fault" not in board.events


def test_a_turn_that_was_lost_is_taken_back_with_its_throw(timeline: Any) -> None:
    board = timeline("chaturaji").rest(1).throw(5).hands("0.5 c2- 0.4 c3+").rest(2)
    board.throw(4).rest(6)
    assert board.moves == ["c2c3", "--"]
    board.press("back").rest(2)
    assert board.moves == ["c2c3"]
    assert board.last("takeback") == {"plies": 1}
    assert board.session.view.match.turn == CHANCE  # that seat throws again
    board.press("back").rest(2)
    assert board.moves == []
    assert board.session.view.dice.to_play == (5,)
