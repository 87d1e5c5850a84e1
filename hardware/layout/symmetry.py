"""The symmetries of a board: it may be turned, or wired as if seen in a mirror."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hardware.layout.model import BoardPlace, Layout


@dataclass(frozen=True, slots=True)
class Symmetry:
    """One symmetry of a board."""

    degrees: int
    """Anticlockwise, after the mirror."""
    mirrored: bool
    """West and east are exchanged first."""
    places: Mapping[str, str]
    """The image of each place. Slots, or edges, stay in place if one of them has no image."""


def symmetries(layout: Layout) -> tuple[Symmetry, ...]:
    """Return all symmetries that map cells onto cells, the identity first."""
    step = 90 if layout.shape == "square" else 60
    found = []
    for mirrored in (False, True):
        for degrees in range(0, 360, step):
            places: dict[str, str] = {}
            for kind in ("cell", "slot", "edge"):
                names = [place.name for place in layout.places.values() if place.kind == kind]
                laid = [_image(layout, name, degrees, mirrored) for name in names]
                whole = sorted(filter(None, laid)) == sorted(names)
                places |= zip(names, filter(None, laid) if whole else names, strict=True)
                if kind == "cell" and not whole:
                    break
            else:
                found.append(Symmetry(degrees, mirrored, MappingProxyType(places)))
    return tuple(found)


def _image(layout: Layout, name: str, degrees: int, mirrored: bool) -> str | None:
    """Return the image of a place, None if there is no similar place."""
    cells = [layout.places[cell] for cell in layout.cells]
    middle_x = sum(cell.x for cell in cells) / len(cells)
    middle_y = sum(cell.y for cell in cells) / len(cells)
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    place = layout.places[name]
    x, y = place.x - middle_x, place.y - middle_y
    x = -x if mirrored else x
    at = x * cos - y * sin + middle_x, x * sin + y * cos + middle_y
    near = min(
        (other for other in layout.places.values() if _alike(place, other)),
        key=lambda other: math.dist(at, (other.x, other.y)),
    )
    return near.name if math.dist(at, (near.x, near.y)) <= layout.pitch / 2 else None


def _alike(one: BoardPlace, other: BoardPlace) -> bool:
    return (one.kind, len(one.sensors), len(one.pixels)) == (
        other.kind,
        len(other.sensors),
        len(other.pixels),
    )
