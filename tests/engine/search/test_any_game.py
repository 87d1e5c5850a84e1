"""The search of unknown games: chess, and an invented one with dice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any, ClassVar

import pytest

from engine.game import (
    CHANCE,
    Claim,
    Game,
    MoveError,
    Outcome,
    Pass,
    Piece,
    Place,
    PositionError,
    Seat,
    Throw,
)
from engine.search import search
from engine.search.evaluation.any_game import learnt_values

Heap = tuple[int, Seat, int]
"""The number of stones, the seat to move, and the most that it may take; 0 before the throw."""


class Stones(Game[Heap, int]):
    """Take at most as many stones as the die says; the player of the last stone wins."""

    name = "stones"
    title = "Stones"
    seats = ("one", "other")
    kinds: ClassVar = {"s": "stone"}
    endings: ClassVar = {"last": "The last stone was taken."}
    throws = (Throw((1,)), Throw((2,)), Throw((3,)))

    def cells(self) -> tuple[Place, ...]:
        return ("heap",)

    def trays(self) -> tuple[Place, ...]:
        return ()

    def start(self) -> Heap:
        return 5, 0, 0

    def turn(self, position: Heap) -> Seat:
        return position[1] if position[2] else CHANCE

    def legal(self, position: Heap) -> Sequence[int | Throw | Pass]:
        stones, _, most = position
        if not stones:
            return ()
        return tuple(range(1, min(stones, most) + 1)) if most else self.throws

    def play(self, position: Heap, move: int | Throw | Pass | Claim) -> Heap:
        stones, turn, _ = position
        if isinstance(move, Throw):
            return stones, turn, move.dice[0]
        assert isinstance(move, int)
        return stones - move, (turn + 1) % len(self.seats), 0

    def outcome(self, position: Heap, earlier: Sequence[Heap] = ()) -> Outcome | None:
        last = (position[1] - 1) % len(self.seats)
        return None if position[0] else Outcome(frozenset({last}), "last")

    def pieces(self, position: Heap) -> dict[Place, Piece]:
        return {"heap": Piece(None, "s", count=position[0])} if position[0] else {}

    def move_text(self, position: Heap, move: Any) -> str:
        return str(move)

    def parse_move(self, position: Heap, text: str) -> int:
        raise MoveError(text)

    def position_text(self, position: Heap) -> str:
        return str(position)

    def parse_position(self, text: str) -> Heap:
        raise PositionError(text)


class StonesForThree(Stones):
    """The same for three."""

    name = "stones-for-three"
    seats = ("one", "other", "third")


@cache
def won(stones: int, most: int) -> float:
    """Return the winning chance of the seat to move, or to throw if it may take 0."""
    if not stones:
        return 0.0
    if not most:
        return sum(won(stones, thrown) for thrown in (1, 2, 3)) / 3
    return max(1 - won(stones - taken, 0) for taken in range(1, min(stones, most) + 1))


@pytest.mark.parametrize("stones", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_throws_are_averaged(stones: int, most: int) -> None:
    result = search(Stones(), (stones, 1, most), stop=lambda: False, deepest=6)
    for judged in result.moves:
        true = 1 - won(stones - judged.move, 0)
        assert judged.chance == pytest.approx(true, abs=0.02) or (
            judged.chance >= true and judged.grade == "losing"
        )
    assert result.moves[0].chance == pytest.approx(won(stones, most), abs=0.02)


def test_a_game_that_is_seen_through_to_its_end_is_searched_no_further() -> None:
    """With throws there are two plies to each move: no depth is too deep."""
    result = search(Stones(), (5, 0, 2), stop=lambda: False)
    assert result.moves[0].chance == pytest.approx(won(5, 2), abs=0.02)
    long_game = search(Stones(), (70, 0, 2), stop=lambda: False, deepest=2)
    assert {each.text for each in long_game.moves} == {"1", "2"}


def test_of_three_players_each_may_win() -> None:
    result = search(StonesForThree(), (3, 2, 3), stop=lambda: False, deepest=4)
    assert (result.moves[0].text, result.moves[0].chance) == ("3", 1.0)
    assert {each.text for each in result.moves} == {"1", "2", "3"}
    assert all(each.chance < 1 for each in result.moves[1:])


# ---- chess

lampion_chess = pytest.importorskip("lampion_chess", reason="python-chess is not installed")


def test_pieces_of_chess_have_the_value_of_their_mobility() -> None:
    values = learnt_values(lampion_chess.Chess())
    for officer in "RNB":
        assert values["Q"] > values[officer] > values["P"]


@pytest.mark.parametrize(
    ("fen", "move"),
    [("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8"), ("k7/8/8/3q4/8/8/8/K2R4 w - - 0 1", "d1d5")],
)
def test_chess_is_searched_without_a_word_about_it(fen: str, move: str) -> None:
    game = lampion_chess.Chess()
    found = search(game, game.parse_position(fen), stop=lambda: False, deepest=3).moves
    assert found[0].text == move


def test_a_mate_in_two_is_a_forced_win() -> None:
    fen = "k7/8/2K5/8/8/8/8/7R w - - 0 1"
    game = lampion_chess.Chess()
    found = search(game, game.parse_position(fen), stop=lambda: False, deepest=3).moves
    won = [each for each in found if each.chance == 1]
    assert sorted(each.text for each in won) == ["c6b6", "c6c7"]
    assert all(len(each.line) == 3 for each in won)


def test_every_chess_move_is_graded_whenever_it_is_stopped() -> None:
    game = lampion_chess.Chess()
    position, chance = game.start(), Random(4)
    for _ in range(12):
        position = game.play(position, chance.choice(game.legal(position)))
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 4

    result = search(game, position, stop=stop)
    assert {each.move for each in result.moves} == set(game.legal(position))
    assert result.nodes <= 32 * 5
