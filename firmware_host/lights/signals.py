"""Signals: what each colour means, how a light moves, and its colour at a moment."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from engine.game import Place

Colour: TypeAlias = tuple[int, int, int]


class Signal(Enum):
    """The five colours, each with one meaning everywhere; intended RGB before gamma."""

    WHITE = (255, 255, 255)  # from here; put the piece back here
    BLUE = (0, 0, 235)  # you may put it here
    RED = (235, 0, 0)  # take off the piece here
    YELLOW = (255, 235, 0)  # attention; choose
    TEAL = (0, 190, 170)  # advice; accepted


class Pattern(Enum):
    """How a light changes over time; nothing above 2 Hz."""

    STEADY = "steady"
    BREATHE = "breathe"  # 0.5 Hz, 40-100 %
    PULSE = "pulse"  # 1 Hz
    HEARTBEAT = "heartbeat"  # two short dips per 1.2 s, always with RED
    BLINK = "blink"  # 2 Hz, half on
    FROM = "from"  # lit in the first third of 1.2 s …
    TO = "to"  # … and this one in the second: a light that runs from the one to the other


class ColourRole(Enum):
    """The role of a light, if it is not that of its signal; the page shows a sign for it."""

    SIGNAL = ""  # the usual meaning of its signal
    LAST = "last"  # where the last move was
    ALONG = "along"  # a piece that moves along with the one in hand
    ATTACKS = "attacks"  # where a threat comes from
    PIP = "pip"  # of the dice that have fallen
    TURN = "turn"  # at a seat's edge: its turn, or its win


@dataclass(frozen=True, slots=True)
class Light:
    """The light of one place."""

    signal: Signal
    pattern: Pattern = Pattern.STEADY
    level: float = 1.0
    """Share of the full brightness, 0 to 1."""
    second: Signal | None = None
    """A second signal that alternates with the first every half second, without a pattern."""
    role: ColourRole = field(default=ColourRole.SIGNAL, compare=False)
    """Its role, for the page; the LED does not show it."""
    grade: str = field(default="", compare=False)
    """The grade of a move to this place, for the page; empty if it is not graded."""


Lights: TypeAlias = Mapping[Place, Light]

MOST_MOVING: Final = 0.25
"""The share of the cells that may change together; the others stand steady meanwhile."""


def _share(light: Light, now: float) -> float:
    """Return the brightness of a pattern at a moment, 0 to 1."""
    match light.pattern:
        case Pattern.BREATHE:
            return 0.7 + 0.3 * math.sin(math.tau * 0.5 * now)
        case Pattern.PULSE:
            return 0.6 + 0.4 * math.sin(math.tau * now)
        case Pattern.HEARTBEAT:
            beat = now % 1.2
            return 0.35 if beat < 0.12 or 0.28 <= beat < 0.40 else 1.0
        case Pattern.BLINK:
            return 1.0 if now % 0.5 < 0.25 else 0.0
        case Pattern.FROM:
            return 1.0 if now % 1.2 < 0.4 else 0.0
        case Pattern.TO:
            return 1.0 if 0.4 <= now % 1.2 < 0.8 else 0.0
        case _:
            return 1.0


def moving(lights: Lights) -> Lights:
    """Return the part of a scene that changes by itself."""
    return {
        place: light
        for place, light in lights.items()
        if light.pattern is not Pattern.STEADY or light.second
    }


def render(lights: Lights, now: float, cells: int = 81, calm: bool = False) -> dict[Place, Colour]:
    """Return the colours of a scene at a moment, before gamma. `cells` is the number of cells of
    the board; at most a quarter of them move together. When `calm`, nothing moves.
    """
    left = 0 if calm else max(1, int(cells * MOST_MOVING))
    colours: dict[Place, Colour] = {}
    for place, light in lights.items():
        share, signal = light.level, light.signal
        if light.pattern is not Pattern.STEADY or light.second:
            if left:
                left -= 1
                if light.second is None:
                    share *= _share(light, now)
                elif now % 1.0 >= 0.5:
                    signal = light.second
            elif calm:
                share *= 0.5 if light.pattern is Pattern.FROM else 0.8
        red, green, blue = signal.value
        colours[place] = (round(red * share), round(green * share), round(blue * share))
    return colours
