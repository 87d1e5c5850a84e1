"""What can be done in a turn of Robotory: place a token, move a robot, refill the stock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import repeat
from typing import Any, Final, NamedTuple, TypeAlias, overload

from engine.game import Place
from engine.games.robotory.board import CELLS, TOUCHING, cells_of
from engine.games.robotory.routes import outcomes

COLOURS: Final = "wb"
"""The tokens: white and black energy."""
STOCK: Final = 4
"""How many tokens a stock holds when it is full."""


@dataclass(frozen=True, slots=True)
class PlaceToken:
    """A token goes from the own stock onto a free cell."""

    colour: str
    """w or b"""
    cell: Place


class MoveRobot(NamedTuple):
    """A robot goes over cells with energy that it eats; of all orders of them one move."""

    robot: str
    """W, B or R"""
    to: Place
    eaten: int
    """The cells eaten from, `to` among them, as a set."""

    def __repr__(self) -> str:
        return f"MoveRobot({self.robot!r}, {self.to!r}, bits{cells_of(self.eaten)!r})"


@dataclass(frozen=True, slots=True)
class Refill:
    """Tokens go from the pool to the own stock."""

    white: int
    black: int


Action: TypeAlias = PlaceToken | MoveRobot | Refill

PLACEMENTS: Final[Mapping[str, Mapping[Place, PlaceToken]]] = {
    colour: {cell: PlaceToken(colour, cell) for cell in CELLS} for colour in COLOURS
}


def _refills(missing: int, white: int, black: int) -> tuple[Refill, ...]:
    return tuple(
        Refill(some, others)
        for some in range(min(missing, white), -1, -1)
        for others in range(min(missing - some, black), -1, -1)
        if some + others == missing or ((some or others) and (some == white or others == black))
    )


_POOL_MATTERS: Final = STOCK + 1
_REFILLS: Final = {
    (missing, white, black): _refills(missing, white, black)
    for missing in range(STOCK + 1)
    for white in range(_POOL_MATTERS + 1)
    for black in range(_POOL_MATTERS + 1)
}


def refills(missing: int, pool: tuple[int, int]) -> tuple[Refill, ...]:
    """Return the ways to take that many missing tokens from a pool of white and black ones.

    All of them must be taken, unless the last one of a colour ends the game before: how many of
    the other colour were still to come is then all one.
    """
    if not missing:
        return ()
    white, black = pool
    return _REFILLS[missing, min(white, _POOL_MATTERS), min(black, _POOL_MATTERS)]


_move_of = partial(tuple.__new__, MoveRobot)


class Actions(Sequence[Action]):
    """What can be done in a position, the robots' moves made only when they are asked for.

    A red robot on a full board has 196,947.
    """

    def __init__(self, others: Sequence[Action], robots: Iterable[tuple[str, int, int]]) -> None:
        """Take what else can be done, and each robot with its cell and what it may eat."""
        self._others = others
        self._robots = [(robot, at, food) for robot, at, food in robots if TOUCHING[at] & food]

    @cached_property
    def _moves(self) -> list[tuple[str, Place, list[int]]]:
        return [
            (robot, CELLS[end], sets)
            for robot, at, food in self._robots
            for end, sets in outcomes(at, food).items()
        ]

    @cached_property
    def _length(self) -> int:
        return len(self._others) + sum(len(sets) for _, _, sets in self._moves)

    def __len__(self) -> int:
        return self._length

    def __bool__(self) -> bool:
        return bool(self._others or self._robots)

    def __iter__(self) -> Iterator[Action]:
        yield from self._others
        for robot, to, sets in self._moves:
            yield from map(_move_of, zip(repeat(robot), repeat(to), sets))

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return tuple(self)[index]
        if 0 <= index < len(self._others):
            return self._others[index]
        if index == 0 and self._robots:  # known without all the others
            robot, start, food = self._robots[0]
            first = TOUCHING[start] & food
            first &= -first
            return MoveRobot(robot, CELLS[first.bit_length() - 1], first)
        at = range(self._length)[index]
        if at < len(self._others):
            return self._others[at]
        at -= len(self._others)
        for robot, to, sets in self._moves:
            if at < len(sets):
                return MoveRobot(robot, to, sets[at])
            at -= len(sets)
        raise AssertionError("the lengths add up")
