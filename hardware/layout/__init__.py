"""Layouts: a TOML file describes a board, with the pin and the pixel of each place.

A file is read once, strictly, into a frozen `Layout`. A board is rewired in its file, not in code.
An error is one line that names the file, the key and the place.

Another package adds boards by entry points `lampion.layouts`: the name of a board, and the module
beside which its file lies, `NAME.toml`. Under the name of a board that exists, the file has only
`[games.…]` tables: maps that are added to that board.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import resources
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Final

from hardware import regular_file
from hardware.layout.model import (
    SHUTDOWN,
    BoardPlace,
    Expander,
    GameMap,
    Hall,
    Layout,
    LayoutError,
    Multiplexer,
    PanelButton,
    SeatSide,
    Select,
    SerialDevice,
)
from hardware.layout.reading import parse, parse_maps

__all__ = [
    "KNOWN",
    "NAMES",
    "OLDER",
    "SHIPPED",
    "SHUTDOWN",
    "UNUSABLE",
    "BoardPlace",
    "Expander",
    "GameMap",
    "Hall",
    "Layout",
    "LayoutError",
    "Multiplexer",
    "PanelButton",
    "SeatSide",
    "Select",
    "SerialDevice",
    "load",
    "parse",
    "serving",
    "source",
]

OWN: Final = ("square-reed", "square-hall", "hex-reed", "hex-hall")
"""The layouts that come with the program."""
OLDER: Final = ("hex-reed-slots",)
"""Layouts of boards that were built before one of OWN changed. They can be named like these, but
are not offered."""
SHIPPED: Final = Path(str(resources.files("hardware"))) / "layouts"
"""The folder of their files."""
GROUP: Final = "lampion.layouts"
"""The group of the entry points of other packages."""

LARGEST_BYTES: Final = 128 * 1024
"""The largest size of a layout's file; those that come with the program have a tenth of it."""


def serving(game: str) -> tuple[Layout, ...]:
    """Return the known layouts that serve a game; those with a caution come last."""
    boards = [board for board in _offered() if game in board.games]
    return tuple(sorted(boards, key=lambda board: bool(board.games[game].caution)))


@cache
def _offered() -> tuple[Layout, ...]:
    return tuple(map(load, NAMES))


def load(name: str | Path) -> Layout:
    """Return a known layout by name, or a TOML file by path; LayoutError if it is invalid.

    A board has the games of its file and those that other packages add to a board of that name.
    """
    text, file = source(name)
    return _with_maps(parse(text, file))


def source(name: str | Path) -> tuple[str, str]:
    """Return the text of a layout and the name of its file, as `load` finds it."""
    path = Path(name)
    if path.suffix != ".toml":
        if str(name) not in KNOWN:
            known = ", ".join(NAMES)
            raise LayoutError(f"no layout {str(name)!r}; there are: {known}, or a path to a .toml")
        path = _ADDED.get(str(name), SHIPPED / f"{name}.toml")
    return _text(path), path.name


def _text(path: Path) -> str:
    try:
        return regular_file.read_text(path, LARGEST_BYTES)
    except OSError as error:
        raise LayoutError(f"{path}: {error.strerror or 'cannot be read'}") from error


# ---- what other packages add


def _with_maps(board: Layout) -> Layout:
    """Return a board with the maps that are added to it. One that does not fit is left out: the
    board may be somebody's own, without some of the places.
    """
    games: dict[str, GameMap] = {}
    for text, file in _MAPS.get(board.name, ()):
        try:
            games |= parse_maps(text, file, board)
        except LayoutError:
            continue
    return replace(board, games=MappingProxyType({**board.games, **games, **board.games}))


def _added() -> tuple[dict[str, Path], dict[str, list[tuple[str, str]]], tuple[str, ...]]:
    """Return the files of added boards by name, the texts and files of added maps by the name of
    their board, and a line for each file that cannot be used.
    """
    boards: dict[str, Path] = {}
    maps: dict[str, list[tuple[str, str]]] = {}
    troubles = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        package = "a package" if entry.dist is None else entry.dist.name
        try:
            path = _file(entry)
            if entry.name in (*OWN, *OLDER):
                text = _text(path)
                parse_maps(text, path.name, parse(_text(SHIPPED / path.name), path.name))
                maps.setdefault(entry.name, []).append((text, path.name))
            elif entry.name in boards:
                raise LayoutError("there is a board of this name already")
            elif (name := parse(_text(path), path.name).name) != entry.name:
                raise LayoutError(f"its file calls it {name!r}")
            else:
                boards[entry.name] = path
        except (Exception, SystemExit) as error:  # whatever a package does must not stop the others
            why = " ".join(f"{error}".split()) or type(error).__name__
            troubles.append(f"the board {entry.name!r} of {package} is left out: {why}")
    return boards, maps, tuple(troubles)


def _file(entry: EntryPoint) -> Path:
    """Return where the file of an entry point lies."""
    return Path(str(resources.files(entry.module))) / f"{entry.name}.toml"


_ADDED, _MAPS, UNUSABLE = _added()
NAMES: Final = (*OWN, *_ADDED)
"""The names of all layouts that are offered, those of other packages last."""
KNOWN: Final = (*NAMES, *OLDER)
"""All names that `load` knows."""
