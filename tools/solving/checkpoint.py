"""What a game being solved has come to, kept in a file: a kill costs half a minute at most."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final
from zlib import crc32

import numpy as np

from engine.search.solved.numbering import POSITIONS
from firmware_host.storage.files import put
from hardware.regular_file import opened
from tools.solving.robot_duel import ROOM, Solving

_MAGIC: Final = b"lampion: robot-duel, half solved 1\n"


class CheckpointError(ValueError):
    """What is wrong with a file, in one line."""


def save(path: Path, solving: Solving) -> None:
    """Keep what was found out up to a level."""
    head = _MAGIC + bytes([solving.level]) + crc32(solving.known.data).to_bytes(4, "little")
    solving.whole[:ROOM] = np.frombuffer(head.ljust(ROOM, b"\0"), np.uint8)
    put(path, solving.whole.data)


def load(path: Path) -> Solving | None:
    """Return what was kept; None if nothing was. CheckpointError or OSError if that is no use."""
    try:
        descriptor = opened(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as file:
        if os.fstat(descriptor).st_size != ROOM + POSITIONS:
            raise CheckpointError(f"{path}: cut short, or something else")
        whole = np.fromfile(file, np.uint8, ROOM + POSITIONS)
    head, known = whole[:ROOM].tobytes(), whole[ROOM:]
    begins, rest = head[: len(_MAGIC)], head[len(_MAGIC) :]
    if begins != _MAGIC or crc32(known.data) != int.from_bytes(rest[1:5], "little"):
        raise CheckpointError(f"{path}: damaged, or something else")
    return Solving(whole, rest[0])
