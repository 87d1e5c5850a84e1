"""The page about the parts: what to order for each board, and why these magnets and sensors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.layout import NAMES, Layout, load
from hardware.lighting import CEILING_MA
from hardware.plans.field import felt
from hardware.plans.order import RIBBON_MM, bus_mm, orders_table
from hardware.plans.sizes import sizes
from hardware.wiring.sensor_spots import REED_OFFSET_MM, SensorSpot, sensor_spots

REED_CLOSES_MT: Final = (1.0, 3.0)
"""The mean field along its glass at which a reed switch of 20 to 25 AT may close: its ampere-turns,
in test coils from 10 to 25 mm long."""
_DIRECTIONS: Final = tuple(math.radians(15 * step) for step in range(24))
_STEP_MM: Final = 0.25


@dataclass(frozen=True, slots=True)
class Margins:
    """What the sensors of a board feel, in mT, at worst."""

    own: float
    """Of a magnet on the middle of the place: the weakest."""
    others: float
    """Of all other magnets together, if all pulled the same way: the strongest."""
    needed: float
    """What a sensor needs to report a piece."""
    reach_mm: float
    """How far from the middle of a cell a piece is still felt, in every direction."""


def margins(layout: Layout) -> Margins:
    """Return what the sensors of a board feel while every place has a magnet."""
    of = sizes()
    depth = of.depth(layout.sensing)
    spots = sensor_spots(layout)

    def at(spot: SensorSpot, x: float, y: float) -> float:
        return abs(felt(spot, of.magnet, depth, x, y))

    own = min(at(spot, spot.magnet_x, spot.magnet_y) for spot in spots)
    others = max(
        sum(at(spot, each.magnet_x, each.magnet_y) for each in spots if each is not spot)
        for spot in spots
    )
    needed = REED_CLOSES_MT[1] if layout.hall is None else layout.hall.present
    spot = spots[0]
    reach = 0.0
    while all(
        at(spot, spot.magnet_x + reach * math.cos(turn), spot.magnet_y + reach * math.sin(turn))
        >= needed
        for turn in _DIRECTIONS
    ):
        reach += _STEP_MM
    return Margins(own, others, needed, reach - _STEP_MM)


def open_from_mm(layout: Layout) -> float:
    """Return how far a piece must slide from the middle of its cell along its reed switch until it
    pulls no more than all other magnets together may. A switch that is open there cannot be held
    closed by other pieces alone.
    """
    of = sizes()
    spot = sensor_spots(layout)[0]
    others = margins(layout).others
    away = 2 * REED_OFFSET_MM
    while abs(felt(spot, of.magnet, of.depth("presence"), spot.magnet_x + away, spot.y)) > others:
        away += _STEP_MM
    return away


def parts_page(pieces: Mapping[str, int]) -> str:
    """Return the page about the parts of all shipped boards; `pieces` says how many pieces each
    game has.
    """
    boards = tuple(map(load, NAMES))
    parts = [_HEAD, _magnets(boards), _supplies(boards)]
    for board in boards:
        counts = {game: pieces[game] for game in board.games if game in pieces}
        parts.append(f"## {board.name}\n\n{board.title}.\n\n{orders_table(board, counts)}")
    return "\n\n".join(parts) + "\n"


_HEAD: Final = """\
# The parts of a board

<!-- Written by `lampion layouts --bom`; the entries are in hardware/plans/parts.toml. -->

For each board: what to order, how many with spares, and how many of them the board has. Where a
part number is given, it is the part that the circuit was drawn for; where there is none, any
maker's part with this description will do. `lampion layouts square-reed --bom` prints the list of
one board to tick off, and then the purpose of each part. You also need a soldering iron,
solder, heat shrink tubing, a multimeter, pliers, hot glue, a glue for plastic on acrylic, a
compass to find north poles (for a Hall board), and a laser cutter, or a fretsaw, a file and drills
of 2.7, 3.2, 5, 8 and 12 mm. A 3D printer with a bed of 200 × 200 mm prints bases and frames.

Any place that a table calls *module* may have its own pull-ups: see
[which of them to remove](WIRING.md#pull-ups-of-sda-and-scl). A module of the CD74HC4067 names its
inputs C0 to C15 (I0 to I15 in the circuit), its common pin SIG (COM) and its enable pin EN (E)."""


def _magnets(boards: Sequence[Layout]) -> str:
    of = sizes()
    magnet, stack = of.magnet, of.stack
    lines = [
        "## Magnets and sensors",
        "",
        f"Each piece has one disc magnet of {magnet.diameter:g} × {magnet.thickness:g} mm, grade "
        f"{magnet.grade}, with its poles on the flat sides. For a Hall board mark the north pole",
        "of each before you glue it in: it attracts the end of a compass needle that points to the "
        "south. The layers from a magnet down to a sensor:",
        "",
        "| layer | thickness |",
        "|---|---|",
        f"| the floor of the piece's base | {stack.floor:g} mm |",
        f"| the playing surface | {stack.surface:g} mm |",
        f"| the plate with the sensors; a Hall sensor is flush with its top, the middle of a "
        f"reed switch is {stack.reed_depth:g} mm below it | {stack.plate:g} mm |",
        "",
        "From these layers and the templates the program computes the field of all "
        "magnets at each sensor, in millitesla (mT):",
        "",
        "| board | its own magnet | all others together, at most | a sensor needs "
        "| a piece may be off the middle by |",
        "|---|---|---|---|---|",
    ]
    for board in boards:
        found = margins(board)
        lines.append(
            f"| {board.name} | {found.own:.1f} | {found.others:.1f} | {found.needed:g} "
            f"| {found.reach_mm:.0f} mm |"
        )
    reeds = [board for board in boards if board.hall is None]
    return "\n".join([*lines, "", *(_reeds(reeds) if reeds else ()), _COMPUTED])


_COMPUTED: Final = "These figures are computed, not measured."


def _reeds(boards: Sequence[Layout]) -> tuple[str, ...]:
    """Return what to know about reed switches, and how to find one that is too sensitive."""
    low, high = REED_CLOSES_MT
    away = min(map(open_from_mm, boards))
    return (
        f"Above the middle of its glass a magnet leaves a reed switch open, so its middle lies "
        f"{REED_OFFSET_MM:g} mm from the middle of the place.",
        f"A switch of 20 to 25 AT closes at {low:g} to {high:g} mT: ampere-turns depend on the "
        "coil in which the maker measures.",
        "It opens again at less than it closes at. Bent and shortened leads make it less "
        "sensitive; by how much is not computed here.",
        "",
        f"Its own magnet closes each of them. The most sensitive ones, at {low:g} mT, are too "
        "close to what all others together may pull: such a switch could stay closed without a "
        "piece.",
        "One neighbour that lies 6 mm off its middle, towards the switch, pulls "
        f"{_neighbour(boards[0], 6):.1f} mT alone. Hence test each switch once it is wired, with "
        "`lampion doctor pins`, which in the end lights the cell of each magnet:",
        f"slide a piece from its cell to the east. The cell must be dark when the piece is "
        f"{away:.0f} mm from the middle of its cell, {boards[0].pitch - away:.0f} mm before that "
        "of the next one.",
        "If it is not, replace it by a spare. In a slot with pockets slide the piece along the "
        "switch, away from the other row.",
        "",
    )


def _neighbour(layout: Layout, off: float) -> float:
    """Return what a piece pulls in mT that lies on the next cell, this far off towards a switch."""
    of = sizes()
    spot = sensor_spots(layout)[0]
    x = spot.magnet_x + layout.pitch - off
    return abs(felt(spot, of.magnet, of.depth("presence"), x, spot.magnet_y))


def _supplies(boards: Sequence[Layout]) -> str:
    longest = max(boards, key=bus_mm)
    whole, ribbon = (round(mm / 10) for mm in (bus_mm(longest), RIBBON_MM))
    return f"""\
## Supplies

The lights have a supply of their own, 5 V and 4 A: the program holds them below
{CEILING_MA / 1000:g} A, and their fuse is 2.5 A. The Pi's own supply feeds the Pi and the board's
chips and sensors. [Building a board](../docs/building.md#power) has the sum for each board and
each Pi.

Each line of I2C is {whole} cm long at most ({longest.name}), {ribbon} cm of them in the ribbon,
if the parts lie where the template of the floor has them."""
