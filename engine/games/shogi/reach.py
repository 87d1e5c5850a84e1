"""Tables of the fast board: the groups of pieces, and what each piece reaches from each square."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.games.shogi.choices import Choices
from engine.games.shogi.pieces import (
    BISHOP,
    GOTE,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PIECES,
    PROMOTED,
    ROOK,
    STEPS,
)
from engine.games.shogi.squares import (
    FALLING_LINE,
    FILE_LINE,
    FORWARD_LINE,
    RANK_LINE,
    RISING_LINE,
    squares_of,
)

# The pieces of a side are kept in six groups that move alike; add the side to get a group's number.
PAWNS, STEPPERS, LANCES, BISHOPS, ROOKS, KINGS = range(0, 12, 2)
_GROUPS: Final = {
    PAWN: PAWNS,
    LANCE: LANCES,
    BISHOP: BISHOPS,
    BISHOP + PROMOTED: BISHOPS,
    ROOK: ROOKS,
    ROOK + PROMOTED: ROOKS,
    KING: KINGS,
}
GROUP: Final = tuple(_GROUPS.get(piece & 15, STEPPERS) + (piece >> 4) for piece in range(32))
"""By piece: the number of its group."""


def _mobility(piece: int, square: int) -> tuple[Any, ...]:
    """Return what decides where a piece can go from a square, and its ready moves, as `moves` wants
    them: (steps, choices), for a lance (mask, line, choices), for the long-range pieces
    (mask, line, mask, line, steps, choices).
    """
    steps, ready = STEPS[piece][square], Choices(piece, square)
    group = GROUP[piece] & ~1
    if group == LANCES:
        line = FORWARD_LINE[piece >> 4][square]
        return line.mask, line, ready
    if group == BISHOPS:
        rising, falling = RISING_LINE[square], FALLING_LINE[square]
        return rising.mask, rising, falling.mask, falling, steps, ready
    if group == ROOKS:
        file, rank = FILE_LINE[square], RANK_LINE[square]
        return file.mask, file, rank.mask, rank, steps, ready
    return steps, ready


MOBILITY: Final = tuple(
    tuple(_mobility(piece, square) for square in range(81)) if piece in PIECES else ()
    for piece in range(32)
)

CROSS: Final = tuple(FILE_LINE[square].mask | RANK_LINE[square].mask for square in range(81))
SALTIRE: Final = tuple(RISING_LINE[square].mask | FALLING_LINE[square].mask for square in range(81))
NEAR: Final = tuple(
    tuple(STEPS[KING][square] | STEPS[KNIGHT + GOTE * (1 - by)][square] for square in range(81))
    for by in (0, 1)
)
"""By side and square: from where a piece of that side may step or jump onto the square."""


def _about(table: Callable[[int], int]) -> tuple[int, ...]:
    """Return, by square, a table's bits for the square and its neighbours together."""
    found = []
    for square in range(81):
        bits = table(square)
        for neighbour in squares_of(STEPS[KING][square]):
            bits |= table(neighbour)
        found.append(bits)
    return tuple(found)


# From where a king's square or one beside it may be attacked, by the king's square (and side).
NEAR_ABOUT: Final = (_about(lambda at: NEAR[1][at]), _about(lambda at: NEAR[0][at]))
CROSS_ABOUT: Final = _about(lambda at: CROSS[at])
SALTIRE_ABOUT: Final = _about(lambda at: SALTIRE[at])
AHEAD_ABOUT: Final = (
    _about(lambda at: FORWARD_LINE[0][at].mask),
    _about(lambda at: FORWARD_LINE[1][at].mask),
)
