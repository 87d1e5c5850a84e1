"""Where the parts of a board lie that its layout does not place: buttons, screws, chips, the Pi.

Positions are in mm as in the layout: x to the east, y to the north.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hardware.layout import SHUTDOWN, Layout
from hardware.wiring.netlist import multiplexer_name
from hardware.wiring.sensor_spots import SensorSpot

MARGIN_MM: Final = 30.0
"""The sheets reach this far beyond the cells and slots."""
EDGE_MM: Final = 15.0
"""The middle of a button is this far from the edge."""
BUTTON_STEP_MM: Final = 25.0
SCREW_MM: Final = 8.0
"""The middle of a screw is this far from two edges, or from one."""
REED_HOLE_MM: Final = (17.2, 2.6)
"""The glass, with 3 mm of each lead before it is bent down."""
HALL_HOLE_MM: Final = (5.0, 5.0)
"""The housing with its leads bent down beside it."""
BUTTON_HOLE_MM: Final = 12.2
EXPANDER_STEP_MM: Final = 52.0
MULTIPLEXER_STEP_MM: Final = 34.0
"""Perfboards of expanders are 50 mm high and lie in a column, modules of multiplexers, too."""
NORTH_MM: Final = 78.0
"""An expander without sensors lies this far north of the perfboard with the other chips."""
BESIDE_MM: Final = 90.0
"""The Pi lies this far east of that column, the perfboard with the other chips as far west."""
SIDES: Final[Mapping[str, tuple[int, int]]] = {
    "south": (0, -1),
    "west": (-1, 0),
    "north": (0, 1),
    "east": (1, 0),
}

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Extent:
    """A rectangle."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def size(self) -> Point:
        """Its width and its height."""
        return self.right - self.left, self.top - self.bottom

    @property
    def middle(self) -> Point:
        """Its middle."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2


def extent(layout: Layout) -> Extent:
    """Return the outline of the sheets of a board."""
    wide, high = layout.slot_size
    half = layout.pitch / 2
    reach = {"cell": (half, half), "slot": (wide / 2, high / 2), "edge": (0.0, 0.0)}
    places = layout.places.values()
    return Extent(
        min(each.x - reach[each.kind][0] for each in places) - MARGIN_MM,
        min(each.y - reach[each.kind][1] for each in places) - MARGIN_MM,
        max(each.x + reach[each.kind][0] for each in places) + MARGIN_MM,
        max(each.y + reach[each.kind][1] for each in places) + MARGIN_MM,
    )


def buttons(layout: Layout) -> dict[str, Point]:
    """Return the middle of each button: a player's at the player's side, *shutdown* in the
    north-west, all others in a row in the south-east.
    """
    sheet = extent(layout)
    middle_x, middle_y = sheet.middle
    half_x, half_y = (size / 2 - EDGE_MM for size in sheet.size)
    found: dict[str, Point] = {}
    row = 0
    for name in layout.buttons:
        if name in SIDES:
            x, y = SIDES[name]
            found[name] = (middle_x + x * half_x, middle_y + y * half_y)
        elif name == SHUTDOWN:
            found[name] = (sheet.left + 2 * EDGE_MM, sheet.top - EDGE_MM)
        else:
            east = sheet.right - 2 * EDGE_MM - row * BUTTON_STEP_MM
            found[name] = (east, sheet.bottom + EDGE_MM)
            row += 1
    return found


def sensor_hole(layout: Layout, spot: SensorSpot) -> Point:
    """Return the width and the height of the hole for a sensor in the plate."""
    if layout.sensing == "polarity":
        return HALL_HOLE_MM
    long, short = REED_HOLE_MM
    return (long, short) if spot.wide > spot.high else (short, long)


def screws(layout: Layout) -> tuple[Point, ...]:
    """Return the middles of the screws: at the corners, and at the thirds of the longer sides."""
    sheet = extent(layout)
    _, high = sheet.size
    heights = [sheet.bottom + SCREW_MM + share / 3 * (high - 2 * SCREW_MM) for share in range(4)]
    return tuple((x, y) for x in (sheet.left + SCREW_MM, sheet.right - SCREW_MM) for y in heights)


def chips(layout: Layout) -> dict[str, Point]:
    """Return the middle of the perfboard or module of each expander and multiplexer, by its
    name in the netlist. Expanders with sensors and multiplexers lie in a column, an expander
    without sensors north of the perfboard with the other chips.
    """
    middle_x, middle_y = extent(layout).middle
    sensing = {
        f"{chip.address:#04x}": tuple(chip.sensors.values())
        for chip in layout.expanders
        if chip.sensors
    }
    found = _column(layout, sensing, EXPANDER_STEP_MM)
    for chip in layout.expanders:
        if not chip.sensors:
            found[f"{chip.address:#04x}"] = (middle_x - BESIDE_MM, middle_y + NORTH_MM)
    inputs = {
        multiplexer_name(number): tuple(filter(None, chip.inputs))
        for number, chip in enumerate(layout.multiplexers)
    }
    return found | _column(layout, inputs, MULTIPLEXER_STEP_MM)


def _column(
    layout: Layout, sensors: Mapping[str, tuple[str, ...]], step: float
) -> dict[str, Point]:
    """Return chips in a column from the south to the north, in the order of their sensors."""
    x, y = extent(layout).middle
    order = sorted(sensors, key=lambda chip: _mean_height(layout, sensors[chip]))
    first = y - step * (len(order) - 1) / 2
    return {chip: (x, first + step * number) for number, chip in enumerate(order)}


def pi(layout: Layout) -> Point:
    """Return the middle of the Pi."""
    middle_x, middle_y = extent(layout).middle
    return middle_x + BESIDE_MM, middle_y


def perfboard(layout: Layout) -> Point:
    """Return the middle of the perfboard with the shifter, the resistors and the converters."""
    middle_x, middle_y = extent(layout).middle
    return middle_x - BESIDE_MM, middle_y


def supplies(layout: Layout) -> dict[str, Point]:
    """Return the middle of the lights' socket, of their fuse holder, and on Hall boards of the
    regulator: west of the perfboard, the socket at the edge.
    """
    left, (_, middle_y) = extent(layout).left, extent(layout).middle
    found = {
        "lights' socket": (left + 22, middle_y - 40),
        "fuse holder": (left + 28, middle_y + 15),
    }
    if layout.multiplexers:
        found["regulator"] = (left + 28, middle_y + 75)
    return found


def _mean_height(layout: Layout, sensors: tuple[str, ...]) -> float:
    heights = [layout.places[name.split("/")[0]].y for name in sensors]
    return sum(heights) / len(heights)
