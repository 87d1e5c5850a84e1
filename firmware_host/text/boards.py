"""Boards as people choose them: what their sensors feel, and what to know before a game on one."""

from __future__ import annotations

from typing import Final

from firmware_host.i18n.messages import Message, say
from hardware.layout import Layout

_SENSORS: Final = {"presence": say("reed switches"), "polarity": say("Hall sensors")}
_FEELING: Final = {
    "presence": say("Reed switches feel that a piece is there."),
    "polarity": say("Hall sensors feel which side is up."),
}


def board_message(layout: Layout) -> Message:
    """Return what people call a board: its shape and its sensors."""
    shape = say("square board") if layout.shape == "square" else say("hexagonal board")
    return say("{board}, {sensors}", board=shape, sensors=_SENSORS[layout.sensing])


def sensing_message(layout: Layout) -> Message:
    """Return what kind of sensors a board has, and what they feel."""
    return _FEELING[layout.sensing]


def caution_message(layout: Layout, game: str) -> Message:
    """Return what people should know before they choose this board for a game; often nothing."""
    return say(layout.game(game).caution)
