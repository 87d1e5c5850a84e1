"""The evaluators: for each game the score of positions and the noise of moves.

A package that adds a game may add its evaluator by an entry point `lampion.evaluators`: the name of
the game, and a class. Without one the evaluator of any game plays it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Final

from engine.match import AnyGame
from engine.search.evaluation.any_game import AnyGameEvaluator
from engine.search.evaluator import Evaluator

_CLASSES: Final[Mapping[str, tuple[str, str]]] = {
    "robot-duel": ("robot_duel", "RobotDuelEvaluator"),
    "shogi": ("shogi", "ShogiEvaluator"),
    "chaturaji": ("chaturaji", "ChaturajiEvaluator"),
    "robotory": ("robotory", "RobotoryEvaluator"),
    "abalone": ("abalone", "AbaloneEvaluator"),
}


GROUP: Final = "lampion.evaluators"
"""The group of the entry points of other packages."""


def evaluator_of(game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> Evaluator:
    """Return the evaluator of the game, or the estimating one for an unknown game."""
    evaluator: Evaluator = _class(game.name)(game, position, earlier)
    return evaluator


@cache
def _class(name: str) -> Any:
    if name in _CLASSES:
        module, kind = _CLASSES[name]
        return getattr(import_module(f"engine.search.evaluation.{module}"), kind)
    added = entry_points(group=GROUP, name=name)
    return next(iter(added)).load() if added else AnyGameEvaluator
