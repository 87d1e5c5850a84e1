"""The page about the parts: what to order for each board, and why these magnets and sensors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.layout import NAMES, Layout, load
from hardware.lighting import CEILING_MA
from hardware.plans.field import felt
from hardware.plans.order import bus_mm, orders_table
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
solder, a multimeter, hot glue, and a laser cutter, or a fretsaw and drills of 3.2, 8 and 12 mm.

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
        f"{magnet.grade}, with its poles on the flat sides. Mark the north pole of each",
        "before you glue it in: it attracts the end of a compass needle that points to the south. "
        "The layers from a magnet down to a sensor:",
        "",
        "| layer | thickness |",
        "|---|---|",
        f"| the floor of the piece's base | {stack.floor:g} mm |",
        f"| the playing surface | {stack.surface:g} mm |",
        f"| the plate with the sensors; the top of a Hall sensor or of a reed is flush "
        f"with its top | {stack.plate:g} mm |",
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
    low, high = REED_CLOSES_MT
    return "\n".join(
        [
            *lines,
            "",
            f"A reed switch of 20 to 25 AT closes at {low:g} to {high:g} mT: ampere-turns depend "
            "on the coil in which the maker measures.",
            "A more sensitive one (10 to 15 AT) may feel its neighbours. Above the middle of its "
            f"glass a magnet leaves it open, so its middle lies {REED_OFFSET_MM:g} mm",
            "from the middle of the place. These figures are computed, not measured.",
        ]
    )


def _supplies(boards: Sequence[Layout]) -> str:
    longest = max(boards, key=bus_mm)
    return f"""\
## Supplies

The lights have a supply of their own, 5 V and 4 A: the program holds them below
{CEILING_MA / 1000:g} A, and their fuse is 2.5 A. The Pi's own supply feeds the Pi and the board's
chips and sensors. [Building a board](../docs/building.md#power) has the sum for each board and
each Pi.

Each line of I2C is {bus_mm(longest) / 10:.0f} cm long at most ({longest.name}) if the parts lie
where the template of the floor has them."""
