"""The board of Chaturaji, its thirty-two pieces, and how they step.

Squares are 0 (a1) … 63 (h8), eight a rank, and `NOWHERE` for a piece that has left the board. A
piece is a number: eight times its seat plus its slot. An army never has two pieces of one slot, not
even after promotion: a pawn is known by the piece it stood in front of, and it becomes another
piece only while that one is lost. So a whole board is one square per piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from engine.game import Place, Seat

SEATS: Final = "SWNE"
"""The seats clockwise, as the notation writes them: south, west, north, east."""

BOAT, HORSE, ELEPHANT, RAJA, PAWN = range(5)
"""The slots of an army; slots 4 … 7 are the pawns in front of boat, horse, elephant, raja."""

LETTERS: Final = "BHEKPPPP"
"""The letter of each slot."""

DIE: Final = (2, 3, 4, 5, 5, 5, 5, 5)
"""By slot: the throw that moves it."""

WORTH: Final = (2, 3, 4, 5, 1, 1, 1, 1)
"""By slot: the points for taking it."""

STRONG: Final = (HORSE, ELEPHANT, RAJA)
"""The slots that boats and pawns may not take where ranks count."""

NOWHERE: Final = 64
GONE: Final = bytes([NOWHERE] * 8)
"""An army that has left the board."""

SQUARES: Final = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
INDEX: Final = {name: square for square, name in enumerate(SQUARES)}


class ChaturajiMove(NamedTuple):
    """A piece's way from square to square."""

    origin: Place
    target: Place
    promotes: str = ""
    """The letter of the piece that a pawn becomes on arrival; empty when it stays what it is."""


Step: TypeAlias = tuple[int, ChaturajiMove]
"""A square to arrive at, and the ready move there."""

Steps: TypeAlias = tuple[tuple[Step, ...], ...]
"""By square (`NOWHERE` included, which has none): the steps from it."""


def turned(seat: Seat, lane: int, line: int) -> int:
    """Return the square on a seat's lane and line, both 0 … 7 from its own left corner."""
    x, y = lane, line
    for _ in range(seat):
        x, y = y, 7 - x
    return 8 * y + x


# By seat and square: lane and line as that seat sees them.
SEEN: Final = tuple(
    {turned(seat, lane, line): (lane, line) for lane in range(8) for line in range(8)}
    for seat in range(4)
)

START: Final = bytes(
    turned(seat, slot % PAWN, slot // PAWN) for seat in range(4) for slot in range(8)
)
"""The square of each piece when the game begins."""

THRONES: Final = tuple(START[8 * seat + RAJA] for seat in range(4))
"""By seat: where its raja starts."""

LAST_LINE: Final = tuple(frozenset(turned(seat, lane, 7) for lane in range(8)) for seat in range(4))
"""By seat: where its pawns may be promoted."""

BLOCKS: Final = frozenset(
    frozenset((corner, corner + 1, corner + 8, corner + 9))
    for corner in range(64)
    if corner % 8 < 7 and corner < 56
)
"""The squares of two by two on which four boats parade."""


@cache
def ready_move(origin: int, target: int, promotes: str = "") -> ChaturajiMove:
    """Return the one object for this move, so that lists of moves cost no new ones."""
    return ChaturajiMove(SQUARES[origin], SQUARES[target], promotes)


def _line(square: int, dx: int, dy: int, reach: int) -> Iterator[Step]:
    """Yield the steps in one direction, nearest first."""
    x, y = square % 8, square // 8
    for distance in range(1, reach + 1):
        to_x, to_y = x + distance * dx, y + distance * dy
        if 0 <= to_x < 8 and 0 <= to_y < 8:
            target = 8 * to_y + to_x
            yield target, ready_move(square, target)


def _steps(*ways: tuple[int, int]) -> Steps:
    """Return for each square the single steps along these offsets."""
    on_board = (tuple(step for dx, dy in ways for step in _line(s, dx, dy, 1)) for s in range(64))
    return (*on_board, ())


_STRAIGHT: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
_DIAGONAL: Final = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_NONE: Final[Steps] = ((),) * 65

LEAPS: Final[tuple[Steps, ...]] = (
    _steps(*((2 * dx, 2 * dy) for dx, dy in _DIAGONAL)),
    _steps(*((dx, dy) for dx in (1, 2, -1, -2) for dy in (1, 2, -1, -2) if abs(dx) != abs(dy))),
    _NONE,
    _steps(*_STRAIGHT, *_DIAGONAL),
)
"""By slot, then square: where boat, horse and raja go, whatever stands between."""

RAYS: Final = (
    *(
        tuple(ray for dx, dy in _STRAIGHT if (ray := tuple(_line(square, dx, dy, 7))))
        for square in range(64)
    ),
    (),
)
"""By square: the lines along which an elephant slides, each from near to far."""


def _turned_way(seat: Seat, dx: int, dy: int) -> tuple[int, int]:
    for _ in range(seat):
        dx, dy = dy, -dx
    return dx, dy


AHEAD: Final = tuple(_steps(_turned_way(seat, 0, 1)) for seat in range(4))
"""By seat and square: where its pawn goes without taking."""

STRIKES: Final = tuple(
    _steps(_turned_way(seat, -1, 1), _turned_way(seat, 1, 1)) for seat in range(4)
)
"""By seat and square: where its pawn goes by taking."""


def parades(pieces: bytes | bytearray) -> bool:
    """Return whether the four boats stand two by two."""
    return frozenset(pieces[BOAT::8]) in BLOCKS
