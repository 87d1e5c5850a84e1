"""Dense numbers for the positions of Robot Duel, so that a table needs one byte for each.

A position is seen from the side to move, whose far row is row 1. It is mirrored if that brings its
lions to one of 21 pairs. Decided positions have no number: lions side by side, or a lion that has
come home. Among the positions of one pair of lions the giraffes are most significant, then the
elephants, then the chicks and hens. Each pair of pieces is numbered by the cells that the pairs
before it leave free.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.cache import BoundedCache, CachedFunction
from engine.games.robot_duel.position import (
    CHICK,
    GIRAFFE,
    HEN,
    LION,
    SEAT_SHIFT,
    RobotDuelPosition,
    each_piece,
)

BOARD: Final = 0xFFF
SPARE: Final = 10
"""The cells that the lions leave free."""
MIRRORED: Final = tuple(3 * (cell // 3) + 2 - cell % 3 for cell in range(12))
"""By cell, row by row from the far row: its mirror image."""


def _apart(mine: int, theirs: int) -> bool:
    return max(abs(mine // 3 - theirs // 3), abs(mine % 3 - theirs % 3)) > 1


LIONS: Final = tuple(
    (mine, theirs)
    for mine in range(3, 12)
    for theirs in range(9)
    if _apart(mine, theirs) and (mine, theirs) <= (MIRRORED[mine], MIRRORED[theirs])
)
"""The pairs of lions: the cell of the side to move, and that of the other side."""
_PAIRS: Final = {
    **{(MIRRORED[mine], MIRRORED[theirs]): (n, (1,)) for n, (mine, theirs) in enumerate(LIONS)},
    **{lions: (number, (0,)) for number, lions in enumerate(LIONS)},
    **{
        (mine, theirs): (number, (0, 1))
        for number, (mine, theirs) in enumerate(LIONS)
        if mine % 3 == theirs % 3 == 1
    },
}
"""By lions: the number of their pair, and the numbered images: the position (0), its mirror image
(1), or both; of two numbers the lower one counts."""
_FREE: Final = tuple(BOARD ^ (1 << mine | 1 << theirs) for mine, theirs in LIONS)


def placement_count(kinds: int, free: int) -> int:
    """Return the number of placements of two pieces on this many free cells and in two hands.

    A piece on the board has one of this many kinds and belongs to either side.
    """
    return 3 + 2 * kinds * free + kinds * kinds * (free * (free - 1) // 2)


def before(number: int, free: int, sizes: Sequence[int]) -> int:
    """Return the number of positions before a placement of two giraffes or elephants.

    `sizes` holds the positions of one placement with none, one or two of them on the board.
    """
    if number < 3:
        return number * sizes[0]
    if number < 3 + 4 * free:
        return 3 * sizes[0] + (number - 3) * sizes[1]
    return 3 * sizes[0] + 4 * free * sizes[1] + (number - 3 - 4 * free) * sizes[2]


CHICKS: Final = tuple(placement_count(4, free) for free in range(SPARE + 1))
"""By free cells: the placements of chicks and hens."""
ELEPHANTS: Final = tuple(
    before(placement_count(2, free), free, [CHICKS[free - standing] for standing in range(3)])
    for free in range(SPARE + 1)
)
"""By free cells: the placements of elephants with chicks and hens."""
_GIRAFFES: Final = tuple(ELEPHANTS[SPARE - standing] for standing in range(3))
SIZE: Final = before(placement_count(2, SPARE), SPARE, _GIRAFFES)
"""The positions of each pair of lions."""
POSITIONS: Final = len(LIONS) * SIZE
"""The number of all positions."""


def number_of(position: RobotDuelPosition) -> int | None:
    """Return the number of a position, None if it has none."""
    mine, theirs = _MINE[position.mine], _THEIRS[position.theirs]
    found = _PAIRS.get((mine[0].lion, theirs[0].lion))
    if found is None or (position.resigned, position.flag) != (None, None):
        return None
    pair, images = found
    hand = position.their_hand
    return min(_number(pair, mine[image], theirs[image], hand) for image in images)


def _number(pair: int, mine: _Army, theirs: _Army, hand: int) -> int:
    free = _FREE[pair]
    giraffes = _placement_number(2, free, mine.giraffes + theirs.giraffes, hand >> 4 & 3)
    free &= ~(mine.giraffe_cells | theirs.giraffe_cells)
    left = free.bit_count()
    elephants = _placement_number(2, free, mine.elephants + theirs.elephants, hand >> 2 & 3)
    free &= ~(mine.elephant_cells | theirs.elephant_cells)
    return (
        pair * SIZE
        + before(giraffes, SPARE, _GIRAFFES)
        + before(elephants, left, CHICKS[left : left - 3 : -1])
        + _placement_number(4, free, mine.chicks + theirs.chicks, hand & 3)
    )


class _Army(NamedTuple):
    """A side's pieces as (cell, kind), with the cells seen from the side to move.

    The kinds of the other side count after those of the side to move.
    """

    lion: int
    giraffes: tuple[tuple[int, int], ...]
    elephants: tuple[tuple[int, int], ...]
    chicks: tuple[tuple[int, int], ...]
    giraffe_cells: int
    elephant_cells: int


def _army(pieces: int, theirs: bool) -> tuple[_Army, _Army]:
    """Return a side's pieces and their mirror image."""
    from_above = bool(pieces >> SEAT_SHIFT) != theirs
    found = []
    for cells in range(12), MIRRORED:
        lion, sorts = -1, tuple(list[tuple[int, int]]() for _ in range(3))
        for index, kind in each_piece(pieces):
            cell = cells[11 - index if from_above else index]
            if kind == LION:
                lion = cell
            elif kind in (CHICK, HEN):
                sorts[2].append((cell, 2 * theirs + (kind == HEN)))
            else:
                sorts[kind != GIRAFFE].append((cell, int(theirs)))
        sets = [sum(1 << cell for cell, _ in sort) for sort in sorts]
        giraffes, elephants, chicks = map(tuple, sorts)
        found.append(_Army(lion, giraffes, elephants, chicks, sets[0], sets[1]))
    return found[0], found[1]


_CACHE: Final = BoundedCache(1 << 14)
_MINE: Final[CachedFunction[int, tuple[_Army, _Army]]] = CachedFunction(
    _CACHE, lambda pieces: _army(pieces, False)
)
_THEIRS: Final[CachedFunction[int, tuple[_Army, _Army]]] = CachedFunction(
    _CACHE, lambda pieces: _army(pieces, True)
)


def _placement_number(
    kinds: int, free: int, standing: tuple[tuple[int, int], ...], held: int
) -> int:
    """Return the number of a placement of two pieces, from those on the board and in hand.

    `held` is the number that the other side holds.
    """
    if not standing:
        return held
    cells = free.bit_count()
    ranked = [((free & (1 << cell) - 1).bit_count(), kind) for cell, kind in sorted(standing)]
    if len(ranked) == 1:
        ((rank, kind),) = ranked
        return 3 + ((0 if held else kinds) + kind) * cells + rank
    (low, first), (high, second) = ranked
    pairs = cells * (cells - 1) // 2
    return 3 + 2 * kinds * cells + (first * kinds + second) * pairs + high * (high - 1) // 2 + low
