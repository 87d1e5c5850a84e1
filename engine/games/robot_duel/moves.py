"""The moves of Robot Duel, and what one side's pieces can do.

Every piece goes one step, and only a piece of its own side blocks a step. So what the pieces of one
side can do does not depend on the other side. An `Army` holds it, computed once per set of pieces.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.cache import BoundedCache, CachedFunction
from engine.game import Place, Seat
from engine.games.robot_duel.position import (
    BOARD,
    CELLS,
    CHICK,
    FAR,
    HAND_KINDS,
    HEN,
    LION,
    SEAT_SHIFT,
    SHIFT,
    TRAY_OF,
    each_piece,
)


class RobotDuelMove(NamedTuple):
    """A step from cell to cell, or a drop from the mover's tray onto a cell."""

    origin: Place
    target: Place
    promotes: bool = False
    """Whether a chick becomes a hen at the end of this step."""


_STRAIGHT: Final = ((0, 1), (1, 0), (-1, 0), (0, -1))  # (right, forwards) as the owner sees it
_DIAGONAL: Final = ((1, 1), (-1, 1), (1, -1), (-1, -1))
_OFFSETS: Final = (
    (),
    ((0, 1),),
    _DIAGONAL,
    _STRAIGHT,
    _STRAIGHT + _DIAGONAL,
    (*_STRAIGHT, (1, 1), (-1, 1)),
)


def _steps(seat: Seat, kind: int, cell: int) -> tuple[int, ...]:
    row, column = divmod(cell, 3)
    forwards = -1 if seat == 0 else 1
    ends = [(column - forwards * dx, row + forwards * dy) for dx, dy in _OFFSETS[kind]]
    return tuple(sorted(3 * y + x for x, y in ends if 0 <= x < 3 and 0 <= y < 4))


STEPS: Final = tuple(
    tuple(tuple(_steps(seat, kind, cell) for cell in range(12)) for kind in range(6))
    for seat in (0, 1)
)
"""By seat, kind and cell: the indices of the cells that the piece reaches on an empty board."""

_MOVES: Final = {  # one object for each step
    (cell, target, promotes): RobotDuelMove(CELLS[cell], CELLS[target], promotes)
    for cell in range(12)
    for target in STEPS[0][LION][cell]
    for promotes in (False, True)
}


class Army(NamedTuple):
    """What one side's pieces can do, whatever the other side has."""

    moves: tuple[RobotDuelMove, ...]
    """All steps; none if the lion is gone."""
    after: Mapping[RobotDuelMove, int]
    """Each step with the side's pieces after it."""
    reach: tuple[tuple[int, int], ...]
    """The same for perft: the shift of the target's digit, and the pieces after the step."""
    occupied: int
    """The cells of its pieces, as a set."""
    attacked: int
    """The cells that its pieces attack or protect, as a set."""
    lion: int
    """The lion's cell as a set; empty if it was taken."""
    trying: int
    """The same if the lion stands on its far row, else empty."""
    size: int
    """The number of its pieces on the board."""


def steppers(pieces: int, target: int) -> tuple[Place, ...]:
    """Return the cells of the pieces that can step to the target's index."""
    steps = STEPS[pieces >> SEAT_SHIFT]
    return tuple(CELLS[cell] for cell, kind in each_piece(pieces) if target in steps[kind][cell])


def _army(pieces: int, optional: bool) -> Army:
    """Return what these pieces can do; `optional`: a chick need not promote on its far row."""
    seat = pieces >> SEAT_SHIFT
    occupied = attacked = lion = size = 0
    for cell, kind in each_piece(pieces):
        size += 1
        occupied |= 1 << cell
        if kind == LION:
            lion = 1 << cell
        for target in STEPS[seat][kind][cell]:
            attacked |= 1 << target
    after: dict[RobotDuelMove, int] = {}
    for cell, kind in each_piece(pieces) if lion else ():
        others = pieces - (kind << 3 * cell)
        for target in STEPS[seat][kind][cell]:
            if occupied >> target & 1:
                continue
            reaches_far = kind == CHICK and FAR[seat] >> target & 1
            if reaches_far:
                after[_MOVES[cell, target, True]] = others + (HEN << 3 * target)
            if optional or not reaches_far:
                after[_MOVES[cell, target, False]] = others + (kind << 3 * target)
    return Army(
        moves=tuple(after),
        after=after,
        reach=tuple((SHIFT[move.target], moved) for move, moved in after.items()),
        occupied=occupied,
        attacked=attacked,
        lion=lion,
        trying=lion & FAR[seat],
        size=size,
    )


CACHE: Final = BoundedCache(1 << 12)
"""The shared limit of all tables here."""

ARMIES: Final[Mapping[str, CachedFunction[int, Army]]] = {
    "optional": CachedFunction(CACHE, lambda pieces: _army(pieces, optional=True)),
    "mandatory": CachedFunction(CACHE, lambda pieces: _army(pieces, optional=False)),
}
"""By value of the option `promotion`: the army of each set of pieces."""

SHIFTS: Final[CachedFunction[int, tuple[int, ...]]] = CachedFunction(
    CACHE, lambda cells: tuple(3 * i for i in range(12) if cells >> i & 1)
)
"""By set of cells: the shifts of their digits."""


_DROPS: Final = {  # one object for each drop
    (seat, kind, 3 * cell): RobotDuelMove(TRAY_OF[seat, kind], CELLS[cell])
    for seat, kind in TRAY_OF
    for cell in range(12)
}


def _drops(key: int) -> tuple[RobotDuelMove, ...]:
    seat, hand, empty = key >> 18, key >> 12 & 63, key & BOARD
    return tuple(
        _DROPS[seat, kind, shift]
        for kind in HAND_KINDS
        if hand >> 2 * kind - 2 & 3
        for shift in SHIFTS[empty]
    )


DROPS: Final[CachedFunction[int, tuple[RobotDuelMove, ...]]] = CachedFunction(CACHE, _drops)
"""All drops by seat, hand and set of empty cells, packed into 1, 6 and 12 bits."""
