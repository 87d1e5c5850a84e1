"""Chaturaji: why a move is not allowed, and what is in danger."""

from __future__ import annotations

import pytest

from engine.game import IllegalMoveError, Pass, Reason, Threat, Throw
from engine.games.chaturaji import Chaturaji, ChaturajiMove
from tests.support.chaturaji import RAJAS, team_game
from tests.support.rules import hand, why_not

GAME = Chaturaji()


PIECES = RAJAS + "sBa1,sHb1,sEc1,sPa2,sPb2,sPc2,wHa3,nPd3:E,eBf3"

ONE_PIECE = [
    # (die, lifted, placed, swapped, reason)
    ("-", "b1", "c3", "", "throw-first b1 c3"),
    ("-", "b1", "", "", "throw-first b1"),
    ("2", "b1", "c3", "", "wrong-die b1 c3"),
    ("2", "b1", "", "", "wrong-die b1"),
    ("3", "a3", "c4", "", "not-yours a3 c4"),
    ("3", "e8", "", "", "not-yours e8"),
    ("3", "b1", "b4", "", "way-H b1 b4"),
    ("2", "a1", "b3", "", "way-B a1 b3"),
    ("2", "a1", "d4", "", "way-B a1 d4"),
    ("4", "c1", "d4", "", "way-E c1 d4"),
    ("5", "d1", "d4", "", "way-K d1 d4"),
    ("5", "b2", "b4", "", "way-P b2 b4"),
    ("5", "b2", "b1", "", "way-P b2 b1"),
    ("5", "a2", "", "a3", "pawn-blocked a2 a3"),
    ("5", "b2", "c3", "", "pawn-strikes b2 c3"),
    ("5", "c2", "", "a2", "way-P c2 a2"),
    ("4", "c1", "c4", "", "blocked c1 c4 c2"),
    ("4", "c1", "", "c2", "own-piece c1 c2"),
    ("5", "d1", "", "c2", "own-piece d1 c2"),
    ("5", "d1 b2", "e1 b3", "", "one-piece d1 b2"),
    ("3", "b1 a3", "c3", "", "not-taken a3"),
    ("5", "d3", "", "", "not-taken d3"),
]


@pytest.mark.parametrize(("die", "lifted", "placed", "swapped", "reason"), ONE_PIECE)
def test_why_not(die: str, lifted: str, placed: str, swapped: str, reason: str) -> None:
    assert why_not(GAME, f"{PIECES} S {die} 0,0,0,0 -", hand(lifted, placed, swapped)) == reason


def test_a_legal_move_or_a_piece_lifted_alone_is_no_mistake() -> None:
    text = f"{PIECES} S 3 0,0,0,0 -"
    assert why_not(GAME, text, hand("b1", "c3")) == ""
    assert why_not(GAME, text, hand("b1", "", "a3")) == ""
    assert why_not(GAME, text, hand("b1")) == ""


def test_why_not_once_the_game_is_over() -> None:
    assert why_not(GAME, "sKd1,sHb1 S - 0,0,0,0 - lost=W,N,E", hand("b1", "c3")) == "over"


def test_why_not_a_pawn_that_waits_and_what_it_may_claim() -> None:
    pieces = RAJAS + "sPa8:B,sPb7,wHg1"
    assert why_not(GAME, f"{pieces} S 5 0,0,0,0 -", hand("a8", "a7")) == "pawn-waits a8 a7"
    assert why_not(GAME, f"{pieces} S - 0,0,0,0 -", hand("", "", "a8")) == "say-promotion a8"
    assert why_not(GAME, f"{pieces},sBa1 S - 0,0,0,0 -", hand("", "", "a8")) == ""


def test_why_a_lone_raja_is_not_just_taken_away() -> None:
    pieces = "sKd1,wKa5,wHa7,nKe8,nHg8,eKh4"
    assert why_not(GAME, f"{pieces} S - 0,0,0,0 -", hand("d1")) == "say-retirement d1"
    game = Chaturaji({"retire": False})
    assert why_not(game, f"{pieces} S - 0,0,0,0 -", hand("d1")) == "throw-first d1"


def test_why_not_with_ranks() -> None:
    game = Chaturaji({"ranks": True})
    text = f"{RAJAS}sBa1,sPb2,nHc3 S {{}} 0,0,0,0 -"
    assert why_not(game, text.format(2), hand("a1", "", "c3")) == "ranks a1 c3"
    assert why_not(game, text.format(5), hand("b2", "", "c3")) == "ranks b2 c3"


def test_why_not_with_two_dice() -> None:
    text = f"{PIECES} S 3+2 0,0,0,0 -"
    fixed = Chaturaji({"dice": 2, "two_dice_order": "fixed"})
    assert why_not(fixed, text, hand("a1", "c3")) == "first-die a1 c3"
    assert why_not(Chaturaji({"dice": 2}), text, hand("c1", "c4")) == "wrong-die c1 c4"
    # The first die is of no use, so the second may be used at once.
    assert why_not(fixed, f"{RAJAS}sHb1 S 4+3 0,0,0,0 -", hand("b1", "c3")) == ""
    assert why_not(fixed, f"{RAJAS}sHb1 S 4+3 0,0,0,0 -", hand("b1", "b4")) == "way-H b1 b4"


def test_why_not_pieces_that_stand_still() -> None:
    game = Chaturaji({"dice": 0})
    assert why_not(game, "sKd1,sHb1,wHa7,nKe8,eKh4 S - 0,0,0,0 - lost=W", hand("a7", "c6")) == (
        "frozen a7 c6"
    )
    assert why_not(GAME, f"{RAJAS}sHb1,wHa7 S 3 0,0,0,0 - out=W", hand("a7", "c6")) == "left a7 c6"


def test_why_not_among_partners() -> None:
    game = team_game()
    pieces = "sKd1,sBa1,wKa5,nKe8,nHc3,nBg3,eKh4"
    assert why_not(game, f"{pieces} S 2 0,0,0,0 -", hand("a1", "", "c3")) == "partners-piece a1 c3"
    assert why_not(game, f"{pieces} S 2 0,0,0,0 -", hand("g3", "e5")) == "not-yours g3 e5"
    assert why_not(game, f"{pieces} N 2 0,0,0,0 - boat=S>N", hand("g3", "e5")) == "boat-lent g3 e5"
    assert why_not(game, f"{pieces} S 2 0,0,0,0 - boat=S>N", hand("g3", "e5")) == ""
    assert why_not(game, f"{pieces} S 2 0,0,0,0 - command=N>S", hand("g3", "e5")) == ""


def test_an_illegal_move_carries_its_reason() -> None:
    position = GAME.parse_position(f"{PIECES} S 4 0,0,0,0 -")
    for refuse in (
        lambda: GAME.parse_move(position, "c1c4"),
        lambda: GAME.play(position, ChaturajiMove("c1", "c4")),
        lambda: GAME.changes(position, ChaturajiMove("c1", "c4")),
    ):
        with pytest.raises(IllegalMoveError, match="blocked at c2") as caught:
            refuse()
        assert caught.value.reason == Reason("blocked", ("c1", "c4", "c2"))


def test_passes_and_throws_out_of_place_are_refused() -> None:
    start = GAME.start()
    with pytest.raises(IllegalMoveError, match="dice come first"):
        GAME.play(start, Pass())
    with pytest.raises(IllegalMoveError, match="dice come first"):
        GAME.play(start, ChaturajiMove("a2", "a3"))
    with pytest.raises(IllegalMoveError, match="no such square"):
        GAME.play(start, ChaturajiMove("a2", "z3"))
    for throw in (Throw((1,)), Throw((6,)), Throw((2, 3)), Throw(())):
        with pytest.raises(IllegalMoveError, match="That throw is not possible"):
            GAME.play(start, throw)
    with pytest.raises(IllegalMoveError, match="That throw is not possible"):
        GAME.play(GAME.play(start, Throw((3,))), Throw((3,)))


# ---- threats


def threats(game: Chaturaji, text: str) -> set[tuple[str, str, tuple[str, ...]]]:
    found = game.threats(game.parse_position(text))
    assert all(isinstance(threat, Threat) for threat in found)
    return {(threat.kind, threat.place, threat.by) for threat in found}


def test_nothing_is_in_danger_at_the_start() -> None:
    assert GAME.threats(GAME.start()) == ()


def test_a_raja_in_check_and_pieces_attacked_or_undefended() -> None:
    pieces = "sKd1,sHc3,sPb2,sEg6,wKa5,nKe8,nEd8,nHa4,eKh4,eEg1"
    assert threats(GAME, f"{pieces} S - 0,0,0,0 -") == {
        ("check", "d1", ("d8", "g1")),
        ("attacked", "c3", ("a4",)),  # the pawn takes back
        ("undefended", "b2", ("a4",)),
        ("undefended", "g6", ("g1",)),
        ("free", "g1", ("g6",)),  # but the horse on a4 is protected by the raja on a5
    }


def test_pieces_that_can_be_taken_for_nothing() -> None:
    pieces = "sKd1,sEd3,sHb1,wKa5,wHd6,nKe8,nEa3,nBh3,eKh4"
    free = {("free", "d6", ("d3",)), ("free", "a3", ("b1", "d3"))}
    found = threats(GAME, f"{pieces} S - 0,0,0,0 -")
    assert {threat for threat in found if threat[0] == "free"} == free
    thrown = threats(GAME, f"{pieces} S 3 0,0,0,0 -")  # only the horse moves
    assert {threat for threat in thrown if threat[0] == "free"} == {("free", "a3", ("b1",))}


def test_pieces_that_stand_still_attack_nothing() -> None:
    pieces = "sKd1,sHc3,wKa6,nKe8,nHa4,eKh4"
    free = ("free", "a4", ("c3",))
    assert threats(GAME, f"{pieces} S - 0,0,0,0 -") == {("undefended", "c3", ("a4",)), free}
    assert threats(GAME, f"{pieces} S - 0,0,0,0 - out=N") == {free}


def test_the_weak_do_not_attack_the_strong_where_ranks_count() -> None:
    pieces = f"{RAJAS}sHc3,nPd4:K"
    assert ("undefended", "c3", ("d4",)) in threats(GAME, f"{pieces} S - 0,0,0,0 -")
    assert not any(
        place == "c3"
        for _, place, _ in threats(Chaturaji({"ranks": True}), f"{pieces} S - 0,0,0,0 -")
    )


def test_a_parade_that_an_enemy_can_complete_is_an_attack_on_the_boats_in_it() -> None:
    pieces = "sKd2,wKa5,nKe8,eKh4,sBe5,wBe4,nBd4,eBb3"  # E's boat can go to d5
    assert threats(GAME, f"{pieces} S - 0,0,0,0 -") == {("undefended", "e5", ("b3",))}
    protected = f"{pieces},sHc3 S - 0,0,0,0 -"  # which takes back on d5
    assert ("attacked", "e5", ("b3",)) in threats(GAME, protected)
    assert threats(Chaturaji({"parade": False}), f"{pieces} S - 0,0,0,0 -") == set()
    assert threats(team_game(), f"{pieces} S - 0,0,0,0 -") == {("undefended", "e5", ("b3",))}
    assert threats(GAME, f"{pieces} S - 0,0,0,0 - out=E") == set()
    by_the_partner = "sKd2,wKa5,nKe8,eKh4,sBe5,wBe4,eBd4,nBb3"
    assert threats(team_game(), f"{by_the_partner} S - 0,0,0,0 -") == set()


def test_partners_protect_each_other_and_do_not_attack() -> None:
    pieces = "sKd1,sHc3,wKa5,nKe8,nEc8,eKh4,eHb5"
    alone = threats(GAME, f"{pieces} S - 0,0,0,0 -")
    assert ("undefended", "c3", ("c8", "b5")) in alone
    assert threats(team_game(), f"{pieces} S - 0,0,0,0 -") == {("attacked", "c3", ("b5",))}
