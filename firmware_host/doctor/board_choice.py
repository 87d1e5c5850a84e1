"""The board to examine: one that is named, or that of a configuration."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from firmware_host.config import config as configs
from firmware_host.config.config import Config
from firmware_host.config.wiring import Devices, board_of, devices_of
from hardware import layout as layouts
from hardware.layout import Layout, LayoutError


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """A board and its origin."""

    name: str
    """The name of its layout, or the path of the layout's file."""
    board: Layout
    devices: Devices
    config: Config | None
    """The configuration, if the board comes from one."""


def chosen_board(layout: str | None, config: str | None, *, simulated: bool) -> BoardChoice:
    """Return the board of a layout or of a configuration; LayoutError or ConfigError if it cannot
    be read.
    """
    path = Path(config or configs.PATH)
    devices = Devices()
    if config or (path.exists() and not simulated):
        found = configs.read(path)
        devices = devices_of(found)
        if not layout:
            return BoardChoice(found.layout, board_of(found, str(path)), devices, found)
    if not (layout or simulated):
        raise LayoutError(f"which board? say --layout L, one of {', '.join(layouts.NAMES)}")
    name = layout or layouts.NAMES[0]
    return BoardChoice(name, layouts.load(name), devices, None)
