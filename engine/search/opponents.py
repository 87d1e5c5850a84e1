"""Opponents of six strengths, named by what they do.

A level searches the dozen best-looking moves to its depth and chooses among them at random: the
less of the winning chance a move gives away, the likelier it is. Sometimes a level sees only its
own move. Every level plays a win in one, recaptures unless that loses, does not move to and fro,
and does not play worse because it is losing. A beginner's mistake is visible: a capture punishes
it, so that a child can find out.

Levels with a share of random moves are an exception: these are any legal moves, also where the
level could win. The lowest level has such a share in every game.

Randomness comes from outside, as a function that returns numbers from 0 to below 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, pairwise
from math import exp
from typing import Any, Final, TypeAlias

from engine.game import Piece, Place
from engine.match import AnyGame, AnyMove
from engine.search import Book, JudgedMove, Stop, search
from engine.search.alpha_beta import DEEPEST
from engine.search.evaluation import evaluator_of
from engine.search.explain.facts import BoardFacts, MoveEffect
from engine.search.grades import FINE, LOSING, grade

Chance: TypeAlias = Callable[[], float]

_ANSWER_DEPTH: Final = 2
"""The depth of the search that tests whether a capture punishes a mistake."""
_USUAL_LOSS: Final = 0.33
"""What the moves of Robot Duel give away on average; in calmer positions levels give away less."""
_MOST_CANDIDATES: Final = 12
"""About the number of moves in Robot Duel; more do not make it harder to find a good one."""
_NEVER_GIVEN_AWAY: Final = 0.6
"""A level never knowingly gives away more than this share of its chance."""


@dataclass(frozen=True, slots=True)
class Level:
    """The strength of an opponent."""

    name: str
    """The name in files and commands."""
    depth: int
    """The plies (with more than two players: turns) that it looks ahead."""
    temperature: float
    """A move that gives away this much of the winning chance is a third as likely as the best; 0:
    only the best is played."""
    blind: float
    """The share of turns in which it sees only its own move."""
    gentle: bool = False
    """Whether its mistakes are visible."""
    uses_book: bool = False
    """Whether it uses the search's book and so sees much further than its depth."""
    at_random: float = 0.0
    """The share of its moves that are any legal move."""
    at_random_in: Mapping[str, float] = field(default_factory=dict)
    """The same for the games, by name, in which it is another."""
    parts: tuple[Level, ...] = ()
    """The levels of which it makes the moves, each time one of them at random; empty for a level
    with moves of its own."""

    def random_share(self, game: AnyGame) -> float:
        """Return the share of its moves in a game that are any legal move."""
        return self.at_random_in.get(game.name, self.at_random)


_CHILDS_SHARE: Final = 0.5
"""So large that a child who has just learned the rules wins about half of its games, as
`python -m benchmarks child` measures."""

LEVELS: Final = (
    Level("newcomer", 1, 0.24, 1.0, True, at_random=_CHILDS_SHARE, at_random_in={"abalone": 0.8}),
    Level("first-steps", 1, 0.24, 1.0, True, at_random_in={"shogi": 0.33, "abalone": 0.43}),
    Level("sees-one", 2, 0.13, 0.05, at_random_in={"shogi": 0.26, "abalone": 0.35}),
    Level("sees-two", 3, 0.07, 0.025, at_random_in={"shogi": 0.2, "abalone": 0.28}),
    Level("plans", 5, 0.02, 0.0),
    Level("strong", DEEPEST, 0.0, 0.0, uses_book=True),
)
"""From weak to strong: those that people choose among. Without random moves, each would win nearly
all games of Shogi and Abalone against a level below it that has them."""


def _between(weaker: Level, level: Level) -> Level:
    """Return the level between two others: half of its moves are those of each."""
    return replace(level, name=f"below-{level.name}", parts=(weaker, level))


_RANDOM: Final = Level("random", 1, 0.0, 1.0, at_random=1.0)
STEPS: Final = (
    _RANDOM,
    *chain.from_iterable((_between(*pair), pair[1]) for pair in pairwise((_RANDOM, *LEVELS))),
)
"""From weak to strong: the levels, one between each two, and two below the lowest."""


class _EmptyBook:
    """A book without entries."""

    def plies(self, game: AnyGame, position: Any) -> None:
        """Return None: unknown."""


NO_BOOK: Final[Book] = _EmptyBook()
"""For levels that must not see further than their depth."""

BY_NAME: Final = {level.name: level for level in STEPS}


def choose(
    game: AnyGame,
    position: Any,
    earlier: Sequence[Any] = (),
    *,
    level: Level,
    chance: Chance,
    stop: Stop,
) -> AnyMove:
    """Return the move of a level; GameError if there is nothing to choose.

    `earlier` holds the earlier positions of the match, oldest first.
    """
    if level.parts:
        level = level.parts[int(chance() * len(level.parts))]
    share = level.random_share(game)
    if share and chance() < share:
        legal = game.legal(position)
        if legal:
            return legal[int(chance() * len(legal))]
    blind = chance() < level.blind
    depth = 1 if blind else level.depth
    look = partial(search, game, position, earlier, stop=stop, foresees=False)
    if level.temperature == 0:
        book = None if level.uses_book else NO_BOOK
        return look(deepest=depth, every=False, book=book).moves[0].move
    facts, moves = BoardFacts(game, position), look(deepest=1, book=NO_BOOK).moves
    for judged in moves:
        if judged.chance == 1 and MoveEffect(facts, position, judged.move).wins:
            return judged.move
    back, two = _recaptures(facts, moves, earlier), len(game.seats) == 2
    followed = {judged.move for judged in moves[:_MOST_CANDIDATES]} | back
    if depth > 1:
        moves = look(deepest=depth, every=followed, book=NO_BOOK).moves
    seen = [judged for judged in moves if judged.move in followed or judged is moves[0]]
    for judged in seen:
        if judged.move in back and seen[0].chance - judged.chance < LOSING:
            return judged.move
    seen = _without_retreats(facts, seen, earlier)
    temperature = level.temperature * _at_stake(seen)
    best, gentle = seen[0], level.gentle and two
    while seen:
        judged = _by_chance(seen, temperature, chance())
        if not (gentle and _loses_quietly(facts, judged, best.chance, earlier, stop)):
            return judged.move
        seen.remove(judged)
    return best.move


def _by_chance(moves: Sequence[JudgedMove], temperature: float, number: float) -> JudgedMove:
    """Return a random move; the less a move gives away, the likelier it is."""
    lost = _given_away(moves)
    weights = [0.0 if each > _NEVER_GIVEN_AWAY else exp(-each / temperature) for each in lost]
    left = number * sum(weights)
    for judged, weight in zip(moves, weights, strict=True):
        left -= weight
        if left < 0:
            return judged
    return moves[0]


def _given_away(moves: Sequence[JudgedMove]) -> list[float]:
    """Return how much of the winning chance each move gives away.

    With a small chance a loss weighs more, since a losing side plays on as well as it can.
    """
    best = max(judged.chance for judged in moves)
    share = min(1.0, 4 * best * best) or 1.0
    return [(best - judged.chance) / share for judged in moves]


def _at_stake(moves: Sequence[JudgedMove]) -> float:
    """Return the share of a level's temperature that fits a position."""
    lost = _given_away(moves)
    return min(1.0, sum(lost) / len(lost) / _USUAL_LOSS) or 1.0


def _recaptures(
    facts: BoardFacts, moves: Sequence[JudgedMove], earlier: Sequence[Any]
) -> set[AnyMove]:
    """Return the moves that recapture on the place of the last capture."""
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
        each.move for each in moves if lost & MoveEffect(facts, position, each.move).captured.keys()
    }


def _without_retreats(
    facts: BoardFacts, moves: list[JudgedMove], earlier: Sequence[Any]
) -> list[JudgedMove]:
    """Leave out moves that bring back an earlier placement of the mover's pieces.

    They stay if no other move is as good. So pieces do not move to and fro.
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
    facts: BoardFacts, judged: JudgedMove, best: float, earlier: Sequence[Any], stop: Stop
) -> bool:
    """Return whether a move in a two-player game loses to a quiet answer."""
    game, position = facts.game, judged.position
    after, past = game.play(position, judged.move), [*earlier, position]
    if game.turn(after) != 1 - game.turn(position) or game.outcome(after, past) is not None:
        return False
    answers = search(
        game,
        after,
        past,
        stop=stop,
        deepest=_ANSWER_DEPTH,
        every=False,
        book=NO_BOOK,
        foresees=False,
    ).moves
    losing = grade(1 - answers[0].chance, best, is_best=False) == "losing"
    return losing and not evaluator_of(game, after).noise(answers[0].move)
