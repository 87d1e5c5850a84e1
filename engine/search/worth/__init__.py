"""What positions of each game are worth, and how loud its moves are: a seam a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from engine.match import AnyGame
from engine.search.seam import Seam
from engine.search.worth.any_game import AnyGameSeam

_HOMES: Final[Mapping[str, tuple[str, str]]] = {
    "robot-duel": ("robot_duel", "RobotDuelSeam"),
    "shogi": ("shogi", "ShogiSeam"),
    "chaturaji": ("chaturaji", "ChaturajiSeam"),
    "robotory": ("robotory", "RobotorySeam"),
    "abalone": ("abalone", "AbaloneSeam"),
}


def seam_of(game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> Seam:
    """Return the game's own seam, or for a game without one that which estimates worths."""
    if game.name not in _HOMES:
        return AnyGameSeam(game, position, earlier)
    module, kind = _HOMES[game.name]
    seam: Seam = getattr(import_module(f"engine.search.worth.{module}"), kind)(
        game, position, earlier
    )
    return seam
