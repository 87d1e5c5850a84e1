"""A board's circuit as a picture: every part, pin and wire, drawn from its netlist.

Crossing wires are joined only at a dot. Small flags stand for nets that go everywhere: pins at
flags of one name are joined, too. Lengths are in units of the picture, y grows downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from hardware.layout import Layout
from hardware.wiring.netlist import GND, HALL, HEADER, LOGIC, Netlist, Part, netlist, pin_text, step

STYLE: Final = (
    "svg{background:#fff}"
    ".box{fill:#f4ead7;stroke:#2b2418;stroke-width:.5}"
    ".sheet{fill:none;stroke:#6b5a3e;stroke-width:.4;stroke-dasharray:3 2}"
    ".wire{fill:none;stroke:#1c4f8a;stroke-width:.6}"
    ".sign{fill:none;stroke:#2b2418;stroke-width:.6}"
    ".dot{fill:#1c4f8a}.pin{fill:#2b2418}"
    "text{font:3.6px sans-serif;fill:#2b2418}"
    ".name{font-weight:bold;font-size:4px;text-anchor:middle}"
    ".head{font-weight:bold;font-size:7px}"
    ".net{fill:#1c4f8a}"
    ".left{text-anchor:end}.middle{text-anchor:middle}"
)

PITCH: Final = 8.0
"""The distance between a part's pins."""
STUB: Final = 5.0
WIDTH: Final = 470.0
BUS: Final = ("SDA", "SCL", "INT", "RESET")
BUS_PINS: Final = {"SDA": "SDA", "SCL": "SCL", "INTA": "INT", "RESET": "RESET"}
INLINE: Final = ("reed switch", "button", "resistor", "fuse")


def schematic_svg(layout: Layout, only: str = "") -> str:
    """Return the circuit of a layout's board as a picture; `only` is one of `netlist.STEPS`."""
    circuit = netlist(layout)
    name = layout.name
    if only:
        circuit, name = step(circuit, only), f"{name}, {only}"
    sheet = _Sheet(circuit)
    bottom = _pi(sheet, name)
    bottom = _chips(sheet, bottom)
    bottom = _multiplexers(sheet, bottom)
    left = [part.name for part in circuit.parts.values() if part.name not in sheet.drawn]
    assert not left, left
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {bottom:g}" '
        f'width="{WIDTH:g}mm" height="{bottom:g}mm" role="img">'
    )
    title = f"<title>{escape(name)}: wiring</title>"
    lines = [head, title, f"<style>{STYLE}</style>", *sheet.lines]
    return "\n".join([*lines, "</svg>"]) + "\n"


class _Sheet:
    """Draws the picture; each method adds one thing to it."""

    def __init__(self, circuit: Netlist) -> None:
        self.circuit = circuit
        self.lines: list[str] = []
        self.drawn: set[str] = set()

    # ---- strokes

    def text(self, x: float, y: float, words: str, kind: str = "") -> None:
        self.lines.append(f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(words)}</text>')

    def wire(self, *points: tuple[float, float]) -> None:
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.lines.append(f'<polyline class="wire" points="{path}"/>')

    def dot(self, x: float, y: float) -> None:
        self.lines.append(f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="1"/>')

    def sign(self, path: str) -> None:
        self.lines.append(f'<path class="sign" d="{path}"/>')

    def pin(self, part: Part, pin: str, x: float, y: float) -> None:
        self.lines.append(
            f'<circle class="pin" data-part={quoteattr(part.name)} data-pin={quoteattr(pin)} '
            f'cx="{x:g}" cy="{y:g}" r=".6"/>'
        )

    def flag(self, net: str, x: float, y: float, side: str) -> None:
        """Draw a net's name at the end of a wire, on the free side."""
        self.lines.append(f'<g class="flag" data-net={quoteattr(net)} data-at="{x:g},{y:g}">')
        if net == GND:
            self.sign(f"M{x - 2:g},{y:g}h4 M{x - 1.2:g},{y + 1:g}h2.4 M{x - 0.5:g},{y + 2:g}h1")
        else:
            shift = {"left": -1.0, "right": 1.0}.get(side, 0.0)
            kind = {"left": "net left", "right": "net"}.get(side, "net middle")
            drop = {"up": -1.2, "down": 3.2}.get(side, 1.0)
            self.text(x + shift, y + drop, net, kind)
        self.lines.append("</g>")

    def box(self, x: float, y: float, wide: float, high: float, kind: str = "box") -> None:
        self.lines.append(
            f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"/>'
        )

    # ---- parts

    def chip(
        self, part: Part, x: float, y: float, wide: float, left: Sequence[str], right: Sequence[str]
    ) -> float:
        """Draw a part as a box with pins at its sides; return its lower end."""
        self.drawn.add(part.name)
        high = PITCH * (max(len(left), len(right)) + 1)
        self.box(x, y, wide, high)
        for side, pins, edge, inset in (("left", left, x, 1.5), ("right", right, x + wide, -1.5)):
            for number, pin in enumerate(pins, 1):
                at = y + PITCH * number
                self.text(edge + inset, at + 1, pin_text(pin), "left" if side == "right" else "")
                self.pin(part, pin, edge, at)
                self.lead(part, pin, edge, at, side)
        return y + high

    def lead(self, part: Part, pin: str, x: float, y: float, side: str) -> None:
        """Draw the connection of a pin: a part in line, or a flag."""
        net = self.circuit.net_of(part.name, pin)
        step = STUB if side == "right" else -STUB
        if not net:
            self.sign(f"M{x + step / 2 - 1:g},{y - 1:g}l2,2 m0,-2 l-2,2")
            return
        inline = self._inline(part.name, pin)
        if inline is None or side == "left":
            self.wire((x, y), (x + step, y))
            self.flag(net, x + step, y, side)
            return
        self.wire((x, y), (x + STUB, y))
        if inline.kind == "DRV5055A2":
            self.sensor(inline, x + STUB, y)
        else:
            near = next(mine for name, mine in self.circuit.nets[net] if name == inline.name)
            self.two(inline, near, x + STUB, y)

    def _inline(self, part: str, pin: str) -> Part | None:
        """Return the part that is joined to this pin alone."""
        others = self.circuit.joined_to(part, pin)
        if len(others) != 1:
            return None
        other = self.circuit.parts[others[0][0]]
        fits = other.kind in (*INLINE, "DRV5055A2") and other.name not in self.drawn
        return other if fits else None

    def two(self, part: Part, near: str, x: float, y: float) -> None:
        """Draw a part with two pins from x to the right; its far pin has a flag."""
        self.drawn.add(part.name)
        far = next(pin for pin in part.pins if pin != near)
        self.pin(part, near, x, y)
        self.pin(part, far, x + 10, y)
        if part.kind in ("resistor", "fuse"):
            self.box(x + 1, y - 1.5, 8, 3)
            self.sign(f"M{x:g},{y:g}h1 m8,0h1")
            self.text(x + 5, y - 2.2, part.value, "middle")
        else:
            self.sign(f"M{x:g},{y:g}h2 l5.5,-2.5 M{x + 8:g},{y:g}h2")
            self.text(x + 17, y + 1.2, part.label)
        self.wire((x + 10, y), (x + 13, y))
        self.flag(self.circuit.net_of(part.name, far), x + 13, y, "right")

    def upright(self, part: Part, x: float, y: float, words: str = "") -> None:
        """Draw a vertical part with two pins, its first pin above; both have flags."""
        self.drawn.add(part.name)
        one, other = part.pins
        if self.circuit.net_of(part.name, one) == GND or (
            part.kind == "resistor" and self.circuit.net_of(part.name, other) in (LOGIC, HALL)
        ):
            one, other = other, one
        self.pin(part, one, x, y)
        self.pin(part, other, x, y + 10)
        if part.kind == "capacitor":
            self.sign(f"M{x:g},{y:g}v4.2 M{x - 2.5:g},{y + 4.2:g}h5 m0,1.6h-5 m2.5,0v4.2")
        else:
            self.box(x - 1.5, y + 1, 3, 8)
            self.sign(f"M{x:g},{y:g}v1 m0,8v1")
        self.text(x + 3, y + 5, part.value)
        if words:
            self.text(x + 3, y + 8.5, words)
        self.wire((x, y), (x, y - 3))
        self.flag(self.circuit.net_of(part.name, one), x, y - 3, "up")
        self.wire((x, y + 10), (x, y + 13))
        self.flag(self.circuit.net_of(part.name, other), x, y + 13, "down")

    def sensor(self, part: Part, x: float, y: float) -> None:
        """Draw a Hall sensor with its capacitor across its supply."""
        self.drawn.add(part.name)
        self.box(x, y - 2.6, 20, 5.2)
        self.text(x + 10, y + 1, part.label, "middle")
        self.pin(part, "OUT", x, y)
        capacitor = self.circuit.parts[f"capacitor of {part.name}"]
        self.drawn.add(capacitor.name)
        for pin, end, at in (("VCC", "1", y - 1.8), ("GND", "2", y + 1.8)):
            self.pin(part, pin, x + 20, at)
            self.pin(capacitor, end, x + 26, at)
            self.wire((x + 20, at), (x + 31, at))
            self.flag(self.circuit.net_of(part.name, pin), x + 31, at, "right")
        self.sign(f"M{x + 26:g},{y - 1.8:g}v1.4 m-2,0h4 m0,.8h-4 m2,0v1.4")


# ---- the parts of the picture


def _pi(sheet: _Sheet, name: str) -> float:
    """Draw the Pi with its buttons, the parts on the lines of the bus, and the lights."""
    parts = sheet.circuit.parts
    sheet.text(8, 12, f"{name}: the Pi, the lines of the bus, the lights", "head")
    sheet.text(165, 22, "Wires meet only at dots; flags of one name are joined; a cross is open.")
    pi = parts["Pi"]
    gpios = [pin for pin in pi.pins if pin.startswith("GPIO")]
    gpios.sort(key=lambda pin: HEADER[int(pin[4:])])
    power = [pin for pin in pi.pins if pin not in gpios]
    bottom = sheet.chip(pi, 40, 24, 56, power, gpios)
    sheet.text(68, 21, "Raspberry Pi", "name")
    x = 165.0
    for part in parts.values():
        alone = part.kind == "resistor" and not part.name.startswith(("bleeder", "series"))
        if alone and part.name not in sheet.drawn:
            sheet.upright(part, x, 36, "" if part.bought else "on the Pi")
            x += 26
    return max(bottom, _supplies(sheet)) + 24


def _supplies(sheet: _Sheet) -> float:
    """Draw a box for each supply; return their lower end."""
    y, low = 90.0, 0.0
    gates = range(1, 5)
    boxes = {
        "supply": (160.0, 26.0, [], ["+", "-"]),
        "regulator": (236.0, 24.0, ["IN", "GND"], ["OUT"]),
        "shifter": (
            308.0,
            30.0,
            [f"{gate}{pin}" for gate in gates for pin in ("OE", "A")],
            ["VCC", "GND", *(f"{gate}Y" for gate in gates)],
        ),
        "chain": (396.0, 44.0, ["DIN", "5 V", "GND", "5 V far end", "GND far end"], []),
    }
    for name, (x, wide, left, right) in boxes.items():
        part = sheet.circuit.parts.get(name)
        if part is not None:
            low = max(low, sheet.chip(part, x, y, wide, left, right))
            what = f"{part.kind} {part.value}" if name in ("supply", "regulator") else part.value
            sheet.text(x + wide / 2, y - 2, what or part.kind, "name")
    for number, part in enumerate(_beside(sheet.circuit, ("shifter", "chain", "regulator"))):
        sheet.upright(part, 170 + 32 * number, y + 48, part.beside)
        low = max(low, y + 64)
    return low


def _beside(circuit: Netlist, names: Iterable[str]) -> Iterator[Part]:
    for name in names:
        yield from (part for part in circuit.parts.values() if part.beside == name)


def _chips(sheet: _Sheet, top: float) -> float:
    """Draw the chips on I2C under rails of the bus, four in a row."""
    chips = [*sheet.circuit.kind("MCP23017"), *sheet.circuit.kind("ADS7830")]
    if not chips:
        return top
    sheet.text(8, top, "The chips on I2C", "head")
    for first in range(0, len(chips), 4):
        row = chips[first : first + 4]
        top = _row(sheet, row, top + 12)
    return top


def _row(sheet: _Sheet, chips: Sequence[Part], top: float) -> float:
    rails = {net: top + PITCH * number for number, net in enumerate(BUS)}
    last: dict[str, float] = {}
    bottom = top
    for number, part in enumerate(chips):
        x, y = 52 + 110.0 * number, top + PITCH * len(BUS) + 10
        ups = [pin for pin in BUS_PINS if pin in part.pins]
        sheet.box(x, y, PITCH * 5.5, 8)
        for place, pin in enumerate(ups):
            at, net = x + 5 + 11.0 * place, BUS_PINS[pin]
            sheet.pin(part, pin, at, y)
            sheet.text(at, y + 4, pin, "middle")
            sheet.wire((at, y), (at, rails[net]))
            sheet.dot(at, rails[net])
            last[net] = at
        rest = [pin for pin in part.pins if pin not in ups]
        right = [pin for pin in rest if pin.startswith(("GP", "CH"))]
        left = [pin for pin in rest if pin not in right]
        low = sheet.chip(part, x, y + 8, PITCH * 5.5, left, right)
        sheet.text(x + PITCH * 1.8, low - 14, part.kind, "name")
        sheet.text(x + PITCH * 1.8, low - 8, part.name, "name")
        for place, each in enumerate(_beside(sheet.circuit, (part.name,))):
            sheet.upright(each, x + 8 + 24.0 * place, low + 10)
        bottom = max(bottom, low + 26)
    for net, y in rails.items():
        if net in last:
            sheet.wire((24, y), (last[net], y))
            sheet.flag(net, 24, y, "left")
    return bottom + 12


def _multiplexers(sheet: _Sheet, top: float) -> float:
    """Draw the multiplexers with their sensors, four in a row."""
    chips = sheet.circuit.kind("CD74HC4067")
    if not chips:
        return top
    sheet.text(8, top, "The multiplexers and the Hall sensors (100 nF at each)", "head")
    for first in range(0, len(chips), 4):
        bottom = top
        for number, part in enumerate(chips[first : first + 4]):
            x, y = 36 + 112.0 * number, top + 14
            right = [pin for pin in part.pins if pin[0] == "I"]
            left = [pin for pin in part.pins if pin not in right]
            low = sheet.chip(part, x, y, 28, left, right)
            sheet.text(x + 14, y - 2, f"{part.name}: {part.kind}", "name")
            small = [sheet.circuit.parts[f"bleeder of {part.name}"]]
            small += _beside(sheet.circuit, (part.name,))
            for place, each in enumerate(small):
                sheet.upright(each, x - 12 + 30.0 * place, low + 10)
            bottom = max(bottom, low + 26)
        top = bottom + 10
    return top + 8
