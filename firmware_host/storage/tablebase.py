"""The table of a solved game that the state directory may hold."""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from typing import Final

from engine.match import AnyGame
from engine.search import Book
from engine.search.solved.losses import Losses, TablebaseError
from engine.search.solved.values import Values
from hardware.regular_file import opened

GAME: Final = "robot-duel"
"""The one game that is solved."""


def table_path(state: Path) -> Path:
    """Return where the table of Robot Duel is kept."""
    return state / f"{GAME}.losses"


def book_of(game: AnyGame, state: Path) -> Book | None:
    """Return the true values of a game that the state directory holds; None if it holds none.
    TableError or OSError say why they cannot be read.
    """
    if game.name != GAME:
        return None
    try:
        return Values(mapped(table_path(state)), whole=True)
    except FileNotFoundError:
        return None


def mapped(path: Path) -> Losses:
    """Return the table in a file, which is read as it is needed. TableError or OSError as above."""
    descriptor = opened(path, os.O_RDONLY)
    try:
        if not os.fstat(descriptor).st_size:
            raise TablebaseError(f"{path}: an empty file, no table of Robot Duel")
        return Losses(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ), str(path))
    finally:
        os.close(descriptor)
