"""Chaturaji: positions and moves as text."""

from __future__ import annotations

import pytest

from engine.game import Claim, IllegalMoveError, MoveError, PositionError, Throw
from engine.games.chaturaji import Chaturaji, ChaturajiMove

GAME = Chaturaji()
START = GAME.start()
START_TEXT = (
    "wB,wP,2,nK,nE,nH,nB/wH,wP,2,nP,nP,nP,nP/wE,wP,6/wK,wP,6/"
    "6,eP,eK/6,eP,eE/sP,sP,sP,sP,2,eP,eH/sB,sH,sE,sK,2,eP,eB S - 0,0,0,0 -"
)
RAJAS = "sKd1,wKa5,nKe8,eKh4"

# ---- positions as text


def test_the_start_as_text() -> None:
    assert GAME.position_text(START) == START_TEXT
    assert GAME.parse_position(START_TEXT) == START
    assert START_TEXT in repr(START)


def test_origins_are_given_for_pawns_that_left_their_file() -> None:
    text = f"{RAJAS},sPa2,sPb4:K,wHc7 S 5 0,1,2,3 -"
    position = GAME.parse_position(text)
    assert GAME.position_text(position) == (
        "4,nK,3/2,wH,5/8/wK,7/1,sP,5,eK/8/sP,7/3,sK,4 S 5 0,1,2,3 b4:K"
    )
    assert GAME.parse_position(GAME.position_text(position)) == position


def test_everything_else_a_position_needs_in_its_order() -> None:
    game = Chaturaji({"teams": True})
    text = (
        "8/8/8/8/4,sB,2,eK/2,nB,5/8/1,sH,6 S - 1,2,3,4 - command=S>N boat=S>N thrones=S:a5,h4;E:e8"
        " lost=S,W,N killed=E>N offer=E agree=N quiet=37"
    )
    assert game.position_text(game.parse_position(text)) == text
    shuffled = text.replace("lost=S,W,N killed=E>N", "killed=E>N lost=N,S,W")
    assert game.position_text(game.parse_position(shuffled)) == text


WRONG = [
    ("S - 0,0,0,0 -", "fields"),
    (f"{RAJAS} S - 0,0,0,0", "fields"),
    ("8/8/8 S - 0,0,0,0 -", "board: 3 rows"),
    (START_TEXT.replace("6,eP,eK", "5,eP,eK"), "board: rank 4 has 7 squares"),
    (START_TEXT.replace("6,eP,eK", "7,eP,eK"), "board: rank 4 has 9 squares"),
    (START_TEXT.replace("wK", "wQ"), "board: rank 5: 'wQ'"),
    (START_TEXT.replace("wE", "wK"), "board: W has 2 pieces K"),
    (START_TEXT.replace("2,nK", "sP,1,nK"), "board: S has 5 pieces P"),
    (f"{RAJAS},sBd1 S - 0,0,0,0 -", "board: two pieces on d1"),
    (f"{RAJAS},sBd9 S - 0,0,0,0 -", "board: 'sBd9'"),
    (f"{RAJAS} Q - 0,0,0,0 -", "seat: 'Q'"),
    (f"{RAJAS} s - 0,0,0,0 -", "seat: 's'"),
    (f"{RAJAS} S 6 0,0,0,0 -", "dice: '6'"),
    (f"{RAJAS} S 2+3 0,0,0,0 -", "dice: 2 in a game with 1"),
    (f"{RAJAS},sHa1 S - 0,0,0 -", "scores: '0,0,0'"),
    (f"{RAJAS},sHa1 S - 0,0,-1,0 -", "scores: '0,0,-1,0'"),
    (f"{RAJAS},sHa1 S - 0,0,x,0 -", "scores: '0,0,x,0'"),
    (f"{RAJAS},sPe4 S - 0,0,0,0 -", "origins: the pawn of S on e4 is not where it started"),
    (f"{RAJAS},sPe4 S - 0,0,0,0 e4:Q", "origins: 'e4:Q'"),
    (f"{RAJAS},sPe4 S - 0,0,0,0 e5:B", "origins: there is no pawn on e5"),
    (f"{RAJAS},sPe4:B S - 0,0,0,0 e4:B", "origins: e4 is given twice"),
    (f"{RAJAS},sPe3:B S - 0,0,0,0 -", "origins: the pawn of S on e3 cannot .* from a2"),
    (f"{RAJAS},sPa1 S - 0,0,0,0 -", "origins: the pawn of S on a1 cannot"),
    (f"{RAJAS},sPa4,sPb4:B S - 0,0,0,0 -", "origins: a4 and b4 cannot both"),
    ("sKd1,wKa5,nKe8,wHa7 S - 0,0,0,0 -", "lost: no raja on the board.*: E"),
    (f"{RAJAS},sHa1 S - 0,0,0,0 - lost=W", "lost: the raja stands on the board: W"),
    (f"{RAJAS},sHa1 S - 0,0,0,0 - lost=X", "lost: 'X'"),
    (f"{RAJAS},sHa1 S - 0,0,0,0 - quiet=101", "quiet: '101'"),
    (f"{RAJAS},sHa1 S - 0,0,0,0 - quiet=x", "quiet: 'x'"),
    (f"{RAJAS},sHa1 S - 0,0,0,0 - quiet=3 quiet=4", "quiet: given twice"),
    (f"{RAJAS},sHa1 S - 0,0,0,0 - round=2", "round: '2'"),
    (f"{RAJAS},sHa1 S - 0,0,0,0 - mood=good", "mood=good: expected key=value"),
    (f"{RAJAS},sHa1 S - 0,0,0,0 - quiet", "quiet: expected key=value"),
    (f"{RAJAS},sHa1 S - 0,0,0,0 - command=S>N", "command: only in the team game"),
    (f"{RAJAS},sHa1 S - 0,0,0,0 - out=S", "seat: S cannot move"),
    ("sKd1,sHa1,nKe8,eKh4 W - 0,0,0,0 - lost=W", "seat: W cannot move"),
    ("sKd1,sHa1,nKe8,eKh4,wHa8 S - 0,0,0,0 - out=W", "lost: no raja on the board.*: W"),
    ("sKd1,sHa1,nKe8,eKh4 S - 0,0,0,0 - lost=W agree=W", "agree: no part in the game"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_position_that_cannot_be_is_refused_by_its_field(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=f"^(position: . )?{message}") as caught:
        GAME.parse_position(text)
    assert "\n" not in str(caught.value)


PIECES = RAJAS + ",sHa1,nBd4"
WRONG_IN_TEAMS = [
    ("command=S>W", "command: 'S>W' is not like S>N"),
    ("command=S>N,N>S", "command: 'N>S'"),
    ("command=S>N:now", "command: 'S>N:now'"),
    ("boat=N>S", "boat: the partner has no boat: N"),
    ("thrones=S:e8", "thrones: S:e8"),
    ("thrones=a5", "thrones: 'a5'"),
    ("killed=S>W", "killed: there is nothing"),
    ("offer=S", "offer: nothing was killed"),
    ("out=N command=S>N", "command or boat: no part in the game any more: N"),
]


@pytest.mark.parametrize(("more", "message"), WRONG_IN_TEAMS)
def test_a_team_position_that_cannot_be_is_refused_by_its_field(more: str, message: str) -> None:
    with pytest.raises(PositionError, match=f"^{message}"):
        Chaturaji({"teams": True}).parse_position(f"{PIECES} S - 0,0,0,0 - {more}")


def test_an_offer_is_of_the_team_that_killed() -> None:
    game = Chaturaji({"teams": True})
    text = "nKe8,nBd4,eKh4,wHa7,sHa1 W - 0,0,0,0 - lost=S,W killed=S>W offer="
    assert game.parse_position(text + "N")
    with pytest.raises(PositionError, match=r"^offer: E"):
        game.parse_position(text + "E")


# ---- moves as text


@pytest.mark.parametrize(
    "text", ["", "a1", "a1a9", "a1c3=K=K", "b1c3x", "7", "2+", "---", "retire", "exchange", "a1c3#"]
)
def test_a_text_that_is_no_move(text: str) -> None:
    with pytest.raises(MoveError) as caught:
        GAME.parse_move(GAME.play(START, Throw((2,))), text)
    assert not isinstance(caught.value, IllegalMoveError)


def test_claims_name_their_seat_when_it_is_not_their_turn() -> None:
    assert GAME.move_text(START, Claim(0, "resign")) == "resign"
    assert GAME.move_text(START, Claim(2, "resign")) == "N resign"
    for text in ("N resign", "red resign"):
        assert GAME.parse_move(START, text) == Claim(2, "resign")
    with pytest.raises(MoveError, match="no seat"):
        GAME.parse_move(START, "blue resign")
    with pytest.raises(IllegalMoveError, match="cannot be said"):
        GAME.parse_move(START, "retire d1")


def test_what_a_recorded_move_takes_must_be_so() -> None:
    position = GAME.parse_position(f"{RAJAS},sHb1,wBc3 S 3 0,0,0,0 -")
    assert GAME.parse_move(position, "b1c3xW2") == ChaturajiMove("b1", "c3")
    for text in ("b1c3xW3", "b1c3xN2", "b1a3xW2", "b1c3#P"):
        with pytest.raises(MoveError, match="what it takes is not so"):
            GAME.parse_move(position, text)
