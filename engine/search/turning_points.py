"""What the judged moves of a match come to: its turning points, and the good moves of each player.

All of it is computed from values: a match, and the judgements of its moves.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.game import CHANCE, Claim, Pass, Seat, Throw
from engine.match import AnyGame, Match
from engine.search.evaluation import evaluator_of
from engine.search.explain import MoveReason

TURNING_LOSS: Final = 0.15
"""With two sides, a move that gives away more than this of the winning chance turns the game."""
LOST: Final = 0.25
"""With two sides, a position is lost if its best move has a smaller chance: no move turns it."""
GOOD_LOSS: Final = 0.05
"""With two sides, a move that gives away at most this is good."""
UNIQUE_LEAD: Final = 0.1
"""With two sides, the best move is the only good one if all others give away more than this."""
MOST_TURNING: Final = 3
"""At most this many turning points are shown, the largest ones."""


@dataclass(frozen=True, slots=True)
class JudgedPly:
    """A move that was played, and the best one in its place."""

    number: int
    """The index of the ply in `Match.steps()`."""
    chance: float
    """The winning chance of the mover after the move, 0 to 1."""
    best: str
    """The best move, in the game's notation."""
    best_chance: float
    """The winning chance of the mover after the best move."""
    why: MoveReason | None = None
    """Why the move that was played is bad, if it is and that is known."""
    line: Sequence[str] = ()
    """The expected line from the best move on."""
    best_why: MoveReason | None = None
    """Why the best move is good, if that is known."""
    forced: bool = False
    """Whether it was the only move."""
    second_chance: float | None = None
    """The winning chance of the mover after the second-best move; None if that is not known."""

    @property
    def loss(self) -> float:
        """The winning chance that the move gives away."""
        return max(0.0, self.best_chance - self.chance)


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turning point as a position to play again, without the match that it is from."""

    game: str
    options: Mapping[str, str]
    position: str
    """The position before the move, in the game's notation; a throw has fallen already."""
    better: str
    """The best move. Another one may be as good."""
    is_unique: bool = False
    """Whether the search found every other move clearly worse than the best one."""


class GoodMoves(NamedTuple):
    """How many good moves a player found."""

    found: int
    of: int
    """The moves in which there was something to find."""


def choices(match: Match) -> list[int]:
    """Return the indexes in `match.steps()` of the moves that a player chose.

    Throws, forced passes and claims are left out.
    """
    return [
        number
        for number, step in enumerate(match.steps())
        if step.before is not None
        and step.before.turn != CHANCE
        and not isinstance(step.move, Throw | Pass | Claim)
    ]


def turning_points(
    match: Match, plies: Sequence[JudgedPly], seats: Collection[Seat] | None = None
) -> list[JudgedPly]:
    """Return the moves that turned the match, at most three, in the order of play.

    They are the moves of these `seats`, by default of all, that gave away most of the winning
    chance, but none in a lost position, and none for which the same move was better as for another
    one. Of equal ones the earlier count.
    """
    line, share = match.steps(), _share(match.game)
    costly = [
        each
        for each in plies
        if each.loss > TURNING_LOSS * share
        and each.best_chance >= LOST * share
        and (seats is None or line[each.number].seat in seats)
    ]
    by_advice: dict[tuple[Seat, str], JudgedPly] = {}
    for each in sorted(costly, key=lambda each: -each.loss):
        by_advice.setdefault((line[each.number].seat, each.best), each)
    largest = list(by_advice.values())[:MOST_TURNING]
    return sorted(largest, key=lambda each: each.number)


def position_of(match: Match, ply: JudgedPly) -> TurningPoint:
    """Return a judged move of a match as a position to play again."""
    game, step = match.game, match.steps()[ply.number]
    assert step.before is not None  # a move was played
    return TurningPoint(
        game=game.name,
        options=dict(game.options),
        position=game.position_text(step.before.position),
        better=ply.best,
        is_unique=(
            ply.second_chance is not None
            and ply.best_chance - ply.second_chance > UNIQUE_LEAD * _share(game)
        ),
    )


def is_good(game: AnyGame, ply: JudgedPly) -> bool:
    """Whether a move gave away so little that no better one has to be named."""
    return ply.loss <= GOOD_LOSS * _share(game)


def good_moves(match: Match, plies: Sequence[JudgedPly]) -> list[GoodMoves]:
    """Return by seat how many good moves its player found. A move does not count if it was the only
    one, or the position was lost.
    """
    line, share = match.steps(), _share(match.game)
    found = [GoodMoves(0, 0)] * len(match.game.seats)
    for each in plies:
        if each.forced or each.best_chance < LOST * share:
            continue
        seat = line[each.number].seat
        good, of = found[seat]
        found[seat] = GoodMoves(good + (each.loss <= GOOD_LOSS * share), of + 1)
    return found


def curve(match: Match, plies: Sequence[JudgedPly]) -> list[tuple[int, float]]:
    """Return the winning chance of the first seat after each judged ply, with its index.

    Nothing for more than two seats: the search judges a move for its mover alone.
    """
    if len(match.game.seats) != 2:
        return []
    line = match.steps()
    return [
        (each.number, each.chance if line[each.number].seat == 0 else 1 - each.chance)
        for each in plies
    ]


def _share(game: AnyGame) -> float:
    """Return the chance that a side begins with, as a part of that of one of two sides."""
    if len(game.seats) == 2:
        return 1.0
    sides = set(evaluator_of(game, game.start()).sides)  # partners are one side
    return 2 / len(sides)
