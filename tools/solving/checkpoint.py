"""Checkpoints of solving in a file: a kill costs at most half a minute."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final
from zlib import crc32

import numpy as np

from engine.search.solved.numbering import POSITIONS
from firmware_host.storage.files import put
from hardware.regular_file import opened
from tools.solving.robot_duel import HEAD_BYTES, Solving

_MAGIC: Final = b"lampion: robot-duel, half solved 1\n"


class CheckpointError(ValueError):
    """A checkpoint is wrong; the message is one line."""


def save(path: Path, solving: Solving) -> None:
    """Write the state after a level."""
    head = _MAGIC + bytes([solving.level]) + crc32(solving.known.data).to_bytes(4, "little")
    solving.whole[:HEAD_BYTES] = np.frombuffer(head.ljust(HEAD_BYTES, b"\0"), np.uint8)
    put(path, solving.whole.data)


def load(path: Path) -> Solving | None:
    """Return the saved state, None if there is none; CheckpointError or OSError if unusable."""
    try:
        descriptor = opened(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as file:
        if os.fstat(descriptor).st_size != HEAD_BYTES + POSITIONS:
            raise CheckpointError(f"{path}: cut short, or something else")
        whole = np.fromfile(file, np.uint8, HEAD_BYTES + POSITIONS)
    head, known = whole[:HEAD_BYTES].tobytes(), whole[HEAD_BYTES:]
    begins, rest = head[: len(_MAGIC)], head[len(_MAGIC) :]
    if begins != _MAGIC or crc32(known.data) != int.from_bytes(rest[1:5], "little"):
        raise CheckpointError(f"{path}: damaged, or something else")
    return Solving(whole, rest[0])
