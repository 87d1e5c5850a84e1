"""The games, one folder each, made by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from engine.game import Game, GameError

_CLASSES: Final[Mapping[str, tuple[str, str]]] = {
    "robot-duel": ("engine.games.robot_duel", "RobotDuel"),
    "shogi": ("engine.games.shogi", "Shogi"),
    "chaturaji": ("engine.games.chaturaji", "Chaturaji"),
    "robotory": ("engine.games.robotory", "Robotory"),
    "abalone": ("engine.games.abalone", "Abalone"),
}

NAMES: Final[tuple[str, ...]] = tuple(_CLASSES)
"""The names of the games, as on the command line."""
UNFINISHED: Final[frozenset[str]] = frozenset()
"""Games that lack lessons, rules, pictures or translations. They play all the same."""
FINISHED: Final[tuple[str, ...]] = tuple(name for name in NAMES if name not in UNFINISHED)
"""The games that are held to have all of that."""


def make(name: str, options: Mapping[str, object] | None = None) -> Game[Any, Any]:
    """Return the game of that name with these options; its module is imported on first use.

    GameError lists the known games; OptionError names the wrong option.
    """
    if name not in _CLASSES:
        raise GameError(f"no game {name!r}; there are: {', '.join(NAMES)}")
    module, cls = _CLASSES[name]
    game: Game[Any, Any] = getattr(import_module(module), cls)(options)
    return game
