"""Chaturaji without teams: moves, dice, promotion, scores and ends."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import CHANCE, Claim, IllegalMoveError, Pass, Throw
from engine.games.chaturaji import Chaturaji, ChaturajiMove, ChaturajiPosition
from tests.support.chaturaji import RAJAS, E, N, S, W, after, at, claimed, ended
from tests.support.rules import moves, refused
from tests.support.sampling import deep

GAME = Chaturaji()
START = GAME.start()


def step(position: ChaturajiPosition, text: str) -> ChaturajiMove:
    move = GAME.parse_move(position, text)
    assert isinstance(move, ChaturajiMove)
    return move


def ways(origin: str, targets: str) -> set[str]:
    return {origin + target for target in targets.split()}


def places(game: Chaturaji, position: ChaturajiPosition, kind: str) -> dict[str, int | None]:
    return {
        place: piece.owner
        for place, piece in game.pieces(position).items()
        if piece.kind == kind and place != "graveyard"
    }


# ---- counts of move sequences


COUNTS = [
    ({}, (10, 100, 1_000, 10_000, 114_900, 1_319_448, 15_152_934)),
    ({"dice": 0}, (9, 81, 729, 6_561, 72_090, 793_377, 8_732_293)),
    ({"dice": 0, "freeze_on_raja_loss": False}, (9, 81, 729, 6_561, 72_090, 791_854, 8_698_784)),
]


@pytest.mark.parametrize(("options", "counts"), COUNTS, ids=str)
@pytest.mark.parametrize("depths", [range(1, 6), deep(range(6, 8))], ids=["5", "7"])
def test_sequences(options: dict[str, Any], counts: tuple[int, ...], depths: range) -> None:
    game = Chaturaji(options)
    assert [game.perft(START, depth) for depth in depths] == [counts[d - 1] for d in depths]


@pytest.mark.parametrize(
    ("die", "first", "counts"),
    [
        ("2", {"a1c3"}, [1, 10, 100, 1000, 11_000]),
        ("3", {"b1a3", "b1c3"}, [2, 20, 200, 2000, 23_000]),
        ("4", {"--"}, [1, 10, 100, 1000, 10_000]),
        ("5", {"a2a3", "b2b3", "c2c3", "d2d3", "d1e1", "d1e2"}, [6, 60, 600, 6000, 70_900]),
    ],
)
def test_sequences_by_the_first_die(die: str, first: set[str], counts: list[int]) -> None:
    thrown = after(GAME, START, die)
    assert moves(GAME, thrown) == first
    assert [GAME.perft(thrown, depth) for depth in range(1, 6)] == counts


TWO_DICE = [[4, 3, 2, 11], [3, 9, 4, 21], [2, 4, 1, 15], [11, 21, 15, 45]]


def in_this_order(game: Chaturaji, dice: tuple[int, int]) -> int:
    """Return the number of sequences of one turn that use the dice in this order."""
    thrown = game.play(game.start(), Throw(dice))
    firsts = [game.play(thrown, move) for move in game.legal(thrown)]
    return sum(len(game.legal(first)) if first.dice else 1 for first in firsts)


@pytest.mark.parametrize("first", [2, 3, 4, 5])
@pytest.mark.parametrize("second", [2, 3, 4, 5])
def test_sequences_with_two_dice_in_either_order(first: int, second: int) -> None:
    game = Chaturaji({"dice": 2, "two_dice_order": "fixed"})
    count = in_this_order(game, (first, second))
    if first != second:
        count += in_this_order(game, (second, first))
    assert count == TWO_DICE[first - 2][second - 2]


# ---- how the pieces go


@pytest.mark.parametrize(
    ("piece", "others", "die", "targets"),
    [
        ("sBd4", "", 2, "b2 b6 f2 f6"),
        ("sHd4", "", 3, "b3 b5 c2 c6 e2 e6 f3 f5"),
        ("sEd4", "", 4, "d2 d3 d5 d6 d7 d8 a4 b4 c4 e4 f4 g4 h4"),
        ("sPd4", "", 5, "d5"),
        ("wPd4:K", "", 5, "e4"),
        ("nPd4:K", "", 5, "d3"),
        ("ePd4:K", "", 5, "c4"),
        ("sKd1", "nEe8", 5, "c1 c2 d2 e1 e2"),  # a raja goes also into attack
        ("sBa1", "sPb2,nHc3", 2, "c3"),  # a boat jumps over anything
        ("sEd3", "sPd5,nPb3:E", 4, "d2 d4 c3 b3 e3 f3 g3 h3"),  # an elephant stops
        ("sPd4", "nPd5:K,nEc5,eEe5,sHe4", 5, "c5 e5"),  # a pawn takes aslant only
        ("sBa1", "sHc3", 2, ""),  # own pieces are never taken
    ],
)
def test_how_a_piece_goes(piece: str, others: str, die: int, targets: str) -> None:
    seat, origin = piece[0].upper(), piece[2:4]
    rajas = RAJAS.replace("sKd1,", "") if piece == "sKd1" else RAJAS
    rajas = rajas.replace("nKe8", "nKh8") if "nEe8" in others else rajas
    pieces = ",".join(filter(None, (piece, others)))
    found = moves(GAME, at(GAME, rajas + pieces, f"{seat} {die} 0,0,0,0 -"))
    assert {text for text in found if text.startswith(origin)} == ways(origin, targets)


def test_a_boat_jumps_and_an_elephant_crosses_the_squares_between() -> None:
    boat = at(GAME, RAJAS + "sBa1,sPb2,nHc3", "S 2 0,0,0,0 -")
    assert GAME.path(boat, step(boat, "a1c3")) == frozenset()
    elephant = at(GAME, RAJAS + "sEd3,sPd5,nPb3:E", "S 4 0,0,0,0 -")
    assert GAME.path(elephant, step(elephant, "d3g3")) == {"e3", "f3"}


# ---- dice, lost turns, passes


def test_the_dice_are_a_move_by_chance() -> None:
    assert GAME.turn(START) == CHANCE
    assert list(GAME.legal(START)) == [Throw((2,)), Throw((3,)), Throw((4,)), Throw((5,))]
    assert GAME.turn(after(GAME, START, "3")) == S


def test_a_turn_is_lost_without_the_piece_thrown_or_a_move_of_it() -> None:
    blocked = after(GAME, START, "4")
    assert list(GAME.legal(blocked)) == [Pass()]
    passed = GAME.play(blocked, Pass())
    assert (passed.seat, passed.dice, passed.quiet) == (W, (), 1)
    assert moves(GAME, at(GAME, RAJAS + "nHg8", "N 2 0,0,0,0 -")) == {"--"}


FIVE = "a2a3 b2b3 c2c3 d2d3 d1e1 d1e2"
MAY_PASS, NO_DIE = {"must_move": False}, {"dice": 0}
FREE, FIXED = {"dice": 2}, {"dice": 2, "two_dice_order": "fixed"}


@pytest.mark.parametrize(
    ("options", "way", "expected"),
    [
        (MAY_PASS, "2", "a1c3 --"),
        (NO_DIE, "", f"a1c3 b1a3 b1c3 {FIVE}"),
        (FREE, "2+5", f"a1c3 {FIVE}"),
        (FREE, "2+5;a1c3", "a2a3 b2b3 d2d3 d1e1 d1e2"),  # c2 is blocked
        (FREE, "3+3;b1c3", "c3a4 c3b5 c3d5 c3e2 c3e4 c3b1"),  # a double moves one kind twice
        (FIXED, "5+2", FIVE),
        (FIXED, "5+2;a2a3", "a1c3"),
        (FIXED, "4+5", FIVE),  # the first die is skipped …
        (FIXED, "4+4", "--"),
    ],
)
def test_the_dice_say_what_moves(options: dict[str, Any], way: str, expected: str) -> None:
    game = Chaturaji(options)
    assert moves(game, after(game, START, way)) == {*expected.split()}


@pytest.mark.parametrize(
    ("options", "way"),
    [
        (MAY_PASS, "2;--"),
        (FREE, "2+5;a1c3;d1e2"),
        (FREE, "2+5;c2c3"),  # the pawn blocks the boat, so the 2 is of no use any more
        (FREE, "3+3;b1c3;c3b5"),
        (FIXED, "4+5;d1e1"),  # … for good, though the elephant can move in the end
        (FREE | MAY_PASS, "2+5;--"),  # a pass gives up both dice
        (FREE | MAY_PASS, "2+5;a1c3;--"),
    ],
)
def test_a_turn_ends_when_no_die_is_of_use(options: dict[str, Any], way: str) -> None:
    game = Chaturaji(options)
    assert after(game, START, way).seat == W


def test_a_throw_or_a_pass_that_is_not_due_is_refused() -> None:
    assert len(Chaturaji(FREE).legal(START)) == 16
    with pytest.raises(IllegalMoveError, match="You have a move"):
        GAME.play(after(GAME, START, "2"), Pass())
    with pytest.raises(IllegalMoveError):
        Chaturaji(NO_DIE).play(START, Throw((3,)))


def test_the_seats_follow_clockwise() -> None:
    position = START
    for seat in (S, W, N, E, S):
        assert position.seat == seat
        position = after(GAME, position, "4;--")


def test_without_dice_a_player_without_raja_stands_still() -> None:
    game = Chaturaji({"dice": 0})
    position = at(game, "sKd1,sEa1,wKa5,wHa7,nKe8,nHg8,eKh4")
    taken = after(game, position, "a1a5")
    assert (taken.scores, taken.lost, taken.seat) == ((5, 0, 0, 0), 1 << W, N)
    assert game.pieces(taken)["a7"].owner == W
    moving = after(Chaturaji({"dice": 0, "freeze_on_raja_loss": False}), position, "a1a5")
    assert moving.seat == W
    # A piece that stands still can be taken.
    assert after(game, taken, "g8f6;h4h5;a5a7").scores == (8, 0, 0, 0)


# ---- boats' parade

PARADES = [
    # (the three boats that wait, the fourth with its way)
    ("wBc2,nBb2,eBb3", "sBe5", "e5c3"),
    ("wBc6,nBb6,eBb7", "sBe5", "e5c7"),
    ("wBe4,nBd4,eBd5", "sBc3", "c3e5"),
    ("wBg2,nBf2,eBf3", "sBe1", "e1g3"),
    ("wBg6,nBf6,eBf7", "sBe5", "e5g7"),
]


@pytest.mark.parametrize(("waiting", "boat", "way"), PARADES)
def test_a_parade_takes_the_three_other_boats(waiting: str, boat: str, way: str) -> None:
    position = at(GAME, RAJAS + f"{waiting},{boat}", "S 2 0,0,0,0 -")
    move = step(position, way)
    result = GAME.play(position, move)
    assert result.scores == (6, 0, 0, 0)
    assert places(GAME, result, "B") == {way[2:]: S}
    assert result.quiet == 0
    changed = GAME.changes(position, move)
    gone = {place for place, piece in changed.items() if piece is None}
    assert gone == {boat[2:], *(piece[2:] for piece in waiting.split(","))}
    assert GAME.record_text(position, move) == f"{way}#P"

    plain = after(Chaturaji({"parade": False}), position, way)
    assert plain.scores == (0, 0, 0, 0)
    assert len(places(GAME, plain, "B")) == 4


def test_a_capture_and_a_parade_both_score() -> None:
    position = at(GAME, RAJAS + "wBe4,nBd4,eBd5,sBc3,nHe5", "S 2 0,0,0,0 -")
    result = after(GAME, position, "c3e5")
    assert result.scores == (9, 0, 0, 0)
    assert GAME.pieces(result)["graveyard"].count == 32 - 5
    text = GAME.record_text(position, step(position, "c3e5"))
    assert text == "c3e5xN3#P"
    assert GAME.parse_move(position, text) == step(position, "c3e5")


# ---- promotion


@pytest.mark.parametrize(
    ("seat", "pawn", "origin", "target", "letter"),
    [
        ("S", "a7", "B", "a8", "B"),
        ("S", "f7", "E", "f8", "E"),
        ("W", "g8", "B", "h8", "B"),
        ("W", "g6", "E", "h6", "E"),
        ("N", "h2", "B", "h1", "B"),
        ("N", "g2", "H", "g1", "H"),
        ("E", "b1", "B", "a1", "B"),
        ("E", "b4", "K", "a4", "K"),
    ],
)
def test_a_pawn_may_become_the_piece_it_stood_in_front_of(
    seat: str, pawn: str, origin: str, target: str, letter: str
) -> None:
    lost = "" if letter != "K" else f"lost={seat}"
    others = ",".join(piece for piece in RAJAS[:-1].split(",") if letter != "K" or piece[0] != "e")
    pieces = f"{others},{seat.lower()}P{pawn}:{origin}"
    position = at(GAME, pieces, f"{seat} 5 0,0,0,0 - {lost}")
    way = pawn + target
    assert {way, f"{way}={letter}"} <= moves(GAME, position)
    promoted = after(GAME, position, f"{way}={letter}")
    assert GAME.pieces(promoted)[target].kind == letter
    assert GAME.pieces(promoted)["graveyard"].count == GAME.pieces(position)["graveyard"].count
    assert promoted.lost == 0
    assert GAME.pieces(after(GAME, position, way))[target].kind == "P"


def test_no_promotion_while_the_piece_is_still_there() -> None:
    position = at(GAME, RAJAS + "sPf7:E,sEa1", "S 5 0,0,0,0 -")
    assert {text for text in moves(GAME, position) if text.startswith("f7")} == {"f7f8", "f7e8"}
    assert refused(GAME, position, "f7f8=E").startswith("no-promotion ")


def test_promotion_on_a_capture_brings_both() -> None:
    position = at(GAME, RAJAS + "sPf7:E,nHg8", "S 5 0,0,0,0 -")
    assert {"f7g8", "f7g8=E", "f7f8", "f7f8=E"} <= moves(GAME, position)
    move = step(position, "f7g8=E")
    assert GAME.record_text(position, move) == "f7g8xN3=E"
    assert GAME.play(position, move).scores == (3, 0, 0, 0)


@pytest.mark.parametrize(("file", "letter"), list(zip("abcdefgh", "BHEKKEHB", strict=True)))
def test_promotion_by_square(file: str, letter: str) -> None:
    game = Chaturaji({"promotion_kind": "square"})
    rajas = "wKa5,nKg3,eKh4," + ("" if letter == "K" else "sKd1,")
    lost = " lost=S" if letter == "K" else ""
    position = at(game, f"{rajas}sP{file}7:{'B' if file < 'e' else 'K'}", f"S 5 0,0,0,0 -{lost}")
    way = f"{file}7{file}8"
    assert {text for text in moves(game, position) if text.startswith(way)} == {
        way,
        f"{way}={letter}",
    }


def test_a_waiting_pawn_cannot_move_but_be_taken() -> None:
    position = at(GAME, RAJAS + "sPa8:B,sBa1,wEa7", "S 5 0,0,0,0 -")
    assert not any(text.startswith("a8") for text in moves(GAME, position))
    position = at(GAME, RAJAS + "sPa8:B,sBa1,wEa7", "W 4 0,0,0,0 -")
    assert after(GAME, position, "a7a8").scores == (0, 1, 0, 0)


# ---- deferred promotion: a waiting pawn, whose boat W's elephant takes

WAITING = RAJAS + "sPb8:B,sBc3,sHg1,wEc7,nHh8,eHh1"


def test_late_promotion_is_free_before_the_own_throw() -> None:
    boat_lost = after(GAME, at(GAME, WAITING, "W 4 0,0,0,0 -"), "c7c3")
    assert "promote b8=B" not in claimed(GAME, boat_lost, S)
    own_turn = after(GAME, boat_lost, "2;--;2;--")
    assert (own_turn.seat, own_turn.dice) == (S, ())
    assert "promote b8=B" in claimed(GAME, own_turn, S)
    promoted = after(GAME, own_turn, "promote b8=B")
    assert (promoted.seat, promoted.dice, promoted.quiet) == (S, (), 0)
    assert GAME.pieces(promoted)["b8"].kind == "B"
    assert moves(GAME, after(GAME, promoted, "2")) == {"b8d6"}
    assert "promote b8=B" not in claimed(GAME, after(GAME, own_turn, "2"), S)


def test_no_late_promotion_while_the_piece_is_there() -> None:
    assert "promote b8=B" not in claimed(GAME, at(GAME, WAITING), S)


def test_late_promotion_at_once() -> None:
    game = Chaturaji({"deferred_promotion": "immediate"})
    boat_lost = after(game, at(game, WAITING, "W 4 0,0,0,0 -"), "c7c3")
    assert "promote b8=B" in claimed(game, boat_lost, S)
    assert "promote b8=B" not in claimed(game, boat_lost, N)
    promoted = after(game, boat_lost, "S promote b8=B")
    assert game.pieces(promoted)["b8"].kind == "B"
    assert promoted.seat == N
    thrown = after(game, boat_lost, "3")
    assert game.play(thrown, Claim(S, "promote b8=B")).dice == (3,)


def test_late_promotion_that_costs_the_move() -> None:
    game = Chaturaji({"deferred_promotion": "costs_the_move"})
    position = at(game, WAITING.replace("sBc3,", ""))
    promoted = after(game, position, "promote b8=B")
    assert (promoted.seat, promoted.quiet) == (W, 0)
    assert game.pieces(promoted)["b8"].kind == "B"


def test_no_late_promotion_at_all() -> None:
    game = Chaturaji({"deferred_promotion": "never"})
    position = at(game, WAITING.replace("sBc3,", ""))
    assert claimed(game, position, S) == set()
    with pytest.raises(IllegalMoveError):
        game.play(position, Claim(S, "promote b8=B"))


# ---- scores


@pytest.mark.parametrize(
    ("victim", "points"), [("wPd4:K", 1), ("wBd4", 2), ("wHd4", 3), ("wEd4", 4), ("wKd4", 5)]
)
def test_what_a_capture_scores(victim: str, points: int) -> None:
    raja = "" if "K" in victim[:2] else "wKa5,"
    position = at(GAME, f"sKd1,{raja}nKe8,eKh4,sEd3,wPb8,{victim}", "S 4 0,0,7,0 -")
    result = after(GAME, position, "d3d4")
    assert result.scores == (points, 0, 7, 0)
    assert GAME.outcome(result) is None
    assert result.lost == (1 << W if points == 5 else 0)


def test_ranks_keep_the_strong_from_the_weak() -> None:
    game = Chaturaji({"ranks": True})
    pieces = RAJAS + "sPc3,sBd3,nHb4,nPd4:K,nEb5,nBf5"
    pawn = at(game, pieces, "S 5 0,0,0,0 -")
    assert {text for text in moves(game, pawn) if text.startswith("c3")} == {"c3c4", "c3d4"}
    boat = at(game, pieces, "S 2 0,0,0,0 -")
    assert "d3f5" in moves(game, boat)
    assert "d3b5" not in moves(game, boat)
    assert "d3b5" in moves(GAME, at(GAME, pieces, "S 2 0,0,0,0 -"))
    horse = at(game, RAJAS + "sHc3,nPd5:K,nEb5", "S 3 0,0,0,0 -")
    assert {"c3d5", "c3b5"} <= moves(game, horse)


# ---- how it ends

TWO = "sKd1,sEa4,wKa5"
FROZEN = "sKd1,wHa7,nHg8"
BARE = "sKd1,wKa5,nPe2:K"
LONE = "sKd1,wKa5,wHa7,nKe8,nHg8,eKh4"
LAST, FIRST = {"end": "last_army"}, {"end": "first_raja_lost"}
SOON, DICELESS = {"stagnation_turns": 3}, {"dice": 0}


@pytest.mark.parametrize(
    ("options", "pieces", "rest", "way", "result"),
    [
        # the highest score wins when one army is left; equal scores share the win
        ({}, TWO, "S 4 3,0,9,0 - lost=N,E", "a4a5", "N last-army 8,0,9,0"),
        ({}, TWO, "S 4 4,0,9,2 - lost=N,E", "a4a5", "SN last-army 9,0,9,2"),
        (LAST, TWO, "S 4 3,0,9,0 - lost=N,E", "a4a5", "S last-army 8,0,9,0"),
        ({}, BARE, "S 5 0,4,0,0 - lost=N,E", "d1e2", "W only-rajas 1,4,0,0"),
        (LAST, BARE, "S 5 0,4,0,0 - lost=N,E", "d1e2", "- only-rajas 1,4,0,0"),
        (FIRST, f"{RAJAS}sEa4,wHa7", "S 4 0,0,0,6 -", "a4a5", "E raja-captured 5,0,0,6"),
        # nothing happens for long
        ({}, f"{RAJAS}sHb1", "S 3 0,1,0,0 - quiet=99", "b1c3", "W stagnation 0,1,0,0"),
        ({}, f"{RAJAS}sPb2", "S 3 0,1,0,0 - quiet=99", "--", "W stagnation 0,1,0,0"),
        (SOON, f"{RAJAS}sHb1", "S 4 0,0,0,0 - quiet=2", "--", "- stagnation 0,0,0,0"),
        # all that can move agree; the last one that could move retires
        ({}, f"{RAJAS}sHb1", "S - 0,2,0,0 -", "agree;E agree;W agree;N agree", "W agreed 0,2,0,0"),
        ({}, "sKd1,sHb1,wKa5", "S - 0,2,0,0 - lost=N,E", "agree;W agree", "W agreed 0,2,0,0"),
        (DICELESS, FROZEN, "S - 5,0,0,2 - lost=W,N,E", "retire d1", "S standstill 5,0,0,2"),
        # a lone raja that retired can still win by its points, a seat that resigned cannot
        ({}, LONE, "S - 9,0,0,0 -", "retire d1;W agree;N agree;E agree", "S agreed 9,0,0,0"),
        ({}, f"{RAJAS}sHb1", "S 3 9,3,1,0 -", "resign;W agree;N agree;E agree", "W agreed 9,3,1,0"),
        ({}, f"{RAJAS}sHb1", "S 3 9,3,1,0 -", "resign;N resign;E resign", "W resign 9,3,1,0"),
    ],
)
def test_how_it_ends(
    options: dict[str, Any], pieces: str, rest: str, way: str, result: str
) -> None:
    game = Chaturaji(options)
    assert ended(game, after(game, at(game, pieces, rest), way)) == result


def test_a_capture_and_a_step_of_a_pawn_begin_the_count_of_quiet_turns() -> None:
    taking = at(GAME, RAJAS + "sHb1,wBc3", "S 3 0,1,0,0 - quiet=99")
    assert after(GAME, taking, "b1c3").quiet == 0
    pawn = at(GAME, RAJAS + "sPb2", "S 5 0,1,0,0 - quiet=99")
    assert after(GAME, pawn, "b2b3").quiet == 0


def test_an_army_and_a_raja_play_on() -> None:
    position = at(GAME, "sKd1,sEd3,wKa5,nPd4:K", "S 4 0,4,0,0 - lost=N,E")
    assert GAME.outcome(after(GAME, position, "d3d4")) is None


def test_both_moves_of_two_dice_are_one_turn() -> None:
    game = Chaturaji({"dice": 2, "stagnation_turns": 3})
    position = after(game, START, "2+3;a1c3;b1a3")
    assert (position.seat, position.quiet) == (W, 1)
    position = after(game, position, "4+4;--;3+3;g8f6")
    assert (position.seat, position.quiet, game.outcome(position)) == (N, 3, None)
    assert "stagnation" in ended(game, after(game, position, "f6d5"))


def test_a_move_takes_back_what_was_said_and_a_throw_does_not() -> None:
    position = after(GAME, at(GAME, RAJAS + "sHb1", "S - 0,2,0,0 -"), "S agree;E agree;W agree")
    assert [claim.text for claim in GAME.claims(position, W)] == ["resign", "flag"]
    assert GAME.outcome(position) is None
    assert after(GAME, position, "3").agreed == position.agreed
    assert after(GAME, position, "3;b1c3").agreed == 0


def test_a_number_of_rounds() -> None:
    game = Chaturaji({"end": "n_rounds", "rounds": 2})
    position = after(game, START, "4;--;" * 4)
    assert (position.seat, position.round) == (S, 2)
    assert game.position_text(position).endswith(" quiet=4 round=2")
    assert "rounds" in ended(game, after(game, position, "4;--;" * 4))
    # A seat that is out of the game does not keep its round from ending.
    alone = at(game, "sKd1,sHb1,nKe8,nHg8", "N 3 0,0,0,0 - lost=W,E")
    assert after(game, alone, "g8f6").round == 2


def test_a_lone_raja_may_retire_unscored() -> None:
    position = at(GAME, LONE, "S - 9,0,0,0 -")
    retired = after(GAME, position, "retire d1")
    assert (retired.seat, retired.out, retired.lost) == (W, 1 << S, 0)
    assert retired.scores == position.scores
    assert "d1" not in GAME.pieces(retired)
    assert not GAME.claims(retired, S)
    assert GAME.parse_position(GAME.position_text(retired)) == retired


def test_retiring_is_for_the_own_turn_the_lone_raja_and_those_who_allow_it() -> None:
    position = at(GAME, LONE, "S - 9,0,0,0 -")
    assert "retire h4" not in claimed(GAME, position, E)
    assert "retire a5" not in claimed(GAME, after(GAME, position, "2;--"), W)
    game = Chaturaji({"retire": False})
    assert claimed(game, position, S) == set()


def test_a_seat_that_resigns_leaves_its_pieces_standing() -> None:
    position = at(GAME, RAJAS + "sHb1,wHa7,nHg8,eHh2", "S 3 9,3,1,0 -")
    resigned = after(GAME, position, "resign")
    assert (resigned.seat, resigned.dice, resigned.out) == (W, (), 1 << S)
    assert places(GAME, resigned, "H")["b1"] == S
    assert not GAME.claims(resigned, S)
    elsewhere = after(GAME, position, "N resign")
    assert (elsewhere.seat, elsewhere.dice) == (S, (3,))
    # Its pieces can be taken, and its turn is passed over.
    assert after(GAME, resigned, "2;--;2;--;2;--").seat == W
    taking = at(GAME, RAJAS + "sHb1,wHc3,nHg8,eHh2", "W 3 0,0,0,0 - out=S")
    assert after(GAME, taking, "c3b1").scores == (0, 3, 0, 0)


@pytest.mark.parametrize("colours", ["black,green,red,yellow", "green,yellow,black,red"])
def test_the_colours_of_the_seats(colours: str) -> None:
    game = Chaturaji({"seats": colours})
    assert game.seats == tuple(colours.split(","))
    assert game.pieces(START)["a1"].owner == S
    assert game.parse_move(START, f"{game.seats[W]} resign") == Claim(W, "resign")
