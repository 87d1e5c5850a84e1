"""What can be done in a turn of Robotory: place a token, move a robot, refill the stock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from typing import Any, Final, NamedTuple, TypeAlias, overload

from engine.game import Place
from engine.games.robotory.board import CELLS, cells_of
from engine.games.robotory.routes import Outcomes

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

    They are known as numbers from the beginning: a red robot on a full board has 196,947.
    """

    def __init__(self, others: Sequence[Action], moves: Iterable[tuple[str, Outcomes]]) -> None:
        self._others = others
        self._moves = [
            (robot, CELLS[end], sets) for robot, found in moves for end, sets in found.items()
        ]
        self._length = len(others) + sum(len(sets) for _, _, sets in self._moves)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Action]:
        return chain(
            self._others,
            chain.from_iterable(
                map(_move_of, zip(repeat(robot), repeat(to), sets))
                for robot, to, sets in self._moves
            ),
        )

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return tuple(self)[index]
        at = range(self._length)[index]
        if at < len(self._others):
            return self._others[at]
        at -= len(self._others)
        for robot, to, sets in self._moves:
            if at < len(sets):
                return MoveRobot(robot, to, sets[at])
            at -= len(sets)
        raise AssertionError("the lengths add up")
