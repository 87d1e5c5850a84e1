"""Where a robot can go: the cells where it can end, with the cells that it eats from.

The effect of a move depends only on its end cell and on the set of eaten cells, not on their order.
On a full board the red robot has 1,116,902 paths from its start cell, but only 196,947 outcomes. A
breadth-first search finds them; it keeps each set of eaten cells once per end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from engine.cache import BoundedCache, CachedFunction
from engine.games.robotory.position import ALL, CELLS, NEAR, TOUCHING

Outcomes: TypeAlias = Mapping[int, list[int]]
"""By index of the end: the sets of eaten cells, each with the end."""

_NEAR_BITS: Final = tuple(tuple((index, 1 << index) for index in near) for near in NEAR)

_LONGEST_ROUTE: Final = 14
"""The number of eaten cells on the longest routes that `routes_over` looks for."""

_BITS: Final = tuple((index, 1 << index) for index in range(len(CELLS)))


def outcomes(start: int, food: int, most: float = float("inf")) -> Outcomes:
    """Return where a robot on `start` can go if it eats from the cells of `food`.

    Longer routes are left out once there are `most` shorter ones.
    """
    if not TOUCHING[start] & food:
        return {}
    found: dict[int, list[int]] = {}
    ends: Mapping[int, set[int]] = {start: {0}}
    count = 0
    while ends and count < most:
        further: dict[int, set[int]] = {}
        for end, sets in ends.items():
            for index, bit in _NEAR_BITS[end]:
                if food & bit and (longer := [eaten | bit for eaten in sets if not eaten & bit]):
                    if index in further:
                        further[index].update(longer)
                    else:
                        further[index] = set(longer)
        for index, sets in further.items():
            count += len(sets)
            if index in found:
                found[index] += sets
            else:
                found[index] = list(sets)
        ends = further
    return found


def least_route(start: int, end: int, eaten: int) -> tuple[int, ...] | None:
    """Return the alphabetically first path from `start` over all of `eaten` to `end`, or None.

    The path leaves out the start.
    """
    return _LEAST_ROUTES[start, end, eaten]


def _least_route(key: tuple[int, int, int]) -> tuple[int, ...] | None:
    start, end, eaten = key
    return _route(start, end, eaten, set()) if eaten >> end & 1 else None


def _route(at: int, end: int, left: int, dead: set[tuple[int, int]]) -> tuple[int, ...] | None:
    """Return the rest of the path; `dead` holds the pairs (`at`, `left`) known to have none."""
    last = 1 << end
    if left == last:
        return (end,) if TOUCHING[at] & last else None
    if (at, left) in dead or reachable(at, left) != left:
        return None
    for index, bit in _NEAR_BITS[at]:
        if left & bit and index != end:
            tail = _route(index, end, left ^ bit, dead)
            if tail is not None:
                return index, *tail
    dead.add((at, left))
    return None


_LEAST_ROUTES: Final[CachedFunction[tuple[int, int, int], tuple[int, ...] | None]] = CachedFunction(
    BoundedCache(1 << 12), _least_route
)


def ends_over(at: int, left: int) -> int:
    """Return the set of cells where paths from `at` over all of `left` end."""
    return _ENDS_OVER[left << 5 | at]


def _ends_over(key: int) -> int:
    at, left = key & 31, key >> 5
    if not left & left - 1:
        return left & TOUCHING[at]
    ends = 0
    if reachable(at, left) == left:
        for index, bit in _NEAR_BITS[at]:
            if left & bit:
                ends |= _ENDS_OVER[(left ^ bit) << 5 | index]
    return ends


_ENDS_OVER: Final[CachedFunction[int, int]] = CachedFunction(BoundedCache(1 << 13), _ends_over)
"""The same by a packed key: the index of the cell, and the set 5 bits higher."""


def shortest_routes(start: int, food: int) -> Mapping[int, int]:
    """Return by index of each possible end what a robot eats on a shortest route to it."""
    found: dict[int, int] = {}
    ends = {start: 0}
    while ends:
        further: dict[int, int] = {}
        for end, eaten in ends.items():
            for index, bit in _NEAR_BITS[end]:
                if food & bit and index not in found:
                    further[index] = found[index] = eaten | bit
        ends = further
    return found


def routes_over(
    start: int, food: int, needed: int, inside: int, most: int
) -> Sequence[tuple[int, int]]:
    """Return routes over all of `needed` as pairs of end and eaten cells.

    Only the end may lie outside `inside`. The result holds:

    - all routes that eat only `needed` and the end,
    - one route to every end,
    - the routes over all of the allowed food, or all of it but one cell, unless nothing lies
      outside `inside` or there is too much food,
    - of the other routes those among the first `most`.
    """
    found: dict[tuple[int, int], None] = {}
    # The cells where it may stand after it has eaten all of `needed`; other ends lie beside them.
    ends = ends_over(start, needed)
    stands = [end for end, bit in _BITS if ends & bit]
    found.update(dict.fromkeys((end, needed) for end in stands))
    for stand in stands if needed else [start]:
        for index, bit in _NEAR_BITS[stand]:
            if food & ~needed & bit:
                found[index, needed | bit] = None
        for end, eaten in shortest_routes(stand, food & inside & ~needed).items():
            found[end, needed | eaten] = None
    shorter = _shorter(start, food & inside, most)
    # Of the longer routes: those over all food, or over all but one cell.
    every = food & inside
    if (
        inside != ALL
        and every.bit_count() <= _LONGEST_ROUTE
        and sum(map(len, shorter.values())) >= most
    ):
        for eaten in [every, *(every ^ bit for _, bit in _BITS if every & bit & ~needed)]:
            if eaten and not needed & ~eaten:
                ends = ends_over(start, eaten)
                found.update(((end, eaten), None) for end, bit in _BITS if ends & bit)
    outside = food & ~inside
    for end, sets in [(start, [0]), *shorter.items()]:
        beyond = [each for each in _NEAR_BITS[end] if outside & each[1]]
        for eaten in sets:
            if needed & ~eaten:
                continue
            if eaten:
                found[end, eaten] = None
            for index, bit in beyond:
                found[index, eaten | bit] = None
    return [(end, eaten) for end, eaten in found if not eaten & ~inside & ~(1 << end)]


@lru_cache(maxsize=16)
def _shorter(start: int, food: int, most: int) -> Outcomes:
    """Return `outcomes` from a cache: calls with other `needed` cells repeat it."""
    return outcomes(start, food, most)


def reachable(start: int, food: int) -> int:
    """Return the set of cells where a robot can end."""
    reached = new = TOUCHING[start] & food
    while new:
        lowest = new & -new
        grown = TOUCHING[lowest.bit_length() - 1] & food & ~reached
        reached |= grown
        new = new ^ lowest | grown
    return reached
