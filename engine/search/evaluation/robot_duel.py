"""The evaluation of Robot Duel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.cache import BoundedCache, CachedFunction
from engine.games.robot_duel.moves import ARMIES, STEPS
from engine.games.robot_duel.position import (
    CHICK,
    ELEPHANT,
    GIRAFFE,
    HEN,
    LION,
    SEAT_SHIFT,
    SHIFT,
    RobotDuelPosition,
    each_piece,
)
from engine.match import AnyGame
from engine.search.evaluator import Evaluator
from engine.search.solved.values import second_player

# These values and the scale fit the true values of 4,158 positions without an attacked lion.
_ON_BOARD: Final = {CHICK: 45, ELEPHANT: 140, GIRAFFE: 180, HEN: 90, LION: 0}
_IN_HAND: Final = (245, 315, 395)
_STEP: Final = 74
"""Per cell that a piece, above all the lion, reaches."""
_TEMPO: Final = 240
"""For the side to move."""
_TAKEN: Final = (0, 100, 300, 330, 10_000, 450)
"""By kind: the noise of a capture."""


_PLACED: Final = {
    (seat, cell, kind): value + _STEP * len(STEPS[seat][kind][cell])
    for seat in (0, 1)
    for kind, value in _ON_BOARD.items()
    for cell in range(12)
}
"""By seat, cell and kind: the value of a piece to its side."""


def _army(pieces: int) -> int:
    seat = pieces >> SEAT_SHIFT
    return sum(_PLACED[seat, cell, kind] for cell, kind in each_piece(pieces))


_BOARD_SCORES: Final[CachedFunction[int, int]] = CachedFunction(BoundedCache(1 << 14), _army)
_HANDS: Final = tuple(
    sum(_IN_HAND[kind] * (hand >> 2 * kind & 3) for kind in range(3)) for hand in range(64)
)


class RobotDuelEvaluator(Evaluator):
    """Scores the pieces, their mobility and the turn."""

    scale = 250.0
    piece_values: Mapping[str, int] = {"C": 100, "E": 310, "G": 340, "+C": 280, "L": 10_000}

    def __init__(self, game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> None:
        super().__init__(game, position, earlier)
        self.book = second_player()
        self._armies = ARMIES[game.options["promotion"]]

    def score(self) -> int:
        """Return the difference of both sides' pieces on the board and in hand."""
        position: RobotDuelPosition = self.position
        mine, theirs, my_hand, their_hand, *_ = position
        return (
            _TEMPO
            + _BOARD_SCORES[mine]
            + _HANDS[my_hand]
            - _BOARD_SCORES[theirs]
            - _HANDS[their_hand]
        )

    def noise(self, move: Any) -> int:
        """Return the noise of a capture or of a promotion."""
        taken = _TAKEN[self.position.theirs >> SHIFT[move.target] & 7]
        return taken or (350 if move.promotes else 0)

    def in_check(self) -> bool:
        """Return whether the lion can be taken."""
        position, armies = self.position, self._armies
        return bool(armies[position.theirs].attacked & armies[position.mine].lion)

    def certainly_has_move(self) -> bool:
        """Return whether a piece can step, both lions are there and neither is home."""
        position, armies = self.position, self._armies
        mine, theirs = armies[position.mine], armies[position.theirs]
        return bool(mine.moves and mine.lion and not mine.trying and not theirs.trying)
