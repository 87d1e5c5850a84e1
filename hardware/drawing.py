"""A layout for people: its picture as SVG, and its wiring as a table of text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from hardware.layout import Button, Layout, Place

MARGIN_MM: Final = 12.0

STYLE: Final = (
    ".cell,.slot{fill:#f4ead7;stroke:#6b5a3e;stroke-width:.6}"
    ".slot{fill:#e6dcc8}"
    ".unsensed{stroke-dasharray:2 2}"
    ".led{fill:#fff3b0;stroke:#8a6d00;stroke-width:.4}"
    "text{font:5px sans-serif;text-anchor:middle;fill:#2b2418}"
    ".number{font-size:2.6px}"
)


def layout_svg(layout: Layout) -> str:
    """Return a picture of the board in mm: its places with their names, its LEDs with their
    numbers in the chain. North is up.
    """
    reach = max(layout.pitch, *layout.slot_size) / 2
    places = list(layout.places.values())
    left = min(place.x for place in places) - reach - MARGIN_MM
    right = max(place.x for place in places) + reach + MARGIN_MM
    bottom = min(place.y for place in places) - reach - MARGIN_MM
    top = max(place.y for place in places) + reach + MARGIN_MM
    width, height = right - left, top - bottom
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}" '
        f'width="{width:.1f}mm" height="{height:.1f}mm" role="img">',
        f"<title>{escape(layout.title)}</title>",
        f"<style>{STYLE}</style>",
    ]
    for place in places:
        lines += _outline(layout, place, place.x - left, top - place.y)
    for number, (x, y) in enumerate(layout.led_positions):
        at_x, at_y = x - left, top - y
        lines.append(f'<circle class="led" cx="{at_x:.1f}" cy="{at_y:.1f}" r="2.4"/>')
        lines.append(f'<text class="number" x="{at_x:.1f}" y="{at_y + 0.9:.1f}">{number}</text>')
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def _outline(layout: Layout, place: Place, x: float, y: float) -> Iterator[str]:
    if place.kind == "edge":
        return
    kind = place.kind if place.sensors else f"{place.kind} unsensed"
    if place.kind == "cell" and layout.shape == "hex":
        radius = layout.pitch / math.sqrt(3)
        corners = " ".join(
            f"{x + radius * math.sin(turn):.1f},{y + radius * math.cos(turn):.1f}"
            for turn in (math.radians(60 * corner) for corner in range(6))
        )
        yield f'<polygon class="{kind}" points="{corners}"/>'
    else:
        size = (layout.pitch, layout.pitch) if place.kind == "cell" else layout.slot_size
        wide, high = size
        yield (
            f'<rect class="{kind}" x="{x - wide / 2:.1f}" y="{y - high / 2:.1f}" '
            f'width="{wide:.1f}" height="{high:.1f}"/>'
        )
    yield f'<text x="{x:.1f}" y="{y + 1.8:.1f}">{escape(place.name)}</text>'


def wiring_text(layout: Layout) -> str:
    """Return what is soldered to what, a line a pin, as a table that can be ticked off."""
    lines = [f"{layout.name}: {layout.title}", ""]
    for chip in layout.expanders:
        lines.append(f"MCP23017 at {chip.address:#04x}")
        for pin in range(16):
            what = chip.sensors.get(pin) or _panel(layout, chip.address, pin)
            if what:
                lines.append(f"  {pin_name(pin)}  {what}")
    for multiplexer in layout.multiplexers:
        lines.append(f"CD74HC4067 on input {multiplexer.channel} of ADS7830 {multiplexer.adc:#04x}")
        lines += [
            f"  I{pin:<2} {sensor}" for pin, sensor in enumerate(multiplexer.inputs) if sensor
        ]
    for device in layout.serial:
        lines.append(f"{device.kind.capitalize()} on {device.port}, {device.baud} baud")
        lines += [f"  {number:<3} {name}" for number, name in enumerate(device.places)]
    lines.append(f"Light chain, {len(layout.led_positions)} LEDs, {layout.led_order}, from GPIO10")
    by_pixel = {pixel: place.name for place in layout.places.values() for pixel in place.pixels}
    lines += [f"  {pixel:<3} {by_pixel[pixel]}" for pixel in sorted(by_pixel)]
    lines.append("Header of the Pi")
    lines.append(f"  GPIO{layout.interrupt_gpio:<2} INT of every MCP23017, 4.7 kΩ to 3.3 V")
    if layout.reset_gpio is not None:
        lines.append(f"  GPIO{layout.reset_gpio:<2} RESET of every MCP23017")
    lines += [
        f"  GPIO{button.gpio:<2} button {button.name}"
        for button in layout.buttons.values()
        if button.gpio is not None
    ]
    lines.append(
        f"A scan takes {layout.scan_seconds() * 1e3:.2f} ms at 400 kHz, "
        f"a picture {layout.light_seconds() * 1e3:.2f} ms"
    )
    return "\n".join(lines) + "\n"


def pin_name(pin: int) -> str:
    """Return a pin of an MCP23017 as the datasheet calls it: 0 is A0, 8 is B0."""
    return f"{'AB'[pin // 8]}{pin % 8}"


def _panel(layout: Layout, address: int, pin: int) -> str:
    select = layout.select
    if select is not None and select.expander == address and pin in select.pins:
        return f"S{select.pins.index(pin)} of every CD74HC4067"
    buttons: list[Button] = list(layout.buttons.values())
    for button in buttons:
        if button.expander == address and button.pin == pin:
            return f"button {button.name}"
    return ""
