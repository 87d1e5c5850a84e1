"""The moves of Abalone: every move on this board, and those open in a position.

Sets of marbles are ints on the skewed grid of `position`. A move holds the sets by which it is
checked and played, so playing it costs two XORs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

from engine.cache import BoundedCache, CacheTable
from engine.game import Place
from engine.games.abalone.position import AXES, BIT, BOARD, CELL, DIRECTIONS, bearing, cell_at, ray

_BOARD_AND_RIM: Final = (1 << 10 * 10 + 11) - 1
_SHAPES: Final = ((1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2))
"""In-line moves as (own marbles, pushed marbles); the sumito are 2–1, 3–1 and 3–2."""

_RISE: Final = 11
"""Sets are shifted left by this first, so that all six directions become shifts to the right."""
CACHE: Final = BoundedCache(1 << 13)
"""The shared limit of all tables of moves."""

_Ends: TypeAlias = tuple[tuple[Place, ...], tuple[Place, ...], Place | None]


def _bits(*cells: Place | None) -> int:
    return sum(BIT[cell] for cell in cells if cell is not None)


@dataclass(frozen=True, slots=True)
class AbaloneMove:
    """A move of one to three marbles by one cell, with the enemy marbles that they push.

    ValueError if the move is impossible on any board.
    """

    line: tuple[Place, ...]
    """The mover's marbles. In line the rear one comes first, broadside the end of the lower row (in
    one row the end of the lower number)."""
    to: Place
    """The target of the first of them."""
    pushed: tuple[Place, ...] = ()
    """The enemy marbles, the nearest first."""
    ejects: bool = False
    """Whether the last pushed marble leaves the board."""

    emptied: tuple[Place, ...] = field(init=False, repr=False, compare=False)
    """The cells that the mover's marbles leave empty."""
    filled: tuple[Place, ...] = field(init=False, repr=False, compare=False)
    """The cells that gain one of the mover's marbles."""
    pushed_onto: Place | None = field(init=False, repr=False, compare=False)
    """The empty cell that gains an enemy marble."""
    own: int = field(init=False, repr=False, compare=False)
    """Of the cells in `area`, those that must hold own marbles before the move."""
    enemy: int = field(init=False, repr=False, compare=False)
    """Of the cells in `area`, those that must hold enemy marbles before the move."""
    area: int = field(init=False, repr=False, compare=False)
    """The cells that the move depends on; those in neither `own` nor `enemy` must be empty."""
    own_flips: int = field(init=False, repr=False, compare=False)
    """The cells where own marbles appear or vanish."""
    enemy_flips: int = field(init=False, repr=False, compare=False)
    """The cells where enemy marbles appear or vanish."""

    def __post_init__(self) -> None:
        on_board = bool(self.line) and BIT.keys() >= {*self.line, self.to, *self.pushed}
        known = (self._aside() if self.is_broadside else self._ahead()) if on_board else None
        if known is None:
            raise ValueError(f"impossible move: {self!r}")
        emptied, filled, pushed_onto = known
        push = _bits(filled[0], pushed_onto) if self.pushed else 0
        for name, value in (
            ("emptied", emptied),
            ("filled", filled),
            ("pushed_onto", pushed_onto),
            ("own", _bits(*self.line)),
            ("enemy", _bits(*self.pushed)),
            ("area", _bits(*{*self.line, *self.pushed, *filled, pushed_onto})),
            ("own_flips", _bits(*emptied, *filled)),
            ("enemy_flips", push),
        ):
            object.__setattr__(self, name, value)

    def _ahead(self) -> _Ends | None:
        """Return `emptied`, `filled` and `pushed_onto` of an in-line move; None if impossible."""
        found = bearing(self.line[0], self.to)
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
        """Return the same three for a broadside move."""
        along, aside = bearing(self.line[0], self.line[-1]), bearing(self.line[0], self.to)
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
        """The cells whose marble moves on and is replaced by one of the same colour."""
        changed = {*self.filled, *self.emptied, self.pushed_onto}
        return frozenset({*self.line, *self.pushed} - changed)


def _in_line(rear: Place, direction: int, own: int, enemy: int) -> AbaloneMove:
    cells = tuple(ray(rear, direction))
    pushed = cells[own : own + enemy]
    return AbaloneMove(cells[:own], cells[1], pushed, ejects=len(cells) == own + enemy)


def _broadside(first: Place, axis: int, own: int, direction: int) -> AbaloneMove:
    to = cell_at(first, direction)
    assert to  # the caller has seen that it is an empty cell
    return AbaloneMove(tuple(ray(first, axis))[:own], to)


class _SingleMoves(dict[int, AbaloneMove]):
    """The moves of one shape and direction by the rear marble's bit, made on first use."""

    def __init__(self, make: Callable[[Place], AbaloneMove]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, marble: int) -> AbaloneMove:
        move = self[marble] = self._make(CELL[marble.bit_length() - 1])
        return move


class _MoveTable(CacheTable[int, tuple[AbaloneMove, ...]]):
    """The moves of one shape and direction by the set of marbles that can make them.

    One look-up answers for all marbles of the set.
    """

    def __init__(self, make: Callable[[Place], AbaloneMove]) -> None:
        super().__init__(CACHE)
        self.by_marble = _SingleMoves(make)

    def work_out(self, marbles: int) -> tuple[AbaloneMove, ...]:
        """Return the move of each of these marbles."""
        by_marble, found, left = self.by_marble, [], marbles
        while left:
            lowest = left & -left
            found.append(by_marble[lowest])
            left ^= lowest
        return tuple(found)


_IN_LINE: Final[Mapping[tuple[int, int, int], _MoveTable]] = {
    (direction, own, enemy): _MoveTable(
        partial(_in_line, direction=direction, own=own, enemy=enemy)
    )
    for direction in DIRECTIONS
    for own, enemy in _SHAPES
}
_BROADSIDE: Final[Mapping[tuple[int, int, int], _MoveTable]] = {
    (axis, own, aside): _MoveTable(partial(_broadside, axis=axis, own=own, direction=aside))
    for axis in AXES
    for own in (2, 3)
    for aside in DIRECTIONS
    if axis != abs(aside)
}


_BY_DIRECTION: Final = tuple(
    (
        _RISE + direction,
        tuple(_IN_LINE[direction, own, enemy] for own, enemy in _SHAPES),
        tuple(
            (axis, _BROADSIDE[axis, 2, direction], _BROADSIDE[axis, 3, direction])
            for axis in AXES
            if axis != abs(direction)
        ),
    )
    for direction in DIRECTIONS
)
"""By direction: its shift, its tables in the order of `_SHAPES`, and by axis of a row the tables of
two and of three marbles that move broadside.
"""


def moves_of(mine: int, theirs: int) -> list[AbaloneMove]:
    """Return every move of the marbles `mine` against `theirs`.

    For each shape one set holds the rear marbles of all its moves. A single marble can step if its
    neighbour is empty. Two can step if the rear one's neighbour can step, and so on. Marbles that
    can step side by side can move broadside.
    """
    found: list[AbaloneMove] = []
    taken = mine | theirs
    empty = (BOARD ^ taken) << _RISE
    enemy = theirs << _RISE
    room = enemy_2 = room_3 = 0
    for shift, in_line_tables, sideways in _BY_DIRECTION:
        one, two, three, two_1, three_1, three_2 = in_line_tables
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
            one_pushed = touching & room >> 2 * shift
            if one_pushed and (rears := mine & one_pushed << _RISE >> shift):
                found += two_1[rears]
                if rears := mine & rears << _RISE >> shift:
                    found += three_1[rears]
            two_pushed = touching & enemy_2 >> 2 * shift & room_3 >> 3 * shift
            if (
                two_pushed
                and (rears := mine & two_pushed << _RISE >> shift)
                and (rears := mine & rears << _RISE >> shift)
            ):
                found += three_2[rears]
    return found


def in_line(rear: Place, direction: int, own: int, enemy: int) -> AbaloneMove:
    """Return the in-line move of `own` marbles from `rear` on that pushes `enemy` marbles."""
    return _IN_LINE[direction, own, enemy].by_marble[BIT[rear]]


def broadside(first: Place, axis: int, own: int, direction: int) -> AbaloneMove:
    """Return the broadside move of a row along one of AXES, counted from its first end."""
    return _BROADSIDE[axis, own, direction].by_marble[BIT[first]]
