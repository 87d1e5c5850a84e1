"""A board's wiring in words: the table to tick off, the parts to buy, and the page of all boards.

All of it is made from the netlist, which also gives the figures in the sentences here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from drivers import mcp23017
from hardware.layout import NAMES, Layout, load
from hardware.lighting import BUDGET_MA, CEILING_MA
from hardware.wiring.bus_load import (
    BUS_CM,
    MODULE_OHMS,
    MOST_MA,
    RESET_LOW_VOLTS,
    bus_load,
    modules_with_pull_ups,
    reset_low_volts,
)
from hardware.wiring.netlist import (
    CHIPS,
    DECOUPLING,
    GND,
    HALL,
    HALL_MA,
    HALL_WORST_MA,
    HEADER,
    INT_PULL_UP_OHMS,
    LIGHT,
    LOGIC,
    MOSI_PULL_DOWN_OHMS,
    PI_OHMS,
    POWER_PINS,
    PULL_DOWN_OHMS,
    RAIL_SERIES_OHMS,
    RESET_PULL_UP_OHMS,
    RESET_SERIES_OHMS,
    Netlist,
    Part,
    netlist,
    ohms_text,
    pin_text,
    regulator_amperes,
)
from hardware.wiring.packages import pin_number
from hardware.wiring.sensor_spots import REED_OFFSET_MM

OPEN: Final = "-"
_INT: Final = ohms_text(INT_PULL_UP_OHMS)
_RESET: Final = ohms_text(RESET_PULL_UP_OHMS)
_SERIES: Final = ohms_text(RESET_SERIES_OHMS)
_DOWN: Final = ohms_text(PULL_DOWN_OHMS)
_PI: Final = ohms_text(PI_OHMS)
_RAILS: Final = ohms_text(RAIL_SERIES_OHMS)
_MOSI: Final = ohms_text(MOSI_PULL_DOWN_OHMS)

# ---- the table


def wiring_text(layout: Layout) -> str:
    """Return the connections of all pins, a line for each, as a table to tick off."""
    circuit = netlist(layout)
    lines = [f"{layout.name}: {layout.title}", ""]
    for kind in (*CHIPS, "Raspberry Pi"):
        for part in circuit.kind(kind):
            lines.append(_heading(part))
            for pin in part.pins:
                lines.append(f"  {_numbered(part, pin):18} {connection_text(circuit, part, pin)}")
    lines.append(f"Light chain, {len(layout.led_positions)} LEDs, {layout.led_order}")
    by_pixel = {pixel: place.name for place in layout.places.values() for pixel in place.pixels}
    lines += [f"  {pixel:<4}  {by_pixel[pixel]}" for pixel in sorted(by_pixel)]
    for device in layout.serial:
        lines.append(f"{device.kind.capitalize()} on {device.port}, {device.baud} baud")
        lines += [f"  {number:<3} {name}" for number, name in enumerate(device.places)]
    lines.append("Beside them")
    lines += [f"  {_part_line(circuit, part)}" for part in _beside_chips(circuit)]
    lines.append(
        f"A scan takes {layout.scan_seconds() * 1e3:.2f} ms at 400 kHz, "
        f"a picture {layout.light_seconds() * 1e3:.2f} ms"
    )
    return "\n".join(lines) + "\n"


def _numbered(part: Part, pin: str) -> str:
    """Return a pin with its number: `GPA0 (pin 21)`."""
    text = pin_text(pin)
    return text if "(pin" in text else f"{text} (pin {pin_number(part, pin)})"


def connection_text(circuit: Netlist, part: Part, pin: str) -> str:
    """Return in words what a pin is joined to: a sensor or a button by its name, else its net."""
    net = circuit.net_of(part.name, pin)
    if not net:
        return OPEN
    for name, _ in circuit.joined_to(part.name, pin):
        other = circuit.parts[name]
        if other.label and net.endswith(f" {other.label}"):
            return other.label if net.startswith("sensor ") else net
    return net


def _heading(part: Part) -> str:
    return part.kind if part.kind in ("Raspberry Pi", "74AHCT125") else f"{part.kind} {part.name}"


def _beside_chips(circuit: Netlist) -> Iterable[Part]:
    for part in circuit.parts.values():
        sensors_own = part.beside.startswith("sensor ")
        if part.kind in ("resistor", "capacitor", "fuse") and part.bought and not sensors_own:
            yield part


def _part_line(circuit: Netlist, part: Part) -> str:
    one, other = (circuit.net_of(part.name, pin) for pin in part.pins)
    return f"{part.value:8} from {one} to {other}: {part.name}"


# ---- the parts


def parts_text(layout: Layout) -> str:
    """Return the parts to buy with counts, as a list to tick off."""
    circuit = netlist(layout)
    bought: dict[tuple[str, str], list[Part]] = {}
    for part in circuit.parts.values():
        if part.bought:
            bought.setdefault((part.kind, part.value), []).append(part)
    lines = [f"Parts of {layout.name}: {layout.title}", ""]
    order = ("Raspberry Pi", *CHIPS)
    known = sorted(bought, key=lambda key: order.index(key[0]) if key[0] in order else len(order))
    for kind, value in known:
        parts = bought[kind, value]
        what = " ".join(filter(None, (kind, value)))
        lines.append(f"[ ] {len(parts):4} x {what}{_purpose(parts)}")
    return "\n".join(lines) + "\n"


def _purpose(parts: Sequence[Part]) -> str:
    """Return the purpose of parts if their kind does not say it."""
    kind = parts[0].kind
    if kind in ("resistor", "fuse"):
        return f": {', '.join(part.name for part in parts)}"
    if kind == "capacitor":
        names = [part.beside for part in parts]
        sensors = sum(name.startswith("sensor ") for name in names)
        named = [name for name in dict.fromkeys(names) if not name.startswith("sensor ")]
        return f": at {', '.join([*named, *([f'{sensors} sensors'] if sensors else [])])}"
    return f": {', '.join(part.name for part in parts)}" if kind in ("MCP23017", "ADS7830") else ""


# ---- the page


def wiring_page(layouts: Sequence[Layout] = ()) -> str:
    """Return the page about the wiring of these boards, or of all shipped ones."""
    boards = layouts or tuple(map(load, NAMES))
    parts = [_HEAD, _header_table(boards), _addresses(boards), _pull_ups(boards), _rules(boards)]
    if any(board.sensing == "polarity" for board in boards):
        parts.append(_hall_rules(boards))
    parts += [_power(boards), _STICK_DIE, _FLICKER]
    parts += [_board(board) for board in boards]
    return "\n\n".join(parts) + "\n"


_HEAD: Final = """\
# Wiring a board

<!-- Written by `lampion layouts --wiring`; the circuit is in hardware/wiring/netlist.py. -->

The layout of a board says to which pin each sensor goes, and where each LED is.
`lampion layouts square-reed` prints it as a table to tick off and as a picture,
`lampion layouts square-reed --bom` the parts to buy, which [another page](PARTS.md) lists for each
board. Four layouts come with the program. A board of your own has a TOML file like them, and
`lampion layouts my-board.toml --wiring` prints this page for it.
[Building a board](../docs/building.md) goes step by step."""


def _header_table(boards: Sequence[Layout]) -> str:
    lines = ["## Pins of the Pi's header", "", "| GPIO (pin) | on | for |", "|---|---|---|"]
    lines += _power_pins(boards)
    rows: dict[tuple[int, str], list[str]] = {}
    for board in boards:
        circuit = netlist(board)
        pi = circuit.parts["Pi"]
        for pin in pi.pins:
            if pin.startswith("GPIO"):
                what = connection_text(circuit, pi, pin)
                rows.setdefault((int(pin[4:]), what), []).append(board.name)
    for (gpio, what), names in sorted(rows.items(), key=lambda row: row[0][0]):
        lines.append(f"| {gpio} ({HEADER[gpio]}) | {_boards(boards, names)} | {_use(what)} |")
    lines.append("| 7, 8, 9, 11 (26, 24, 21, 23) | | SPI uses them, too: leave them free |")
    lines.append("| 14, 15 (8, 10) | | UART, free for a [co-processor](../docs/serial.md) |")
    return "\n".join([*lines, "", _HEADER_NOTES])


def _power_pins(boards: Sequence[Layout]) -> Iterable[str]:
    uses = {
        "Pi 3.3 V": "expanders, converters and the pull-ups of INT and RESET",
        "Pi 5 V": f"the regulator of the Hall sensors ({HALL})",
        "Pi GND": "ground, joined to the ground of the lights' supply",
    }
    for pin, use in uses.items():
        names = [board.name for board in boards if pin in netlist(board).parts["Pi"].pins]
        if names:
            yield f"| {POWER_PINS[pin].replace('pin ', '')} | {_boards(boards, names)} | {use} |"


def _boards(boards: Sequence[Layout], names: Sequence[str]) -> str:
    return "all boards" if len(names) == len(boards) else ", ".join(names)


_HEADER_NOTES: Final = """\
A button goes from its pin to ground; the pull-up is the Pi's or the expander's own. The system
handles the button [*shutdown*](../docs/building.md#switching-off), not the program; the button
cannot switch the Pi on again. `lampion doctor --prepare` prints the lines that switch the buses and
this button on for your Pi."""


def _use(net: str) -> str:
    return {
        "SDA": f"SDA of every chip on I2C; at most {BUS_CM} cm from end to end, with the ribbon",
        "SCL": "SCL of every chip on I2C; SDA and SCL are never joined",
        "INT": f"INTA of every MCP23017 on one wire, with {_INT} to {LOGIC}",
        "RESET drive": f"{_SERIES}, then RESET of every MCP23017, which has {_RESET} to {LOGIC}",
        "MOSI": "1A of the 74AHCT125, the data of the light chain",
    }.get(net, net)


def _addresses(boards: Sequence[Layout]) -> str:
    lines = ["## Addresses on I2C", "", "| board | MCP23017 | ADS7830 |", "|---|---|---|"]
    for board in boards:
        circuit = netlist(board)
        chips = (
            ", ".join(part.name for part in circuit.kind(kind)) for kind in ("MCP23017", "ADS7830")
        )
        lines.append(f"| {board.name} | {' | '.join(chips)} |")
    return "\n".join([*lines, "", _ADDRESS_NOTES])


_ADDRESS_NOTES: Final = """\
A2 A1 A0 (MCP23017) or A1 A0 (ADS7830) set the address: tie a pin to 3.3 V for 1, to ground for 0.
Two chips at one address look like one to the program. So solder and test them one by one, with
`lampion doctor --watch`."""


def _pull_ups(boards: Sequence[Layout]) -> str:
    lines = [_PULL_UP_NOTES]
    for board in boards:
        circuit = netlist(board)
        chips = [*circuit.kind("MCP23017"), *circuit.kind("ADS7830")]
        keep = modules_with_pull_ups(circuit)
        alone, full = bus_load(circuit), bus_load(circuit, modules=len(chips))
        rest = ", ".join(part.name for part in chips[keep:]) or "none"
        lines.append(
            f"| {board.name} | {_load(alone.ohms, alone.milliamps)} | {len(chips)} "
            f"| {_load(full.ohms, full.milliamps)} | {keep} | {rest} |"
        )
    return "\n".join(lines)


_PULL_UP_NOTES: Final = f"""\
## Pull-ups of SDA and SCL

**Add none.** The Pi has {_PI} to {LOGIC} on both lines, and that is enough. Every further pull-up
is in parallel with it, and a chip that pulls the line low has to sink the current of all of them;
it can sink {MOST_MA:g} mA. Ready-made modules often have {MODULE_OHMS / 1000:g} kΩ on each line:
look for two resistors marked `103`. Seven such modules and 2.2 kΩ of your own would make
0.58 kΩ and 5 mA, and chips could not answer. Unsolder the pull-ups of some modules:

| board | the Pi alone | modules | if all keep theirs | may keep theirs | remove them from |
|---|---|---|---|---|---|"""


def _load(ohms: float, milliamps: float) -> str:
    return f"{ohms / 1000:.2f} kΩ, {milliamps:.1f} mA"


def _rules(boards: Sequence[Layout]) -> str:
    """Return the rules for the wires of all boards."""
    most = max(boards, key=lambda board: len(board.expanders))
    modules = len(most.expanders)
    low = "0 V"
    if most.reset_gpio is not None:
        low = f"{reset_low_volts(netlist(most), modules=modules):.2f} V"
    return f"""\
## Rules

* **RESET** has {_RESET} to {LOGIC}, so that chips run before the program starts. {_SERIES} between
  GPIO25 and the wire limit the current of a short. Modules may keep their pull-ups on RESET: with
  {modules} of {MODULE_OHMS / 1000:g} kΩ a 0 is {low}, and a chip requires less than
  {RESET_LOW_VOLTS:g} V.
* **INT** is open drain, with {_INT} to {LOGIC}. INTA reports both ports; INTB stays open.
* **GPA7 and GPB7 of an MCP23017 are not inputs.** An edge on them during a read can disturb SDA;
  the datasheet calls them outputs since revision D. They stay open.
* A reed switch needs no resistor: the chip's own 100 kΩ pull-up is enough for 30 cm of wire. Wires
  of slots are up to 50 cm long. If such a slot changes by itself, solder 10 kΩ from its pin to
  {LOGIC}. The switch lies east-west, its middle {REED_OFFSET_MM:g} mm east of the middle of its
  place, because a magnet right above the middle of the switch leaves it open.
* **The ribbon's wires are thin:** on the perfboard join its pins of 5 V (2, 4), its pins of 3.3 V
  (1, 17), and all of GND (6, 9, 14, 20, 25, 30, 34, 39).
* **The 74AHCT125 is not optional:** an LED at 5 V requires 3.5 V for a 1, and the Pi gives 3.3 V.
  The 74AHCT125 is supplied by the lights' 5 V. Unused gates have their A at ground and their OE at
  5 V. {_MOSI} from 1A to ground keeps it low while the Pi does not drive it.
* {DECOUPLING} right at every chip, and 1000 µF where the chain begins.
* **Wires:** 0.75 mm² (AWG 18) from the lights' supply to both ends of the chain, and for its
  ground; 0.5 mm² (AWG 20) for the Pi's 5 V, {LOGIC} and their ground; 0.14 mm² (AWG 26) for all
  signals, and for the ground of reed switches. 5 V and GND from one piece of the strip of lights to
  the next are 0.5 mm², too: the fuse does not protect a thinner wire."""


def _hall_rules(boards: Sequence[Layout]) -> str:
    """Return the rules for the wires of Hall boards."""
    sensors = max(len(netlist(board).kind("DRV5055A2")) for board in boards)
    heat = (5.0 - 3.3) * sensors * HALL_WORST_MA / 1000
    return f"""\
On Hall boards also:

* **E of every CD74HC4067 goes to ground.** If it is open, it may switch the chip off.
* **{_DOWN} from each common pin to ground.** With it an input with a broken wire reads 0. Without
  it the pin keeps the last voltage, and one magnet is seen in two places.
* Each select line S0 to S3 has {_DOWN} to ground, so that it keeps its level while 0x27 starts.
* REF of each ADS7830 goes to {HALL}, the sensors' own supply, not to a reference of its own.
* **The regulator is fed by the Pi's 5 V pin, not by the lights' supply**, so that {HALL} is on
  and off with the Pi. From its output {HALL} and GND run from the south to the north, below the
  middle of the board, as two wires of 0.5 mm². At each row of sensors a branch of 0.14 mm² leaves
  each of them and goes from sensor to sensor. One thin wire to all sensors would lose up to 0.3 V.
  A step-down module stays cool. A linear regulator makes up to {heat:.1f} W of
  heat and needs a heat sink.
* **{_RAILS} in each select line, before each REF, and from each COM to its converter's CH.** If one
  of the two 3.3 V supplies is missing, chips could otherwise feed one another, which could destroy
  them or the Pi. The resistor of a CH is right at the converter.
* A DRV5055A2 lies face up under each cell and pocket, with {DECOUPLING} beside it. It then reads +1
  for a north pole that is up. If the sensors are mounted upside down, the layout needs
  `millitesla_per_count = -0.43`."""


_STICK_DIE: Final = """\
## A stick die

A stick die is a bar with the faces 2, 3, 4 and 5. It lies in a groove over four reed switches. Each
face has a magnet in a different quarter of the bar's length, so the face that is down closes one of
the four switches. The layout gives for each switch the number that is then up, and the pin of the
switch: a free one of the header or of an expander.

```
[dice]
2 = "GPIO16"
3 = "GPIO20"
4 = "GPIO21"
5 = "0x26.B6"
```"""

_FLICKER: Final = """\
## When the lights flicker

Set the `core_freq` that `lampion doctor --prepare` prints, and leave `bits = 4` in `[leds]` of the
configuration. With `bits = 3` single LEDs may flash in a wrong colour, for two reasons: a 0 is
0.42 µs long, more than the 0.38 µs that a WS2812B-V5 allows; and a pulse may span two bytes, so a
pause of the SPI between them stretches it. Instead of SPI you can use PWM (GPIO18) or PCM (GPIO21).
That needs root, `pip install 'lampion[ws281x]'`, and a Pi older than the 5."""


def _power(boards: Sequence[Layout]) -> str:
    own, pi = BUDGET_MA["own"], BUDGET_MA["pi"]
    lines = [
        "## Power",
        "",
        "| what | from | how much |",
        "|---|---|---|",
        f"| LEDs | 5 V, 4 A supply of their own behind a fuse ({LIGHT}), fed in at both ends "
        f"| held to {own / 1000:g} A; never above {CEILING_MA / 1000:g} A |",
        f"| LEDs, small boards | the Pi's 5 V, with `limit_ma = {pi}` in `[leds]` of the "
        f"configuration | held to {pi / 1000:g} A |",
    ]
    halls = {
        board.name: len(netlist(board).kind("DRV5055A2"))
        for board in boards
        if board.sensing == "polarity"
    }
    for name, sensors in halls.items():
        lines.append(
            f"| {sensors} Hall sensors of {name} | 3.3 V regulator of their own, "
            f"{regulator_amperes(sensors):g} A ({HALL}), at the Pi's 5 V pin "
            f"| {sensors * HALL_MA / 1000:.2f} A, at worst {sensors * HALL_WORST_MA / 1000:.2f} A; "
            "[whether the Pi's supply gives it](../docs/building.md#power) |"
        )
    lines += [
        f"| expanders, converters | the Pi's 3.3 V pin ({LOGIC}) | a few mA |",
        "",
        f"All grounds ({GND}) are joined. The program estimates the current of each picture before",
        "it sends it, and dims the whole picture if that is too much. The estimate may be wrong:",
        "hence the fuse.",
    ]
    return "\n".join(lines)


def _board(board: Layout) -> str:
    """Return the wires of one board, without those of single sensors."""
    circuit = netlist(board)
    picture = f"../docs/{board.name}-wiring.svg"
    lines = [f"## {board.name}", ""]
    if board.name in NAMES:
        lines += [f"![The circuit of {board.name}]({picture})", ""]
    lines += ["| wire | joins |", "|---|---|"]
    for net, ends in circuit.nets.items():
        of_one_contact = net.startswith(("sensor ", "button ", "die "))
        if not of_one_contact and net not in (GND, LOGIC, LIGHT, HALL):
            lines.append(f"| {net} | {', '.join(_end_text(circuit, *end) for end in ends)} |")
    inputs = 16 - mcp23017.NO_INPUT.bit_count()
    used = {
        chip.address: len(chip.sensors)
        + len([switch for switch in board.switches if switch.expander == chip.address])
        for chip in board.expanders
    }
    free = [
        f"{address:#04x} has {inputs - taken} free"
        for address, taken in used.items()
        if taken < inputs and board.select is None
    ]
    if free:
        lines += ["", f"Inputs that no switch uses: {', '.join(free)}."]
    return "\n".join(lines)


def _end_text(circuit: Netlist, name: str, pin: str) -> str:
    part = circuit.parts[name]
    if part.kind in ("resistor", "capacitor", "fuse"):
        far = next(other for other in part.pins if other != pin)
        return f"{part.value} to {circuit.net_of(name, far)}" + (
            "" if part.bought else " (on the Pi)"
        )
    return f"{name} {pin_text(pin)}"
