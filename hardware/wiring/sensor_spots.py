"""Where each sensor of a board lies, and which way a reed switch points."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hardware.layout import BoardPlace, Layout

REED_MM: Final = (10.2, 1.8)
"""The length and the diameter of a reed switch's glass."""
REED_OFFSET_MM: Final = 8.0
"""A reed switch lies with its middle this far from the middle of its place, along its own axis: a
magnet right above its middle leaves it open.
"""
HALL_MM: Final = (4.0, 3.0)


@dataclass(frozen=True, slots=True)
class SensorSpot:
    """One sensor: its middle in mm as in the layout, its size, and the middle of its magnet."""

    name: str
    x: float
    y: float
    wide: float
    high: float
    magnet_x: float
    magnet_y: float


def sensor_spots(layout: Layout) -> tuple[SensorSpot, ...]:
    """Return the spot of every sensor, in the order of the layout's places."""
    return tuple(spot for place in layout.places.values() for spot in place_spots(layout, place))


def place_spots(layout: Layout, place: BoardPlace) -> Iterator[SensorSpot]:
    """Yield the spots of a place. Pockets of a slot lie in two columns, the first in the slot's
    north-western corner.

    A reed switch of a single magnet lies east-west, east of the middle. Those of pockets lie
    north-south, away from the other row of pockets, whose magnets must not close them.
    """
    columns = min(2, len(place.sensors))
    rows = math.ceil(len(place.sensors) / 2)
    step_x, step_y = (size / 2 for size in layout.slot_size)
    for number, name in enumerate(place.sensors):
        x = place.x + (number % 2 - (columns - 1) / 2) * step_x
        y = place.y - (number // 2 - (rows - 1) / 2) * step_y
        if layout.sensing == "polarity":
            yield SensorSpot(name, x, y, *HALL_MM, x, y)
        elif len(place.sensors) == 1:
            yield SensorSpot(name, x + REED_OFFSET_MM, y, *REED_MM, x, y)
        else:
            away = REED_OFFSET_MM if number // 2 == 0 else -REED_OFFSET_MM
            yield SensorSpot(name, x, y + away, REED_MM[1], REED_MM[0], x, y)
