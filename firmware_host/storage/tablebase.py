"""The table of a solved game that the state directory may hold: made elsewhere, checked here."""

from __future__ import annotations

import hashlib
import mmap
import os
from pathlib import Path
from typing import Final

from engine.match import AnyGame
from engine.search import Book
from engine.search.solved.losses import DIGEST, LARGEST_BYTES, Losses, TablebaseError
from engine.search.solved.values import Values
from firmware_host.storage.files import READABLE, make_directory, put
from hardware.regular_file import opened, read

GAME: Final = "robot-duel"
"""The one game that is solved."""


def table_path(state: Path) -> Path:
    """Return where the table of Robot Duel is kept."""
    return state / f"{GAME}.losses"


def book_of(game: AnyGame, state: Path) -> Book | None:
    """Return the true values of a game if the state directory holds them, else None;
    TablebaseError or OSError if they cannot be read.
    """
    if game.name != GAME:
        return None
    try:
        return Values(mapped(table_path(state)), whole=True)
    except FileNotFoundError:
        return None


def mapped(path: Path) -> Losses:
    """Return the table in a file, whose blocks are read on demand; errors as in `book_of`."""
    descriptor = opened(path, os.O_RDONLY)
    try:
        if not os.fstat(descriptor).st_size:
            raise TablebaseError(f"{path}: an empty file, no table of Robot Duel")
        return Losses(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ), str(path))
    finally:
        os.close(descriptor)


def import_table(state: Path, file: str) -> tuple[Path, int]:
    """Copy a table into the state directory if it is the right one; return its path and size.
    TablebaseError or OSError if not.
    """
    data = read(file, LARGEST_BYTES)
    check(Losses(data, file))
    make_directory(state)
    put(table_path(state), data, mode=READABLE)
    return table_path(state), len(data)


def check(table: Losses) -> None:
    """Compare a table with the known one; TablebaseError if it differs."""
    digest = hashlib.sha256()
    for block in table:
        digest.update(block)
    check_digest(digest.hexdigest(), table.name)


def check_digest(digest: str, name: str) -> None:
    """Compare the SHA-256 of all losses with the known one; TablebaseError if it differs."""
    if digest != DIGEST:
        raise TablebaseError(f"{name}: not the table of Robot Duel; its SHA-256 is {digest[:12]}…")
