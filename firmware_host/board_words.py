"""Boards as people choose them: what their sensors feel, and what to know before a game on one."""

from __future__ import annotations

from typing import Final

from firmware_host.words import Message, say
from hardware.layout import Layout

_SENSING: Final = {
    "presence": say("reed switches: feel that a piece is there"),
    "polarity": say("Hall sensors: feel which side is up"),
}


def sensing_message(layout: Layout) -> Message:
    """Return what kind of sensors a board has, and what they feel."""
    return _SENSING[layout.sensing]


def caution_message(layout: Layout, game: str) -> Message:
    """Return what people should know before they choose this board for a game; often nothing."""
    return say(layout.game(game).caution)
