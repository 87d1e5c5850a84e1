"""A position of Robotory, and its text."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from engine.game import PositionError, Seat
from engine.games.robotory.actions import COLOURS, STOCK
from engine.games.robotory.board import ALL, CELLS, ROBOTS

SEATS: Final = ("light", "dark")
TOKENS: Final = 14
"""How many there are of each colour."""
POOL: Final = 10
"""How many of each colour lie in the pool at the start."""


class RobotoryPosition(NamedTuple):
    """Where tokens and robots are and whose turn it is."""

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
    """Who gave up, if somebody did."""

    def __repr__(self) -> str:
        return f"Position({position_text(self)!r})"

    @property
    def is_over(self) -> bool:
        """Whether a player has given up or the last token of a colour has left the pool."""
        return self.resigned is not None or 0 in self.pool

    @property
    def free(self) -> int:
        """The cells without robot or token, as a set."""
        white, black, red = self.robots
        return ALL ^ (self.white | self.black | 1 << white | 1 << black | 1 << red)

    @property
    def foods(self) -> tuple[int, int, int]:
        """The cells with what the white, the black and the red robot eat, as sets."""
        return self.white, self.black, self.white | self.black

    @property
    def missing(self) -> int:
        """How many tokens the stock of the player to move lacks."""
        return STOCK - sum(self.stocks[self.turn])

    @property
    def discarded(self) -> int:
        """How many tokens have been eaten."""
        (light_w, light_b), (dark_w, dark_b) = self.stocks
        held = light_w + light_b + dark_w + dark_b + sum(self.pool)
        return 2 * TOKENS - held - (self.white | self.black).bit_count()


def position_text(position: RobotoryPosition) -> str:
    """Return it like `..wW…/2w2b:1w0b 10w10b l`: what stands on a1 … e4 (tokens w and b, robots W,
    B and R, `.` for nothing), the stocks of light and dark, the pool, and l or d for the player to
    move; then `resigned:light` or `resigned:dark` if somebody did.
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
    return text if position.resigned is None else f"{text} resigned:{SEATS[position.resigned]}"


def parse_position(text: str) -> RobotoryPosition:
    """Return the position of such a text, its fields parted by blanks or slashes; PositionError
    names the field and why.
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
    resigned = None
    if len(fields) == 5:
        if fields[4] not in ("resigned:light", "resigned:dark"):
            raise PositionError(f"ending {fields[4]!r}: expected resigned:light or resigned:dark")
        resigned = SEATS.index(fields[4].partition(":")[2])
    return RobotoryPosition(white, black, robots, stocks, pool, "ld".index(fields[3]), resigned)


def _parse_cells(text: str) -> tuple[int, int, tuple[int, int, int]]:
    """Return the white tokens, the black ones and where the robots are."""
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
