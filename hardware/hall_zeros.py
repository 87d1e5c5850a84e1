"""What each Hall sensor of one board gives without a magnet, and how much more with one: a file of
its own, for it is of this board and not of its layout.
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
LARGEST_FILE: Final = 64 * 1024


class HallZeros(msgspec.Struct, frozen=True):
    """The zeros of a board, by sensor."""

    layout: str
    zeros: dict[str, int]
    """Counts without a magnet, 0 to 255."""
    margins: dict[str, float] = {}
    """How many times the field from which on a magnet counts its magnet made."""


def read(directory: Path, layout: Layout) -> Mapping[str, int]:
    """Return the zeros kept in a directory, for a Machine of that layout; none if there are none,
    or if they are another board's. OSError or ValueError say in one line why they cannot be read.
    """
    path = directory / FILE
    try:
        found = msgspec.json.decode(regular_file.read(path, LARGEST_FILE), type=HallZeros)
    except FileNotFoundError:
        return {}
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"{path}: {error}; lampion calibrate writes it anew") from None
    sensors = {sensor for chip in layout.multiplexers for sensor in chip.inputs if sensor}
    if found.layout != layout.name or not found.zeros.keys() <= sensors:
        return {}
    return found.zeros


def text(zeros: HallZeros) -> str:
    """Return the file's content."""
    return json.dumps(msgspec.to_builtins(zeros), indent=1, ensure_ascii=False) + "\n"
