"""Bases of pieces and frames of trays as OpenSCAD text, to print. Sizes are in mm, at the top of
each file, so that a builder can change them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from hardware.layout import BoardPlace, Layout
from hardware.plans.sizes import SHOULDER, PieceBase, sizes

GAP_MM: Final = 4.0
"""Between things that are printed together."""
PLAY_MM: Final = 0.4
"""How much larger a pocket is than the piece in it, at least."""

PRINT_MM: Final = 200.0
"""The side of the square in which things are printed together: the bed of a usual printer."""

_SQUARES: Final = """\
// Things lie in squares of 200 x 200 mm. 0 shows all squares; 1, 2 ... only that one, to print.
square_shown = 0;

module in_square(number) {
  if (square_shown == 0 || square_shown == number)
    translate([square_shown == 0 ? (number - 1) * 210 : 0, 0, 0]) children();
}
"""
_MODULES: Final = """\
$fn = 64;

// The outline of a tile: five corners, with its point to the front.
module tile(width, length) {
  polygon([
    [-width / 2, -length / 2], [width / 2, -length / 2],
    [width * shoulder_width, length * shoulder_length], [0, length / 2],
    [-width * shoulder_width, length * shoulder_length],
  ]);
}

// A base with a hole for the magnet, open at the top. A piece that turns over has a lid on it.
module base(height) {
  difference() {
    linear_extrude(height) children();
    translate([0, 0, floor_thickness])
      cylinder(d = magnet_diameter + clearance, h = height);
  }
}

module lid(height) {
  linear_extrude(height) children();
}
"""


def pieces_scad(game: str, counts: Mapping[str, int]) -> str:
    """Return the bases of all pieces of a game; `counts` says how many of each kind it has. "" for
    a game without bases in `pieces.toml`.
    """
    of = sizes()
    bases = of.bases(game)
    if not bases:
        return ""
    lines = [
        f"// Bases for {game}: print them flat, without supports, in layers of 0.2 mm.",
        f"// Magnets: {of.magnet.diameter:g} x {of.magnet.thickness:g} mm, {of.magnet.grade}.",
        "",
        f"magnet_diameter = {of.magnet.diameter:g};",
        f"magnet_thickness = {of.magnet.thickness:g};",
        f"floor_thickness = {of.stack.floor:g};  // below the magnet; sensors are set for it",
        f"clearance = {of.stack.clearance:g};",
        f"shoulder_width = {SHOULDER[0]:g};  // where its point begins: shares of a tile",
        f"shoulder_length = {SHOULDER[1]:g};",
        "",
        _SQUARES,
        _MODULES,
    ]
    square = 1
    for base in bases:
        number = sum(counts.get(kind, 0) for kind in base.kinds)
        lines.append(f"// {base.name}: {number} pieces, {of.thickness(base):g} mm thick")
        lines += _grid(base, number, square)
        square += 2 if base.double else 1
    return "\n".join(lines) + "\n"


def in_a_row(wide: float) -> int:
    """Return how many things of a width fit side by side into a square that is printed."""
    return int((PRINT_MM + GAP_MM) // (wide + GAP_MM))


def _grid(base: PieceBase, number: int, square: int) -> Iterator[str]:
    """Yield the text that prints a kind of base in rows in a square, and its lids in the next."""
    wide, long = (size + GAP_MM for size in base.size)
    columns = in_a_row(base.size[0])
    half_x, half_y = (size / 2 for size in base.size)
    outline = (
        f"circle(d = {base.diameter:g})"
        if base.shape == "disc"
        else f"tile({base.width:g}, {base.length:g})"
    )
    things = ["base(floor_thickness + magnet_thickness)"]
    if base.double:
        things.append("lid(floor_thickness)")
    for further, thing in enumerate(things):
        yield f"in_square({square + further}) for (i = [0 : {number - 1}])"
        yield (
            f"  translate([{half_x:g} + (i % {columns}) * {wide:g}, "
            f"{half_y:g} + floor(i / {columns}) * {long:g}, 0])"
        )
        yield f"    {thing} {outline};"


def trays_scad(layout: Layout, game: str) -> str:
    """Return the frames of the slots that a game uses on a board, to glue onto the playing surface.
    A slot with pockets has walls between them if the game's pieces fit. "" if the game uses none.
    """
    of = sizes()
    if game not in layout.games:
        return ""
    used = [
        layout.places[name] for name in layout.games[game].places.values() if name in layout.slots
    ]
    slots = list({place.name: place for place in used}.values())
    if not slots:
        return ""
    wide, high = layout.slot_size
    outer_x, outer_y = (size + of.stack.tray_wall for size in layout.slot_size)
    lines = [
        f"// Trays for {game} on {layout.name}: frames without a floor, as they are printed.",
        "// The comment of each names its slot. South is down.",
        "",
        f"rim = {of.stack.tray_rim:g};",
        f"wall = {of.stack.tray_wall:g};",
        "",
        "// Half of the outer wall lies outside the slot.",
        "module frame(width, length, columns, rows) {",
        "  difference() {",
        "    translate([-(width + wall) / 2, -(length + wall) / 2, 0])",
        "      cube([width + wall, length + wall, rim]);",
        "    for (column = [0 : columns - 1], row = [0 : rows - 1])",
        "      translate([-width / 2 + column * width / columns + wall / 2,",
        "                 -length / 2 + row * length / rows + wall / 2, -1])",
        "        cube([width / columns - wall, length / rows - wall, rim + 2]);",
        "  }",
        "}",
        "",
    ]
    across = in_a_row(outer_x)
    for number, place in enumerate(slots):
        columns, rows = pockets(layout, game, place)
        x = outer_x / 2 + number % across * (outer_x + GAP_MM)
        y = outer_y / 2 + number // across * (outer_y + GAP_MM)
        lines.append(
            f"translate([{x:g}, {y:g}, 0]) "
            f"frame({wide:g}, {high:g}, {columns}, {rows});  // {place.name}"
        )
    return "\n".join(lines) + "\n"


def pockets(layout: Layout, game: str, place: BoardPlace) -> tuple[int, int]:
    """Return the columns and rows of a slot's pockets for a game; (1, 1) if its pieces do not fit
    into the pockets, and lie in the open slot instead.
    """
    of = sizes()
    columns = min(2, len(place.sensors)) or 1
    rows = math.ceil(len(place.sensors) / 2) or 1
    wall = of.stack.tray_wall
    room = [
        size / number - wall for size, number in zip(layout.slot_size, (columns, rows), strict=True)
    ]
    smallest = min((base.size for base in of.bases(game)), default=(math.inf, math.inf))
    if any(size + PLAY_MM > space for size, space in zip(smallest, room, strict=True)):
        return 1, 1
    return columns, rows
