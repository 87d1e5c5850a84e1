"""The netlist of a board: every part, every pin, and the nets that join them.

A netlist follows from a layout alone. Drawing, table, list of parts and diagnosis are made from it,
so they always agree. What a layout does not contain is decided here: pull-ups, bleeders,
decoupling, the level shifter, supplies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from drivers import cd74hc4067, mcp23017
from hardware.layout import Layout, PanelButton

Role: TypeAlias = Literal["source", "supply", "ground", "input", "output", "open drain", "passive"]
"""The function of a pin: `source` gives a supply, `supply` takes it, `output` drives high and low,
`open drain` only pulls down.
"""

End: TypeAlias = tuple[str, str]
"""A pin of a part: the part's name and the pin's."""

GND: Final = "GND"
LOGIC: Final = "3.3 V"
"""The Pi's 3.3 V."""
LIGHT: Final = "5 V"
"""The lights' supply, behind its fuse."""
HALL: Final = "3.3 V Hall"
PI_FIVE: Final = "Pi 5 V"
"""The Pi's 5 V. It feeds chips that share wires with the Pi, which must be on and off with it."""

_PRINTED: Final = (
    "3V3 5V 2 5V 3 GND 4 14 GND 15 17 18 27 GND 22 23 3V3 24 10 GND "
    "9 25 11 8 GND 7 0 1 5 GND 6 12 13 GND 19 16 26 20 GND 21"
)
HEADER: Final[Mapping[int, int]] = MappingProxyType(
    {int(what): number for number, what in enumerate(_PRINTED.split(), 1) if what.isdigit()}
)
"""Each GPIO's pin of the forty-pin header."""
POWER_PINS: Final[Mapping[str, str]] = MappingProxyType(
    {"Pi 3.3 V": "3.3 V (pin 1)", "Pi 5 V": "5 V (pin 2)", "Pi GND": "GND (pin 6)"}
)
"""The other pins of the header that are used, with their names."""
SDA_GPIO, SCL_GPIO, MOSI = 2, 3, 10
PI_OHMS: Final = 1800.0
"""The pull-ups of every Pi from SDA and from SCL to its 3.3 V."""

INT_PULL_UP_OHMS: Final = 4700.0
RESET_PULL_UP_OHMS: Final = 10_000.0
RESET_SERIES_OHMS: Final = 220.0
"""The resistor between the Pi's pin and RESET. It limits the current: even a short takes 15 mA of
the 16 mA that the pin may give. A 0 stays low enough if every module has a pull-up of its own.
"""
PULL_DOWN_OHMS: Final = 100_000.0
"""The resistor from each select line and from each multiplexer's common pin to ground."""
DATA_SERIES_OHMS: Final = 330.0
MOSI_PULL_DOWN_OHMS: Final = 10_000.0
"""At the level shifter's input, which must not float while the Pi does not drive MOSI."""
RAIL_SERIES_OHMS: Final = 1000.0
"""The resistor in wires between chips on different 3.3 V supplies: neither chip feeds the other
through its pins while one supply is missing. A converter's input of 25 pF still settles in a tenth
of a microsecond.
"""
HALL_MA: Final = 6.0
HALL_WORST_MA: Final = 10.0
"""The supply current of a DRV5055: typical, and worst (TI SBAS640)."""
REGULATORS_A: Final = (1.0, 1.5, 2.0, 3.0, 5.0)
"""The sizes of 3.3 V regulators in shops."""
REGULATOR_MARGIN: Final = 1.15
DECOUPLING: Final = "100 nF"

CHIPS: Final = ("MCP23017", "ADS7830", "CD74HC4067", "74AHCT125")


@dataclass(frozen=True, slots=True)
class Part:
    """One part that is bought and soldered."""

    name: str
    kind: str
    pins: Mapping[str, Role]
    value: str = ""
    """The value that is printed on it or asked for in a shop: `10 kΩ`."""
    ohms: float = 0.0
    """Of a resistor."""
    label: str = ""
    """Its name where the kind is clear: a sensor's place, a button's name."""
    beside: str = ""
    """The part whose supply this one decouples, right beside it."""
    bought: bool = True
    """False for what is part of the Pi."""


@dataclass(frozen=True, slots=True)
class Netlist:
    """A whole circuit. Mappings are in the order of the layout's file."""

    parts: Mapping[str, Part]
    nets: Mapping[str, tuple[End, ...]]
    unconnected: frozenset[End]
    """Pins that stay open on purpose; every other pin is on a net."""

    def net_of(self, part: str, pin: str) -> str:
        """Return the net of a pin, "" if it stays open; KeyError for an unknown pin."""
        end = (part, pin)
        if end in self.unconnected:
            return ""
        for name, ends in self.nets.items():
            if end in ends:
                return name
        raise KeyError(end)

    def joined_to(self, part: str, pin: str) -> tuple[End, ...]:
        """Return the pins that a pin is joined to."""
        net = self.net_of(part, pin)
        return tuple(end for end in self.nets[net] if end != (part, pin)) if net else ()

    def kind(self, kind: str) -> tuple[Part, ...]:
        """Return all parts of a kind."""
        return tuple(part for part in self.parts.values() if part.kind == kind)


def netlist(layout: Layout) -> Netlist:
    """Return the circuit of a layout's board."""
    made = _Circuit(layout)
    made.supplies()
    for chip in layout.expanders:
        made.expander(chip.address)
    if layout.multiplexers:
        made.hall()
    made.header()
    made.lights()
    return made.netlist()


STEPS: Final[Mapping[str, tuple[str, ...]]] = {
    "first-chip": ("Pi", "pull-up of", "series of RESET", "the Pi's"),
    "first-light": (
        "Pi",
        "supply",
        "fuse",
        "shifter",
        "pull-down of MOSI",
        "series of DIN",
        "chain",
    ),
}
"""The parts that a builder solders in the first steps, by the starts of their names."""


def step(circuit: Netlist, name: str) -> Netlist:
    """Return the part of a circuit for one step: the first chip alone, or the lights alone. Pins
    without a partner stay open.
    """
    wanted = [part for part in circuit.parts.values() if part.name.startswith(STEPS[name])]
    if name == "first-chip":
        wanted.append(circuit.kind("MCP23017")[0])
    names = {part.name for part in wanted}
    wanted += [part for part in circuit.parts.values() if part.beside in names]
    parts = {part.name: part for part in wanted}
    inside = {
        net: tuple(end for end in ends if end[0] in parts) for net, ends in circuit.nets.items()
    }
    nets = {net: ends for net, ends in inside.items() if len(ends) > 1}
    joined = {end for ends in nets.values() for end in ends}
    pins = {(part.name, pin) for part in parts.values() for pin in part.pins}
    return Netlist(MappingProxyType(parts), MappingProxyType(nets), frozenset(pins - joined))


def pin_text(pin: str) -> str:
    """Return a part's pin as text; a pin of the Pi with its place on the header."""
    if pin.startswith("GPIO"):
        return header_pin(int(pin[4:]))
    return POWER_PINS.get(pin, pin)


def header_pin(gpio: int) -> str:
    """Return a pin of the Pi's header as text: `GPIO4 (pin 7)`."""
    return f"GPIO{gpio} (pin {HEADER[gpio]})"


def ohms_text(ohms: float) -> str:
    """Return a resistance as text: `330 Ω`, `4.7 kΩ`."""
    return f"{ohms:g} Ω" if ohms < 1000 else f"{ohms / 1000:g} kΩ"


_TWO_PINS: Final[Mapping[str, Role]] = {"1": "passive", "2": "passive"}


class _Circuit:
    """Builds a netlist."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._parts: dict[str, Part] = {}
        self._nets: dict[str, list[End]] = {}

    def netlist(self) -> Netlist:
        joined = {end for ends in self._nets.values() for end in ends}
        pins = {(part.name, pin) for part in self._parts.values() for pin in part.pins}
        return Netlist(
            MappingProxyType(self._parts),
            MappingProxyType({name: tuple(ends) for name, ends in self._nets.items()}),
            frozenset(pins - joined),
        )

    # ---- what everything is made of

    def _add(self, part: Part, joins: Mapping[str, str]) -> None:
        """Add a part, with the net of each pin that is used."""
        self._parts[part.name] = part
        for pin, net in joins.items():
            assert pin in part.pins, (part.name, pin)
            self._nets.setdefault(net, []).append((part.name, pin))

    def _between(self, name: str, kind: str, one: str, other: str, **fields: Any) -> None:
        """Add a part with two pins between two nets."""
        self._add(Part(name, kind, _TWO_PINS, **fields), {"1": one, "2": other})

    def _resistor(
        self, name: str, ohms: float, one: str, other: str, beside: str = "", *, bought: bool = True
    ) -> None:
        value = ohms_text(ohms)
        self._between(
            name, "resistor", one, other, value=value, ohms=ohms, beside=beside, bought=bought
        )

    def _capacitor(self, name: str, value: str, supply: str, beside: str) -> None:
        self._between(name, "capacitor", supply, GND, value=value, beside=beside)

    def _contact(self, name: str, kind: str, label: str, net: str) -> None:
        """Add a switch or a button between its net and ground."""
        self._between(name, kind, net, GND, label=label)

    def _contacts(self) -> Iterable[tuple[PanelButton, str, str]]:
        """Yield each button, and each switch under a stick die, with its kind and its net."""
        for button in self._layout.buttons.values():
            yield button, "button", f"button {button.name}"
        for switch in self._layout.dice.values():
            yield switch, "reed switch", switch.name

    # ---- the parts of a board

    def supplies(self) -> None:
        """Add the lights' supply with its fuse, and the pull-ups of I2C, INT and RESET."""
        layout = self._layout
        supply: dict[str, Role] = {"+": "source", "-": "ground"}
        self._add(Part("supply", "supply", supply, "5 V, 4 A"), {"+": "5 V unfused", "-": GND})
        self._between("fuse", "fuse", "5 V unfused", LIGHT, value="2.5 A")
        for line in ("SDA", "SCL"):
            self._resistor(f"the Pi's pull-up of {line}", PI_OHMS, line, LOGIC, bought=False)
        self._resistor("pull-up of INT", INT_PULL_UP_OHMS, "INT", LOGIC)
        self._resistor("pull-up of RESET", RESET_PULL_UP_OHMS, "RESET", LOGIC)
        if layout.reset_gpio is not None:
            self._resistor("series of RESET", RESET_SERIES_OHMS, "RESET drive", "RESET")

    def expander(self, address: int) -> None:
        """Add an MCP23017 with its switches and buttons."""
        layout, name = self._layout, f"{address:#04x}"
        chip = next(chip for chip in layout.expanders if chip.address == address)
        lines = layout.select_pins(address)
        pins: dict[str, Role] = {"VDD": "supply", "VSS": "ground", "SDA": "open drain"}
        pins |= {"SCL": "input", "RESET": "input", "INTA": "open drain", "INTB": "open drain"}
        pins |= {"A0": "input", "A1": "input", "A2": "input"}
        joins = {"VDD": LOGIC, "VSS": GND, "SDA": "SDA", "SCL": "SCL"}
        joins |= {"RESET": "RESET", "INTA": "INT", **_address(address, 3)}
        contacts = [each for each in self._contacts() if each[0].expander == address]
        nets = {switch.pin: net for switch, _, net in contacts}
        for pin in range(16):
            gives = pin in lines or mcp23017.NO_INPUT >> pin & 1
            pins[port_pin(pin)] = "output" if gives else "input"
            if pin in lines:
                joins[port_pin(pin)] = f"S{lines.index(pin)} drive"
            elif pin in nets:
                joins[port_pin(pin)] = nets[pin]
            elif pin in chip.sensors:
                joins[port_pin(pin)] = f"sensor {chip.sensors[pin]}"
        self._add(Part(name, "MCP23017", pins), joins)
        self._capacitor(f"capacitor of {name}", DECOUPLING, LOGIC, name)
        for sensor in chip.sensors.values():
            self._contact(f"sensor {sensor}", "reed switch", sensor, f"sensor {sensor}")
        for switch, kind, net in contacts:
            self._contact(net, kind, switch.name, net)

    def hall(self) -> None:
        """Add the Hall sensors with their regulator, the multiplexers and the converters."""
        layout = self._layout
        regulator: dict[str, Role] = {"IN": "supply", "OUT": "source", "GND": "ground"}
        sensors = len(layout.hall_sensors)
        self._add(
            Part("regulator", "regulator", regulator, f"3.3 V, {regulator_amperes(sensors):g} A"),
            {"IN": PI_FIVE, "OUT": HALL, "GND": GND},
        )
        self._capacitor("capacitor of regulator IN", "10 µF", PI_FIVE, "regulator")
        self._capacitor("capacitor of regulator OUT", "10 µF", HALL, "regulator")
        for line in range(4):
            self._resistor(f"series of S{line}", RAIL_SERIES_OHMS, f"S{line} drive", f"S{line}")
            self._resistor(f"pull-down of S{line}", PULL_DOWN_OHMS, f"S{line}", GND)
        for adc in dict.fromkeys(chip.adc for chip in layout.multiplexers):
            self._converter(adc)
        for number, chip in enumerate(layout.multiplexers):
            self._multiplexer(multiplexer_name(number), chip.adc, chip.channel, chip.inputs)

    def _converter(self, address: int) -> None:
        name = f"{address:#04x}"
        used = {chip.channel for chip in self._layout.multiplexers if chip.adc == address}
        pins: dict[str, Role] = {"VDD": "supply", "GND": "ground", "SDA": "open drain"}
        pins |= {"SCL": "input", "A0": "input", "A1": "input", "COM": "input", "REF": "input"}
        pins |= {f"CH{channel}": "input" for channel in range(8)}
        joins = {"VDD": LOGIC, "GND": GND, "SDA": "SDA", "SCL": "SCL", "COM": GND}
        joins["REF"] = reference = f"{name} REF"
        joins |= _address(address, 2)
        for channel in range(8):
            joins[f"CH{channel}"] = _channel(address, channel) if channel in used else GND
        self._add(Part(name, "ADS7830", pins), joins)
        self._capacitor(f"capacitor of {name}", DECOUPLING, LOGIC, name)
        self._resistor(f"series of {reference}", RAIL_SERIES_OHMS, reference, HALL, name)
        self._capacitor(f"capacitor of {reference}", DECOUPLING, reference, name)

    def _multiplexer(self, name: str, adc: int, channel: int, inputs: Iterable[str]) -> None:
        common, converted = f"{name} COM", _channel(adc, channel)
        pins: dict[str, Role] = {"VCC": "supply", "GND": "ground", "E": "input", "COM": "passive"}
        pins |= {f"S{line}": "input" for line in range(4)}
        pins |= {f"I{number}": "passive" for number in range(cd74hc4067.INPUTS)}
        joins = {"VCC": HALL, "GND": GND, "E": GND, "COM": common}
        joins |= {f"S{line}": f"S{line}" for line in range(4)}
        wired = {f"I{number}": sensor for number, sensor in enumerate(inputs) if sensor}
        joins |= {pin: f"sensor {sensor}" for pin, sensor in wired.items()}
        self._add(Part(name, "CD74HC4067", pins), joins)
        self._capacitor(f"capacitor of {name}", DECOUPLING, HALL, name)
        self._resistor(f"bleeder of {name}", PULL_DOWN_OHMS, common, GND)
        self._resistor(f"series of {converted}", RAIL_SERIES_OHMS, common, converted)
        roles: dict[str, Role] = {"OUT": "output", "VCC": "supply", "GND": "ground"}
        for sensor in wired.values():
            this = f"sensor {sensor}"
            self._add(
                Part(this, "DRV5055A2", roles, label=sensor), {"OUT": this, "VCC": HALL, "GND": GND}
            )
            self._capacitor(f"capacitor of {this}", DECOUPLING, HALL, this)

    def header(self) -> None:
        """Add the Pi, and the buttons on its header."""
        layout = self._layout
        joins = {
            "Pi 3.3 V": LOGIC,
            "Pi GND": GND,
            f"GPIO{SDA_GPIO}": "SDA",
            f"GPIO{SCL_GPIO}": "SCL",
        }
        pins: dict[str, Role] = {"Pi 3.3 V": "source", "Pi GND": "ground"}
        if layout.multiplexers:
            pins["Pi 5 V"], joins["Pi 5 V"] = "source", PI_FIVE
        pins |= {f"GPIO{SDA_GPIO}": "open drain", f"GPIO{SCL_GPIO}": "open drain"}
        gpio = f"GPIO{layout.interrupt_gpio}"
        pins[gpio], joins[gpio] = "input", "INT"
        if layout.reset_gpio is not None:
            gpio = f"GPIO{layout.reset_gpio}"
            pins[gpio], joins[gpio] = "output", "RESET drive"
        gpio = f"GPIO{MOSI}"
        pins[gpio], joins[gpio] = "output", "MOSI"
        contacts = [each for each in self._contacts() if each[0].gpio is not None]
        for switch, _, net in contacts:
            pins[f"GPIO{switch.gpio}"], joins[f"GPIO{switch.gpio}"] = "input", net
        self._add(Part("Pi", "Raspberry Pi", pins, "with a supply of its own"), joins)
        for switch, kind, net in contacts:
            self._contact(net, kind, switch.name, net)

    def lights(self) -> None:
        """Add the level shifter and the chain; unused gates are off, with fixed inputs."""
        pins: dict[str, Role] = {"VCC": "supply", "GND": "ground"}
        joins = {"VCC": LIGHT, "GND": GND, "1OE": GND, "1A": "MOSI", "1Y": "DATA"}
        for gate in range(1, 5):
            pins |= {f"{gate}OE": "input", f"{gate}A": "input", f"{gate}Y": "output"}
            if gate > 1:
                joins |= {f"{gate}OE": LIGHT, f"{gate}A": GND}
        self._add(Part("shifter", "74AHCT125", pins), joins)
        self._capacitor("capacitor of shifter", DECOUPLING, LIGHT, "shifter")
        self._resistor("pull-down of MOSI", MOSI_PULL_DOWN_OHMS, "MOSI", GND)
        self._resistor("series of DIN", DATA_SERIES_OHMS, "DATA", "DIN")
        count, order = len(self._layout.led_positions), self._layout.led_order
        chain = "SK6812RGBW" if "W" in order else "WS2812B"
        roles: dict[str, Role] = {"DIN": "input", "5 V": "supply", "GND": "ground"}
        roles |= {"5 V far end": "supply", "GND far end": "ground"}
        self._add(
            Part("chain", "light chain", roles, f"{count} {chain}"),
            {"DIN": "DIN", "5 V": LIGHT, "GND": GND, "5 V far end": LIGHT, "GND far end": GND},
        )
        self._capacitor("capacitor of chain", "1000 µF", LIGHT, "chain")


def _address(address: int, lines: int) -> dict[str, str]:
    """Return the net of each address pin."""
    return {f"A{bit}": LOGIC if address >> bit & 1 else GND for bit in range(lines)}


def _channel(adc: int, channel: int) -> str:
    return f"{adc:#04x} CH{channel}"


def regulator_amperes(sensors: int) -> float:
    """Return the size of the regulator that this many Hall sensors need at worst."""
    worst = sensors * HALL_WORST_MA / 1000
    fits = [size for size in REGULATORS_A if size >= worst * REGULATOR_MARGIN]
    return min(fits, default=REGULATORS_A[-1])


def multiplexer_name(number: int) -> str:
    """Return the name of a multiplexer by its number in the layout."""
    return f"4067-{number + 1}"


def port_pin(pin: int) -> str:
    """Return the datasheet's name for a pin of an MCP23017: 0 is GPA0, 8 is GPB0."""
    return f"GP{'AB'[pin // 8]}{pin % 8}"
