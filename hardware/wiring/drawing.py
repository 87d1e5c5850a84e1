"""The picture of a layout as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from hardware.layout import BoardPlace, Layout

MARGIN_MM: Final = 12.0
REED_MM: Final = (14.0, 2.0)
"""The length and the diameter of a reed switch's glass."""
REED_OFFSET_MM: Final = 5.0
"""A reed switch lies east-west, with its middle this far east of the middle of its place: a magnet
right above its middle leaves it open.
"""
HALL_MM: Final = (4.0, 3.0)

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
        lines += _sensor(layout, place, place.x - left, top - place.y)
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
        return (
            f"Each reed switch lies east-west, its middle {REED_OFFSET_MM:g} mm east of the middle "
            "of its place; north is up."
        )
    return "Each Hall sensor sits under the middle of its cell; north is up."


def sensor_offset(layout: Layout) -> float:
    """Return how far a sensor's middle is east of the middle of its place, in mm."""
    return REED_OFFSET_MM if layout.sensing == "presence" else 0.0


def _sensor(layout: Layout, place: BoardPlace, x: float, y: float) -> Iterator[str]:
    """Draw the sensors of a place: the pockets of a slot lie in two columns, the first in its
    north-western corner.
    """
    wide, high = REED_MM if layout.sensing == "presence" else HALL_MM
    columns = min(2, len(place.sensors))
    rows = math.ceil(len(place.sensors) / 2)
    step_x, step_y = (size / 2 for size in layout.slot_size)
    for number in range(len(place.sensors)):
        at_x = x + (number % 2 - (columns - 1) / 2) * step_x + sensor_offset(layout)
        at_y = y + (number // 2 - (rows - 1) / 2) * step_y
        yield (
            f'<path class="sensor" d="M{at_x - wide / 2:.1f},{at_y - high / 2:.1f}'
            f'h{wide:g}v{high:g}h{-wide:g}z"/>'
        )


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
