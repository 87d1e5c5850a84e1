"""A position of Robotory, its board, and its text.

The board has 24 hexagons in five columns of 4-5-6-5-4. Columns a–e run from left to right and
numbers from bottom to top, as the light player sees them from the bottom. Sets of cells are ints:
bit 0 is a1, then column by column upwards to e4, in alphabetical order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.game import Place, PositionError, Seat

_HEIGHTS: Final[Mapping[str, tuple[int, int]]] = {
    "a": (2, 4),
    "b": (1, 5),
    "c": (0, 6),
    "d": (1, 5),
    "e": (2, 4),
}
"""By column: twice the height of its lowest cell, and the number of its cells."""

_AT: Final[Mapping[Place, tuple[int, int]]] = {
    f"{column}{number + 1}": (ord(column), lowest + 2 * number)
    for column, (lowest, cells) in _HEIGHTS.items()
    for number in range(cells)
}
CELLS: Final[tuple[Place, ...]] = tuple(_AT)
INDEX: Final[Mapping[Place, int]] = {cell: index for index, cell in enumerate(CELLS)}
ALL: Final = (1 << len(CELLS)) - 1


def _touch(one: Place, other: Place) -> bool:
    columns, heights = (abs(a - b) for a, b in zip(_AT[one], _AT[other], strict=True))
    return (columns, heights) in ((0, 2), (1, 1))


NEAR: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(INDEX[other] for other in CELLS if _touch(cell, other)) for cell in CELLS
)
"""The indices of each cell's neighbours, ascending."""
TOUCHING: Final[tuple[int, ...]] = tuple(sum(1 << index for index in near) for near in NEAR)
"""The same as a set."""

_BYTES: Final = tuple(
    tuple(tuple(CELLS[first + bit] for bit in range(8) if byte >> bit & 1) for byte in range(256))
    for first in (0, 8, 16)
)


def cells_of(cells: int) -> tuple[Place, ...]:
    """Return the names of a set of cells, in order."""
    low, middle, high = _BYTES
    return low[cells & 255] + middle[cells >> 8 & 255] + high[cells >> 16]


def bits(*cells: Place) -> int:
    """Return the cells as a set."""
    return sum(1 << INDEX[cell] for cell in cells)


def mirrored(cell: Place) -> Place:
    """Return the cell in the mirror image of the board."""
    return "edcba"["abcde".index(cell[0])] + cell[1:]


SEATS: Final = ("light", "dark")
TOKENS: Final = 14
"""The tokens of each colour."""
POOL: Final = 10
"""The tokens of each colour in the pool at the start."""
COLOURS: Final = "wb"
"""The tokens: white and black energy."""
STOCK: Final = 4
"""The tokens in a full stock."""
STOCKS: Final = tuple(tuple(f"stock.{seat}.{colour}" for colour in COLOURS) for seat in SEATS)
"""By seat: the slots of the stock, by colour."""
POOLS: Final = tuple(f"pool.{colour}" for colour in COLOURS)
ROBOTS: Final = "WBR"
"""The white, the black and the red robot."""
_ROBOTS_AT: Final = ("b3", "c4", "d3")
_LIGHT: Final = ("a1", "b1", "b2", "c1", "c2", "c3", "d1", "d2", "d3", "e1", "e2", "e3")


def start_of_robots(mirror: bool) -> tuple[int, int, int]:
    """Return the indices of the start cells of the robots."""
    white, black, red = (INDEX[mirrored(cell) if mirror else cell] for cell in _ROBOTS_AT)
    return white, black, red


def camps(mirror: bool) -> tuple[int, int]:
    """Return the cells of the light and of the dark camp."""
    light = bits(*(mirrored(cell) if mirror else cell for cell in _LIGHT))
    return light, ALL ^ light


class RobotoryPosition(NamedTuple):
    """The tokens, the robots and the turn."""

    white: int
    """The cells with white tokens, as a set."""
    black: int
    """The cells with black tokens."""
    robots: tuple[int, int, int]
    """The indices of the cells of the white, the black and the red robot."""
    stocks: tuple[tuple[int, int], tuple[int, int]]
    """The white and the black tokens of the light and of the dark player."""
    pool: tuple[int, int]
    """The white and the black tokens in the pool."""
    turn: Seat
    resigned: Seat | None = None
    """The seat that resigned, if one did."""
    flag: Seat | None = None
    """The seat whose time was up, if it was."""

    def __repr__(self) -> str:
        return f"Position({position_text(self)!r})"

    @property
    def is_over(self) -> bool:
        """Whether a player has lost by a claim or the last token of a colour has left the pool."""
        return self.resigned is not None or self.flag is not None or 0 in self.pool

    @property
    def free(self) -> int:
        """The cells without robot or token, as a set."""
        white, black, red = self.robots
        return ALL ^ (self.white | self.black | 1 << white | 1 << black | 1 << red)

    @property
    def edible(self) -> tuple[int, int, int]:
        """The cells with tokens that the white, the black and the red robot eat, as sets."""
        return self.white, self.black, self.white | self.black

    @property
    def missing(self) -> int:
        """The number of tokens that the stock of the player to move lacks."""
        return STOCK - sum(self.stocks[self.turn])

    @property
    def discarded(self) -> int:
        """The number of eaten tokens."""
        (light_w, light_b), (dark_w, dark_b) = self.stocks
        held = light_w + light_b + dark_w + dark_b + sum(self.pool)
        return 2 * TOKENS - held - (self.white | self.black).bit_count()


def position_text(position: RobotoryPosition) -> str:
    """Return a text such as `..wW…/2w2b:1w0b 10w10b l`.

    It holds the cells a1 … e4 (tokens w and b, robots W, B and R, `.` for empty), the stocks of
    light and dark, the pool, and l or d for the player to move. Then comes `resigned:light` or
    `resigned:dark` if a player resigned, `flag:light` or `flag:dark` if the time was up.
    """
    signs = ["."] * len(CELLS)
    for colour, cells in zip(COLOURS, (position.white, position.black), strict=True):
        for index in range(len(CELLS)):
            if cells >> index & 1:
                signs[index] = colour
    for robot, index in zip(ROBOTS, position.robots, strict=True):
        signs[index] = robot
    stocks = ":".join(f"{white}w{black}b" for white, black in position.stocks)
    pool = "{}w{}b".format(*position.pool)
    text = f"{''.join(signs)}/{stocks} {pool} {'ld'[position.turn]}"
    ended = {"resigned": position.resigned, "flag": position.flag}
    lost = [f" {how}:{SEATS[seat]}" for how, seat in ended.items() if seat is not None]
    return text + "".join(lost)


def parse_position(text: str) -> RobotoryPosition:
    """Return the position of such a text; blanks or slashes separate its fields.

    Tokens that are in no field were eaten.
    """
    fields = re.split(r"[/\s]+", text.strip())
    if len(fields) not in (4, 5):
        raise PositionError(
            f"position {text!r}: expected cells, stocks, pool and side, "
            f"as in '......W.....B....R......./2w2b:1w0b 10w10b l'"
        )
    white, black, robots = _parse_cells(fields[0])
    stocks = _parse_stocks(fields[1])
    pool = _parse_tokens("pool", fields[2], POOL)
    if fields[3] not in ("l", "d"):
        raise PositionError(f"side to move {fields[3]!r}: expected l or d")
    for colour, cells, held in zip(
        ("white", "black"), (white, black), zip(*stocks, pool, strict=True), strict=True
    ):
        if (count := cells.bit_count() + sum(held)) > TOKENS:
            raise PositionError(
                f"cells, stocks and pool: {count} {colour} tokens, but there are only {TOKENS}"
            )
    ended: dict[str, Seat] = {}
    if len(fields) == 5:
        how, _, seat = fields[4].partition(":")
        if how not in ("resigned", "flag") or seat not in SEATS:
            raise PositionError(
                f"ending {fields[4]!r}: expected a text like resigned:light or flag:dark"
            )
        ended[how] = SEATS.index(seat)
    return RobotoryPosition(white, black, robots, stocks, pool, "ld".index(fields[3]), **ended)


def _parse_cells(text: str) -> tuple[int, int, tuple[int, int, int]]:
    """Return the white tokens, the black tokens and the robots' cells."""
    if len(text) != len(CELLS):
        raise PositionError(f"cells {text!r}: {len(text)} signs instead of {len(CELLS)}")
    for cell, sign in zip(CELLS, text, strict=True):
        if sign not in f".{COLOURS}{ROBOTS}":
            raise PositionError(f"cells {text!r}: {sign!r} on {cell} is not one of . w b W B R")
    for robot in ROBOTS:
        if text.count(robot) != 1:
            raise PositionError(f"cells {text!r}: {text.count(robot)} robots {robot} instead of 1")
    white, black = (
        sum(1 << index for index, sign in enumerate(text) if sign == colour) for colour in COLOURS
    )
    return white, black, (text.index("W"), text.index("B"), text.index("R"))


def _parse_stocks(text: str) -> tuple[tuple[int, int], tuple[int, int]]:
    light, colon, dark = text.partition(":")
    if not colon:
        raise PositionError(f"stocks {text!r}: expected a text like 2w2b:1w0b")
    stocks = _parse_tokens("stock of light", light), _parse_tokens("stock of dark", dark)
    for seat, stock in zip(SEATS, stocks, strict=True):
        if sum(stock) > STOCK:
            raise PositionError(f"stock of {seat}: {sum(stock)} tokens, but it holds only {STOCK}")
    return stocks


def _parse_tokens(name: str, text: str, most: int = STOCK) -> tuple[int, int]:
    found = re.fullmatch("([0-9]{1,2})w([0-9]{1,2})b", text)
    if not found:
        raise PositionError(f"{name} {text!r}: expected a text like 2w1b")
    white, black = int(found[1]), int(found[2])
    if max(white, black) > most:
        raise PositionError(f"{name} {text!r}: at most {most} of a colour")
    return white, black
