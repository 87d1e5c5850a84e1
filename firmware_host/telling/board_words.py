"""Boards as people choose them: what their sensors feel, and what to know before a game on one."""

from __future__ import annotations

from typing import Final

from firmware_host.words import Message, say
from hardware.layout import Layout

_SENSING: Final = {
    "presence": say("reed switches: feel that a piece is there"),
    "polarity": say("Hall sensors: feel which side is up"),
}


def board_message(layout: Layout) -> Message:
    """Return what people call a board: its shape and its sensors, and what these feel."""
    shape = say("square board") if layout.shape == "square" else say("hexagonal board")
    return say("{board}, {sensing}", board=shape, sensing=sensing_message(layout))


def sensing_message(layout: Layout) -> Message:
    """Return what kind of sensors a board has, and what they feel."""
    return _SENSING[layout.sensing]


def caution_message(layout: Layout, game: str) -> Message:
    """Return what people should know before they choose this board for a game; often nothing."""
    return say(layout.game(game).caution)
