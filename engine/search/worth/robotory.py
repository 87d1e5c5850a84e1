"""What a position of Robotory is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.games.robotory import MoveRobot, Refill, Robotory
from engine.games.robotory.board import INDEX, ROBOTS, TOUCHING, bits
from engine.games.robotory.position import POOL, Position
from engine.games.robotory.routes import reachable
from engine.match import AnyGame
from engine.search.seam import Seam

_ROBOT: Final = 40
"""For each robot in the own camp …"""
_NEAR_THE_END: Final = 12
"""… and so much more for each token that the smaller pool has lost: then it is harder to undo."""
_AT_HAND: Final = 30
"""For each robot that the side to move can fetch."""
_TOKEN: Final = 6
"""For each token in stock."""
_ENDS: Final = 500
"""How loud it is to take the last token of a colour."""


class RobotorySeam(Seam):
    """Robots in the camps, the more the emptier the pool, and robots that can be fetched."""

    scale = 130.0

    def __init__(self, game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> None:
        super().__init__(game, position, earlier)
        assert isinstance(game, Robotory)
        self._camps = tuple(bits(*camp) for camp in game.camps)

    def worth(self) -> int:
        """Return what the robots are worth where they stand and may be fetched to."""
        position: Position = self.position
        camp = self._camps[position.turn]
        robots = sum(1 if camp >> at & 1 else -1 for at in position.robots)
        fetched = self._to_fetch()
        stocks = position.stocks
        tokens = sum(stocks[position.turn]) - sum(stocks[1 - position.turn])
        weight = _ROBOT + _NEAR_THE_END * (POOL - min(position.pool))
        return weight * robots + _AT_HAND * fetched + _TOKEN * tokens

    def _to_fetch(self) -> int:
        """Return how many robots of the other camp the side to move can fetch."""
        position, camp = self.position, self._camps[self.position.turn]
        return sum(
            1
            for at, food in zip(position.robots, position.foods, strict=True)
            if not camp >> at & 1 and TOUCHING[at] & food and reachable(at, food) & camp
        )

    def loud_moves(self, least: int = 0) -> Sequence[Any] | None:
        """Return the loud moves; most often it is seen at once that there are none."""
        position = self.position
        quiet = self.alive() and position.missing < min(position.pool) and not self._to_fetch()
        return () if quiet else super().loud_moves(least)

    def alive(self) -> bool:
        """Whether the energy lasts: then there is something to do."""
        return not self.position.is_over

    def loud(self, move: Any) -> int:
        """Return whether it fetches a robot from the other camp or ends the game."""
        position = self.position
        if isinstance(move, MoveRobot):
            camp = self._camps[position.turn]
            at = position.robots[ROBOTS.index(move.robot)]
            return 2 * _ROBOT if camp >> INDEX[move.to] & 1 and not camp >> at & 1 else 0
        if isinstance(move, Refill):
            white, black = position.pool
            return _ENDS if move.white == white or move.black == black else 0
        return 0
