"""The package of each kind of part: numbers of its pins, and its footprint in KiCad's libraries.

The numbers are those of the manufacturers' data sheets, for the packages in
`hardware/plans/parts.toml`.
A part that does not sit on a circuit board (a button, the chain, a supply) gets a row of pins for
its wires.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.wiring.netlist import HEADER, Part


@dataclass(frozen=True, slots=True)
class Package:
    """A package; `pins` names the pin of each number, from 1, "" for one without a connection."""

    letter: str
    """The letter of its designators: U1, R1 …"""
    footprint: str
    pins: tuple[str, ...]


def _row(pins: str) -> tuple[str, ...]:
    return tuple("" if pin == "NC" else pin.replace("_", " ") for pin in pins.split())


_EXPANDER: Final = (
    "GPB0 GPB1 GPB2 GPB3 GPB4 GPB5 GPB6 GPB7 VDD VSS NC SCL SDA NC "
    "A0 A1 A2 RESET INTB INTA GPA0 GPA1 GPA2 GPA3 GPA4 GPA5 GPA6 GPA7"
)
_CONVERTER: Final = "CH0 CH1 CH2 CH3 CH4 CH5 CH6 CH7 GND REF COM A0 A1 SCL SDA VDD"
_MULTIPLEXER: Final = (
    "COM I7 I6 I5 I4 I3 I2 I1 I0 S0 S1 GND S3 S2 E I15 I14 I13 I12 I11 I10 I9 I8 VCC"
)
_SHIFTER: Final = "1OE 1A 1Y 2OE 2A 2Y GND 3Y 3A 3OE 4Y 4A 4OE VCC"
_WIRES: Final = "Connector_PinHeader_2.54mm:PinHeader_1x{:02d}_P2.54mm_Vertical"
_ELECTROLYTIC: Final = "Capacitor_THT:CP_Radial_D{}mm_P{}mm"


def _wires(letter: str, pins: str) -> Package:
    row = _row(pins)
    return Package(letter, _WIRES.format(len(row)), row)


_PACKAGES: Final[Mapping[str, Package]] = {
    "MCP23017": Package("U", "Package_DIP:DIP-28_W7.62mm", _row(_EXPANDER)),
    "ADS7830": Package("U", "Package_SO:TSSOP-16_4.4x5mm_P0.65mm", _row(_CONVERTER)),
    "CD74HC4067": Package("U", "Package_SO:SOIC-24W_7.5x15.4mm_P1.27mm", _row(_MULTIPLEXER)),
    "74AHCT125": Package("U", "Package_DIP:DIP-14_W7.62mm", _row(_SHIFTER)),
    "DRV5055A2": Package("U", "Package_TO_SOT_THT:TO-92_Inline", ("VCC", "GND", "OUT")),
    "resistor": Package(
        "R", "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P10.16mm_Horizontal", ("1", "2")
    ),
    "capacitor": Package("C", "Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm", ("1", "2")),
    "fuse": Package(
        "F", "Fuse:Fuseholder_Cylinder-5x20mm_Schurter_0031_8201_Horizontal_Open", ("1", "2")
    ),
    "reed switch": _wires("SW", "1 2"),
    "button": _wires("SW", "1 2"),
    "supply": _wires("J", "+ -"),
    "regulator": _wires("J", "IN GND OUT"),
    "light chain": _wires("J", "5_V DIN GND 5_V_far_end GND_far_end"),
}
_CAPACITORS: Final[Mapping[str, str]] = {
    "10 µF": _ELECTROLYTIC.format("5.0", "2.00"),
    "1000 µF": _ELECTROLYTIC.format("10.0", "5.00"),
}
_PI_SUPPLIES: Final[Mapping[int, str]] = {1: "Pi 3.3 V", 2: "Pi 5 V", 6: "Pi GND"}


def package(part: Part) -> Package:
    """Return the package of a part."""
    if part.kind == "Raspberry Pi":
        gpios = {number: f"GPIO{gpio}" for gpio, number in HEADER.items()}
        row = tuple({**gpios, **_PI_SUPPLIES}.get(number, "") for number in range(1, 41))
        return Package("J", "Connector_PinHeader_2.54mm:PinHeader_2x20_P2.54mm_Vertical", row)
    found = _PACKAGES[part.kind]
    if part.kind == "capacitor" and part.value in _CAPACITORS:
        return Package(found.letter, _CAPACITORS[part.value], found.pins)
    return found


def pin_number(part: Part, pin: str) -> int:
    """Return the number of a part's pin; ValueError if its package has no such pin."""
    return package(part).pins.index(pin) + 1


def designators(parts: Sequence[Part]) -> dict[str, str]:
    """Return the designator of each part by its name: U1, U2, R1 …, in the order of the parts."""
    used: dict[str, int] = {}
    named = {}
    for part in parts:
        letter = package(part).letter
        used[letter] = used.get(letter, 0) + 1
        named[part.name] = f"{letter}{used[letter]}"
    return named
