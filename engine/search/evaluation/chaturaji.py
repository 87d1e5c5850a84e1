"""What a position of Chaturaji is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from engine.cache import BoundedCache, CachedFunction
from engine.game import Pass, Throw
from engine.games.chaturaji.board import (
    GONE,
    INDEX,
    NOWHERE,
    PAWN,
    SEEN,
    WORTH,
)
from engine.match import AnyGame
from engine.search.evaluator import Evaluator

_PIECES: Final = (1.1, 1.3, 3.8, 0.2, 0.4, 0.4, 0.4, 0.4)
"""By slot: what a piece is worth to who has him, in points that he may still make. These worths,
the scale and how it shrinks fit how 800 games of greedy players ended.
"""
_ALL_PIECES: Final = 32
_LAST: Final = 0.2
"""The fewer pieces there are, the more a lead decides: what a side has counts as if divided by the
share of pieces that are left, and this more."""
_GOALS_WITHOUT_POINTS: Final = ("last_army", "annihilation", "both_rajas")
_STEP: Final = 0.05
"""For each line that a pawn has gone."""


def _army(key: tuple[int, bytes]) -> float:
    seat, pieces = key
    worth = 0.0
    for slot, square in enumerate(pieces):
        if square != NOWHERE:
            worth += _PIECES[slot]
            if slot >= PAWN:
                worth += _STEP * SEEN[seat][square][1]
    return worth


_ARMIES: Final[CachedFunction[tuple[int, bytes], float]] = CachedFunction(
    BoundedCache(1 << 14), _army
)


class ChaturajiEvaluator(Evaluator):
    """Points, where they decide, and what the pieces may still make; partners share it."""

    scale = 6.5
    pieces: ClassVar = {"B": 2, "H": 3, "E": 4, "K": 5, "P": 1, "X": 0}

    def __init__(self, game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> None:
        super().__init__(game, position, earlier)
        if game.options["teams"] == "true":
            self.sides = (0, 1, 0, 1)
        goal = game.options["end" if self.sides[2] else "team_goal"]
        self._points = 0 if goal in _GOALS_WITHOUT_POINTS else 1

    def standing(self) -> Sequence[float]:
        """Return by side the points and what the pieces are worth."""
        pieces, scores = self.position.pieces, self.position.scores
        weight = 1 / (_LAST + 1 - pieces.count(NOWHERE) / _ALL_PIECES)
        found = [
            weight * (self._points * scores[seat] + _ARMIES[seat, pieces[8 * seat : 8 * seat + 8]])
            for seat in range(4)
        ]
        return found if self.sides[2] else [found[0] + found[2], found[1] + found[3]]

    def waiting(self, after: Any) -> Sequence[Any]:
        """Return the turns of the others who still play, with the pieces as they stand then."""
        if after.ended:
            return ()
        others = [(self.position.seat + each) % 4 for each in (1, 2, 3)]
        return [
            after._replace(seat=seat, dice=())
            for seat in others
            if after.pieces[8 * seat : 8 * seat + 8] != GONE and not after.out >> seat & 1
        ]

    def loud(self, move: Any) -> int:
        """Return the points for the piece taken."""
        if isinstance(move, Throw | Pass):
            return 0
        victim = self.position.pieces.find(INDEX[move.target])
        return WORTH[victim & 7] if victim >= 0 else 0
