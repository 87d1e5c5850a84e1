"""Bases of pieces and frames of trays as OpenSCAD text, to print. Sizes are in mm, at the top of
each file, so that a builder can change them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from hardware.layout import BoardPlace, Layout
from hardware.plans.sizes import PieceBase, sizes

GAP_MM: Final = 4.0
"""Between things that are printed together."""
PLAY_MM: Final = 0.4
"""How much larger a pocket is than the piece in it, at least."""

_MODULES: Final = """\
$fn = 64;

// The outline of a tile: five corners, with its point to the front.
module tile(width, length) {
  polygon([
    [-width / 2, -length / 2], [width / 2, -length / 2],
    [width * 0.42, length * 0.28], [0, length / 2], [-width * 0.42, length * 0.28],
  ]);
}

// A base with a hole for the magnet, open at the top: push the magnet in, then glue the lid on.
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
        "",
        _MODULES,
    ]
    depth = 0.0
    for base in bases:
        number = sum(counts.get(kind, 0) for kind in base.kinds)
        _, long = base.size
        columns = max(1, math.ceil(math.sqrt(number)))
        rows = math.ceil(number / columns)
        lines.append(f"// {base.name}: {number} pieces, {of.thickness(base):g} mm thick")
        lines += _grid(base, number, columns, depth)
        depth += rows * (2 if base.double else 1) * (long + GAP_MM) + GAP_MM
    return "\n".join(lines) + "\n"


def _grid(base: PieceBase, number: int, columns: int, depth: float) -> Iterator[str]:
    """Yield the text that prints a kind of base in rows, and the lids behind them."""
    wide, long = (size + GAP_MM for size in base.size)
    outline = (
        f"circle(d = {base.diameter:g})"
        if base.shape == "disc"
        else f"tile({base.width:g}, {base.length:g})"
    )
    things = [("base(floor_thickness + magnet_thickness)", 0.0)]
    if base.double:
        rows = math.ceil(number / columns)
        things.append(("lid(floor_thickness)", rows * long))
    for thing, behind in things:
        yield f"for (i = [0 : {number - 1}])"
        yield (
            f"  translate([(i % {columns}) * {wide:g}, "
            f"{depth + behind:g} + floor(i / {columns}) * {long:g}, 0])"
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
    lines = [
        f"// Trays for {game} on {layout.name}: frames without a floor. South is down.",
        "",
        f"rim = {of.stack.tray_rim:g};",
        f"wall = {of.stack.tray_wall:g};",
        "",
        "module frame(width, length, columns, rows) {",
        "  difference() {",
        "    translate([-width / 2, -length / 2, 0]) cube([width, length, rim]);",
        "    for (column = [0 : columns - 1], row = [0 : rows - 1])",
        "      translate([-width / 2 + column * width / columns + wall / 2,",
        "                 -length / 2 + row * length / rows + wall / 2, -1])",
        "        cube([width / columns - wall, length / rows - wall, rim + 2]);",
        "  }",
        "}",
        "",
    ]
    for place in slots:
        columns, rows = pockets(layout, game, place)
        lines.append(
            f"translate([{place.x:g}, {place.y:g}, 0]) "
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
