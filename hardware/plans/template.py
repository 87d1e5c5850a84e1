"""Templates to cut and drill by: what is where on each sheet of a board, in mm.

A template is plain data; `template_files` writes it as SVG, as DXF, and as pages to print.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from hardware.layout import BoardPlace, Layout
from hardware.plans import placing
from hardware.plans.placing import BUTTON_HOLE_MM, Extent, FloorPart, Point, sensor_hole
from hardware.plans.strips import arrow_ends, strips
from hardware.wiring.sensor_spots import SensorSpot, sensor_spots

Layer: TypeAlias = Literal["CUT", "MARK", "TEXT"]
"""CUT goes through the sheet; MARK is engraved or drawn; TEXT names things."""
Sheet: TypeAlias = Literal["surface", "plate", "floor"]
SHEETS: Final[tuple[Sheet, ...]] = ("surface", "plate", "floor")

LED_HOLE_MM: Final = 8.0
"""The housing of an LED, 5 × 5 mm, fits into it."""
SCREW_HOLE_MM: Final = 3.2
PI_HOLES_MM: Final = (58.0, 49.0)
"""Holes of the Pi 3B, 4B and 5; a Zero has the southern two and two 23 mm north of them."""
ZERO_HOLES_MM: Final = 23.0
PI_HOLE_MM: Final = 2.7
PI_HOLE_FROM_EDGE_MM: Final = 3.5
CROSS_MM: Final = 4.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A round hole or mark, by its middle."""

    layer: Layer
    name: str
    x: float
    y: float
    diameter: float


@dataclass(frozen=True, slots=True)
class Outline:
    """A closed line through points."""

    layer: Layer
    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line."""

    layer: Layer
    name: str
    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Label:
    """A text, centred on a point."""

    x: float
    y: float
    height: float
    text: str
    layer: Layer = "TEXT"


Shape: TypeAlias = Circle | Outline | Stroke | Label


@dataclass(frozen=True, slots=True)
class SheetTemplate:
    """One sheet."""

    title: str
    extent: Extent
    shapes: tuple[Shape, ...]


def template(layout: Layout, sheet: Sheet) -> SheetTemplate:
    """Return the template of one sheet of a board."""
    shapes = list(_frame(layout, sheet))
    if sheet == "surface":
        shapes += [*_places(layout), *_middles(layout)]
    elif sheet == "plate":
        shapes += [*_places(layout), *_sensors(layout), *_leds(layout)]
    else:
        shapes += _electronics(layout)
    return SheetTemplate(f"{layout.name}: {sheet}", placing.extent(layout), tuple(shapes))


def box(layer: Layer, name: str, middle: Point, size: tuple[float, float]) -> Outline:
    """Return a rectangle by its middle and its size."""
    (x, y), (wide, high) = middle, (size[0] / 2, size[1] / 2)
    corners = (
        (x - wide, y - high),
        (x + wide, y - high),
        (x + wide, y + high),
        (x - wide, y + high),
    )
    return Outline(layer, name, corners)


def _frame(layout: Layout, sheet: Sheet) -> Iterator[Shape]:
    whole = placing.extent(layout)
    yield box("CUT", "outline", whole.middle, whole.size)
    for number, (x, y) in enumerate(placing.screws(layout), 1):
        yield Circle("CUT", f"screw {number}", x, y, SCREW_HOLE_MM)
    if sheet != "floor":
        for name, (x, y) in placing.buttons(layout).items():
            yield Circle("CUT", f"button {name}", x, y, BUTTON_HOLE_MM)
            yield Label(x, y - BUTTON_HOLE_MM / 2 - 4, 2.5, name)
    title = f"{layout.name}, {sheet}: seen from above, north is up"
    yield Label(whole.middle[0], whole.top - 6, min(4, whole.size[0] / 55), title)


def _places(layout: Layout) -> Iterator[Shape]:
    for place in layout.places.values():
        if place.kind != "edge":
            yield Outline("MARK", f"{place.kind} {place.name}", _corners(layout, place))
            above = 10 if place.kind == "cell" else 0 if len(place.sensors) > 2 else 6
            yield Label(place.x, place.y + above, 2.5, place.name)


def _corners(layout: Layout, place: BoardPlace) -> tuple[Point, ...]:
    if place.kind == "cell" and layout.shape == "hex":
        radius = layout.pitch / math.sqrt(3)
        turns = (math.radians(60 * corner) for corner in range(6))
        return tuple(
            (place.x + radius * math.sin(turn), place.y + radius * math.cos(turn)) for turn in turns
        )
    size = (layout.pitch, layout.pitch) if place.kind == "cell" else layout.slot_size
    return box("MARK", "", (place.x, place.y), size).points


def _sensors(layout: Layout) -> Iterator[Shape]:
    for spot in sensor_spots(layout):
        size = sensor_hole(layout, spot)
        yield box("CUT", f"sensor {spot.name}", (spot.x, spot.y), size)
        yield from _cross(spot)
        if "/" in spot.name:
            yield Label(spot.magnet_x, spot.magnet_y - 8, 2, spot.name.partition("/")[2])


def _middles(layout: Layout) -> Iterator[Shape]:
    """Yield a cross on each cell, and on each slot with one sensor, where that feels a piece."""
    for spot in sensor_spots(layout):
        if spot.name in layout.places:
            yield from _cross(spot)


def _cross(spot: SensorSpot) -> Iterator[Shape]:
    """Yield a cross at the middle of a sensor's magnet."""
    x, y = spot.magnet_x, spot.magnet_y
    half = CROSS_MM / 2
    yield Stroke("MARK", f"magnet {spot.name}", (x - half, y), (x + half, y))
    yield Stroke("MARK", f"magnet {spot.name}", (x, y - half), (x, y + half))


def _leds(layout: Layout) -> Iterator[Shape]:
    for number, (x, y) in enumerate(layout.led_positions):
        yield Circle("CUT", f"LED {number}", x, y, LED_HOLE_MM)
        yield Label(x, y + LED_HOLE_MM / 2 + 1.5, 2, f"LED {number}")
    for strip in strips(layout):
        yield from _arrow(f"strip from LED {strip.first}", *arrow_ends(layout, strip))


def _arrow(name: str, start: Point, end: Point) -> Iterator[Shape]:
    """Yield a line with a head at its end."""
    yield Stroke("MARK", name, start, end)
    turn = math.atan2(start[1] - end[1], start[0] - end[0])
    for side in (-0.4, 0.4):
        tip = (end[0] + 6 * math.cos(turn + side), end[1] + 6 * math.sin(turn + side))
        yield Stroke("MARK", name, end, tip)


def _electronics(layout: Layout) -> Iterator[Shape]:
    """Yield what lies on the floor, except for what it has no room for."""
    missing = placing.without_room(layout)
    perfboard = "shifter, resistors" + (", ADS7830" if layout.multiplexers else "")
    for name, part in placing.floor(layout).items():
        if name in missing:
            continue
        yield box("MARK", f"board {name}", part.middle, part.size)
        words = perfboard if name == placing.PERFBOARD else name
        yield Label(*part.middle, 3 if len(words) > 4 else 4, words)
        if name == placing.PI:
            yield from _pi_holes(part)


def _pi_holes(part: FloorPart) -> Iterator[Shape]:
    wide, high = PI_HOLES_MM
    west, y = part.covers.left + PI_HOLE_FROM_EDGE_MM, part.middle[1]
    for x in (west, west + wide):
        for height in (-high / 2, -high / 2 + ZERO_HOLES_MM, high / 2):
            yield Circle("CUT", "Pi", x, y + height, PI_HOLE_MM)
