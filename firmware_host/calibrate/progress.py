"""What has been found out so far, kept after every step: a power cut costs one magnet."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import msgspec

from firmware_host.storage import files
from hardware import regular_file
from hardware.layout import Layout

FILE: Final = "calibration.json"
LARGEST_FILE: Final = 256 * 1024
VERSION: Final = 1


class Seen(msgspec.Struct, frozen=True):
    """What a magnet was seen as."""

    pins: dict[str, int]
    """The pole by input, by its raw name; empty if it was not seen."""
    field: float | None = None
    """In millitesla, of a Hall sensor."""


class Progress(msgspec.Struct):
    """What is known of one board."""

    board: str
    """Which one it is, by `fingerprint`."""
    version: int = VERSION
    order: str = ""
    """Of the lights' colours; empty until somebody has looked."""
    end: int | None = None
    """The first light that does not hear, if there is one."""
    lights: list[tuple[str, int, int]] = []
    """A place, which of its LEDs, and its number in the chain."""
    dark: list[int] = []
    """LEDs that are lit nowhere."""
    seen: dict[str, Seen] = {}
    """By sensor, or by place where a serial device counts what lies there."""


def fingerprint(layout: Layout, simulated: int | None = None) -> str:
    """Return what tells one board from another, however either is wired."""
    board = [layout.name, layout.sensing, *layout.places, len(layout.led_positions), simulated]
    return hashlib.sha256(repr(board).encode()).hexdigest()[:16]


def read(directory: Path, board: str) -> Progress | None:
    """Return what is known already of that board; None if nothing is, or nothing legible."""
    path = directory / FILE
    try:
        found = msgspec.json.decode(regular_file.read(path, LARGEST_FILE), type=Progress)
    except (FileNotFoundError, msgspec.DecodeError, RecursionError):
        return None
    return found if (found.version, found.board) == (VERSION, board) else None


def keep(directory: Path, progress: Progress) -> None:
    """Keep it, all or nothing. OSError if the disk refuses."""
    files.make_directory(directory)
    files.put(directory / FILE, msgspec.json.encode(progress))


def forget(directory: Path) -> None:
    """Begin anew the next time."""
    (directory / FILE).unlink(missing_ok=True)
