"""A layout for people: its picture as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from hardware.layout import Layout, Place

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
