"""The evaluation of Chaturaji."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.cache import BoundedCache, CachedFunction
from engine.game import Pass, Throw
from engine.games.chaturaji.position import GONE, INDEX, NOWHERE, PAWN, POINTS, SEEN
from engine.match import AnyGame
from engine.search.evaluator import Evaluator

_PIECES: Final = (1.1, 1.3, 3.8, 0.2, 0.4, 0.4, 0.4, 0.4)
"""By slot: the value of a piece to its owner, in points that it may still win. These values, the
scale and its shrinking fit the results of 800 games of greedy players.
"""
_ALL_PIECES: Final = 32
_LAST: Final = 0.2
"""Added to the share of pieces left. The sum divides the scores, since a lead decides more with
fewer pieces."""
_GOALS_WITHOUT_POINTS: Final = ("last_army", "annihilation", "both_rajas")
_STEP: Final = 0.05
"""Per line that a pawn has advanced."""


def _army(key: tuple[int, bytes]) -> float:
    seat, pieces = key
    score = 0.0
    for slot, square in enumerate(pieces):
        if square != NOWHERE:
            score += _PIECES[slot]
            if slot >= PAWN:
                score += _STEP * SEEN[seat][square][1]
    return score


_ARMIES: Final[CachedFunction[tuple[int, bytes], float]] = CachedFunction(
    BoundedCache(1 << 14), _army
)


class ChaturajiEvaluator(Evaluator):
    """Scores the points, if they decide, and the value of pieces; partners share them."""

    scale = 6.5
    piece_values: Mapping[str, int] = {"B": 2, "H": 3, "E": 4, "K": 5, "P": 1, "X": 0}

    def __init__(self, game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> None:
        super().__init__(game, position, earlier)
        if game.options["teams"] == "true":
            self.sides = (0, 1, 0, 1)
        goal = game.options["end" if self.sides[2] else "team_goal"]
        self._points = 0 if goal in _GOALS_WITHOUT_POINTS else 1

    def side_scores(self) -> Sequence[float]:
        """Return the points and the value of pieces of each side."""
        pieces, scores = self.position.pieces, self.position.scores
        weight = 1 / (_LAST + 1 - pieces.count(NOWHERE) / _ALL_PIECES)
        found = [
            weight * (self._points * scores[seat] + _ARMIES[seat, pieces[8 * seat : 8 * seat + 8]])
            for seat in range(4)
        ]
        return found if self.sides[2] else [found[0] + found[2], found[1] + found[3]]

    def opposing_turns(self, after: Any) -> Sequence[Any]:
        """Return the turns of the other playing seats with the pieces of `after`."""
        if after.ended:
            return ()
        others = [(self.position.seat + each) % 4 for each in (1, 2, 3)]
        return [
            after._replace(seat=seat, dice=())
            for seat in others
            if after.pieces[8 * seat : 8 * seat + 8] != GONE and not after.out >> seat & 1
        ]

    def noise(self, move: Any) -> int:
        """Return the points for the captured piece."""
        if isinstance(move, Throw | Pass):
            return 0
        victim = self.position.pieces.find(INDEX[move.target])
        return POINTS[victim & 7] if victim >= 0 else 0
