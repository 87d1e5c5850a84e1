"""Reports the games and boards of other packages that cannot be used."""

from __future__ import annotations

from engine import games
from firmware_host.console.terminal import print_error
from hardware import layout


def report_unusable() -> None:
    """Print a line to standard error for each; the program does without them."""
    for line in (*games.UNUSABLE, *layout.UNUSABLE):
        print_error(line)
