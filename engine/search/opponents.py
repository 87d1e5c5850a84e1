"""Opponents of five strengths, named by what they do.

A level sees so far and no further, and chooses among what it sees as good by chance: worths become
winning chances, and the less a move gives away, the likelier it is played. Sometimes it is blind to
all but its own move. Whatever its level, it wins when it sees a win in one, takes back what was
taken unless that loses, and throws nothing away because it is losing. What a beginner does wrong
can be seen: it is punished by a capture, so that a child finds out by himself.

Chance comes from outside, as a function that returns numbers from 0 to below 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any, Final, TypeAlias

from engine.match import AnyGame, AnyMove
from engine.search import Book, Judged, Result, Stop, search
from engine.search.alpha_beta import DEEPEST
from engine.search.grades import LOSING, grade
from engine.search.why.facts import Deed, Men
from engine.search.worth import seam_of

Chance: TypeAlias = Callable[[], float]

_PLAYED_OUT: Final = 2
"""So deeply answers are looked at to see whether a mistake is punished by a capture."""
_AT_STAKE: Final = 0.33
"""So much the moves of Robot Duel give away on average: where it is less, so do the levels …"""
_CHOICES: Final = 12
"""… and so many there are: where there are more, it is not harder to find a good one."""
_NEVER: Final = 0.6
"""Who gives away so much of the chance that he has does it only if he does not see it."""


@dataclass(frozen=True, slots=True)
class Level:
    """How strong an opponent is."""

    name: str
    """As files and commands write it."""
    depth: int
    """How many plies (with more than two players: turns) it looks ahead."""
    temperature: float
    """Moves that give away so much of the winning chance are played a third as often as the best;
    0: never."""
    blind: float
    """How often it sees nothing but its own move."""
    gentle: bool = False
    """Whether its mistakes can be seen."""
    by_heart: bool = False
    """Whether it knows what the search knows by heart: who does sees much further than he looks."""


LEVELS: Final = (
    Level("first-steps", 1, 0.24, 0.5, gentle=True),
    Level("sees-one", 2, 0.12, 0.2),
    Level("sees-two", 3, 0.08, 0.1),
    Level("plans", 5, 0.02, 0.0),
    Level("strong", DEEPEST, 0.0, 0.0, by_heart=True),
)
"""From weak to strong."""


class _Nothing:
    """A book in which nothing is written."""

    def plies(self, game: AnyGame, position: Any) -> None:
        """Nobody knows."""


NO_BOOK: Final[Book] = _Nothing()
"""For who is to see no further than he looks."""

BY_NAME: Final = {level.name: level for level in LEVELS}


def choose(
    game: AnyGame,
    position: Any,
    earlier: Sequence[Any] = (),
    *,
    level: Level,
    chance: Chance,
    stop: Stop,
) -> AnyMove:
    """Return the move that a level makes. `earlier` holds the match's positions before, oldest
    first. GameError if there is nothing to choose.
    """
    blind = chance() < level.blind
    depth = 1 if blind else level.depth
    temperature = level.temperature
    if len(game.seats) > 2:  # others come between two moves of one's own, and little is won by one
        depth = depth + (depth > 1)
        temperature = temperature * temperature / LEVELS[0].temperature
    book = None if level.by_heart else NO_BOOK
    every = level.temperature > 0
    result = search(game, position, earlier, stop=stop, deepest=depth, every=every, book=book)
    moves = result.moves
    men = Men(game, position)
    if any(judged.chance == 1 for judged in moves):
        for judged in moves:
            if judged.chance == 1 and Deed(men, position, judged.move).wins:
                return judged.move
    if level.temperature == 0:
        return moves[0].move
    if (back := _taken_back(men, result, earlier)) is not None:
        return back.move
    gentle = level.gentle and len(game.seats) == 2
    if len(game.seats) == 2:
        temperature *= _at_stake(moves)
    left = list(moves)
    while left:
        judged = _by_chance(left, temperature, chance())
        if not (gentle and _loses_quietly(men, judged, moves[0].chance, earlier, stop)):
            return judged.move
        left.remove(judged)
    return moves[0].move


def _by_chance(moves: Sequence[Judged], temperature: float, number: float) -> Judged:
    """Return a move, the likelier the less it gives away."""
    lost = _given_away(moves)
    weights = [0.0 if each > _NEVER else exp(-each / temperature) for each in lost]
    left = number * sum(weights)
    for judged, weight in zip(moves, weights, strict=True):
        left -= weight
        if left < 0:
            return judged
    return moves[0]


def _given_away(moves: Sequence[Judged]) -> list[float]:
    """Return how much of the winning chance each move gives away: of a small one it counts for
    more, for who is losing plays on as well as he can.
    """
    best = max(judged.chance for judged in moves)
    share = min(1.0, 4 * best * best) or 1.0
    return [(best - judged.chance) / share for judged in moves]


def _at_stake(moves: Sequence[Judged]) -> float:
    """Return which part of a level's temperature fits a position."""
    lost = _given_away(moves)
    choices = log(_CHOICES) / log(len(lost) + 1)
    return min(1.0, sum(lost) / len(lost) / _AT_STAKE) * min(1.0, choices) or 1.0


def _taken_back(men: Men, result: Result, earlier: Sequence[Any]) -> Judged | None:
    """Return the best move that takes the man who has just taken one, unless it loses."""
    position, game = result.moves[0].position, men.game
    if not earlier:
        return None
    seat, before, now = game.turn(position), game.pieces(earlier[-1]), game.pieces(position)
    lost = {
        place
        for place in game.cells()
        if (man := before.get(place)) is not None
        and not men.hostile(seat, man)
        and man.owner is not None
        and men.hostile(seat, now.get(place))
    }
    for judged in result.moves:
        if lost and lost & Deed(men, position, judged.move).took.keys():
            worse = result.moves[0].chance - judged.chance
            return None if worse >= LOSING else judged
    return None


def _loses_quietly(
    men: Men, judged: Judged, best: float, earlier: Sequence[Any], stop: Stop
) -> bool:
    """Whether a move of two players' game loses to an answer that takes nothing, pushes nothing off
    and carries nothing off.
    """
    game, position = men.game, judged.position
    after, past = game.play(position, judged.move), [*earlier, position]
    if game.turn(after) != 1 - game.turn(position) or game.outcome(after, past) is not None:
        return False
    answers = search(
        game, after, past, stop=stop, deepest=_PLAYED_OUT, every=False, book=NO_BOOK
    ).moves
    losing = grade(1 - answers[0].chance, best, is_best=False) == "losing"
    return losing and not seam_of(game, after).loud(answers[0].move)
