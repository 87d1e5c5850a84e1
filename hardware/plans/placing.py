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
SPACER_MM: Final = 6.0
"""The width of a spacer around its screw."""
REED_HOLE_MM: Final = (17.2, 2.6)
"""The glass, with 3 mm of each lead before it is bent down."""
HALL_HOLE_MM: Final = (5.0, 5.0)
"""The housing with its leads bent down beside it."""
BUTTON_HOLE_MM: Final = 12.2
PERFBOARD: Final = "perfboard"
PI: Final = "Raspberry Pi"
"""The names on the floor of the perfboard with the shifter, the resistors and the converters, and
of the Pi."""
EXPANDER_MM: Final = (70.0, 50.0)
MULTIPLEXER_MM: Final = (41.0, 18.0)
PERFBOARD_MM: Final = (70.0, 90.0)
PI_MM: Final = (85.0, 56.0)
"""The sizes of the perfboard of an expander, of a module, of the perfboard, of the largest Pi."""
EXPANDER_STEP_MM: Final = 52.0
MULTIPLEXER_STEP_MM: Final = 34.0
"""Perfboards of expanders lie in a column, modules of multiplexers, too."""
GAP_MM: Final = 2.0
"""Between the parts of a narrow floor."""
NORTH_MM: Final = 78.0
"""An expander without sensors lies this far north of the perfboard with the other chips."""
BESIDE_MM: Final = 90.0
"""The Pi lies this far east of that column, the perfboard with the other chips as far west."""
WIDE_MM: Final = 2 * (BESIDE_MM + PI_MM[0] / 2 + EDGE_MM)
"""A floor that is narrower has the perfboard and the Pi in the column, south of the chips."""
PLUG_MM: Final = 35.0
"""What the plug of the Pi's supply needs south of the Pi."""
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

    def meets(self, other: Extent) -> bool:
        """Whether two rectangles share an area."""
        return max(self.left, other.left) < min(self.right, other.right) and max(
            self.bottom, other.bottom
        ) < min(self.top, other.top)


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


@dataclass(frozen=True, slots=True)
class FloorPart:
    """Something that lies on the floor, by its middle and its size."""

    middle: Point
    size: Point

    @property
    def covers(self) -> Extent:
        """The rectangle that it covers."""
        (x, y), (wide, high) = self.middle, self.size
        return Extent(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


def floor(layout: Layout) -> dict[str, FloorPart]:
    """Return what lies on the floor: the perfboard or module of each expander and multiplexer, by
    its name in the netlist, PERFBOARD, PI, and what belongs to the supplies, in the west.
    """
    wide = extent(layout).size[0] >= WIDE_MM
    left, (_, y) = extent(layout).left, extent(layout).middle
    found = _beside(layout) if wide else _in_a_column(layout)
    found["lights' socket"] = FloorPart((left + 22, y - 30), (40.0, 15.0))
    found["fuse holder"] = FloorPart((left + 28, y + 45), (15.0, 60.0))
    if layout.multiplexers:
        found["regulator"] = FloorPart((left + 28, y + 95), (25.0, 25.0))
    return found


def without_room(layout: Layout) -> tuple[str, ...]:
    """Return the names of the parts for which the floor is too small: they would lie outside, on
    a part before them, or on a screw.
    """
    sheet = extent(layout)
    taken = [FloorPart(screw, (SPACER_MM, SPACER_MM)).covers for screw in screws(layout)]
    outside = []
    for name, part in floor(layout).items():
        at = part.covers
        south = PLUG_MM if name == PI else 0.0
        inside = (
            sheet.left < at.left
            and at.right < sheet.right
            and sheet.bottom < at.bottom - south
            and at.top < sheet.top
        )
        if inside and not any(at.meets(other) for other in taken):
            taken.append(at)
        else:
            outside.append(name)
    return tuple(outside)


def _chip_order(layout: Layout) -> list[tuple[str, Point]]:
    """Return the chips with sensors by name, with their sizes, in the order of their sensors from
    the south to the north; expanders first.
    """
    expanders = {
        f"{chip.address:#04x}": tuple(chip.sensors.values())
        for chip in layout.expanders
        if chip.sensors
    }
    multiplexers = {
        multiplexer_name(number): tuple(filter(None, chip.inputs))
        for number, chip in enumerate(layout.multiplexers)
    }
    return [
        (name, size)
        for chips, size in ((expanders, EXPANDER_MM), (multiplexers, MULTIPLEXER_MM))
        for name in sorted(chips, key=lambda name: _mean_height(layout, chips[name]))
    ]


def _bare_expanders(layout: Layout) -> list[str]:
    return [f"{chip.address:#04x}" for chip in layout.expanders if not chip.sensors]


def _beside(layout: Layout) -> dict[str, FloorPart]:
    """Return the parts of a wide floor: chips with sensors in a column, the Pi east of it, the
    perfboard west of it, and an expander without sensors north of the perfboard.
    """
    x, y = extent(layout).middle
    chips = _chip_order(layout)
    found: dict[str, FloorPart] = {}
    for size, step in ((EXPANDER_MM, EXPANDER_STEP_MM), (MULTIPLEXER_MM, MULTIPLEXER_STEP_MM)):
        column = [name for name, own in chips if own == size]
        first = y - step * (len(column) - 1) / 2
        found |= {
            name: FloorPart((x, first + step * number), size) for number, name in enumerate(column)
        }
    for name in _bare_expanders(layout):
        found[name] = FloorPart((x - BESIDE_MM, y + NORTH_MM), EXPANDER_MM)
    found[PERFBOARD] = FloorPart((x - BESIDE_MM, y), PERFBOARD_MM)
    found[PI] = FloorPart((x + BESIDE_MM, y), PI_MM)
    return found


def _in_a_column(layout: Layout) -> dict[str, FloorPart]:
    """Return the parts of a narrow floor in one column from the north: chips, then the perfboard,
    then the Pi, whose header is at the perfboard and whose supply is plugged in from the south.
    """
    chips = [name for name, _ in _chip_order(layout)]
    sizes = dict(_chip_order(layout)) | dict.fromkeys(_bare_expanders(layout), EXPANDER_MM)
    sizes |= {PERFBOARD: PERFBOARD_MM, PI: PI_MM}
    north_to_south = [*reversed(chips), *(name for name in sizes if name not in chips)]
    x, y = extent(layout).middle[0], extent(layout).top - 2 * EDGE_MM  # clear of buttons
    found: dict[str, FloorPart] = {}
    for name in north_to_south:
        size = sizes[name]
        found[name] = FloorPart((x, y - size[1] / 2), size)
        y -= size[1] + GAP_MM
    return found


def _mean_height(layout: Layout, sensors: tuple[str, ...]) -> float:
    heights = [layout.places[name.split("/")[0]].y for name in sensors]
    return sum(heights) / len(heights)
