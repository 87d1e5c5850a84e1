"""What a position of Robotory is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.games.robotory import MoveRobot, Refill, Robotory
from engine.games.robotory.position import INDEX, POOL, ROBOTS, TOUCHING, RobotoryPosition, bits
from engine.games.robotory.routes import reachable
from engine.match import AnyGame
from engine.search.evaluator import Evaluator

_ROBOT: Final = 24
"""For each robot in the own camp, …"""
_TO_FETCH: Final = 26
"""… for each robot of the other camp that the side to move can fetch, …"""
_TO_LOSE: Final = 19
"""… and less for each of its own that the other side can fetch next. All three count once, and once
more for each token that the smaller pool has lost: then it is harder to undo."""
_TOKEN: Final = 4
"""For each token in stock. These worths fit how 111 games ended that the search played with
itself: 2,745 positions."""
_STANDS: Final = (40, 12, 30, 6)
"""Where nothing is foreseen: for each robot in the own camp, and more for each token that the
smaller pool has lost; for each robot that the side to move can fetch; for each token in stock."""
_FETCH: Final = 80
"""How loud it is to fetch a robot."""
_ENDS: Final = 500
"""How loud it is to take the last token of a colour."""


class RobotoryEvaluator(Evaluator):
    """Robots in the camps and those that either side can fetch, the more the emptier the pool."""

    scale = 130.0

    def __init__(self, game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> None:
        super().__init__(game, position, earlier)
        assert isinstance(game, Robotory)
        self._camps = tuple(bits(*camp) for camp in game.camps)

    def worth(self) -> int:
        """Return what the robots are worth where they stand and may be fetched to."""
        position: RobotoryPosition = self.position
        camp = self._camps[position.turn]
        robots = sum(1 if camp >> at & 1 else -1 for at in position.robots)
        stocks = position.stocks
        tokens = sum(stocks[position.turn]) - sum(stocks[1 - position.turn])
        if not self.foresees:
            robot, later, at_hand, token = _STANDS
            weight = robot + later * (POOL - min(position.pool))
            return weight * robots + at_hand * self._to_fetch(position.turn) + token * tokens
        fetched = _TO_FETCH * self._to_fetch(position.turn)
        lost = _TO_LOSE * self._to_fetch(1 - position.turn)
        weight = 1 + POOL - min(position.pool)
        return weight * (_ROBOT * robots + fetched - lost) + _TOKEN * tokens

    def _to_fetch(self, seat: int) -> int:
        """Return how many robots of the other camp a seat could fetch now."""
        position, camp = self.position, self._camps[seat]
        return sum(
            1
            for at, food in zip(position.robots, position.foods, strict=True)
            if not camp >> at & 1 and TOUCHING[at] & food and reachable(at, food) & camp
        )

    def loud_moves(self, least: int = 0) -> Sequence[Any] | None:
        """Return the loud moves; most often it is seen at once that there are none."""
        position = self.position
        fetched = self._to_fetch(position.turn)
        quiet = self.alive() and position.missing < min(position.pool) and not fetched
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
            return _FETCH if camp >> INDEX[move.to] & 1 and not camp >> at & 1 else 0
        if isinstance(move, Refill):
            white, black = position.pool
            return _ENDS if move.white == white or move.black == black else 0
        return 0
