"""The board of Abalone: its cells, every move there can be, and which of them are open.

Rows a–i run from the bottom to the top and the numbers 1–9 count the diagonals that lean to the
upper left (Aba-Pro coordinates). Sets of cells are ints on a skewed grid ten columns wide: row r,
number n is bit 10·r + n, so that a step in any of the six directions is one shift. Column 0 and
the rows above and below are the rim: bits off the board, where ejected marbles go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from engine.cache import BoundedCache, CacheTable
from engine.game import Place

ROWS: Final = "abcdefghi"
BIT: Final[Mapping[Place, int]] = {
    f"{letter}{number}": 1 << 10 * row + number
    for row, letter in reversed([*enumerate(ROWS, 1)])
    for number in range(max(1, row - 4), min(9, row + 4) + 1)
}
"""Each cell's bit, in reading order: i5 … i9, h4 … a5."""
CELLS: Final[tuple[Place, ...]] = tuple(BIT)
BOARD: Final = sum(BIT.values())

E, NW, NE = 1, 10, 11
DIRECTIONS: Final = (E, NE, NW, -E, -NE, -NW)
"""A step, as a difference of bit numbers."""
AXES: Final = (E, NW, NE)
"""The directions of rows, from the end that is named first: the lower row or lower number."""

_CELL: Final[Mapping[int, Place]] = {
    10 * (ROWS.index(cell[0]) + 1) + int(cell[1]): cell for cell in CELLS
}
_NUMBER: Final[Mapping[Place, int]] = {cell: number for number, cell in _CELL.items()}
_BOARD_AND_RIM: Final = (1 << 10 * 10 + 11) - 1
_SHAPES: Final = ((1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2))
"""How many own marbles go in line, and how many enemies they push: the sumito are 2–1, 3–1, 3–2."""

_RISE: Final = 11
"""Sets are lifted this far before a shift to the right, so that all six directions shift right."""
ROOM: Final = BoundedCache(1 << 13)
"""For what all tables of moves remember."""


def cell_at(cell: Place, direction: int, distance: int = 1) -> Place | None:
    """Return the cell so many steps away, None if that is off the board."""
    if distance and (first := _CELL.get(_NUMBER[cell] + direction)) is not None:
        return cell_at(first, direction, distance - 1)
    return None if distance else cell


def ray(cell: Place, direction: int) -> Iterator[Place]:
    """Yield the cell and all that follow up to the edge."""
    after: Place | None = cell
    while after is not None:
        yield after
        after = cell_at(after, direction)


def way(start: Place, end: Place) -> tuple[int, int] | None:
    """Return the direction and the distance between two cells of one line, else None."""
    for direction in DIRECTIONS:
        for distance, cell in enumerate(ray(start, direction)):
            if distance and cell == end:
                return direction, distance
    return None


_Ends: TypeAlias = tuple[tuple[Place, ...], tuple[Place, ...], Place | None]


def _bits(*cells: Place | None) -> int:
    return sum(BIT[cell] for cell in cells if cell is not None)


@dataclass(frozen=True, slots=True)
class AbaloneMove:
    """One to three marbles that go one cell, and the enemy marbles they push.

    ValueError if no marbles on this board could ever go so.
    """

    line: tuple[Place, ...]
    """The own marbles: in-line the rear one first, broadside the end of the lower row (in one row
    that of the lower number)."""
    to: Place
    """Where the first of them goes."""
    pushed: tuple[Place, ...] = ()
    """The enemy marbles, the nearest first."""
    ejects: bool = False
    """Whether the last of them leaves the board."""

    emptied: tuple[Place, ...] = field(init=False, repr=False, compare=False)
    """The cells that hold an own marble before and nothing afterwards."""
    filled: tuple[Place, ...] = field(init=False, repr=False, compare=False)
    """The cells that hold an own marble afterwards and did not before."""
    driven: Place | None = field(init=False, repr=False, compare=False)
    """The empty cell that an enemy marble is pushed to."""
    own: int = field(init=False, repr=False, compare=False)
    """What must be the mover's before …"""
    enemy: int = field(init=False, repr=False, compare=False)
    """… and what the enemy's …"""
    area: int = field(init=False, repr=False, compare=False)
    """… among these cells; the others of them must be empty."""
    own_flips: int = field(init=False, repr=False, compare=False)
    """The cells that change for the mover …"""
    enemy_flips: int = field(init=False, repr=False, compare=False)
    """… and for the enemy."""

    def __post_init__(self) -> None:
        on_board = bool(self.line) and BIT.keys() >= {*self.line, self.to, *self.pushed}
        known = (self._aside() if self.is_broadside else self._ahead()) if on_board else None
        if known is None:
            raise ValueError(f"no marbles can go like {self!r}")
        emptied, filled, driven = known
        push = _bits(filled[0], driven) if self.pushed else 0
        for name, value in (
            ("emptied", emptied),
            ("filled", filled),
            ("driven", driven),
            ("own", _bits(*self.line)),
            ("enemy", _bits(*self.pushed)),
            ("area", _bits(*{*self.line, *self.pushed, *filled, driven})),
            ("own_flips", _bits(*emptied, *filled)),
            ("enemy_flips", push),
        ):
            object.__setattr__(self, name, value)

    def _ahead(self) -> _Ends | None:
        """Return what is emptied, filled and driven to by a move in line, None if it cannot be."""
        found = way(self.line[0], self.to)
        if found is None or (len(self.line), len(self.pushed)) not in _SHAPES:
            return None
        cells = tuple(ray(self.line[0], found[0]))
        rest = cells[len(self.line) :]
        behind = rest[len(self.pushed) :]
        if (
            cells[: len(self.line)] != self.line
            or rest[: len(self.pushed)] != self.pushed
            or not rest
            or self.to != cells[1]
            or self.ejects is not (not behind)
        ):
            return None
        return self.line[:1], rest[:1], behind[0] if self.pushed and behind else None

    def _aside(self) -> _Ends | None:
        """Return the same of a move broadside."""
        along, aside = way(self.line[0], self.line[-1]), way(self.line[0], self.to)
        if along is None or along[0] not in AXES or aside is None or aside[1] != 1:
            return None
        ends = tuple(cell_at(cell, aside[0]) for cell in self.line)
        filled = tuple(cell for cell in ends if cell)
        if (
            tuple(ray(self.line[0], along[0]))[: len(self.line)] != self.line
            or not 2 <= len(self.line) <= 3
            or abs(aside[0]) == along[0]
            or len(filled) < len(ends)
            or self.pushed
            or self.ejects
        ):
            return None
        return self.line, filled, None

    @property
    def is_broadside(self) -> bool:
        """Whether the row goes sideways; a single marble never does."""
        return len(self.line) > 1 and self.to != self.line[1]

    @property
    def text(self) -> str:
        """The move in Aba-Pro: `a1b2`, broadside `c6c7d6`."""
        return self.line[0] + (self.line[-1] if self.is_broadside else "") + self.to

    @property
    def between(self) -> frozenset[Place]:
        """The cells that are passed through or pushed along and look the same afterwards."""
        changed = {*self.filled, *self.emptied, self.driven}
        return frozenset({*self.line, *self.pushed} - changed)


def _in_line(rear: Place, direction: int, own: int, enemy: int) -> AbaloneMove:
    cells = tuple(ray(rear, direction))
    pushed = cells[own : own + enemy]
    return AbaloneMove(cells[:own], cells[1], pushed, ejects=len(cells) == own + enemy)


def _broadside(first: Place, axis: int, own: int, direction: int) -> AbaloneMove:
    to = cell_at(first, direction)
    assert to  # a cell that is known to be empty
    return AbaloneMove(tuple(ray(first, axis))[:own], to)


class _Lists(dict[int, AbaloneMove]):
    """The move of one shape and direction by the marble that makes it, made when first needed."""

    def __init__(self, make: Callable[[Place], AbaloneMove]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, marble: int) -> AbaloneMove:
        move = self[marble] = self._make(_CELL[marble.bit_length() - 1])
        return move


class _BoardTables(CacheTable[int, tuple[AbaloneMove, ...]]):
    """The moves of one shape and direction by the set of marbles that may make them.

    A look-up answers for all of the set's marbles at once; what is asked for the first time is
    put together and kept for the next time.
    """

    def __init__(self, make: Callable[[Place], AbaloneMove]) -> None:
        super().__init__(ROOM)
        self.ready = _Lists(make)

    def work_out(self, marbles: int) -> tuple[AbaloneMove, ...]:
        """Return the move of each of these marbles."""
        ready, found, left = self.ready, [], marbles
        while left:
            lowest = left & -left
            found.append(ready[lowest])
            left ^= lowest
        return tuple(found)


_IN_LINE: Final[Mapping[tuple[int, int, int], _BoardTables]] = {
    (direction, own, enemy): _BoardTables(
        partial(_in_line, direction=direction, own=own, enemy=enemy)
    )
    for direction in DIRECTIONS
    for own, enemy in _SHAPES
}
_BROADSIDE: Final[Mapping[tuple[int, int, int], _BoardTables]] = {
    (axis, own, aside): _BoardTables(partial(_broadside, axis=axis, own=own, direction=aside))
    for axis in AXES
    for own in (2, 3)
    for aside in DIRECTIONS
    if axis != abs(aside)
}


class _Push(NamedTuple):
    """What there is in one direction: how far to shift, and the tables of moves."""

    shift: int
    one: _BoardTables
    two: _BoardTables
    three: _BoardTables
    two_1: _BoardTables
    three_1: _BoardTables
    three_2: _BoardTables
    sideways: tuple[tuple[int, _BoardTables, _BoardTables], ...]
    """The axes of rows that go broadside, with the tables for pairs and for threes."""


def _way(direction: int) -> _Push:
    one, two, three, two_1, three_1, three_2 = (
        _IN_LINE[direction, own, enemy] for own, enemy in _SHAPES
    )
    axes = [axis for axis in AXES if axis != abs(direction)]
    sideways = tuple(
        (axis, _BROADSIDE[axis, 2, direction], _BROADSIDE[axis, 3, direction]) for axis in axes
    )
    return _Push(_RISE + direction, one, two, three, two_1, three_1, three_2, sideways)


_WAYS: Final = tuple(_way(direction) for direction in DIRECTIONS)


def moves_of(mine: int, theirs: int) -> list[AbaloneMove]:
    """Return every move there is for the marbles `mine` against `theirs`.

    Always the set of rear marbles is found whose cells in front are as they must be: for one that
    steps, its neighbour is empty; two step if the rear one's neighbour is one that steps; and so
    on. Several that step side by side are a broadside.
    """
    found: list[AbaloneMove] = []
    taken = mine | theirs
    empty = (BOARD ^ taken) << _RISE
    enemy = theirs << _RISE
    room = enemy_2 = room_3 = 0
    for shift, one, two, three, two_1, three_1, three_2, sideways in _WAYS:
        if steps := mine & empty >> shift:
            found += one[steps]
            if rears := mine & steps << _RISE >> shift:
                found += two[rears]
                if rears := mine & rears << _RISE >> shift:
                    found += three[rears]
            for axis, pair, trio in sideways:
                if ends := steps & steps >> axis:
                    found += pair[ends]
                    if ends := ends & steps >> 2 * axis:
                        found += trio[ends]
        if touching := mine & enemy >> shift:
            if not room:
                room = (_BOARD_AND_RIM ^ taken) << 2 * _RISE
                enemy_2, room_3 = enemy << _RISE, room << _RISE
            lone = touching & room >> 2 * shift
            if lone and (rears := mine & lone << _RISE >> shift):
                found += two_1[rears]
                if rears := mine & rears << _RISE >> shift:
                    found += three_1[rears]
            twain = touching & enemy_2 >> 2 * shift & room_3 >> 3 * shift
            if (
                twain
                and (rears := mine & twain << _RISE >> shift)
                and (rears := mine & rears << _RISE >> shift)
            ):
                found += three_2[rears]
    return found


def in_line(rear: Place, direction: int, own: int, enemy: int) -> AbaloneMove:
    """Return the move of a row of own marbles from `rear` on, and the enemies that it pushes."""
    return _IN_LINE[direction, own, enemy].ready[BIT[rear]]


def broadside(first: Place, axis: int, own: int, direction: int) -> AbaloneMove:
    """Return the sideways move of a row along one of AXES, counted from its first end."""
    return _BROADSIDE[axis, own, direction].ready[BIT[first]]
