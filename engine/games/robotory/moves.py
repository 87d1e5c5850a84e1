"""The moves of Robotory: place a token, move a robot, refill the stock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import repeat
from typing import Any, Final, NamedTuple, TypeAlias, overload

from engine.game import Place, Seat
from engine.games.robotory.position import (
    CELLS,
    COLOURS,
    INDEX,
    ROBOTS,
    STOCK,
    TOUCHING,
    RobotoryPosition,
    cells_of,
)
from engine.games.robotory.routes import least_route, outcomes


@dataclass(frozen=True, slots=True)
class PlaceToken:
    """A token goes from the mover's stock to a free cell."""

    colour: str
    """w or b"""
    cell: Place


class MoveRobot(NamedTuple):
    """A robot eats its way over cells with energy; all orders of these cells are one move."""

    robot: str
    """W, B or R"""
    to: Place
    eaten: int
    """The cells whose tokens it eats, with `to`, as a set."""

    def __repr__(self) -> str:
        return f"MoveRobot({self.robot!r}, {self.to!r}, bits{cells_of(self.eaten)!r})"


@dataclass(frozen=True, slots=True)
class Refill:
    """Tokens go from the pool to the mover's stock."""

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
    """Return the refills that take the missing tokens from a pool of white and black ones.

    A player takes all missing tokens, unless the last token of a colour ends the game first. Then
    the number of tokens of the other colour is free.
    """
    if not missing:
        return ()
    white, black = pool
    return _REFILLS[missing, min(white, _POOL_MATTERS), min(black, _POOL_MATTERS)]


_move_of = partial(tuple.__new__, MoveRobot)


class Actions(Sequence[Action]):
    """The actions in a position; it makes the robots' moves on demand.

    A red robot on a full board has 196,947 moves.
    """

    def __init__(self, others: Sequence[Action], robots: Iterable[tuple[str, int, int]]) -> None:
        """Take the other actions, and each robot with its cell and the cells of its food."""
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
        if index == 0 and self._robots:  # no need to make the others
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


def least_path(position: RobotoryPosition, move: MoveRobot) -> tuple[Place, ...] | None:
    """Return the alphabetically first path of the move with its start, None if it has no path."""
    if move.robot not in ROBOTS or move.to not in INDEX:
        return None
    number = ROBOTS.index(move.robot)
    if move.eaten & ~position.edible[number]:
        return None
    start = position.robots[number]
    route = least_route(start, INDEX[move.to], move.eaten)
    return None if route is None else tuple(CELLS[index] for index in (start, *route))


def placed(position: RobotoryPosition, move: PlaceToken) -> RobotoryPosition:
    """Return the position after a legal placement."""
    white, black, robots, stocks, pool, turn, *_ = position
    bit = 1 << INDEX[move.cell]
    if move.colour == "w":
        stocks = _with_stock(stocks, turn, -1, 0)
        return RobotoryPosition(white | bit, black, robots, stocks, pool, 1 - turn)
    stocks = _with_stock(stocks, turn, 0, -1)
    return RobotoryPosition(white, black | bit, robots, stocks, pool, 1 - turn)


def moved(position: RobotoryPosition, move: MoveRobot) -> RobotoryPosition:
    """Return the position after a legal move of a robot."""
    white, black, robots, stocks, pool, turn, *_ = position
    at = list(robots)
    at[ROBOTS.index(move.robot)] = INDEX[move.to]
    left = ~move.eaten
    return RobotoryPosition(
        white & left, black & left, (at[0], at[1], at[2]), stocks, pool, 1 - turn
    )


def refilled(position: RobotoryPosition, move: Refill) -> RobotoryPosition:
    """Return the position after a legal refill."""
    white, black, robots, stocks, pool, turn, *_ = position
    stocks = _with_stock(stocks, turn, move.white, move.black)
    left = pool[0] - move.white, pool[1] - move.black
    return RobotoryPosition(white, black, robots, stocks, left, 1 - turn)


def _with_stock(
    stocks: tuple[tuple[int, int], tuple[int, int]], seat: Seat, white: int, black: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the stocks with tokens added to the seat's stock."""
    own = stocks[seat][0] + white, stocks[seat][1] + black
    return (stocks[0], own) if seat else (own, stocks[1])
