"""Layouts: a TOML file describes a board, with the pin and the pixel of each place.

A file is read once, strictly, into a frozen `Layout`. A board is rewired in its file, not in code.
An error is one line that names the file, the key and the place.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
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
from hardware.layout.reading import parse

__all__ = [
    "KNOWN",
    "NAMES",
    "OLDER",
    "SHIPPED",
    "SHUTDOWN",
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

NAMES: Final = ("square-reed", "square-hall", "hex-reed", "hex-hall")
"""The layouts that come with the program."""
OLDER: Final = ("hex-reed-slots",)
"""Layouts of boards that were built before one of NAMES changed. They can be named like these, but
are not offered."""
KNOWN: Final = (*NAMES, *OLDER)
"""All names that `load` knows."""
SHIPPED: Final = Path(str(resources.files("hardware"))) / "layouts"
"""The folder of their files."""

LARGEST_BYTES: Final = 128 * 1024
"""The largest size of a layout's file; those that come with the program have a tenth of it."""


def serving(game: str) -> tuple[Layout, ...]:
    """Return the shipped layouts that serve a game; those with a caution come last."""
    boards = [board for board in _shipped() if game in board.games]
    return tuple(sorted(boards, key=lambda board: bool(board.games[game].caution)))


@cache
def _shipped() -> tuple[Layout, ...]:
    return tuple(map(load, NAMES))


def load(name: str | Path) -> Layout:
    """Return a shipped layout by name, or a TOML file by path; LayoutError if it is invalid."""
    text, file = source(name)
    return parse(text, file)


def source(name: str | Path) -> tuple[str, str]:
    """Return the text of a layout and the name of its file, as `load` finds it."""
    path = Path(name)
    if path.suffix != ".toml":
        if str(name) not in KNOWN:
            known = ", ".join(NAMES)
            raise LayoutError(f"no layout {str(name)!r}; there are: {known}, or a path to a .toml")
        path = SHIPPED / f"{name}.toml"
    try:
        text = regular_file.read_text(path, LARGEST_BYTES)
    except OSError as error:
        raise LayoutError(f"{path}: {error.strerror or 'cannot be read'}") from error
    return text, path.name
