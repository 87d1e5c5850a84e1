"""The faces of dice, drawn with the cells of a square board."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Final

from engine.game import Place

_CORNERS: Final = ((0, 0), (0, 2), (2, 0), (2, 2))
FACES: Final = {
    1: ((1, 1),),
    2: ((0, 2), (2, 0)),
    3: ((0, 2), (1, 1), (2, 0)),
    4: _CORNERS,
    5: (*_CORNERS, (1, 1)),
    6: (*_CORNERS, (1, 0), (1, 2)),
}
"""The pips of each number in a square of three rows and columns, as row and column."""
GAP: Final = 2
"""The number of dark columns between two dice."""


def pips(cells: Sequence[Place], dice: Sequence[int]) -> tuple[Place, ...]:
    """Return the cells that draw the faces of dice side by side, the first one on the left;
    nothing where there is no room for them. `cells` are those of the board in reading order.

    One die takes every other cell, which is easier to read; more of them stand closer.
    """
    side = isqrt(len(cells))
    step = 2 if len(dice) == 1 else 1
    wide = 2 * step + 1
    pitch = wide + GAP
    left, top = (side - len(dice) * pitch + GAP) // 2, (side - wide) // 2
    if side * side != len(cells) or min(left, top) < 0:
        return ()
    return tuple(
        cells[(top + step * row) * side + left + number * pitch + step * column]
        for number, die in enumerate(dice)
        for row, column in FACES.get(die, ())
    )
