"""The evaluation of Robotory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.games.robotory import MoveRobot, Refill, Robotory
from engine.games.robotory.position import INDEX, POOL, ROBOTS, TOUCHING, RobotoryPosition, bits
from engine.games.robotory.routes import reachable
from engine.match import AnyGame
from engine.search.evaluator import Evaluator

_ROBOT: Final = 24
"""Per robot in the camp of the side to move."""
_TO_FETCH: Final = 26
"""Per robot of the other camp that the side to move can fetch."""
_TO_LOSE: Final = 19
"""Less per robot of this camp that the other side can fetch next. All three weigh more for each
token that has left the smaller pool, since a robot is then harder to fetch back."""
_TOKEN: Final = 4
"""Per token in stock. These values fit the results of 111 games of self-play: 2,745 positions."""
_STANDS: Final = (40, 12, 30, 6)
"""Without foresight: per robot in the camp, more per token that left the smaller pool, per
robot that the side to move can fetch, and per token in stock."""
_FETCH: Final = 80
"""The noise of fetching a robot."""
_ENDS: Final = 500
"""The noise of taking the last token of a colour."""


class RobotoryEvaluator(Evaluator):
    """Scores robots in the camps and those that a side can fetch, more so with an emptier pool."""

    scale = 130.0

    def __init__(self, game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> None:
        super().__init__(game, position, earlier)
        assert isinstance(game, Robotory)
        self._camps = tuple(bits(*camp) for camp in game.camps)

    def score(self) -> int:
        """Return the score of the robots where they stand and where a side can fetch them."""
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
        """Return the number of robots of the other camp that a seat could fetch now."""
        position, camp = self.position, self._camps[seat]
        return sum(
            1
            for at, food in zip(position.robots, position.edible, strict=True)
            if not camp >> at & 1 and TOUCHING[at] & food and reachable(at, food) & camp
        )

    def noisy_moves(self, least: int = 0) -> Sequence[Any] | None:
        """Return the noisy moves; a quick test usually shows that there are none."""
        position = self.position
        fetched = self._to_fetch(position.turn)
        quiet = self.certainly_has_move() and position.missing < min(position.pool) and not fetched
        return () if quiet else super().noisy_moves(least)

    def certainly_has_move(self) -> bool:
        """Return whether the game goes on: then there is a move."""
        return not self.position.is_over

    def noise(self, move: Any) -> int:
        """Return the noise of fetching a robot or ending the game."""
        position = self.position
        if isinstance(move, MoveRobot):
            camp = self._camps[position.turn]
            at = position.robots[ROBOTS.index(move.robot)]
            return _FETCH if camp >> INDEX[move.to] & 1 and not camp >> at & 1 else 0
        if isinstance(move, Refill):
            white, black = position.pool
            return _ENDS if move.white == white or move.black == black else 0
        return 0
