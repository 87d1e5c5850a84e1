"""The pieces into which the strip of lights is cut: straight runs of LEDs at its own pitch, and
single LEDs, which lie where they cover the least of holes and of other pieces.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from hardware.layout import Layout
from hardware.plans import placing
from hardware.plans.placing import Extent, Point
from hardware.wiring.sensor_spots import sensor_spots

STRIP_PITCH_MM: Final = 33.33
STRIP_WIDTH_MM: Final = 10.0
SAME_MM: Final = 0.3
"""Distances that differ by less are the same."""


@dataclass(frozen=True, slots=True)
class Strip:
    """LEDs that stay together, by their numbers in the chain."""

    first: int
    last: int
    towards: str
    """Where its arrow points: `east`, `north-west` …."""

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
    return _with_singles(layout, made)


def arrow_ends(layout: Layout, strip: Strip) -> tuple[Point, Point]:
    """Return where the arrow of a piece begins and ends: at its first and its last LED, or near the
    ends of a single one.
    """
    start, end = layout.led_positions[strip.first], layout.led_positions[strip.last]
    if strip.count > 1:
        return start, end
    half = STRIP_PITCH_MM / 2 - 2
    x, y = start
    return (
        ((x - half, y), (x + half, y))
        if strip.towards == "east"
        else ((x, y - half), (x, y + half))
    )


def covered(layout: Layout, strip: Strip) -> Extent:
    """Return the rectangle that a piece covers."""
    start, end = layout.led_positions[strip.first], layout.led_positions[strip.last]
    long, wide = STRIP_PITCH_MM / 2, STRIP_WIDTH_MM / 2
    reach_x, reach_y = (long, wide) if strip.towards in ("east", "west") else (wide, long)
    return Extent(
        min(start[0], end[0]) - reach_x,
        min(start[1], end[1]) - reach_y,
        max(start[0], end[0]) + reach_x,
        max(start[1], end[1]) + reach_y,
    )


def overlap_mm2(one: Extent, other: Extent) -> float:
    """Return the area that two rectangles share."""
    wide = min(one.right, other.right) - max(one.left, other.left)
    high = min(one.top, other.top) - max(one.bottom, other.bottom)
    return max(wide, 0.0) * max(high, 0.0)


def _with_singles(layout: Layout, made: list[Strip]) -> tuple[Strip, ...]:
    """Return the pieces with a direction for each single LED."""
    taken = [*_holes(layout), *(covered(layout, strip) for strip in made if strip.towards)]
    found: list[Strip] = []
    for strip in made:
        if not strip.towards:
            ways = [Strip(strip.first, strip.last, way) for way in ("east", "north")]
            strip = min(
                ways,
                key=lambda way: sum(overlap_mm2(covered(layout, way), each) for each in taken),
            )
            taken.append(covered(layout, strip))
        found.append(strip)
    return tuple(found)


def _holes(layout: Layout) -> list[Extent]:
    """Return the holes of the plate that no piece should cover: for sensors and buttons."""
    sizes = [((spot.x, spot.y), placing.sensor_hole(layout, spot)) for spot in sensor_spots(layout)]
    button = (placing.BUTTON_HOLE_MM, placing.BUTTON_HOLE_MM)
    sizes += [(middle, button) for middle in placing.buttons(layout).values()]
    return [
        Extent(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
        for (x, y), (wide, high) in sizes
    ]


def strips_text(layout: Layout) -> str:
    """Return how to cut the strip, a line for each piece."""
    lines = ["Cut the strip of lights into these pieces, and join them in this order:", ""]
    for strip in strips(layout):
        numbers = f"LED {strip.first}" + (f" to {strip.last}" if strip.count > 1 else "")
        count = f"{strip.count:3} LED{'s' * (strip.count > 1)}"
        lines.append(f"[ ] {count}: {numbers}, its arrow to the {strip.towards}")
    lines += [
        "",
        "If the end of a single piece lies on another piece or on a button, bend it down.",
    ]
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
