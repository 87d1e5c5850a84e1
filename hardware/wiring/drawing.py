"""The picture of a layout as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from hardware.layout import BoardPlace, Layout
from hardware.wiring.sensor_spots import REED_OFFSET_MM, place_spots

MARGIN_MM: Final = 12.0
STYLE: Final = (
    ".cell,.slot{fill:#f4ead7;stroke:#6b5a3e;stroke-width:.6}"
    ".slot{fill:#e6dcc8}"
    ".unsensed{stroke-dasharray:2 2}"
    ".sensor{fill:#cfe3d4;stroke:#1f6b3a;stroke-width:.4}"
    ".led{fill:#fff3b0;stroke:#8a6d00;stroke-width:.4}"
    "text{font:5px sans-serif;text-anchor:middle;fill:#2b2418}"
    ".number{font-size:2.6px}"
)


def layout_svg(layout: Layout) -> str:
    """Return a picture of the board in mm: its places with their names and sensors, its LEDs with
    their numbers in the chain. North is up.
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
        f"<desc>{escape(sensors_text(layout))}</desc>",
        f"<style>{STYLE}</style>",
    ]
    for place in places:
        lines += _outline(layout, place, place.x - left, top - place.y)
        lines += _sensors(layout, place, left, top)
    for number, (x, y) in enumerate(layout.led_positions):
        at_x, at_y = x - left, top - y
        lines.append(f'<circle class="led" cx="{at_x:.1f}" cy="{at_y:.1f}" r="2.4"/>')
        lines.append(f'<text class="number" x="{at_x:.1f}" y="{at_y + 0.9:.1f}">{number}</text>')
    lines.append(
        f'<text x="{width / 2:.1f}" y="{height - 3:.1f}">{escape(sensors_text(layout))}</text>'
    )
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def sensors_text(layout: Layout) -> str:
    """Return a sentence about the position of a board's sensors."""
    if layout.sensing == "presence":
        pockets = any(len(place.sensors) > 1 for place in layout.places.values())
        return (
            f"Each reed switch lies east-west, its middle {REED_OFFSET_MM:g} mm east of the middle "
            f"of its place{'; in pockets north-south' * pockets}. North is up."
        )
    return "Each Hall sensor sits under the middle of its cell or pocket. North is up."


def _sensors(layout: Layout, place: BoardPlace, left: float, top: float) -> Iterator[str]:
    for spot in place_spots(layout, place):
        west, north = spot.x - left - spot.wide / 2, top - spot.y - spot.high / 2
        size = f"h{spot.wide:g}v{spot.high:g}h{-spot.wide:g}z"
        yield f'<path class="sensor" d="M{west:.1f},{north:.1f}{size}"/>'


def _outline(layout: Layout, place: BoardPlace, x: float, y: float) -> Iterator[str]:
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
    yield f'<text x="{x:.1f}" y="{y - 4:.1f}">{escape(place.name)}</text>'
