"""What to order for a board: every part with its package, its number, how many, and a usual price.

Counts come from the circuit and from the templates; `parts.toml` says what to order for each part.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final, Literal, TypeAlias

import msgspec

from hardware.layout import Layout
from hardware.plans import placing
from hardware.plans.sizes import sizes
from hardware.plans.strips import strips
from hardware.wiring.netlist import Netlist, multiplexer_name, netlist
from hardware.wiring.sensor_spots import sensor_spots

Euro: TypeAlias = tuple[float, float]
"""The lowest and the highest usual price."""
Group: TypeAlias = Literal["Electronics", "Wires and sheets", "Pieces"]

SLACK_MM: Final = 60.0
"""What a wire needs beyond the distance of its ends."""
WASTE: Final = 1.2
"""The length of wire to order for each metre that is used."""
BUTTON_WIRE_MM: Final = 500.0
RIBBON_MM: Final = 200.0
"""The ribbon from the Pi's header to the perfboard."""
MAGNET_SPARE: Final = 0.1
MAGNET_EURO: Final[Euro] = (0.1, 0.4)


@dataclass(frozen=True, slots=True)
class Order:
    """One line of an order."""

    group: Group
    what: str
    needed: float
    """How many, or how much, the board has."""
    amount: float
    """How many, or how much, to order: with spares."""
    search: str
    """What to type into a shop's search."""
    euro: Euro
    """The price of all of them."""
    unit: str = ""
    """"" for what is counted, "m" for what is measured in metres."""
    number: str = ""
    """A manufacturer's part number; "" where any maker's part will do."""


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"what_for": "for"}):
    """A table of `parts.toml`; an unknown key is an error."""


class _PartEntry(_Strict, frozen=True):
    kind: str
    text: str = msgspec.field(name="is")
    search: str
    euro: Euro
    number: str = ""
    value: str = ""
    unit: str = ""
    spare: float = 0.05


class _ExtraEntry(_Strict, frozen=True):
    per: str
    what: str
    search: str
    euro: Euro
    spare: float = 0.0


class _SheetEntry(_Strict, frozen=True):
    what: str
    search: str
    euro_dm2: Euro


class _WireEntry(_Strict, frozen=True):
    what_for: str
    what: str
    search: str
    euro_m: Euro


class _Catalogue(_Strict, frozen=True):
    estimated: str
    part: tuple[_PartEntry, ...]
    extra: tuple[_ExtraEntry, ...]
    sheet: tuple[_SheetEntry, ...]
    wire: tuple[_WireEntry, ...]

    def find(self, kind: str, value: str) -> _PartEntry:
        """Return the entry for a part: that of its value, or that of its kind."""
        own = [each for each in self.part if each.kind == kind]
        return next((each for each in own if each.value == value), own[0])


@cache
def catalogue() -> _Catalogue:
    """Return what `parts.toml` says."""
    text = (resources.files("hardware.plans") / "parts.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=_Catalogue)


def orders(layout: Layout, pieces: Mapping[str, int]) -> tuple[Order, ...]:
    """Return what to order for a board; `pieces` says how many pieces each of its games has."""
    circuit = netlist(layout)
    return (
        *_electronics(layout, circuit),
        *_extras(layout, circuit),
        *_wires(layout, circuit),
        *_sheets(layout),
        *_magnets(pieces),
    )


def with_spares(needed: int, share: float) -> int:
    """Return how many to order: a share more, rounded up; none more if it is 0."""
    return needed + math.ceil(needed * share)


def _times(euro: Euro, amount: float) -> Euro:
    return euro[0] * amount, euro[1] * amount


def _electronics(layout: Layout, circuit: Netlist) -> Iterator[Order]:
    counts = Counter((part.kind, part.value) for part in circuit.parts.values() if part.bought)
    on_coprocessors = _coprocessor_switches(layout)
    if on_coprocessors:
        counts["reed switch", ""] += on_coprocessors
    for (kind, value), needed in counts.items():
        entry = catalogue().find(kind, value)
        if kind == "light chain":
            yield _chain(layout, entry, value)
            continue
        amount = with_spares(needed, entry.spare)
        shown = "" if kind == "Raspberry Pi" else value
        yield Order(
            "Electronics",
            f"{' '.join(filter(None, (kind, shown)))}: {entry.text}",
            needed,
            amount,
            entry.search.format(value=value),
            _times(entry.euro, amount),
            number=entry.number,
        )


def _chain(layout: Layout, entry: _PartEntry, value: str) -> Order:
    """Return the light chain by its length: strips are sold by the metre."""
    chain = value.split()[1]
    metres = len(layout.led_positions) * layout.pitch / 1000
    amount = math.ceil(metres * (1 + entry.spare))
    return Order(
        "Electronics",
        f"light chain, {value}: {entry.text}",
        metres,
        amount,
        entry.search.format(chain=chain),
        _times(entry.euro, amount),
        unit="m",
        number=entry.number,
    )


def _coprocessor_switches(layout: Layout) -> int:
    """Return how many switches a builder solders to co-processors instead of expanders."""
    return sum(len(device.places) for device in layout.serial if device.kind == "board")


def _extras(layout: Layout, circuit: Netlist) -> Iterator[Order]:
    kinds = Counter(part.kind for part in circuit.parts.values() if part.bought)
    kinds["board"] = 1
    kinds["co-processor"] = len(layout.serial)
    kinds["switch on a co-processor"] = _coprocessor_switches(layout)
    for extra in catalogue().extra:
        needed = kinds[extra.per]
        if needed:
            amount = with_spares(needed, extra.spare)
            price = _times(extra.euro, amount)
            yield Order("Electronics", extra.what, needed, amount, extra.search, price)


def _wires(layout: Layout, circuit: Netlist) -> Iterator[Order]:
    metres = wire_metres(layout, circuit)
    for wire in catalogue().wire:
        needed = metres[wire.what_for]
        amount = math.ceil(needed * WASTE)
        price = _times(wire.euro_m, amount)
        yield Order("Wires and sheets", wire.what, needed, amount, wire.search, price, unit="m")


def wire_metres(layout: Layout, circuit: Netlist) -> dict[str, float]:
    """Return how many metres of each kind of wire a board has: signals, pi, lights. A wire runs
    along the sides of the board; ground goes from sensor to sensor. On Hall boards two wires of the
    kind `pi` run from the south to the north, and the rows of sensors branch off them.
    """
    floor = placing.floor(layout)
    chip_of = {
        sensor: floor[f"{chip.address:#04x}"].middle
        for chip in layout.expanders
        for sensor in chip.sensors.values()
    }
    for number, mux in enumerate(layout.multiplexers):
        chip_of |= {name: floor[multiplexer_name(number)].middle for name in mux.inputs if name}
    middle = placing.extent(layout).middle
    signals = 0.0
    rails = 2 if layout.multiplexers else 1  # ground, and for Hall sensors their supply
    for spot in sensor_spots(layout):
        x, y = chip_of.get(spot.name, middle)
        signals += abs(spot.x - x) + abs(spot.y - y) + SLACK_MM
        signals += rails * (layout.pitch + SLACK_MM / 3)
    signals += 2 * BUTTON_WIRE_MM * len(circuit.kind("button"))
    bus = _bus_wire_mm(layout)
    signals += 4 * bus + 5 * len(layout.multiplexers) * (placing.MULTIPLEXER_STEP_MM + SLACK_MM)
    wide, high = placing.extent(layout).size
    thick = (3 if layout.multiplexers else 2) * (bus + 2 * SLACK_MM + wide / 2)
    if layout.multiplexers:
        thick += 2 * (high + SLACK_MM)
    return {
        "signals": signals / 1000,
        "pi": (thick + 2 * _joints_mm(layout)) / 1000,
        "lights": 2 * (wide + high + 4 * SLACK_MM) / 1000,
    }


def _joints_mm(layout: Layout) -> float:
    """Return the length of one wire through all joints between pieces of the strip of lights."""
    spots = layout.led_positions
    starts = [strip.first for strip in strips(layout)][1:]
    return sum(math.dist(spots[first - 1], spots[first]) + SLACK_MM / 2 for first in starts)


def bus_mm(layout: Layout) -> float:
    """Return the length of each line of I2C: through the ribbon to the perfboard, then along the
    expanders.
    """
    return RIBBON_MM + _bus_wire_mm(layout)


def _bus_wire_mm(layout: Layout) -> float:
    """Return the length of the wire of a line of I2C from the perfboard along the expanders."""
    floor = placing.floor(layout)
    chips = [floor[f"{chip.address:#04x}"].middle for chip in layout.expanders]
    if not chips:
        return 0.0
    from_x, from_y = floor[placing.PERFBOARD].middle
    along = max(y for _, y in chips) - min(y for _, y in chips)
    return along + min(abs(x - from_x) + abs(y - from_y) for x, y in chips)


def _sheets(layout: Layout) -> Iterator[Order]:
    wide, high = placing.extent(layout).size
    square_dm = wide * high / 10_000
    for sheet in catalogue().sheet:
        yield Order(
            "Wires and sheets",
            f"{sheet.what}, {wide:.0f} × {high:.0f} mm",
            1,
            1,
            sheet.search,
            _times(sheet.euro_dm2, square_dm),
        )
    yield Order(
        "Wires and sheets",
        f"strip of birch plywood, 4 mm, 35 mm high: the sides, two of {wide:.0f} mm and two of "
        f"{high + 8:.0f} mm",
        4,
        4,
        "birch plywood strip 4 mm",
        (1.0, 3.0),
    )
    screws = len(placing.screws(layout))
    for what, search, amount, euro in (
        ("spacer M3 × 25 mm, thread on both ends", "M3 spacer 25 mm female", screws, (0.2, 0.5)),
        ("screw M3 × 12 mm", "M3x12 screw", 2 * screws, (0.05, 0.1)),
        (
            "spacer M2.5 × 6 mm with a thread of 6 mm, its nut and a screw, for the Pi",
            "M2.5 spacer male female 6+6 mm set",
            4,
            (0.2, 0.5),
        ),
    ):
        yield Order("Wires and sheets", what, amount, amount, search, _times(euro, amount))


def _magnets(pieces: Mapping[str, int]) -> Iterator[Order]:
    magnet = sizes().magnet
    size = f"{magnet.diameter:g} × {magnet.thickness:g} mm"
    for game, needed in pieces.items():
        amount = with_spares(needed, MAGNET_SPARE)
        yield Order(
            "Pieces",
            f"disc magnet {size}, {magnet.grade}, poles on its flat sides, for {game}",
            needed,
            amount,
            f"neodymium disc magnet {magnet.diameter:g}x{magnet.thickness:g} mm {magnet.grade}",
            _times(MAGNET_EURO, amount),
        )


# ---- as text


def total(lines: Sequence[Order]) -> Euro:
    """Return the lowest and the highest sum."""
    return sum(line.euro[0] for line in lines), sum(line.euro[1] for line in lines)


def orders_text(layout: Layout, pieces: Mapping[str, int]) -> str:
    """Return the order of a board as a list to tick off, with the sum."""
    lines = orders(layout, pieces)
    text = [f"To order for {layout.name}: {layout.title}", ""]
    group = ""
    for line in lines:
        if line.group != group:
            group = line.group
            text += ["", group, ""] if len(text) > 2 else [group, ""]
        text.append(f"[ ] {amount_text(line):>6} x {line.what}")
        text.append(f"{'':13} {_found(line)}; {euro_text(line.euro)}")
    text += ["", sum_text(lines)]
    return "\n".join(text) + "\n"


def amount_text(line: Order) -> str:
    """Return how many to order, or how much: `105`, `4 m`."""
    return f"{line.amount:g}{' ' * bool(line.unit)}{line.unit}"


def needed_text(line: Order) -> str:
    """Return how many the board has, or how much."""
    return f"{line.needed:.1f} {line.unit}" if line.unit else f"{line.needed:g}"


def euro_text(euro: Euro) -> str:
    """Return a range of prices: `< 1 €`, `3–7 €`."""
    low, high = math.floor(euro[0]), math.ceil(euro[1])
    if high <= 1:
        return "< 1 €"
    return f"{low}–{high} €" if low else f"< {high} €"


def sum_text(lines: Sequence[Order]) -> str:
    """Return the sum with the month of the prices."""
    low, high = total(lines)
    return (
        f"All of it: about {low:.0f} to {high:.0f} €, without postage and tools. These are usual "
        f"prices of {catalogue().estimated} for small numbers, estimated, not quoted."
    )


def _found(line: Order) -> str:
    by_number = f"{line.number}, or " if line.number else ""
    return f"{by_number}search “{line.search}”"


def orders_table(layout: Layout, pieces: Mapping[str, int]) -> str:
    """Return the order of a board as tables in Markdown."""
    lines = orders(layout, pieces)
    text = []
    for group in dict.fromkeys(line.group for line in lines):
        text += [f"### {group} of {layout.name}", ""]
        text += [
            "| order | has | what | part number | search for | together |",
            "|---|---|---|---|---|---|",
        ]
        text += [
            f"| {amount_text(line)} | {needed_text(line)} | {line.what} | {line.number} "
            f"| {line.search} | {euro_text(line.euro)} |"
            for line in lines
            if line.group == group
        ]
        text.append("")
    return "\n".join([*text, sum_text(lines)])
