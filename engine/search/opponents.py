"""Opponents of five strengths, named by what they do.

A level follows the dozen moves that look best at first sight, so far and no further, and chooses
among them by chance: worths become winning chances, and the less a move gives away, the likelier it
is played. Sometimes it is blind to all but its own move. Whatever its level, it wins when it sees a
win in one, takes back what was taken unless that loses, does not go to and fro, and throws nothing
away because it is losing. What a beginner does wrong can be seen: it is punished by a capture, so
that a child finds out by himself.

Chance comes from outside, as a function that returns numbers from 0 to below 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp
from typing import Any, Final, TypeAlias

from engine.game import Piece, Place
from engine.match import AnyGame, AnyMove
from engine.search import Book, Judged, Stop, search
from engine.search.alpha_beta import DEEPEST
from engine.search.evaluation import evaluator_of
from engine.search.explain.facts import BoardFacts, MoveEffect
from engine.search.grades import FINE, LOSING, grade

Chance: TypeAlias = Callable[[], float]

_PLAYED_OUT: Final = 2
"""So deeply answers are looked at to see whether a mistake is punished by a capture."""
_AT_STAKE: Final = 0.33
"""So much the moves of Robot Duel give away on average: where it is less, so do the levels."""
_FOLLOWED: Final = 12
"""About so many moves there are in Robot Duel; more make it no harder to find a good one."""
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
    Level("first-steps", 1, 0.24, 1.0, gentle=True),
    Level("sees-one", 2, 0.13, 0.05),
    Level("sees-two", 3, 0.07, 0.025),
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
    look = partial(search, game, position, earlier, stop=stop, foresees=False)
    if level.temperature == 0:
        book = None if level.by_heart else NO_BOOK
        return look(deepest=depth, every=False, book=book).moves[0].move
    facts, moves = BoardFacts(game, position), look(deepest=1, book=NO_BOOK).moves
    for judged in moves:
        if judged.chance == 1 and MoveEffect(facts, position, judged.move).wins:
            return judged.move
    back, two = _taking_back(facts, moves, earlier), len(game.seats) == 2
    followed = {judged.move for judged in moves[:_FOLLOWED]} | back
    if depth > 1:
        moves = look(deepest=depth, every=followed, book=NO_BOOK).moves
    seen = [judged for judged in moves if judged.move in followed or judged is moves[0]]
    for judged in seen:
        if judged.move in back and seen[0].chance - judged.chance < LOSING:
            return judged.move
    seen = _moving_on(facts, seen, earlier)
    temperature = level.temperature * _at_stake(seen)
    best, gentle = seen[0], level.gentle and two
    while seen:
        judged = _by_chance(seen, temperature, chance())
        if not (gentle and _loses_quietly(facts, judged, best.chance, earlier, stop)):
            return judged.move
        seen.remove(judged)
    return best.move


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
    return min(1.0, sum(lost) / len(lost) / _AT_STAKE) or 1.0


def _taking_back(
    facts: BoardFacts, moves: Sequence[Judged], earlier: Sequence[Any]
) -> set[AnyMove]:
    """Return the moves that take the piece who has just taken one."""
    position, game = moves[0].position, facts.game
    if not earlier:
        return set()
    seat, before, now = game.turn(position), game.pieces(earlier[-1]), game.pieces(position)
    lost = {
        place
        for place in game.cells()
        if (piece := before.get(place)) is not None
        and not facts.hostile(seat, piece)
        and piece.owner is not None
        and facts.hostile(seat, now.get(place))
    }
    if not lost:
        return set()
    return {
        each.move for each in moves if lost & MoveEffect(facts, position, each.move).took.keys()
    }


def _moving_on(facts: BoardFacts, moves: list[Judged], earlier: Sequence[Any]) -> list[Judged]:
    """Leave out the moves after which one's own pieces all stand where they have stood before, if
    another one is as good: nobody is to see a piece go to and fro.
    """
    position, game = moves[0].position, facts.game
    seat = game.turn(position)

    def own(position: Any) -> dict[Place, Piece]:
        pieces = game.pieces(position)
        return {place: piece for place, piece in pieces.items() if piece.owner in (seat, None)}

    stood = [own(each) for each in earlier]
    others = [each for each in moves if own(game.play(position, each.move)) not in stood]
    return others if others and moves[0].chance - others[0].chance <= FINE else moves


def _loses_quietly(
    facts: BoardFacts, judged: Judged, best: float, earlier: Sequence[Any], stop: Stop
) -> bool:
    """Whether a move of two players' game loses to an answer that takes nothing, pushes nothing off
    and carries nothing off.
    """
    game, position = facts.game, judged.position
    after, past = game.play(position, judged.move), [*earlier, position]
    if game.turn(after) != 1 - game.turn(position) or game.outcome(after, past) is not None:
        return False
    answers = search(
        game,
        after,
        past,
        stop=stop,
        deepest=_PLAYED_OUT,
        every=False,
        book=NO_BOOK,
        foresees=False,
    ).moves
    losing = grade(1 - answers[0].chance, best, is_best=False) == "losing"
    return losing and not evaluator_of(game, after).loud(answers[0].move)
