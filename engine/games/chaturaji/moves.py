"""How the pieces of Chaturaji move, as tables of steps by square."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from engine.game import Place, Seat
from engine.games.chaturaji.position import BOAT, SQUARES


class ChaturajiMove(NamedTuple):
    """A move of a piece from square to square."""

    origin: Place
    target: Place
    promotes: str = ""
    """The letter of the piece that a pawn becomes on arrival; empty without promotion."""


Step: TypeAlias = tuple[int, ChaturajiMove]
"""The target square and the move to it."""

Steps: TypeAlias = tuple[tuple[Step, ...], ...]
"""By square: the steps from it; `NOWHERE` has none."""


BLOCKS: Final = frozenset(
    frozenset((corner, corner + 1, corner + 8, corner + 9))
    for corner in range(64)
    if corner % 8 < 7 and corner < 56
)
"""The blocks of two by two squares on which four boats parade."""


@cache
def ready_move(origin: int, target: int, promotes: str = "") -> ChaturajiMove:
    """Return the shared object for this move, so that lists of moves create none."""
    return ChaturajiMove(SQUARES[origin], SQUARES[target], promotes)


def _line(square: int, dx: int, dy: int, reach: int) -> Iterator[Step]:
    """Yield the steps in one direction, the nearest first."""
    x, y = square % 8, square // 8
    for distance in range(1, reach + 1):
        to_x, to_y = x + distance * dx, y + distance * dy
        if 0 <= to_x < 8 and 0 <= to_y < 8:
            target = 8 * to_y + to_x
            yield target, ready_move(square, target)


def _steps(*offsets: tuple[int, int]) -> Steps:
    """Return the single steps along these offsets by square."""
    on_board = (
        tuple(step for dx, dy in offsets for step in _line(s, dx, dy, 1)) for s in range(64)
    )
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
"""By slot and square: the steps of boat, horse and raja, which leap over other pieces."""

RAYS: Final = (
    *(
        tuple(ray for dx, dy in _STRAIGHT if (ray := tuple(_line(square, dx, dy, 7))))
        for square in range(64)
    ),
    (),
)
"""By square: the lines along which an elephant slides, the nearest square first."""


def _turned_offset(seat: Seat, dx: int, dy: int) -> tuple[int, int]:
    for _ in range(seat):
        dx, dy = dy, -dx
    return dx, dy


AHEAD: Final = tuple(_steps(_turned_offset(seat, 0, 1)) for seat in range(4))
"""By seat and square: the steps of a pawn without capture."""

STRIKES: Final = tuple(
    _steps(_turned_offset(seat, -1, 1), _turned_offset(seat, 1, 1)) for seat in range(4)
)
"""By seat and square: the captures of a pawn."""


def parades(pieces: bytes | bytearray) -> bool:
    """Return whether the four boats stand in a block of two by two."""
    return frozenset(pieces[BOAT::8]) in BLOCKS
