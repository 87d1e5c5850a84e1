"""One search for all games: every legal move with its winning chance and a grade.

    result = search(game, position, stop=lambda: clock() > deadline)
    result.moves[0].text, result.moves[0].chance, result.moves[0].grade

The engine has no clock: it calls `stop` every few milliseconds and ends when that returns True. The
result so far is returned; it holds every legal move.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from engine.game import CHANCE, GameError
from engine.match import AnyGame, AnyMove
from engine.search.alpha_beta import DEEPEST, AlphaBeta, ScoredMove, Stop, TranspositionTable
from engine.search.chance import Expectimax
from engine.search.evaluation import evaluator_of
from engine.search.evaluator import Book, NearEnds
from engine.search.grades import FINE, WIN, grade

__all__ = ["Book", "JudgedMove", "Result", "Stop", "search", "stop_after"]

_MOVES_WITH_LINES: Final = 100
"""The number of best moves that come with a line; a robot may have 200,000 moves."""


def stop_after(looks: int) -> Stop:
    """Return a `stop` that ends a search once it has been called this often: a search calls it
    every 32 positions.
    """
    asked = count()
    return lambda: next(asked) >= looks


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A legal move and its chance for the mover."""

    game: AnyGame = field(repr=False)
    position: Any = field(repr=False)
    chance: float
    """The winning chance, 0 to 1; 0 and 1 are forced. For a losing move it is an upper bound."""
    grade: str
    """`best`, `fine`, `doubtful` or `losing`."""
    depth: int
    """The number of searched plies (with more than two players: turns)."""
    plies: int | None
    """The plies until it wins or (negative) loses by the book; 0: a draw; None: not in the book. A
    win that the search found may take longer than necessary.
    """
    moves: tuple[AnyMove, ...]
    """The move and the expected line after it."""

    @property
    def move(self) -> AnyMove:
        """The move."""
        return self.moves[0]

    @property
    def text(self) -> str:
        """The move in the game's notation."""
        return self.game.move_text(self.position, self.move)

    @property
    def line(self) -> tuple[str, ...]:
        """The move and the expected line after it, in the game's notation."""
        before = self.game.positions(self.position, self.moves)
        return tuple(map(self.game.move_text, before, self.moves))


@dataclass(frozen=True, slots=True)
class Result:
    """All legal moves of a position, best first."""

    moves: tuple[JudgedMove, ...]
    nodes: int
    """The number of searched positions."""
    perfect: int | None = None
    """The plies until perfect play wins or (negative) loses the position by the book; 0: a draw;
    None: not in the book."""

    @property
    def depth(self) -> int:
        """The depth to which every move was searched."""
        return min(judged.depth for judged in self.moves)


def search(
    game: AnyGame,
    position: Any,
    earlier: Sequence[Any] = (),
    *,
    stop: Stop,
    deepest: int = DEEPEST,
    every: bool | Container[AnyMove] = True,
    table: TranspositionTable | None = None,
    book: Book | None = None,
    near: int | None = None,
    fine: float = FINE,
    foresees: bool = True,
) -> Result:
    """Judge all moves of a position until `stop` returns True or to the depth `deepest`.

    - `earlier`: the earlier positions of the match, oldest first, for repetition.
    - `every`: the moves that need an exact chance: all, those in a container, or only the best. The
      search goes deeper on them; the chances of the others are upper bounds.
    - `table`: keeps positions from one search of a match to the next.
    - `book`: exact results in place of the built-in ones.
    - `near`: the book judges a move only if the game ends within this many plies.
    - `fine`: a move that gives away at most this much of the chance is fine.
    - `foresees`: scores count what either side can do next, if the game's scores can.

    GameError if there is nothing to choose: the game is over, or a throw comes next.
    """
    if game.outcome(position, earlier) is not None or not game.legal(position):
        raise GameError("the game is over: there is no move to judge")
    if game.turn(position) == CHANCE:
        raise GameError("the dice are to be thrown first: give a position after the throw")
    evaluator = evaluator_of(game, position, earlier)
    evaluator.foresees = foresees
    evaluator.book = book = evaluator.book if book is None else book
    perfect = None if book is None else book.plies(game, position)
    if near is not None and book is not None:
        evaluator.book = NearEnds(book, near - 1)  # one ply is the move itself
    kind = AlphaBeta if len(game.seats) == 2 else Expectimax
    searching = kind(evaluator, stop, table)
    found = searching.deepen(deepest, every)
    best = searching.chance(found[0].score)
    moves = []
    for number, each in enumerate(found):
        chance = searching.chance(each.score)
        line = [each.move]
        if number < _MOVES_WITH_LINES and each.depth > 1:
            evaluator.make(each.move)
            line += searching.line(each.depth - 1)
            evaluator.unmake()
        known = every if isinstance(every, bool) else each.move in every
        is_best = not number or (known and each.score == found[0].score)
        graded = grade(chance, best, is_best, fine)
        moves.append(
            JudgedMove(game, position, chance, graded, each.depth, _plies(each), tuple(line))
        )
    return Result(tuple(moves), searching.nodes, perfect)


def _plies(found: ScoredMove) -> int | None:
    if not found.certain:
        return None
    return int(found.score and (WIN - found.score if found.score > 0 else -WIN - found.score))
