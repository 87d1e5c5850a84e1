"""The 81 squares as bits of one int, and the lines through them.

The number of a square is 9 * (file - 1) + rank, with rank a as 0. So the nine squares of a file are
neighbouring bits, and a shift by one moves all pawns of a side. Sente moves towards rank a.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.cache import BoundedCache, CacheTable

PLACES: Final = tuple(file + rank for file in "123456789" for rank in "abcdefghi")
"""The name of each square; `1a` is the far right corner for sente."""
SQUARES: Final = {place: square for square, place in enumerate(PLACES)}
"""The number of each square."""
READING_ORDER: Final = tuple(file + rank for rank in "abcdefghi" for file in "987654321")
"""The squares row by row, as in a diagram."""

BIT: Final = tuple(1 << square for square in range(81))
BOARD: Final = (1 << 81) - 1
FILES: Final = tuple(0b1_1111_1111 << 9 * file for file in range(9))
RANKS: Final = tuple(sum(BIT[9 * file + rank] for file in range(9)) for rank in range(9))
ZONES: Final = (RANKS[0] | RANKS[1] | RANKS[2], RANKS[6] | RANKS[7] | RANKS[8])
"""By side: the promotion zone."""

Offset = tuple[int, int]
"""A step or jump: files to the left and ranks downwards, as sente sees the board."""


def squares_of(bits: int) -> Iterator[int]:
    """Yield the number of each square in a set of bits, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def step(square: int, offset: Offset) -> int | None:
    """Return the square at this offset, None outside the board."""
    file, rank = square // 9 + offset[0], square % 9 + offset[1]
    return 9 * file + rank if 0 <= file < 9 and 0 <= rank < 9 else None


def ray(square: int, offset: Offset) -> tuple[int, ...]:
    """Return the squares after a square up to the edge, the nearest first."""
    found = []
    following = step(square, offset)
    while following is not None:
        found.append(following)
        following = step(following, offset)
    return tuple(found)


def union(squares: Sequence[int]) -> int:
    """Return the squares as bits."""
    return sum(BIT[square] for square in set(squares))


CACHE: Final = BoundedCache(1 << 13)
"""The shared limit of the tables of all lines."""


class Ray(CacheTable[int, int]):
    """The reach of a slider from one square along one line, by the occupied squares of the line.

    `line[occupied & line.mask]` holds every square that it reaches, with the first piece each way.
    """

    def __init__(self, square: int, *offsets: Offset) -> None:
        super().__init__(CACHE)
        self.arms = tuple(ray(square, offset) for offset in offsets)
        self.mask = union([each for arm in self.arms for each in arm])

    def work_out(self, blockers: int) -> int:
        """Return the squares that a slider reaches."""
        reached = 0
        for arm in self.arms:
            for square in arm:
                reached |= BIT[square]
                if blockers & BIT[square]:
                    break
        return reached


ORTHOGONAL: Final[tuple[Offset, ...]] = ((0, -1), (0, 1), (-1, 0), (1, 0))
DIAGONAL: Final[tuple[Offset, ...]] = ((-1, -1), (1, 1), (1, -1), (-1, 1))

FILE_LINE: Final = tuple(Ray(square, (0, -1), (0, 1)) for square in range(81))
RANK_LINE: Final = tuple(Ray(square, (-1, 0), (1, 0)) for square in range(81))
RISING_LINE: Final = tuple(Ray(square, (-1, -1), (1, 1)) for square in range(81))
FALLING_LINE: Final = tuple(Ray(square, (1, -1), (-1, 1)) for square in range(81))
FORWARD_LINE: Final = tuple(
    tuple(Ray(square, offset) for square in range(81)) for offset in ((0, -1), (0, 1))
)
"""By side: the squares ahead."""


def _between() -> list[list[int]]:
    table = [[0] * 81 for _ in range(81)]
    for square in range(81):
        for offset in ORTHOGONAL + DIAGONAL:
            passed = 0
            for each in ray(square, offset):
                table[square][each] = passed
                passed |= BIT[each]
    return table


BETWEEN: Final = _between()
"""The squares strictly between two that share a line, as bits; 0 for all other pairs."""
