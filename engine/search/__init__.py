"""One search for all games: every legal move with its winning chance and a grade.

    result = search(game, position, stop=lambda: clock() > deadline)
    result.moves[0].text, result.moves[0].chance, result.moves[0].grade

The engine has no clock: `stop` says when it is enough, and is asked every few milliseconds. What
was found by then is returned, and every legal move is in it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.game import CHANCE, GameError
from engine.match import AnyGame, AnyMove
from engine.search.alpha_beta import DEEPEST, AlphaBeta, ScoredMove, Stop
from engine.search.chance import Expectimax
from engine.search.evaluation import evaluator_of
from engine.search.evaluator import Book, NearEnds
from engine.search.grades import FINE, WIN, grade
from engine.search.table import TranspositionTable

__all__ = ["Book", "Judged", "Result", "Stop", "search"]

_MOVES_WITH_LINES: Final = 100
"""So many moves, the best ones, come with their lines; a robot may have 200,000."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A legal move and what it is worth to who makes it."""

    game: AnyGame = field(repr=False)
    position: Any = field(repr=False)
    chance: float
    """The winning chance, 0 to 1; 0 and 1 are forced. Of a losing move it is at most this."""
    grade: str
    """`best`, `fine`, `doubtful` or `losing`."""
    depth: int
    """How many plies (with more than two players: turns) were looked through."""
    plies: int | None
    """In how many plies it wins, or, negative, loses; 0: it draws; None: no book says so. What the
    search found by itself may be longer than need be."""
    moves: tuple[AnyMove, ...]
    """The move and how play would go on."""

    @property
    def move(self) -> AnyMove:
        """The move itself."""
        return self.moves[0]

    @property
    def text(self) -> str:
        """The move in the game's notation."""
        return self.game.move_text(self.position, self.move)

    @property
    def line(self) -> tuple[str, ...]:
        """The move and how play would go on, in the game's notation."""
        position, texts = self.position, []
        for move in self.moves:
            texts.append(self.game.move_text(position, move))
            position = self.game.play(position, move)
        return tuple(texts)


@dataclass(frozen=True, slots=True)
class Result:
    """All legal moves of a position, best first."""

    moves: tuple[Judged, ...]
    nodes: int
    """How many positions were looked at."""
    perfect: int | None = None
    """What the book says of the position itself: in how many plies perfect play wins it, or,
    negative, loses it; 0: it is drawn; None: no book says so."""

    @property
    def depth(self) -> int:
        """The depth to which every move was looked through."""
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
    """Judge all moves of a position until `stop` says so, or to a depth of `deepest`.

    `earlier` holds the match's positions before it, oldest first: for repetition. Without `every`
    only the best move counts, or also those that it holds: they are searched more deeply, and the
    others are worth at most what is said. A `table` remembers positions from one search of a match
    to the next one. A `book` of true values takes the place of what the search knows by heart.
    With `near` a book judges moves only if the game ends within so many plies, and else the search
    does. A move is fine if it gives away no more of the chance than `fine`. Unless it `foresees`,
    worths count what stands and not what can be done next, where the game's worths know both.
    GameError if there is nothing to choose: the game is over, or dice are to be thrown.
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
        moves.append(Judged(game, position, chance, graded, each.depth, _plies(each), tuple(line)))
    return Result(tuple(moves), searching.nodes, perfect)


def _plies(found: ScoredMove) -> int | None:
    if not found.certain:
        return None
    return int(found.score and (WIN - found.score if found.score > 0 else -WIN - found.score))
