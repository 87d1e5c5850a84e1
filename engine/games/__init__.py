"""The games, made by name: one folder each, and those of other installed packages.

A package adds a game by an entry point `lampion.games`: the name of the game, and its class.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from engine.game import Game, GameError

_CLASSES: Final[Mapping[str, tuple[str, str]]] = {
    "robot-duel": ("engine.games.robot_duel", "RobotDuel"),
    "shogi": ("engine.games.shogi", "Shogi"),
    "chaturaji": ("engine.games.chaturaji", "Chaturaji"),
    "robotory": ("engine.games.robotory", "Robotory"),
    "abalone": ("engine.games.abalone", "Abalone"),
}

SHIPPED: Final[tuple[str, ...]] = tuple(_CLASSES)
"""The names of the games that come with the program, as on the command line."""
UNFINISHED: Final[frozenset[str]] = frozenset()
"""Games that lack lessons, rules, pictures or translations. They play all the same."""
FINISHED: Final[tuple[str, ...]] = tuple(name for name in SHIPPED if name not in UNFINISHED)
"""The games that are held to have all of that."""
GROUP: Final = "lampion.games"
"""The group of the entry points of other packages."""


def _added() -> tuple[dict[str, type[Game[Any, Any]]], tuple[str, ...]]:
    """Return the games of other packages by name, and a line for each that cannot be used."""
    found: dict[str, type[Game[Any, Any]]] = {}
    troubles = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            found[entry.name] = _usable(entry, (*SHIPPED, *found))
        except (Exception, SystemExit) as error:  # whatever a package does must not stop the others
            package = "a package" if entry.dist is None else entry.dist.name
            why = str(error) if isinstance(error, GameError) else f"{type(error).__name__}: {error}"
            why = " ".join(why.split())
            troubles.append(f"the game {entry.name!r} of {package} is left out: {why}")
    return found, tuple(troubles)


def _usable(entry: EntryPoint, taken: tuple[str, ...]) -> type[Game[Any, Any]]:
    """Return the class of a game after a first look at its rules; an exception says what is wrong.

    A class that passes may still have wrong rules: the tests of its package find that.
    """
    if entry.name in taken:
        raise GameError("there is a game of this name already")
    kind: type[Game[Any, Any]] = entry.load()
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise GameError(f"{entry.value} is no class of a game")
    if kind.name != entry.name:
        raise GameError(f"its class calls it {kind.name!r}")
    game = kind()
    start = game.start()
    if game.parse_position(game.position_text(start)) != start:
        raise GameError("its start position cannot be written and read")
    if not game.pieces(start).keys() <= set(game.places()):
        raise GameError("its pieces stand on places that it does not have")
    for move in tuple(game.legal(start))[:1]:
        if game.parse_move(start, game.move_text(start, move)) != move:
            raise GameError("its first move cannot be written and read")
        game.outcome(game.play(start, move))
    return kind


ADDED, UNUSABLE = _added()
NAMES: Final[tuple[str, ...]] = (*SHIPPED, *ADDED)
"""The names of all games, those of other packages last."""


def make(name: str, options: Mapping[str, object] | None = None) -> Game[Any, Any]:
    """Return the game of that name with these options; its module is imported on first use.

    GameError lists the known games; OptionError names the wrong option.
    """
    if name in ADDED:
        return ADDED[name](options)
    if name not in _CLASSES:
        raise GameError(f"no game {name!r}; there are: {', '.join(NAMES)}")
    module, cls = _CLASSES[name]
    game: Game[Any, Any] = getattr(import_module(module), cls)(options)
    return game
