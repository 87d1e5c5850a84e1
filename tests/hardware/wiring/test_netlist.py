"""The circuit of a board: it is electrically sound, and everything that is made from it agrees."""

from __future__ import annotations

import dataclasses
import math
import re
import tomllib
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from xml.etree import ElementTree

import pytest

from firmware_host.config import config
from hardware import layout
from hardware.layout import Layout
from hardware.wiring import drawing, netlist, schematic, supply, wiring
from hardware.wiring.bus_load import (
    RESET_LOW_VOLTS,
    bus_load,
    modules_with_pull_ups,
    reset_low_volts,
)
from hardware.wiring.netlist import GND, HALL, LIGHT, LOGIC, PI_FIVE, End, Netlist, Part
from tests.support.serial_boards import serial_layout

ROOT = Path(__file__).parents[3]
SVG = "{http://www.w3.org/2000/svg}"
RESET = ("pull-up of RESET", "series of RESET")
DRIVE = "S0 drive"
RAILS = (LOGIC, LIGHT, HALL, PI_FIVE, "5 V unfused")


@cache
def circuit(name: str) -> Netlist:
    return netlist.netlist(layout.load(name))


@pytest.fixture(params=layout.NAMES)
def made(request: pytest.FixtureRequest) -> Netlist:
    return circuit(request.param)


# ---- electrical rules


def role(of: Netlist, end: End) -> str:
    return of.parts[end[0]].pins[end[1]]


def troubles(of: Netlist) -> set[str]:
    """Return what is electrically wrong with a circuit, by rule."""
    found = set()
    where = Counter(end for ends in of.nets.values() for end in ends)
    if any(times > 1 for times in where.values()):
        found.add("a pin on two nets")
    for net, ends in of.nets.items():
        roles = [role(of, end) for end in ends]
        if len(ends) < 2:
            found.add("a net with one end")
        if roles.count("output") + roles.count("source") > 1:
            found.add("two outputs")
        if "output" in roles and (net in RAILS or net == GND):
            found.add("an output on a rail")
        if "open drain" in roles and not pulled(of, net, LOGIC):
            found.add("no pull-up")
        if "open drain" in roles and {"output", "source"} & set(roles):
            found.add("open drain against an output")
        drives = {"output", "source", "open drain"} & set(roles)
        if "input" in roles and not drives and net != GND and not fed(of, net):
            found.add("a floating input")
    for part in of.parts.values():
        found |= {"no supply" for pin in part.pins if not supplied(of, part, pin)}
        if part.kind in netlist.CHIPS and not smoothed(of, part):
            found.add("no decoupling")
    for line in ("SDA", "SCL"):
        load = bus_load(of, line)
        if load.milliamps > 3.0:
            found.add("too much current on the bus")
        if load.rise_ns > 300.0:
            found.add("the bus rises too slowly")
    return found


def pulled(of: Netlist, net: str, to: str) -> bool:
    """Say whether a resistor goes from a net to a rail."""
    return any(
        of.parts[part].kind == "resistor"
        and {of.net_of(part, "1"), of.net_of(part, "2")} == {net, to}
        for part, _ in of.nets[net]
    )


def fed(of: Netlist, net: str) -> bool:
    """Say whether the level of a net is defined: by a rail, a resistor, a switch with the chip's
    own pull-up, or a multiplexer's common pin.
    """
    kinds = {of.parts[part].kind for part, _ in of.nets[net]}
    return net in RAILS or bool(kinds & {"resistor", "reed switch", "button"})


def supplied(of: Netlist, part: Part, pin: str) -> bool:
    net = "" if (part.name, pin) in of.unconnected else of.net_of(part.name, pin)
    kind = part.pins[pin]
    if kind == "ground":
        return net == GND
    if kind == "supply":
        roles = {role(of, end) for end in of.nets.get(net, ())}
        kinds = {of.parts[name].kind for name, _ in of.nets.get(net, ())}
        return "source" in roles or "fuse" in kinds
    return True


def smoothed(of: Netlist, part: Part) -> bool:
    supply = {of.net_of(part.name, pin) for pin, kind in part.pins.items() if kind == "supply"}
    has = {
        of.net_of(each.name, "1")
        for each in of.parts.values()
        if each.beside == part.name and of.net_of(each.name, "2") == GND
    }
    return supply <= has


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
def test_a_mistake_in_the_circuit_breaks_a_rule(name: str, spoil: object, says: str) -> None:
    assert callable(spoil)
    assert says in troubles(spoil(circuit(name)))


def test_sda_and_scl_are_two_wires_on_their_own_pins(made: Netlist) -> None:
    assert made.net_of("Pi", "GPIO2") == "SDA"
    assert made.net_of("Pi", "GPIO3") == "SCL"
    assert netlist.header_pin(2) == "GPIO2 (pin 3)"
    assert netlist.header_pin(3) == "GPIO3 (pin 5)"
    for chip in (*made.kind("MCP23017"), *made.kind("ADS7830")):
        assert (made.net_of(chip.name, "SDA"), made.net_of(chip.name, "SCL")) == ("SDA", "SCL")


def test_a_resistor_limits_the_current_of_reset(made: Netlist) -> None:
    assert pulled(made, "RESET", LOGIC)
    drive = made.nets[made.net_of("Pi", "GPIO25")]
    assert [made.parts[part].kind for part, _ in drive] == ["resistor", "Raspberry Pi"]


def test_the_pi_can_pull_reset_low_enough_whatever_the_modules_bring(made: Netlist) -> None:
    """Against all pull-ups, through the series resistor; and a short takes no more than a pin may
    give.
    """
    chips = len(made.kind("MCP23017"))
    for modules in range(chips + 1):
        assert reset_low_volts(made, modules=modules) < RESET_LOW_VOLTS
    assert 3.3 / made.parts["series of RESET"].ohms < 0.016


def test_mosi_rests_at_ground_where_nobody_drives_it(made: Netlist) -> None:
    assert pulled(made, "MOSI", GND)


def test_a_hall_board_has_e_at_ground_and_a_bleeder_at_each_common_pin() -> None:
    for name in ("square-hall", "hex-hall"):
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
    assert ("Pi", "Pi 5 V") in of.others("regulator", "IN")

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
    page = wiring.wiring_page()
    row = next(line for line in page.splitlines() if line.endswith("|") and f"of {name} |" in line)
    assert f"{amperes:g} A" in row
    assert f"at worst {sensors / 100:.2f} A" in row


def test_a_supply_that_is_too_weak_is_reported() -> None:
    small, large = circuit("hex-reed"), circuit("square-hall")
    assert supply.board_amperes(large) == pytest.approx(1.31)
    pi = supply.Pi("3B", 2.5, 1.4)
    assert supply.sum_text(pi, small) == "1.40 + 0.02 = 1.42 A: enough, for lights too"
    assert supply.sum_text(pi, large) == "1.40 + 1.31 = 2.71 A: **too much**"
    assert supply.sum_text(pi, circuit("hex-hall")) == "1.40 + 0.71 = 2.11 A: enough"


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


# ---- pull-ups


def test_modules_with_pull_ups_of_their_own_are_too_many() -> None:
    of = circuit("square-reed")
    published = bus_load(with_pull_up(of, 2200.0, "SDA"), modules=7)
    assert published.ohms == pytest.approx(585, abs=1)
    assert published.milliamps == pytest.approx(5.0, abs=0.1)
    assert "0.58 kΩ and 5 mA" in wiring.wiring_page()
    assert bus_load(of).milliamps == pytest.approx(1.6, abs=0.05)
    keep = modules_with_pull_ups(of)
    assert bus_load(of, modules=keep).milliamps <= 3.0
    assert bus_load(of, modules=keep + 1).milliamps > 3.0
    page = wiring.wiring_page()
    assert "| square-reed | 1.80 kΩ, 1.6 mA | 7 | 0.80 kΩ, 3.6 mA | 4 | 0x24, 0x25, 0x26 |" in page


# ---- the drawing


def numbers(text: str) -> tuple[float, float]:
    x, y = text.split(",")
    return round(float(x), 3), round(float(y), 3)


class Drawn:
    """The connections in a picture of a circuit, found from its lines alone."""

    def __init__(self, picture: str) -> None:
        root = ElementTree.fromstring(picture)
        self.pins: dict[End, tuple[float, float]] = {}
        self.flags: list[tuple[str, tuple[float, float]]] = []
        self.dots = set()
        self.wires = [
            [numbers(point) for point in line.attrib["points"].split()]
            for line in root.iter(f"{SVG}polyline")
        ]
        for circle in root.iter(f"{SVG}circle"):
            at = numbers(f"{circle.attrib['cx']},{circle.attrib['cy']}")
            if circle.attrib["class"] == "dot":
                self.dots.add(at)
            else:
                end = circle.attrib["data-part"], circle.attrib["data-pin"]
                assert end not in self.pins, end
                self.pins[end] = at
        for group in root.iter(f"{SVG}g"):
            self.flags.append((group.attrib["data-net"], numbers(group.attrib["data-at"])))

    def joined(self) -> set[frozenset[End]]:
        """Return the groups of pins that the wires, dots and flags join."""
        group = {("wire", str(n)): ("wire", str(n)) for n in range(len(self.wires))}

        def root(of: tuple[str, str]) -> tuple[str, str]:
            while group.setdefault(of, of) != of:
                of = group[of]
            return of

        touching: dict[tuple[float, float], str] = {}
        for number, wire in enumerate(self.wires):
            # End to end, or at a dot: a crossing alone joins nothing.
            for at in {wire[0], wire[-1], *(dot for dot in self.dots if through(wire, dot))}:
                group[root(("wire", touching.setdefault(at, str(number))))] = root(
                    ("wire", str(number))
                )
        ends: dict[End, tuple[float, float]] = {
            **self.pins,
            **{("flag " + net, str(at)): at for net, at in self.flags},
        }
        at_point: dict[tuple[float, float], End] = {}
        lanes: dict[tuple[str, float], set[int]] = {}
        for number, wire in enumerate(self.wires):
            for x, y in wire:
                lanes.setdefault(("x", x), set()).add(number)
                lanes.setdefault(("y", y), set()).add(number)
        for end, at in ends.items():
            group[root(end)] = root(at_point.setdefault(at, end))
            for number in lanes.get(("x", at[0]), set()) | lanes.get(("y", at[1]), set()):
                if through(self.wires[number], at):
                    group[root(end)] = root(("wire", str(number)))
        first: dict[str, End] = {}
        for net, at in self.flags:
            flag = "flag " + net, str(at)
            group[root(flag)] = root(first.setdefault(net, flag))
        nets: dict[tuple[str, str], set[End]] = {}
        for pin in self.pins:
            nets.setdefault(root(pin), set()).add(pin)
        return {frozenset(pins) for pins in nets.values() if len(pins) > 1}


def on(at: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> bool:
    """Say whether a point lies on a vertical or horizontal line."""
    return all(min(a, b) <= p <= max(a, b) for p, a, b in zip(at, start, end, strict=True))


def through(wire: list[tuple[float, float]], at: tuple[float, float]) -> bool:
    return any(on(at, *leg) for leg in pairwise(wire))


@cache
def drawn(name: str) -> Drawn:
    return Drawn(schematic.schematic_svg(layout.load(name)))


@pytest.mark.parametrize("name", layout.NAMES)
def test_the_drawing_joins_what_the_netlist_joins_pin_by_pin(name: str) -> None:
    of, picture = circuit(name), drawn(name)
    wanted = {frozenset(ends) for ends in of.nets.values()}
    assert set(picture.pins) == {(p.name, pin) for p in of.parts.values() for pin in p.pins}
    assert picture.joined() == wanted


@pytest.mark.parametrize("step", netlist.STEPS)
@pytest.mark.parametrize("name", layout.NAMES)
def test_the_drawing_of_a_step_joins_what_is_there_by_then(name: str, step: str) -> None:
    whole, of = circuit(name), netlist.step(circuit(name), step)
    picture = Drawn(schematic.schematic_svg(layout.load(name), step))
    assert set(picture.pins) == {(p.name, pin) for p in of.parts.values() for pin in p.pins}
    assert picture.joined() == {frozenset(ends) for ends in of.nets.values()}
    for net, ends in of.nets.items():
        assert set(ends) <= set(whole.nets[net])
    chip = of.kind("MCP23017" if step == "first-chip" else "74AHCT125")
    assert len(chip) == 1
    assert smoothed(of, chip[0])


@pytest.mark.parametrize("step", netlist.STEPS)
def test_the_pictures_of_the_steps_are_those_of_the_netlist(step: str) -> None:
    drawing = schematic.schematic_svg(layout.load("square-reed"), step)
    assert (ROOT / "docs" / f"{step}.svg").read_text("utf-8").strip() == drawing.strip(), (
        f"lampion layouts square-reed --wiring --svg --step {step} > docs/{step}.svg"
    )
    assert f"({step}.svg)" in (ROOT / "docs" / "building.md").read_text("utf-8")


def test_a_drawing_with_a_wire_one_row_too_high_is_found_out() -> None:
    text = schematic.schematic_svg(layout.load("hex-reed"))
    pi = drawn("hex-reed").pins["Pi", "GPIO3"]
    wrong = text.replace(f'points="{pi[0]:g},{pi[1]:g} ', f'points="{pi[0]:g},{pi[1] - 8:g} ')
    assert wrong != text
    assert Drawn(wrong).joined() != {frozenset(e) for e in circuit("hex-reed").nets.values()}
    assert Drawn(text.replace('class="dot"', 'class="pin" data-part="x" data-pin="x"', 1))


@pytest.mark.parametrize("name", layout.NAMES)
def test_no_wire_lies_on_another_and_all_is_within_the_picture(name: str) -> None:
    picture = drawn(name)
    root = ElementTree.fromstring(schematic.schematic_svg(layout.load(name)))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for wire in picture.wires:
        assert all(0 < x < width and 0 < y < height for x, y in wire)
    for line in (0, 1):  # vertical lines, then horizontal ones
        lanes: dict[float, list[tuple[float, float]]] = {}
        for wire in picture.wires:
            for one, other in pairwise(wire):
                if one[line] == other[line]:
                    span = sorted((one[1 - line], other[1 - line]))
                    lanes.setdefault(one[line], []).append((span[0], span[1]))
        for at, spans in lanes.items():
            for (_, end), (start, _) in pairwise(sorted(spans)):
                assert end <= start, (line, at, end)


# ---- what is said of it


@pytest.mark.parametrize("name", layout.NAMES)
def test_the_table_has_every_pin_of_every_chip(name: str) -> None:
    of = circuit(name)
    lines = Counter(
        line.split("  ")[1].split()[0]
        for line in wiring.wiring_text(layout.load(name)).splitlines()
        if line.startswith("  ")
    )
    for kind in ("MCP23017", "ADS7830", "CD74HC4067"):
        chips = of.kind(kind)
        own = [
            pin for pin in (chips[0].pins if chips else ()) if pin.startswith(("GP", "CH", "I1"))
        ]
        for pin in own:
            assert lines[pin] == len(chips)


@pytest.mark.parametrize("name", layout.NAMES)
def test_the_parts_are_counted_as_the_netlist_has_them(name: str) -> None:
    of = circuit(name)
    listed = Counter[str]()
    for line in wiring.parts_text(layout.load(name)).splitlines()[2:]:
        box, _, rest = line.partition("]")
        assert box == "[ "
        number, _, what = rest.strip().partition(" x ")
        listed[what.split(":")[0]] += int(number)
    wanted = Counter(
        " ".join(filter(None, (part.kind, part.value))) for part in of.parts.values() if part.bought
    )
    assert listed == wanted
    assert "1.8 kΩ" not in " ".join(listed)


def test_the_parts_of_a_board_in_numbers() -> None:
    parts = wiring.parts_text(layout.load("square-hall"))
    assert "[ ]  129 x DRV5055A2" in parts
    assert "[ ]    9 x CD74HC4067" in parts
    assert "[ ]  144 x capacitor 100 nF: at 0x27, 0x48, 0x49, 4067-1" in parts


def test_a_stick_die_is_in_the_circuit_in_the_picture_and_among_the_parts() -> None:
    text = layout.SHIPPED.joinpath("square-reed.toml").read_text("utf-8")
    die = "[dice]\n2 = 'GPIO16'\n3 = 'GPIO20'\n4 = 'GPIO21'\n5 = '0x26.B6'\n\n[buttons]"
    made = layout.parse(text.replace("[buttons]", die), "x.toml")
    of = netlist.netlist(made)
    assert not troubles(of)
    assert of.others("Pi", "GPIO16") == (("die 2", "1"),)
    assert of.others("0x26", "GPB6") == (("die 5", "1"),)
    reeds = len(circuit("square-reed").kind("reed switch"))
    assert f"{reeds + 4} x reed switch" in wiring.parts_text(made)
    assert "GPB6               die 5" in wiring.wiring_text(made)
    assert 'data-part="die 3"' in schematic.schematic_svg(made)
    page = wiring.wiring_page([made])
    assert "| 16 (36) | all boards | die 2 |" in page
    assert "\n| die 2 |" not in page
    assert "Inputs that no switch uses" not in page


def test_the_table_lists_the_places_on_a_co_processor() -> None:
    table = wiring.wiring_text(serial_layout("hex-reed"))
    assert "Board on /dev/ttyACM0, 115200 baud\n  0   a1\n" in table


@pytest.mark.parametrize("name", layout.NAMES)
def test_the_page_names_every_end_of_every_wire_between_chips(name: str) -> None:
    of = circuit(name)
    section = wiring.wiring_page().split(f"\n## {name}\n")[1].split("\n## ")[0]
    rows = dict(line.strip("| ").split(" | ") for line in section.splitlines() if " | " in line)
    for net in ("SDA", "SCL", "INT", "RESET", "MOSI", "DIN"):
        assert len(rows[net].split(", ")) == len(of.nets[net])


def test_the_page_in_the_repository_is_the_one_that_is_printed() -> None:
    page = (ROOT / "hardware" / "WIRING.md").read_text(encoding="utf-8")
    assert page.strip() == wiring.wiring_page().strip(), (
        "lampion layouts --wiring > hardware/WIRING.md"
    )


@pytest.mark.parametrize("name", layout.NAMES)
def test_the_pictures_of_the_circuits_are_those_of_the_netlists(name: str) -> None:
    file = ROOT / "docs" / f"{name}-wiring.svg"
    drawing = schematic.schematic_svg(layout.load(name))
    assert file.read_text(encoding="utf-8").strip() == drawing.strip(), (
        f"lampion layouts {name} --wiring --svg > docs/{name}-wiring.svg"
    )
    page = (ROOT / "hardware" / "WIRING.md").read_text(encoding="utf-8")
    assert f"(../docs/{name}-wiring.svg)" in page


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("square-reed", 'reset = "GPIO25"\n', ""),
        ("hex-reed", 'order = "GRB"', 'order = "GRBW"'),
        ("hex-hall", "adc = 0x48\nchannel = 4", "adc = 0x4b\nchannel = 0"),
    ],
)
def test_another_board_keeps_the_rules_and_is_drawn_as_it_is(name: str, old: str, new: str) -> None:
    text = layout.SHIPPED.joinpath(f"{name}.toml").read_text("utf-8")
    assert old in text
    mine = layout.parse(text.replace(old, new, 1), "x.toml")
    of = netlist.netlist(mine)
    assert troubles(of) == set()
    assert Drawn(schematic.schematic_svg(mine)).joined() == {
        frozenset(ends) for ends in of.nets.values()
    }


def test_a_board_of_ones_own_has_its_own_circuit() -> None:
    text = layout.SHIPPED.joinpath("square-reed.toml").read_text("utf-8")
    mine: Layout = layout.parse(
        text.replace("square-reed", "walnut", 1).replace('"GPIO25"', '"GPIO20"', 1), "x.toml"
    )
    page = wiring.wiring_page([mine])
    assert "| 20 (38) | all boards | 220 Ω, then RESET" in page
    assert "GPIO25" not in page.split("## walnut")[1]


def test_what_the_pages_set_in_the_configuration_exists() -> None:
    """Every `key = value` on the page about wiring belongs to a layout or to the configuration."""
    page = (ROOT / "hardware" / "WIRING.md").read_text("utf-8")
    page += (ROOT / "docs" / "building.md").read_text("utf-8").split("## Power")[1]
    settings = set(re.findall(r"`([a-z_]+ = [^`]+)`", page))
    assert settings >= {"limit_ma = 500", "bits = 4", "millitesla_per_count = -0.43"}
    for setting in settings:
        if "millitesla" not in setting and "…" not in setting:
            config.parse({"leds": tomllib.loads(setting)}, "page")


def test_the_offset_of_a_reed_is_the_same_number_everywhere() -> None:
    offset = f"{drawing.REED_OFFSET_MM:g} mm"
    for name in ("square-reed", "hex-reed"):
        board = layout.load(name)
        picture = drawing.layout_svg(board)
        assert f"east-west, its middle {offset} east of the middle of its place" in picture
        left = min(place.x for place in board.places.values())
        reach = max(board.pitch, *board.slot_size) / 2
        cells = [board.places[cell] for cell in board.cells]
        long = drawing.REED_MM[0]
        starts = {round(float(x), 1) for x in re.findall(r'class="sensor" d="M([\d.]+),', picture)}
        for place in cells:
            x = place.x - left + reach + drawing.MARGIN_MM + drawing.REED_OFFSET_MM - long / 2
            assert round(x, 1) in starts
    hall = drawing.layout_svg(layout.load("hex-hall"))
    assert "Each Hall sensor sits under the middle of its cell" in hall
    for page in ("hardware/WIRING.md", "docs/building.md"):
        words = " ".join((ROOT / page).read_text("utf-8").split())
        assert f"lies east-west, its middle {offset} east of the middle" in words


def test_no_sensor_lies_on_a_light() -> None:
    """In the picture as on the board: a light has a diameter of 2.4 mm."""
    for name in layout.NAMES:
        board = layout.load(name)
        wide, high = drawing.REED_MM if board.sensing == "presence" else drawing.HALL_MM
        for place in board.places.values():
            for x, y in board.led_positions if len(place.sensors) == 1 else ():
                dx = abs(x - place.x - drawing.sensor_offset(board))
                assert max(dx - wide / 2, abs(y - place.y) - high / 2) > 2.4, place.name
