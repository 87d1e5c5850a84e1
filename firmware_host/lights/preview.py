"""What a board lights when one man is lifted in a position: to be looked at without a board."""

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
"""Seconds by which everything that hands did is understood."""


def lifted(game: AnyGame, position: Any, place: Place) -> dict[Place, Light]:
    """Return the lights while the man of a place is in the hand, and nothing else is moved.

    The board is one whose trays count what lies in them.
    """
    sight = Sight(game, "polarity")
    session = Session(game, sight, [Match.begin(game, position)])
    readings = sight.readings(position)
    session.handle(Frame(0.0, readings))
    less = readings[place] - 1 if place in sight.trays else 0
    session.handle(Frame(1.0, readings | {place: less}))
    session.handle(Tick(_SEEN))
    return scene(session.view, _SEEN)


def targets(lights: dict[Place, Light]) -> tuple[set[Place], set[Place]]:
    """Return where such a man may be put, and what may be taken or pushed by it."""
    spoken = {place: light for place, light in lights.items() if light.role is ColourRole.WORD}
    blue, red = (
        {place for place, light in spoken.items() if light.word is word}
        for word in (Signal.BLUE, Signal.RED)
    )
    return blue, red
