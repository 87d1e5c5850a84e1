"""Circuits of boards: what is electrically wrong with one, and what its picture joins."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

from hardware import layout
from hardware.wiring import netlist
from hardware.wiring.bus_load import bus_load
from hardware.wiring.netlist import GND, HALL, LIGHT, LOGIC, PI_FIVE, End, Netlist, Part

RAILS = (LOGIC, LIGHT, HALL, PI_FIVE, "5 V unfused")
SVG = "{http://www.w3.org/2000/svg}"


@cache
def circuit(name: str | Path) -> Netlist:
    return netlist.netlist(layout.load(name))


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


# ---- pictures


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


def agrees(picture: Drawn, of: Netlist) -> bool:
    """Say whether a picture has the pins of a circuit and joins them alike."""
    pins = {(part.name, pin) for part in of.parts.values() for pin in part.pins}
    return set(picture.pins) == pins and picture.joined() == set(map(frozenset, of.nets.values()))
