"""The pieces of Robot Duel: where they stand, how they step, and what follows from one side's
pieces.

All pieces go one step, and nothing blocks a step but an own piece. So what a side's pieces can do
does not depend on the other side at all. One int holds a side's pieces on the board (an octal digit
a cell, and above them the seat), another holds its hand (two bits a kind); `Army` holds what
follows from the first, worked out once and remembered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine.cache import BoundedCache, CachedFunction
from engine.game import Piece, Place, Seat

SEATS: Final = ("A", "B")
EMPTY, CHICK, ELEPHANT, GIRAFFE, LION, HEN = range(6)
LETTERS: Final = ("", "C", "E", "G", "L", "+C")
HELD: Final = (CHICK, ELEPHANT, GIRAFFE)
"""The kinds that a hand may hold."""

CELLS: Final = tuple(f"{column}{row}" for row in "1234" for column in "ABC")
TRAYS: Final = tuple(f"hand.{seat}.{LETTERS[kind]}" for seat in SEATS for kind in HELD)
TRAY_OF: Final = {(seat, kind): TRAYS[3 * seat + kind - 1] for seat in (0, 1) for kind in HELD}
HOLDER: Final = {tray: holder for holder, tray in TRAY_OF.items()}
"""Of each tray the seat and the kind."""

SHIFT: Final = {cell: 3 * index for index, cell in enumerate(CELLS)}
"""How far up in a side's pieces a cell's digit is."""
BIT: Final = {cell: 1 << index for index, cell in enumerate(CELLS)}
"""A cell as a set of cells."""
BOARD: Final = 0o7777
"""The set of all cells."""
FAR: Final = (0o0007, 0o7000)
"""By seat: the row that its lion tries to reach and that turns its chicks into hens."""
SEAT_SHIFT: Final = 36

IN_HAND: Final = (0, 1, 4, 16, 0, 1)
"""By kind: what taking it adds to a hand. A hen turns back into a chick; nobody holds a lion."""
KINDS_IN: Final = tuple(sum(1 for kind in HELD if hand >> 2 * kind - 2 & 3) for hand in range(64))
"""By hand: how many kinds are in it."""


class RobotDuelMove(NamedTuple):
    """A step from cell to cell, or a drop from the mover's tray onto a cell."""

    origin: Place
    target: Place
    promotes: bool = False
    """The chick turns into a hen at the end of this step."""


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
"""By seat, kind and cell: the cells that the piece steps to on an empty board, all as indices."""

_MOVES: Final = {  # each step there is, once
    (cell, target, promotes): RobotDuelMove(CELLS[cell], CELLS[target], promotes)
    for cell in range(12)
    for target in STEPS[0][LION][cell]
    for promotes in (False, True)
}


class Army(NamedTuple):
    """What follows from one side's pieces alone."""

    moves: tuple[RobotDuelMove, ...]
    """All steps; none without a lion."""
    after: Mapping[RobotDuelMove, int]
    """Each step, and the side's pieces after it."""
    reach: tuple[tuple[int, int], ...]
    """The same for counting: the shift of the target's digit, and the pieces after the step."""
    occupied: int
    """The set of cells on which its pieces stand."""
    attacked: int
    """The set of cells to which its pieces step, own ones included: what they attack or protect."""
    lion: int
    """The lion's cell as a set; empty when it was taken."""
    trying: int
    """The same if the lion stands on its far row, else empty."""
    size: int
    """How many pieces stand on the board."""


def each_piece(pieces: int) -> Iterator[tuple[int, int]]:
    """Yield (cell's index, kind) of a side's pieces, in reading order."""
    for cell in range(12):
        if kind := pieces >> 3 * cell & 7:
            yield cell, kind


def steppers(pieces: int, target: int) -> tuple[Place, ...]:
    """Return the cells of those pieces that step to the target (an index)."""
    ways = STEPS[pieces >> SEAT_SHIFT]
    return tuple(CELLS[cell] for cell, kind in each_piece(pieces) if target in ways[kind][cell])


def _army(pieces: int, optional: bool) -> Army:
    """Work out an army; `optional`: a chick may stay one on its far row."""
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


ROOM: Final = BoundedCache(1 << 12)
"""For what all memos here remember."""

ARMIES: Final[Mapping[str, CachedFunction[int, Army]]] = {
    "optional": CachedFunction(ROOM, lambda pieces: _army(pieces, optional=True)),
    "mandatory": CachedFunction(ROOM, lambda pieces: _army(pieces, optional=False)),
}
"""By the value of the option `promotion`: each side's pieces with what follows from them."""

SHIFTS: Final[CachedFunction[int, tuple[int, ...]]] = CachedFunction(
    ROOM, lambda cells: tuple(3 * i for i in range(12) if cells >> i & 1)
)
"""By set of cells: their shifts."""


_DROPS: Final = {  # each drop there is, once
    (seat, kind, 3 * cell): RobotDuelMove(TRAY_OF[seat, kind], CELLS[cell])
    for seat, kind in TRAY_OF
    for cell in range(12)
}


def _drops(key: int) -> tuple[RobotDuelMove, ...]:
    seat, hand, empty = key >> 18, key >> 12 & 63, key & BOARD
    return tuple(
        _DROPS[seat, kind, shift]
        for kind in HELD
        if hand >> 2 * kind - 2 & 3
        for shift in SHIFTS[empty]
    )


DROPS: Final[CachedFunction[int, tuple[RobotDuelMove, ...]]] = CachedFunction(ROOM, _drops)
"""By seat, hand and set of empty cells, packed into 1, 6 and 12 bits: all drops."""

PIECES: Final = {
    (seat, kind): Piece(seat, LETTERS[kind], -1 if kind == HEN else 1)
    for seat in (0, 1)
    for kind in (CHICK, ELEPHANT, GIRAFFE, LION, HEN)
}
"""By seat and kind: a piece on the board."""


def in_tray(seat: Seat, kind: int, hand: int) -> Piece | None:
    """Return what of that kind lies in the seat's tray; None if nothing."""
    count = hand >> 2 * kind - 2 & 3
    return Piece(seat, LETTERS[kind], count=count) if count else None
