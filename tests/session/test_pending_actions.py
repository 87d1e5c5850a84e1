"""What hands still have to do after a move is said and lit."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.i18n.messages import render
from firmware_host.lights.scene import scene
from firmware_host.lights.signals import Light, Pattern, Signal
from firmware_host.session.events import Assist, Frame
from firmware_host.session.session import Session
from firmware_host.text.announcements import status
from tests.support.stories import at_a_board

SENSINGS = ("presence", "polarity")
HAND = Light(Signal.BLUE, Pattern.BREATHE)
TO_A = "The chick goes to the hand of A. Turn it to point at the opponent."


def says(board: Any) -> list[str]:
    return [render(each) for each in status(board.session.view, 1).says]


def trays(board: Any) -> dict[str, Light]:
    """The trays that are lit."""
    lit = scene(board.session.view, board.now)
    return {place: light for place, light in lit.items() if "." in place}


def level(board: Any, value: int, seat: int) -> Any:
    board.feed(Assist(board.now, value, seat))
    return board


# ---- captured pieces, in every game that has any

SHOGI = "lnsgkgsnl/1r5b1/pppp1pppp/4p4/4P4/9/PPPP1PPPP/1B5R1/LNSGKGSNL b - 1"
EDGE = "sssss/ssssss/ss5/8/9/8/SSSSSS1/6/1SSSs 0 5 b 0 1"


TO_SENTE = "The pawn goes to the hand of sente. Turn it to point at the opponent."
OFF = "The white marble goes beside the board."
CAPTURES = [
    ("robot-duel", None, "B3- 0.3 B2- 0.3 B2+", "hand.A.C", "B1", TO_A),
    ("shogi", SHOGI, "5e- 0.3 5d- 0.3 5d+", "hand.sente.P", "5a", TO_SENTE),
    ("abalone", EDGE, "a2- 0.3 a5- 0.3 a5+", "out.white", "i5", OFF),
]
"""Game, position, hands that take, the captive's tray, a piece of the other side, what is said."""


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize(("game", "position", "hands", "tray", "_other", "sentence"), CAPTURES)
def test_a_captive_is_called_to_its_tray_until_it_lies_there(
    timeline: Any,
    sensing: str,
    game: str,
    position: str | None,
    hands: str,
    tray: str,
    _other: str,
    sentence: str,
) -> None:
    board = timeline(game, sensing, position).hands(f"1 {hands}").rest(2)
    assert len(board.moves) == 1
    assert says(board)[1:].count(sentence) == 1
    assert trays(board) == {tray: HAND}
    board.rest(40)
    assert sentence in says(board)
    assert not board.session.view.repair.guiding
    board.hands(f"{tray}+").rest(1)
    assert len(board.moves) == 1
    assert sentence not in says(board)
    assert trays(board) == {}


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize(("game", "position", "hands", "_tray", "other", "sentence"), CAPTURES)
def test_where_its_tray_is_not_sensed_that_is_said_until_the_next_player_begins(
    timeline: Any,
    sensing: str,
    game: str,
    position: str | None,
    hands: str,
    _tray: str,
    other: str,
    sentence: str,
) -> None:
    board = timeline(game, sensing, position, unsensed=("hand", "out")).hands(f"1 {hands}").rest(40)
    assert len(board.moves) == 1
    assert sentence in says(board)
    assert trays(board) == {}  # there is no such place on this board
    board.hands(f"{other}-").rest(0.5)
    assert sentence not in says(board)
    was = board.sight.readings(board.session.view.match.position)[other]
    board.hands(f"{other}{'+' if was > 0 else '/'}").rest(3)
    assert sentence not in says(board)


ELEPHANT = "sKd1,sEd3,wHd5,wKa5,nKe8,eKh4 S 4 0,0,0,0 -"


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("by", ["hand", "dice"])
def test_a_piece_that_is_taken_in_chaturaji_goes_beside_the_board(
    timeline: Any, sensing: str, by: str
) -> None:
    board = timeline("chaturaji", sensing, ELEPHANT).hands("1 d3- 0.3 d5- 0.3 d5+").rest(20)
    assert board.moves == ["d3d5"]
    sentence = "The horse of green goes beside the board."
    assert sentence in says(board)
    assert "graveyard" not in scene(board.session.view, board.now)  # no board has a place for it
    if by == "dice":
        board.throw(5)
    else:
        board.hands("a5-").rest(0.5)
    assert sentence not in says(board)


@pytest.mark.parametrize("sensing", SENSINGS)
def test_all_three_boats_of_a_parade_are_named_at_once(timeline: Any, sensing: str) -> None:
    pieces = "sKd1,sBb2,wBd5,nBe5,eBe4,wKa5,nKe8,eKh4 S 2 1,0,0,0 -"
    board = timeline("chaturaji", sensing, pieces).hands("1 d5- e5- e4- b2- 0.3 d4+").rest(2)
    assert board.moves == ["b2d4"]
    assert says(board)[1:3] == [
        "black takes the boat of green, boat of red, boat of yellow: 6 points, 7 in all.",
        "3 pieces go beside the board: boat of green, boat of red, boat of yellow.",
    ]


def test_the_energy_that_a_robot_ate_goes_beside_the_board_and_is_counted(timeline: Any) -> None:
    board = timeline("robotory", "polarity", "......Ww....B....R....../2w2b:2w2b 9w10b l")
    board.hands("1 b4- 0.3 b3- 0.3 b4+").rest(1)
    assert len(board.moves) == 1
    assert "The white token goes beside the board." in says(board)
    board = timeline("robotory", "polarity", "......Wwww..B....R....../2w2b:2w2b 7w10b l")
    board.hands("1 b4- b5- 0.3 b3- 0.3 b5+").rest(3)
    assert len(board.moves) == 1
    assert "2 pieces go beside the board: white token ×2." in says(board)


def test_a_player_who_refills_or_places_owes_nothing(timeline: Any) -> None:
    board = timeline("robotory", "polarity", "......Ww....B....R....../2w1b:2w2b 9w10b l")
    board.hands("1 pool.b- 0.5 stock.light.b+").rest(3)
    assert board.moves == ["F 1b"]
    assert trays(board) == {}
    assert len(says(board)) == 2
    board.hands("stock.dark.w- 0.4 a1+").rest(3)
    assert board.moves == ["F 1b", "P w a1"]
    assert len(says(board)) == 2


# ---- who forgets it


def test_a_captive_may_be_forgotten_while_play_goes_on(timeline: Any) -> None:
    board = timeline().hands("1 B3- 0.3 B2- 0.3 B2+").rest(1).hands("B1- 0.4 A2+").rest(2)
    board.hands("C4- 0.4 C3+").rest(2)
    assert board.moves == ["B3B2", "B1A2", "C4C3"]
    assert TO_A in says(board)
    assert trays(board) == {"hand.A.C": HAND}
    assert not board.session.view.repair.guiding
    board.hands("hand.A.C+").rest(2)
    assert trays(board) == {}


def test_a_captive_that_is_dropped_from_the_hand_is_owed_no_more(timeline: Any) -> None:
    board = timeline().hands("1 B3- 0.3 B2- 0.3 B2+").rest(1).hands("B1- 0.4 A2+").rest(2)
    assert trays(board) == {"hand.A.C": HAND}
    board.hands("C2+").rest(3)
    assert board.moves == ["B3B2", "B1A2", "C*C2"]
    assert trays(board) == {}
    assert TO_A not in says(board)
    assert "The dropped chick must point towards the opponent of A." in says(board)


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_taken_from_its_tray_to_be_dropped_is_not_called_back(
    timeline: Any, sensing: str
) -> None:
    board = timeline("robot-duel", sensing).hands("1 B3- 0.3 B2- 0.3 B2+ 0.5 hand.A.C+").rest(1)
    # A has lifted the chick already when B's move is read.
    board.hands("B1- 0.4 A2+ 0.05 hand.A.C-").rest(1)
    assert board.moves == ["B3B2", "B1A2"]
    assert trays(board) == {"hand.A.C": Light(Signal.WHITE)}
    assert TO_A not in says(board)
    board.rest(60)
    assert TO_A not in says(board)


def test_a_capture_that_is_taken_back_leaves_nothing_to_put_away(timeline: Any) -> None:
    board = timeline().hands("1 B3- 0.3 B2- 0.3 B2+").rest(1)
    board.hands("hand.A.C+").rest(1).hands("hand.A.C- B2- 0.3 B2+ B3+").rest(3)
    assert board.moves == []
    assert trays(board) == {}
    board.hands("B3- 0.3 B2- 0.3 B2+").rest(1)  # and taken once more, it is owed once more
    assert trays(board) == {"hand.A.C": HAND}


def test_a_heap_that_shows_no_second_piece_is_said_and_lit_until_somebody_goes_on(
    timeline: Any,
) -> None:
    board = timeline(position="gle/1c1/1L1/E1G b C 1")
    board.hands("1 B3- 0.3 B2- 0.3 B2+").rest(1)
    assert TO_A in says(board)
    assert trays(board) == {"hand.A.C": HAND}
    board.hands("hand.A.C- 0.3 hand.A.C+").rest(1)  # the heap was lifted, to put him under it
    assert TO_A not in says(board)
    board = timeline(position="gle/1c1/1L1/E1G b C 1")
    board.hands("1 B3- 0.3 B2- 0.3 B2+").rest(1).hands("B1-").rest(0.5)
    assert TO_A not in says(board)
    assert trays(board) == {}
    heap = timeline("robot-duel", "polarity", "gle/1c1/1L1/E1G b C 1")
    heap.hands("1 B3- 0.3 B2- 0.3 B2+").rest(1).hands("B1-").rest(0.5)
    assert trays(heap) == {"hand.A.C": HAND}  # each pocket has a sensor here


def test_two_that_were_forgotten_are_counted(timeline: Any) -> None:
    start = "k8/9/9/4pp3/4R4/9/9/9/4K4 b - 1"
    board = timeline("shogi", "polarity", start).hands("1 5e- 0.3 5d- 0.3 5d+").rest(1)
    board.hands("9a- 0.4 8a+").rest(1).hands("5d- 0.3 4d- 0.3 4d+").rest(2)
    assert board.moves == ["5e5d", "9a8a", "5d4d"]
    assert "2 pieces go to the hand of sente: pawn ×2." in says(board)
    board.hands("hand.sente.P+").rest(1)
    assert "The pawn goes to the hand of sente. Turn it to point at the opponent." in says(board)
    board.hands("hand.sente.P+").rest(1)
    assert trays(board) == {}


def started_again(board: Any) -> Any:
    """The same board and match, after the program has started again."""
    board.session = Session(board.game, board.sight, [board.session.view.match])
    board.feed(Frame(board.now, {p: value for p, value in board.readings.items() if value}))
    return board.rest(1)


def test_a_captive_is_still_owed_when_the_program_starts_again(timeline: Any) -> None:
    board = started_again(timeline().hands("1 B3- 0.3 B2- 0.3 B2+").rest(1))
    assert TO_A in says(board)
    assert trays(board) == {"hand.A.C": HAND}


def test_one_that_had_been_put_away_by_then_is_not(timeline: Any) -> None:
    board = timeline().hands("1 B3- 0.3 B2- 0.3 B2+ 0.5 hand.A.C+").rest(1)
    board = started_again(board.hands("B1- 0.4 A2+").rest(1)).hands("hand.A.C-").rest(1)
    assert TO_A not in says(board)  # he is going to be dropped
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
    assert TO_A not in says(board)
    assert trays(board) == {}
    level(board, 1, 0)
    assert TO_A in says(board)
    assert trays(board) == {"hand.A.C": HAND}
    level(board, 0, 1)  # what the other one wants does not matter
    assert trays(board) == {"hand.A.C": HAND}


def test_while_the_board_is_put_right_only_that_is_said(timeline: Any) -> None:
    board = timeline().hands("1 B3- 0.3 B2- 0.3 B2+").rest(1).hands("hand.A.E+").rest(2)
    assert TO_A in says(board)  # first this, kindly
    board.rest(4)
    assert board.session.view.repair.guiding
    assert TO_A not in says(board)
    assert sum("chick" in each for each in says(board) if "played" not in each) == 1
    board.hands("hand.A.E- hand.A.C+").rest(2)
    assert TO_A not in says(board)


def test_when_the_match_is_over_the_pieces_are_left_alone(timeline: Any) -> None:
    board = timeline(position="gl1/1cE/1C1/eLG b - 1").hands("1 C2- 0.3 B1- 0.3 B1+").rest(3)
    assert board.session.view.outcome is not None
    assert len(says(board)) == 2  # the winner and why, and how another match starts
    last = "sssss/sss3/7/8/9/8/SSSSSS1/6/1SSSs 5 5 b 0 1"
    board = timeline("abalone", position=last).hands("1 a2- 0.3 a5- 0.3 a5+").rest(3)
    assert board.session.view.outcome is not None
    assert trays(board) == {}


def test_what_is_asked_is_not_said_as_if_it_were_known(timeline: Any) -> None:
    board = timeline(position="g1l/1C1/2L/E1G b Ce 1").hands("1 B2- B1+").rest(2)
    assert board.asked
    assert not any("Turn over" in each for each in says(board))


# ---- pieces that are turned or exchanged


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_promoted_piece_is_to_be_turned_over_where_no_sensor_sees_that(
    timeline: Any, sensing: str
) -> None:
    put = "+" if sensing == "presence" else "/"
    board = timeline("robot-duel", sensing, "g1l/1C1/2L/E1G b Ce 1").hands(f"1 B2- 0.3 B1{put}")
    board.rest(2).choose("B2B1+").rest(1)
    assert board.moves == ["B2B1+"]
    sentence = "Turn over the chick on B1: it is a hen now."
    assert (sentence in says(board)) == (sensing == "presence")
    if sensing == "presence":
        board.hands("B1- 0.5 B1+").rest(1)  # turned
        assert board.moves == ["B2B1+"]
        assert sentence not in says(board)


def test_a_promotion_that_counts_before_the_sensor_shows_it_is_said_until_then(
    timeline: Any,
) -> None:
    board = timeline("robot-duel", "polarity", "g1l/1C1/2L/E1G b Ce 1").hands("1 B2- 0.3 B1+")
    board.rest(0.1).choose("B2B1+").rest(6)
    assert board.moves == ["B2B1+"]
    sentence = "Turn over the chick on B1: it is a hen now."
    assert sentence in says(board)
    board.hands("A1-").rest(0.5).hands("A1+").rest(1)
    assert sentence in says(board)
    board.hands("B1- 0.4 B1/").rest(1)
    assert board.moves == ["B2B1+"]
    assert sentence not in says(board)


def test_a_piece_that_was_captured_promoted_is_turned_back(timeline: Any) -> None:
    board = timeline("robot-duel", "presence", "gle/1h1/1C1/ELG b - 1")
    board.hands("1 B3- 0.3 B2- 0.3 B2+").rest(1)
    assert says(board)[2:4] == [TO_A, "Turn over the captured hen: it is a chick again."]
    board.hands("hand.A.C+").rest(1)
    assert says(board)[2] == "Turn over the captured hen: it is a chick again."
    board.hands("B1-").rest(0.5)
    assert not any("hen over" in each for each in says(board))


def test_a_dropped_piece_points_away_from_its_new_owner(timeline: Any) -> None:
    board = timeline("shogi", position="4k4/9/9/9/9/9/9/9/4K4 b Pp 1")
    board.hands("1 hand.sente.P- 0.4 5e+").rest(1)
    assert board.moves == ["P*5e"]
    assert "The dropped pawn must point towards the opponent of sente." in says(board)
    board.hands("5a-").rest(0.5)
    assert not any("points away" in each for each in says(board))


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_pawn_of_chaturaji_is_exchanged_for_the_piece_it_becomes(
    timeline: Any, sensing: str
) -> None:
    pieces = "sKd1,sPa7,wKa5,nKe8,eKh4 S 5 0,0,0,0 -"
    board = timeline("chaturaji", sensing, pieces).hands("1 a7- 0.3 a8+").rest(2)
    board.choose("a7a8=B").rest(1)
    assert board.moves == ["a7a8=B"]
    sentence = "Replace the pawn on a8 with the boat."
    assert sentence in says(board)
    assert not any("beside the board" in each for each in says(board))
    board.hands("a8- 0.5 a8+").rest(1)
    assert board.moves == ["a7a8=B"]
    assert sentence not in says(board)


def test_so_is_one_that_is_promoted_later_by_a_claim(timeline: Any) -> None:
    pieces = "sKd1,sPa8,wKa5,nKe8,eKh4 S - 0,0,0,0 -"
    board = timeline("chaturaji", position=pieces).rest(1).claim("promote a8=B").rest(1)
    assert "Replace the pawn on a8 with the boat." in says(board)
    board.claim("agree").rest(1)
    assert "Replace the pawn on a8 with the boat." in says(board)  # that changes no piece
    board.throw(5).rest(1)
    assert "Replace the pawn on a8 with the boat." not in says(board)
