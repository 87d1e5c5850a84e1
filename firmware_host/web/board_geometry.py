"""The picture of a board, for pages to draw: the geometry of its layout."""

from __future__ import annotations

from typing import Any

from hardware.layout import Layout


def picture(layout: Layout) -> dict[str, Any]:
    """Return a board as plain data, in millimetres, x to the right and y down, the middle of the
    cells at 0, 0. An LED is its x and y and the place that it belongs to, `""` if to none.
    """
    cells = [layout.places[name] for name in layout.cells]
    xs, ys = [cell.x for cell in cells], [cell.y for cell in cells]
    middle_x, middle_y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    owners = {pixel: place.name for place in layout.places.values() for pixel in place.pixels}
    return {
        "layout": layout.name,
        "shape": layout.shape,
        "sensing": layout.sensing,
        "pitch": layout.pitch,
        "slot": layout.slot_size,
        "places": [
            {
                "id": place.name,
                "kind": place.kind,
                "x": round(place.x - middle_x, 1),
                "y": round(middle_y - place.y, 1),
            }
            for place in layout.places.values()
        ],
        "leds": [
            (round(x - middle_x, 1), round(middle_y - y, 1), owners.get(pixel, ""))
            for pixel, (x, y) in enumerate(layout.led_positions)
        ],
    }
