"""The progress of a calibration, kept after every step: a power cut costs one magnet."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import msgspec

from firmware_host.storage import files
from hardware import regular_file
from hardware.layout import Layout

FILE: Final = "calibration.json"
LARGEST_BYTES: Final = 256 * 1024
VERSION: Final = 1


class Seen(msgspec.Struct, frozen=True):
    """How a magnet was seen."""

    pins: dict[str, int]
    """The pole that each input saw, by raw name; empty if none saw the magnet."""
    field: float | None = None
    """The field in millitesla; only Hall sensors know it."""


class Progress(msgspec.Struct):
    """What is known of one board."""

    board: str
    """The board's `fingerprint`."""
    version: int = VERSION
    order: str = ""
    """The order of the colours; empty until a person has looked."""
    end: int | None = None
    """The first light that gets no data, if the chain is broken."""
    lights: list[tuple[str, int, int]] = []
    """A place, the index of one of its LEDs, and that LED's number in the chain."""
    dark: list[int] = []
    """LEDs that light no place."""
    seen: dict[str, Seen] = {}
    """By sensor; by place for a serial device."""


def fingerprint(layout: Layout, simulated: int | None = None) -> str:
    """Return an identifier of a board that does not depend on its wiring."""
    board = [layout.name, layout.sensing, *layout.places, len(layout.led_positions), simulated]
    return hashlib.sha256(repr(board).encode()).hexdigest()[:16]


def read(directory: Path, board: str) -> Progress | None:
    """Return the progress of that board; None if there is none, or it cannot be decoded."""
    path = directory / FILE
    try:
        found = msgspec.json.decode(regular_file.read(path, LARGEST_BYTES), type=Progress)
    except (FileNotFoundError, msgspec.DecodeError, RecursionError):
        return None
    return found if (found.version, found.board) == (VERSION, board) else None


def save(directory: Path, progress: Progress) -> None:
    """Write the progress atomically. OSError if the disk refuses."""
    files.make_directory(directory)
    files.put(directory / FILE, msgspec.json.encode(progress))


def forget(directory: Path) -> None:
    """Delete the progress: the next calibration starts from nothing."""
    (directory / FILE).unlink(missing_ok=True)
