"""The netlist for KiCad has the parts and nets of the circuit, with the numbers of their pins."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from hardware import layout
from hardware.wiring.kicad import kicad_netlist
from hardware.wiring.netlist import GND, LOGIC, End, Netlist
from hardware.wiring.packages import package, pin_number
from tests.support.circuits import circuit

TOKEN = re.compile(r'\(|\)|"(?:[^"\\]|\\.)*"|[^\s()]+')


def read(text: str) -> list[object]:
    """Return an s-expression as nested lists."""
    stack: list[list[object]] = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token.strip('"'))
    (whole,) = stack
    (only,) = whole
    assert isinstance(only, list)
    return only


def part(of: list[object], key: str) -> list[list[object]]:
    return [each for each in of if isinstance(each, list) and each[0] == key]


def one(of: list[object], key: str) -> str:
    (found,) = part(of, key)
    assert isinstance(found[1], str)
    return found[1]


def pin_of(of: Netlist, name: str, number: int) -> End:
    return name, package(of.parts[name]).pins[number - 1]


@pytest.mark.parametrize("name", layout.NAMES)
def test_what_kicad_reads_is_the_circuit(name: str) -> None:
    of = circuit(name)
    whole = read(kicad_netlist(of, name))
    assert whole[0] == "export"
    components = part(part(whole, "components")[0], "comp")
    own = {one(each, "ref"): part(part(each, "fields")[0], "field")[0][2] for each in components}
    bought = [each for each in of.parts.values() if each.bought]
    assert len(own) == len(components) == len(bought)
    assert set(own.values()) == {each.name for each in bought}
    nets = part(part(whole, "nets")[0], "net")
    assert len({one(net, "code") for net in nets}) == len(nets) == len(of.nets)
    for net in nets:
        ends = {
            pin_of(of, str(own[one(node, "ref")]), int(one(node, "pin")))
            for node in part(net, "node")
        }
        assert ends == {end for end in of.nets[one(net, "name")] if of.parts[end[0]].bought}


@pytest.mark.parametrize("name", layout.NAMES)
def test_each_package_has_each_pin_once(name: str) -> None:
    for each in circuit(name).parts.values():
        pins = [pin for pin in package(each).pins if pin]
        assert Counter(pins).most_common(1)[0][1] == 1
        assert set(each.pins) <= set(pins), each.name


@pytest.mark.parametrize(
    ("board", "name", "pins"),
    [
        ("hex-reed", "0x20", {"GPA0": 21, "GPB0": 1, "SDA": 13, "SCL": 12, "RESET": 18, "VDD": 9}),
        ("hex-hall", "0x48", {"CH0": 1, "GND": 9, "REF": 10, "SCL": 14, "SDA": 15, "VDD": 16}),
        ("hex-hall", "4067-1", {"COM": 1, "I0": 9, "I15": 16, "GND": 12, "E": 15, "VCC": 24}),
        ("hex-reed", "shifter", {"1OE": 1, "1A": 2, "1Y": 3, "GND": 7, "VCC": 14}),
        ("hex-hall", "sensor a1", {"VCC": 1, "GND": 2, "OUT": 3}),
        ("hex-reed", "Pi", {"GPIO2": 3, "GPIO10": 19, "Pi 3.3 V": 1, "Pi GND": 6}),
    ],
)
def test_pins_have_the_numbers_of_the_data_sheets(
    board: str, name: str, pins: dict[str, int]
) -> None:
    made = circuit(board).parts[name]
    assert {pin: pin_number(made, pin) for pin in pins} == pins


def test_supplies_are_nets_like_all_others() -> None:
    whole = read(kicad_netlist(circuit("hex-reed"), "hex-reed"))
    names = {one(net, "name") for net in part(part(whole, "nets")[0], "net")}
    assert {GND, LOGIC, "SDA", "sensor a1"} <= names
