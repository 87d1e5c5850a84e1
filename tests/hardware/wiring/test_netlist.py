"""The circuit of a board is electrically sound."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

import pytest

from hardware import layout
from hardware.wiring import netlist, supply
from hardware.wiring.bus_load import (
    RESET_LOW_VOLTS,
    bus_load,
    modules_with_pull_ups,
    reset_low_volts,
)
from hardware.wiring.netlist import GND, HALL, LIGHT, LOGIC, End, Netlist, Part
from tests.support.circuits import circuit, pulled, troubles

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"
WIRING = (ROOT / "hardware" / "WIRING.md").read_text("utf-8")
RESET = ("pull-up of RESET", "series of RESET")
DRIVE = "S0 drive"


@pytest.fixture(params=[*layout.NAMES, EXAMPLES / "robot-duel-board.toml"])
def made(request: pytest.FixtureRequest) -> Netlist:
    return circuit(request.param)


def test_no_rule_is_broken(made: Netlist) -> None:
    assert troubles(made) == set()


def without(of: Netlist, *parts: str) -> Netlist:
    nets = {net: tuple(e for e in ends if e[0] not in parts) for net, ends in of.nets.items()}
    left = {name: part for name, part in of.parts.items() if name not in parts}
    return dataclasses.replace(of, parts=MappingProxyType(left), nets=MappingProxyType(nets))


def moved(of: Netlist, end: End, to: str) -> Netlist:
    nets = {net: tuple(e for e in ends if e != end) for net, ends in of.nets.items()}
    nets[to] = (*nets.get(to, ()), end)
    return dataclasses.replace(of, nets=MappingProxyType(nets))


def with_pull_up(of: Netlist, ohms: float, line: str) -> Netlist:
    part = Part("extra", "resistor", {"1": "passive", "2": "passive"}, ohms=ohms)
    nets = {**of.nets, line: (*of.nets[line], ("extra", "1"))}
    nets[LOGIC] = (*nets[LOGIC], ("extra", "2"))
    return dataclasses.replace(of, parts={**of.parts, "extra": part}, nets=nets)


@pytest.mark.parametrize(
    ("name", "spoil", "says"),
    [
        ("hex-reed", lambda c: without(c, "pull-up of INT"), "no pull-up"),
        ("hex-reed", lambda c: without(c, *RESET), "a floating input"),
        ("hex-reed", lambda c: moved(c, ("Pi", "GPIO25"), LOGIC), "an output on a rail"),
        ("hex-reed", lambda c: moved(c, ("0x20", "VDD"), "SDA"), "no supply"),
        ("hex-reed", lambda c: without(c, "capacitor of 0x22"), "no decoupling"),
        ("hex-reed", lambda c: without(c, "sensor a1"), "a net with one end"),
        ("hex-reed", lambda c: with_pull_up(c, 1000.0, "SDA"), "too much current on the bus"),
        ("hex-reed", lambda c: moved(c, ("shifter", "2Y"), "DATA"), "two outputs"),
        ("hex-hall", lambda c: moved(c, ("4067-2", "GND"), "SDA"), "no supply"),
        ("hex-hall", lambda c: moved(c, ("0x27", "INTA"), DRIVE), "open drain against an output"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_circuit_breaks_a_rule(
    name: str, spoil: Callable[[Netlist], Netlist], says: str
) -> None:
    assert says in troubles(spoil(circuit(name)))


def test_sda_and_scl_are_two_wires_on_their_own_pins(made: Netlist) -> None:
    assert made.net_of("Pi", "GPIO2") == "SDA"
    assert made.net_of("Pi", "GPIO3") == "SCL"
    assert netlist.header_pin(2) == "GPIO2 (pin 3)"
    assert netlist.header_pin(3) == "GPIO3 (pin 5)"
    for chip in (*made.kind("MCP23017"), *made.kind("ADS7830")):
        assert (made.net_of(chip.name, "SDA"), made.net_of(chip.name, "SCL")) == ("SDA", "SCL")


def test_a_resistor_limits_the_current_of_reset_and_one_grounds_mosi(made: Netlist) -> None:
    assert pulled(made, "RESET", LOGIC)
    drive = made.nets[made.net_of("Pi", "GPIO25")]
    assert [made.parts[part].kind for part, _ in drive] == ["resistor", "Raspberry Pi"]
    assert pulled(made, "MOSI", GND)


def test_the_pi_can_pull_reset_low_enough_whatever_the_modules_bring(made: Netlist) -> None:
    """Against all pull-ups, through the series resistor; and a short takes no more than a pin may
    give.
    """
    chips = len(made.kind("MCP23017"))
    for modules in range(chips + 1):
        assert reset_low_volts(made, modules=modules) < RESET_LOW_VOLTS
    assert 3.3 / made.parts["series of RESET"].ohms < 0.016


@pytest.mark.parametrize("name", ["square-hall", "hex-hall"])
def test_a_hall_board_has_e_at_ground_and_a_bleeder_at_each_common_pin(name: str) -> None:
    of = circuit(name)
    for chip in of.kind("CD74HC4067"):
        assert of.net_of(chip.name, "E") == GND
        assert pulled(of, of.net_of(chip.name, "COM"), GND)
    assert all(pulled(of, f"S{line}", GND) for line in range(4))


@pytest.mark.parametrize("name", ["square-hall", "hex-hall"])
def test_no_chip_is_fed_through_its_pins_while_a_supply_is_missing(name: str) -> None:
    """The supply of the sensors is on and off with the Pi. Every connection between chips on the
    Pi's supply and chips on the sensors' supply goes through a resistor or a sensor.
    """
    of = circuit(name)
    assert ("Pi", "Pi 5 V") in of.joined_to("regulator", "IN")

    def rails(part: str) -> set[str]:
        pins = of.parts[part].pins
        return {of.net_of(part, pin) for pin, kind in pins.items() if kind == "supply"}

    for net, ends in of.nets.items():
        chips = [(part, pin) for part, pin in ends if of.parts[part].kind in netlist.CHIPS]
        if net not in (GND, LOGIC, LIGHT):
            assert len({rail for part, _ in chips for rail in rails(part)}) <= 1, net
        if net == HALL:
            assert all(of.parts[part].pins[pin] == "supply" for part, pin in chips)
    series = [part for part in of.kind("resistor") if part.ohms == netlist.RAIL_SERIES_OHMS]
    wanted = {f"S{line}" for line in range(4)} | {f"{adc.name} REF" for adc in of.kind("ADS7830")}
    muxes = layout.load(name).multiplexers
    wanted |= {f"{chip.adc:#04x} CH{chip.channel}" for chip in muxes}
    assert {part.name.removeprefix("series of ") for part in series} == wanted


ADS7830_PF, WIRE_PF, SWITCH_OHMS = 25.0, 100.0, 200.0
"""The capacitance of a converter's input, the largest one of its wire, the resistance of a
CD74HC4067."""


def test_a_converter_s_input_settles_long_before_it_is_converted() -> None:
    """Select lines settle during a transaction, the input within half a bit of one."""
    for part in circuit("square-hall").kind("resistor"):
        if " CH" in part.name:
            seconds = (part.ohms + SWITCH_OHMS) * (ADS7830_PF + WIRE_PF) * 1e-12
            assert seconds * math.log(2**9) < 0.5 / 400_000  # to half a count
            assert seconds * math.log(2**9) < 1.0e-6


@pytest.mark.parametrize("name", ["square-hall", "hex-hall"])
def test_the_regulator_gives_what_the_sensors_draw_at_worst(name: str) -> None:
    of = circuit(name)
    sensors = len(of.kind("DRV5055A2"))
    amperes = float(of.parts["regulator"].value.removesuffix(" A").split(", ")[1])
    assert amperes == netlist.regulator_amperes(sensors) == {129: 1.5, 69: 1.0}[sensors]
    assert amperes > sensors * netlist.HALL_WORST_MA / 1000
    row = next(
        line for line in WIRING.splitlines() if line.endswith("|") and f"of {name} |" in line
    )
    assert f"{amperes:g} A" in row
    assert f"at worst {sensors / 100:.2f} A" in row


def test_a_supply_that_is_too_weak_is_reported() -> None:
    small, large = circuit("hex-reed"), circuit("square-hall")
    assert supply.board_amperes(large) == pytest.approx(1.02, abs=0.005)
    pi = supply.Pi("3B", 2.5, 1.4)
    assert supply.sum_text(pi, small) == "1.40 + 0.02 = 1.42 A: enough, for lights too"
    assert supply.sum_text(pi, large) == "1.40 + 1.02 = 2.42 A: enough"
    assert (
        supply.sum_text(pi, circuit("hex-hall")) == "1.40 + 0.56 = 1.96 A: enough, for lights too"
    )
    assert supply.sum_text(supply.Pi("", 2.4, 1.4), large).endswith("**too much**")


def test_addresses_are_tied_as_the_layout_says(made: Netlist) -> None:
    for chip in (*made.kind("MCP23017"), *made.kind("ADS7830")):
        lines = [pin for pin in chip.pins if pin in ("A0", "A1", "A2")]
        tied = sum((made.net_of(chip.name, pin) == LOGIC) << int(pin[1]) for pin in lines)
        assert int(chip.name, 16) & (1 << len(lines)) - 1 == tied


def test_the_header_has_no_gpio_twice() -> None:
    assert len(netlist.HEADER) == 28
    assert len(set(netlist.HEADER.values())) == 28
    known = {4: 7, 10: 19, 17: 11, 25: 22, 26: 37, 27: 13, 21: 40}
    assert {gpio: netlist.HEADER[gpio] for gpio in known} == known


def test_modules_with_pull_ups_of_their_own_are_too_many() -> None:
    of = circuit("square-reed")
    published = bus_load(with_pull_up(of, 2200.0, "SDA"), modules=7)
    assert published.ohms == pytest.approx(585, abs=1)
    assert published.milliamps == pytest.approx(5.0, abs=0.1)
    assert "0.58 kΩ and 5 mA" in WIRING
    assert bus_load(of).milliamps == pytest.approx(1.6, abs=0.05)
    keep = modules_with_pull_ups(of)
    assert bus_load(of, modules=keep).milliamps <= 3.0
    assert bus_load(of, modules=keep + 1).milliamps > 3.0
    row = "| square-reed | 1.80 kΩ, 1.6 mA | 7 | 0.80 kΩ, 3.6 mA | 4 | 0x24, 0x25, 0x26 |"
    assert row in WIRING
