"""The lights of a board when one piece of a position is lifted, for pictures without a board."""

from __future__ import annotations

from typing import Any

from engine.game import Place
from engine.match import AnyGame, Match
from engine.reading.footprints import Sight
from firmware_host.lights.scene import scene
from firmware_host.lights.signals import ColourRole, Light, Signal
from firmware_host.session.events import Frame, Tick
from firmware_host.session.session import Session

_SEEN = 2.0
"""Seconds after which every hand movement is read."""


def lifted(game: AnyGame, position: Any, place: Place) -> dict[Place, Light]:
    """Return the lights while the piece of a place is in the hand, on a board whose trays count."""
    sight = Sight(game, "polarity")
    session = Session(game, sight, [Match.begin(game, position)])
    readings = sight.readings(position)
    session.handle(Frame(0.0, readings))
    less = readings[place] - 1 if place in sight.trays else 0
    session.handle(Frame(1.0, readings | {place: less}))
    session.handle(Tick(_SEEN))
    return scene(session.view, _SEEN)


def targets(lights: dict[Place, Light]) -> tuple[set[Place], set[Place]]:
    """Return the places where the lifted piece may go, and those of the pieces that it may take or
    push.
    """
    signals = {place: light for place, light in lights.items() if light.role is ColourRole.SIGNAL}
    blue, red = (
        {place for place, light in signals.items() if light.signal is signal}
        for signal in (Signal.BLUE, Signal.RED)
    )
    return blue, red
