"""The counts of one board's Hall sensors without a magnet, and the margins with one.

They have a file of their own, because they belong to one board and not to its layout.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from hardware import regular_file
from hardware.layout import Layout

FILE: Final = "hall-zeros.json"
LARGEST_BYTES: Final = 64 * 1024


class HallZeros(msgspec.Struct, frozen=True):
    """The zeros of a board, by sensor."""

    layout: str
    zeros: dict[str, int]
    """Counts without a magnet, 0 to 255."""
    margins: dict[str, float] = {}
    """The field of each sensor's magnet, as a multiple of the threshold `present`."""


def read(directory: Path, layout: Layout) -> Mapping[str, int]:
    """Return the zeros in a directory for a Machine of this layout; none if there is no file, or
    it belongs to another board. OSError or ValueError if it cannot be read.
    """
    path = directory / FILE
    try:
        found = msgspec.json.decode(regular_file.read(path, LARGEST_BYTES), type=HallZeros)
    except FileNotFoundError:
        return {}
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"{path}: {error}; lampion calibrate writes it again") from None
    if found.layout != layout.name or not found.zeros.keys() <= set(layout.hall_sensors):
        return {}
    return found.zeros


def text(zeros: HallZeros) -> str:
    """Return the file's content."""
    return json.dumps(msgspec.to_builtins(zeros), indent=1, ensure_ascii=False) + "\n"
