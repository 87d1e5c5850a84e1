"""The pieces into which the strip of lights is cut: straight runs of LEDs at its own pitch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from hardware.layout import Layout

STRIP_PITCH_MM: Final = 33.33
SAME_MM: Final = 0.3
"""Distances that differ by less are the same."""


@dataclass(frozen=True, slots=True)
class Strip:
    """LEDs that stay together, by their numbers in the chain."""

    first: int
    last: int
    towards: str
    """Where its arrow points: `east`, `north-west` …; "" for a single LED."""

    @property
    def count(self) -> int:
        """How many LEDs it has."""
        return self.last - self.first + 1


def strips(layout: Layout) -> tuple[Strip, ...]:
    """Return the pieces of the strip in the order of the chain."""
    spots = layout.led_positions
    made: list[Strip] = []
    first = 0
    while first < len(spots):
        last = first
        while last + 1 < len(spots) and _continues(spots, first, last):
            last += 1
        towards = _direction(spots[first], spots[last]) if last > first else ""
        made.append(Strip(first, last, towards))
        first = last + 1
    return tuple(made)


def strips_text(layout: Layout) -> str:
    """Return how to cut the strip, a line for each piece."""
    lines = ["Cut the strip of lights into these pieces, and join them in this order:", ""]
    for strip in strips(layout):
        numbers = f"LED {strip.first}" + (f" to {strip.last}" if strip.count > 1 else "")
        arrow = f", its arrow to the {strip.towards}" if strip.towards else ""
        lines.append(f"[ ] {strip.count:3} LED{'s' * (strip.count > 1)}: {numbers}{arrow}")
    return "\n".join(lines) + "\n"


def _continues(spots: tuple[tuple[float, float], ...], first: int, last: int) -> bool:
    """Whether the LED after `last` lies on the same straight piece."""
    if abs(math.dist(spots[last], spots[last + 1]) - STRIP_PITCH_MM) > SAME_MM:
        return False
    if last == first:
        # A row goes on in its direction; a step to the next row is no part of it.
        (x, y), (to_x, to_y) = spots[last], spots[last + 1]
        return abs(to_y - y) < SAME_MM or abs(to_x - x) < SAME_MM
    before, here, after = spots[last - 1], spots[last], spots[last + 1]
    bend = (after[0] - here[0] - (here[0] - before[0]), after[1] - here[1] - (here[1] - before[1]))
    return math.hypot(*bend) < 2 * SAME_MM


def _direction(start: tuple[float, float], end: tuple[float, float]) -> str:
    dx, dy = end[0] - start[0], end[1] - start[1]
    if abs(dy) < SAME_MM:
        return "east" if dx > 0 else "west"
    return "north" if dy > 0 else "south"
