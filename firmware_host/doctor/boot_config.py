"""The firmware's config.txt, as the firmware of one Pi reads it: sections, overlays, inclusions.

A line in square brackets is a filter. A filter replaces earlier ones of its kind, filters of
different kinds combine, and `[all]` ends them all. A filter on a monitor or on the level of a pin
cannot be evaluated here: lines below it do not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

MODELS: Final = (
    # the start of the model's name, its filters, the number of its type
    ("Raspberry Pi Zero 2", "pi0 pi0w pi02", 0x12),
    ("Raspberry Pi Zero W", "pi0 pi0w", 0x0C),
    ("Raspberry Pi Zero", "pi0", 0x09),
    ("Raspberry Pi 2", "pi2", 0x04),
    ("Raspberry Pi 3 Model A Plus", "pi3 pi3+", 0x0E),
    ("Raspberry Pi 3 Model B Plus", "pi3 pi3+", 0x0D),
    ("Raspberry Pi 3", "pi3", 0x08),
    ("Raspberry Pi 400", "pi4 pi400", 0x13),
    ("Raspberry Pi 4", "pi4", 0x11),
    ("Raspberry Pi 500", "pi5 pi500", 0x19),
    ("Raspberry Pi 5", "pi5", 0x17),
    ("Raspberry Pi Compute Module 0", "cm0", -1),
    ("Raspberry Pi Compute Module 3 Plus", "pi3 cm3 cm3+", 0x10),
    ("Raspberry Pi Compute Module 3", "pi3 cm3", 0x0A),
    ("Raspberry Pi Compute Module 4S", "pi4 cm4s", 0x15),
    ("Raspberry Pi Compute Module 4", "pi4 cm4", 0x14),
    ("Raspberry Pi Compute Module 5 Lite", "pi5 cm5", 0x1A),
    ("Raspberry Pi Compute Module 5", "pi5 cm5", 0x18),
    ("Raspberry Pi Compute Module", "pi1 cm1", 0x06),
    ("Raspberry Pi Model A Plus", "pi1", 0x02),
    ("Raspberry Pi Model B Plus", "pi1", 0x03),
    ("Raspberry Pi Model A", "pi1", 0x00),
    ("Raspberry Pi", "pi1", 0x01),
)
"""The first start of a name that fits counts."""
MODEL: Final = re.compile(r"(pi|cm)\d\w*\+?$")
SERIAL: Final = re.compile(r"0x[0-9a-f]+$")
DEEPEST: Final = 8
"""The depth to which files may include one another."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The properties of a Pi that filters are compared with."""

    model: str
    serial: int | None = None
    board_type: int | None = None
    """The type from its revision; None: from its model."""

    def filters(self) -> tuple[frozenset[str], int]:
        """Return the model filters that hold for this Pi, and the number of its type."""
        for begins, names, number in MODELS:
            if self.model.startswith(begins):
                known = number if self.board_type is None else self.board_type
                return frozenset(names.split()), known
        return frozenset(), -1


@dataclass(slots=True)
class BootConfig:
    """A config.txt that has been read."""

    settings: dict[str, str] = field(default_factory=dict)
    """The settings that hold for this Pi. Those of `dtparam=` have no prefix, those of an overlay
    its name (`dtoverlay=gpio-shutdown,gpio_pin`).
    """
    filtered: bool = False
    """The end of the file is below a filter: a line there would not hold for every Pi."""


def read(path: str, text_of: Callable[[str], str], identity: Identity) -> BootConfig:
    """Return the settings of a config.txt for this Pi; `text_of` returns a file's text or ""."""
    found = BootConfig()
    filters: dict[str, bool] = {}
    overlay = ""
    for line in _lines(path, text_of):
        if line.startswith("["):
            name = line.strip("[] ").lower()
            if name == "all":
                filters.clear()
            else:
                kind, holds = _filter(name, identity)
                filters[kind] = holds
            found.filtered = any(kind != "hdmi" for kind in filters)
        elif "=" in line and all(filters.values()):
            pairs = _pairs(line)
            if line.startswith("dtoverlay="):
                overlay = next(iter(pairs))
            elif line.startswith("dtparam=") and overlay not in ("", "dtoverlay="):
                pairs |= {f"{overlay},{name}": value for name, value in pairs.items()}
            found.settings |= pairs
    return found


def _lines(path: str, text_of: Callable[[str], str], depth: int = 0) -> Iterator[str]:
    """Yield the lines of a file without comments, with included files in place."""
    for raw in text_of(path).splitlines():
        line = raw.split("#")[0].strip()
        word, _, name = line.partition(" ")
        if word == "include" and depth < DEEPEST:
            folder = path.rpartition("/")[0]
            yield from _lines(f"{folder}/{name.strip()}", text_of, depth + 1)
        elif line:
            yield line


def _filter(name: str, identity: Identity) -> tuple[str, bool]:
    """Return the kind of a filter, and whether it certainly holds for this Pi."""
    models, board_type = identity.filters()
    if MODEL.match(name):
        return "model", name in models
    if name.startswith("board-type="):
        return "model", _number(name.partition("=")[2]) == board_type
    if SERIAL.match(name):
        asked, has = int(name, 16), identity.serial
        return "serial", has is not None and asked in (has, has & 0xFFFFFFFF)
    if name.startswith("hdmi:"):
        return "hdmi", True  # selects a port for HDMI settings; other settings are not affected
    return re.split(r"[=\d]", name)[0], False  # none, tryboot, EDID=…, gpio4=1 and future filters


def _number(text: str) -> int | None:
    try:
        return int(text, 0)
    except ValueError:
        return None


def _pairs(line: str) -> dict[str, str]:
    """Return the settings of one line, named as in `BootConfig.settings`."""
    first, *rest = line.removeprefix("dtparam=").split(",")
    name, _, value = first.partition("=")
    before = ""
    if name == "dtoverlay":
        name, value, before = first, "", f"{first},"
    found = {name.strip(): value.strip() or "on"}
    for part in rest:
        name, _, value = part.partition("=")
        found[before + name.strip()] = value.strip() or "on"
    return found


def has(settings: dict[str, str], line: str) -> bool:
    """Say whether all settings of a line hold."""
    return all(settings.get(name) == value for name, value in _pairs(line).items())


def is_on(settings: dict[str, str], line: str) -> bool:
    """Say whether the device that a line switches on is on, whatever its other settings."""
    return settings.get(next(iter(_pairs(line)))) == "on"
