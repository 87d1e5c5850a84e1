"""What hands still have to do after a move is said and lit."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.lights.scene import scene
from firmware_host.lights.signals import Light, Pattern, Signal
from firmware_host.session.events import Assist, Frame
from firmware_host.session.session import Session
from tests.support.stories import at_a_board

SENSINGS = ("presence", "polarity")
HAND = Light(Signal.BLUE, Pattern.BREATHE)
TO_A = "The chick goes to the hand of A. Turn it to point at B."


def trays(board: Any) -> dict[str, Light]:
    """The trays that are lit."""
    lit = scene(board.session.view, board.now)
    return {place: light for place, light in lit.items() if "." in place}


def level(board: Any, value: int, seat: int) -> Any:
    board.feed(Assist(board.now, value, seat))
    return board


# ---- captured pieces, in every game that has any


def test_a_player_who_refills_or_places_owes_nothing(timeline: Any) -> None:
    board = timeline("robotory", "polarity", "......Ww....B....R....../2w1b:2w2b 9w10b l")
    board.hands("1 pool.b- 0.5 stock.light.b+").rest(3)
    assert board.moves == ["F 1b"]
    assert trays(board) == {}
    assert len(board.says()) == 2
    board.hands("stock.dark.w- 0.4 a1+").rest(3)
    assert board.moves == ["F 1b", "P w a1"]
    assert len(board.says()) == 2


# ---- who forgets it


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_taken_from_its_tray_to_be_dropped_is_not_called_back(
    timeline: Any, sensing: str
) -> None:
    board = timeline("robot-duel", sensing).hands("1 B3- 0.3 B2- 0.3 B2+ 0.5 hand.A.C+").rest(1)
    # A has lifted the chick already when B's move is read.
    board.hands("B1- 0.4 A2+ 0.05 hand.A.C-").rest(1)
    assert board.moves == ["B3B2", "B1A2"]
    assert trays(board) == {"hand.A.C": Light(Signal.WHITE)}
    assert TO_A not in board.says()
    board.rest(60)
    assert TO_A not in board.says()


def started_again(board: Any) -> Any:
    """The same board and match, after the program has started again."""
    board.session = Session(board.game, board.sight, [board.session.view.match])
    board.feed(Frame(board.now, {p: value for p, value in board.readings.items() if value}))
    return board.rest(1)


def test_a_captive_is_still_owed_when_the_program_starts_again(timeline: Any) -> None:
    board = started_again(timeline().hands("1 B3- 0.3 B2- 0.3 B2+").rest(1))
    assert TO_A in board.says()
    assert trays(board) == {"hand.A.C": HAND}


def test_one_that_had_been_put_away_by_then_is_not(timeline: Any) -> None:
    board = timeline().hands("1 B3- 0.3 B2- 0.3 B2+ 0.5 hand.A.C+").rest(1)
    board = started_again(board.hands("B1- 0.4 A2+").rest(1)).hands("hand.A.C-").rest(1)
    assert TO_A not in board.says()  # it is going to be dropped
    assert trays(board) == {"hand.A.C": Light(Signal.WHITE)}


@pytest.mark.parametrize("layout", ["square-reed", "square-hall"])
@at_a_board()
async def test_the_slot_itself_is_lit(board: Any, layout: str) -> None:
    await board.hands("B3- B2- B2+ 1.5")
    assert await board.seen("hand.A.C") == {"blue"}
    await board.hands("hand.A.C+ 1.5")
    assert await board.seen("hand.A.C") == {"dark"}


# ---- when nothing of it is said


def test_a_player_who_wants_no_help_gets_none(timeline: Any) -> None:
    board = level(timeline(), 0, 0).hands("1 B3- 0.3 B2- 0.3 B2+").rest(1)
    assert TO_A not in board.says()
    assert trays(board) == {}
    level(board, 1, 0)
    assert TO_A in board.says()
    assert trays(board) == {"hand.A.C": HAND}
    level(board, 0, 1)  # what the other one wants does not matter
    assert trays(board) == {"hand.A.C": HAND}


def test_while_the_board_is_put_right_only_that_is_said(timeline: Any) -> None:
    board = timeline().hands("1 B3- 0.3 B2- 0.3 B2+").rest(1).hands("hand.A.E+").rest(2)
    assert TO_A in board.says()  # first this, kindly
    board.rest(4)
    assert board.session.view.repair.guiding
    assert TO_A not in board.says()
    assert sum("chick" in each for each in board.says() if "played" not in each) == 1
    board.hands("hand.A.E- hand.A.C+").rest(2)
    assert TO_A not in board.says()


def test_when_the_match_is_over_the_pieces_are_left_alone(timeline: Any) -> None:
    board = timeline(position="gl1/1cE/1C1/eLG b - 1").hands("1 C2- 0.3 B1- 0.3 B1+").rest(3)
    assert board.session.view.outcome is not None
    assert len(board.says()) == 2  # the winner and why, and how another match starts
    last = "sssss/sss3/7/8/9/8/SSSSSS1/6/1SSSs 5 5 b 0 1"
    board = timeline("abalone", position=last).hands("1 a2- 0.3 a5- 0.3 a5+").rest(3)
    assert board.session.view.outcome is not None
    assert trays(board) == {}


def test_what_is_asked_is_not_said_as_if_it_were_known(timeline: Any) -> None:
    board = timeline(position="g1l/1C1/2L/E1G b Ce 1").hands("1 B2- B1+").rest(2)
    assert board.asked
    assert not any("Turn over" in each for each in board.says())


# ---- pieces that are turned or exchanged


def test_so_is_one_that_is_promoted_later_by_a_claim(timeline: Any) -> None:
    pieces = "sKd1,sPa8,wKa5,nKe8,eKh4 S - 0,0,0,0 -"
    board = timeline("chaturaji", position=pieces).rest(1).claim("promote a8=B").rest(1)
    assert "Replace the pawn on a8 with the boat." in board.says()
    board.claim("agree").rest(1)
    assert "Replace the pawn on a8 with the boat." in board.says()  # that changes no piece
    board.throw(5).rest(1)
    assert "Replace the pawn on a8 with the boat." not in board.says()
