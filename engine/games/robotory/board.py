"""The board of Robotory: 24 hexagons in five columns of 4-5-6-5-4, and the two camps.

Columns a–e run from left to right and numbers from the bottom to the top, as the light player
sees it who sits at the bottom. Sets of cells are ints: bit 0 is a1, then column by column upwards
to e4, which is also the alphabetical order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.game import Place

_HEIGHTS: Final[Mapping[str, tuple[int, int]]] = {
    "a": (2, 4),
    "b": (1, 5),
    "c": (0, 6),
    "d": (1, 5),
    "e": (2, 4),
}
"""Of each column the doubled height of its lowest cell, and how many cells it has."""

_AT: Final[Mapping[Place, tuple[int, int]]] = {
    f"{column}{number + 1}": (ord(column), lowest + 2 * number)
    for column, (lowest, cells) in _HEIGHTS.items()
    for number in range(cells)
}
CELLS: Final[tuple[Place, ...]] = tuple(_AT)
INDEX: Final[Mapping[Place, int]] = {cell: index for index, cell in enumerate(CELLS)}
ALL: Final = (1 << len(CELLS)) - 1


def _touch(one: Place, other: Place) -> bool:
    columns, heights = (abs(a - b) for a, b in zip(_AT[one], _AT[other], strict=True))
    return (columns, heights) in ((0, 2), (1, 1))


NEAR: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(INDEX[other] for other in CELLS if _touch(cell, other)) for cell in CELLS
)
"""The indices of each cell's neighbours, ascending."""
TOUCHING: Final[tuple[int, ...]] = tuple(sum(1 << index for index in near) for near in NEAR)
"""The same as a set."""

_BYTES: Final = tuple(
    tuple(tuple(CELLS[first + bit] for bit in range(8) if byte >> bit & 1) for byte in range(256))
    for first in (0, 8, 16)
)


def cells_of(cells: int) -> tuple[Place, ...]:
    """Return the names of a set of cells, in order."""
    low, middle, high = _BYTES
    return low[cells & 255] + middle[cells >> 8 & 255] + high[cells >> 16]


def bits(*cells: Place) -> int:
    """Return the cells as a set."""
    return sum(1 << INDEX[cell] for cell in cells)


def mirrored(cell: Place) -> Place:
    """Return the cell after left and right are exchanged."""
    return "edcba"["abcde".index(cell[0])] + cell[1:]


ROBOTS: Final = "WBR"
"""The white, the black and the red robot."""
_ROBOTS_AT: Final = ("b3", "c4", "d3")
_LIGHT: Final = ("a1", "b1", "b2", "c1", "c2", "c3", "d1", "d2", "d3", "e1", "e2", "e3")


def start_of_robots(mirror: bool) -> tuple[int, int, int]:
    """Return the indices of the cells on which the robots begin."""
    white, black, red = (INDEX[mirrored(cell) if mirror else cell] for cell in _ROBOTS_AT)
    return white, black, red


def camps(mirror: bool) -> tuple[int, int]:
    """Return the cells of the light and of the dark camp."""
    light = bits(*(mirrored(cell) if mirror else cell for cell in _LIGHT))
    return light, ALL ^ light
