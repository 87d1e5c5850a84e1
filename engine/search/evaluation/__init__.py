"""The evaluators: for each game the score of positions and the noise of moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
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


def evaluator_of(game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> Evaluator:
    """Return the evaluator of the game, or the estimating one for an unknown game."""
    if game.name not in _CLASSES:
        return AnyGameEvaluator(game, position, earlier)
    module, kind = _CLASSES[game.name]
    evaluator: Evaluator = getattr(import_module(f"engine.search.evaluation.{module}"), kind)(
        game, position, earlier
    )
    return evaluator
