"""A position of Abalone, its board, and its text.

Rows a–i run from the bottom to the top and the numbers 1–9 count the diagonals that lean to the
upper left (Aba-Pro coordinates). Sets of cells are ints on a skewed grid ten columns wide: row r,
number n is bit 10·r + n, so a step in any of the six directions is one shift. Column 0 and the rows
above and below are the rim: bits off the board, where ejected marbles go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine.game import Claim, Place, PositionError, Seat

ROWS: Final = "abcdefghi"
BIT: Final[Mapping[Place, int]] = {
    f"{letter}{number}": 1 << 10 * row + number
    for row, letter in reversed([*enumerate(ROWS, 1)])
    for number in range(max(1, row - 4), min(9, row + 4) + 1)
}
"""By cell, in reading order (i5 … i9, h4 … a5): its bit."""
CELLS: Final[tuple[Place, ...]] = tuple(BIT)
BOARD: Final = sum(BIT.values())

E, NW, NE = 1, 10, 11
DIRECTIONS: Final = (E, NE, NW, -E, -NE, -NW)
"""The six steps, as differences of bit numbers."""
AXES: Final = (E, NW, NE)
"""The directions of rows from the end named first: the lower row, or the lower number."""

CELL: Final[Mapping[int, Place]] = {
    10 * (ROWS.index(cell[0]) + 1) + int(cell[1]): cell for cell in CELLS
}
_NUMBER: Final[Mapping[Place, int]] = {cell: number for number, cell in CELL.items()}

SEATS: Final = ("black", "white")
MARBLES: Final = 14
"""The marbles of each side at the start."""
TO_WIN: Final = 6
"""The enemy marbles to eject for a win."""
_LOST_WITH: Final = MARBLES - TO_WIN


def cell_at(cell: Place, direction: int, distance: int = 1) -> Place | None:
    """Return the cell at this distance in a direction, None if it is off the board."""
    if distance and (first := CELL.get(_NUMBER[cell] + direction)) is not None:
        return cell_at(first, direction, distance - 1)
    return None if distance else cell


def ray(cell: Place, direction: int) -> Iterator[Place]:
    """Yield the cell and all cells after it up to the edge."""
    after: Place | None = cell
    while after is not None:
        yield after
        after = cell_at(after, direction)


def bearing(start: Place, end: Place) -> tuple[int, int] | None:
    """Return the direction and distance from one cell to another; None if not in one line."""
    for direction in DIRECTIONS:
        for distance, cell in enumerate(ray(start, direction)):
            if distance and cell == end:
                return direction, distance
    return None


_LETTERS: Final = "Ss"
_ENDED: Final = {"resigned": "resign", "flag": "flag"}
"""The claims that end a game, by their word in a position text."""


class AbalonePosition(NamedTuple):
    """The marbles and the turn, seen from the side to move."""

    mine: int
    """The marbles of the side to move, as a set of cells."""
    theirs: int
    """The marbles of the other side."""
    turn: Seat
    claim: Claim | None = None
    """The claim that ended the game, if one did."""

    def __repr__(self) -> str:
        return f"Position({position_text(self)!r})"

    @property
    def is_over(self) -> bool:
        """Whether a side resigned, lost on time or lost its sixth marble."""
        return self.claim is not None or self.mine.bit_count() <= _LOST_WITH

    @property
    def ejected(self) -> tuple[int, int]:
        """The number of enemy marbles that black and white have ejected."""
        lost = MARBLES - self.mine.bit_count(), MARBLES - self.theirs.bit_count()
        return lost if self.turn else (lost[1], lost[0])

    def passed(self) -> AbalonePosition:
        """Return the same position with the other side to move."""
        return AbalonePosition(self.theirs, self.mine, 1 - self.turn, self.claim)


def without(start: AbalonePosition, marbles: int) -> AbalonePosition:
    """Return a start position, black to move, where this number of white marbles is off the board.

    Those furthest from the centre are taken, of equal ones the first in reading order.
    """
    white = [cell for cell, bit in BIT.items() if start.theirs & bit]
    white.sort(key=_squared_distance, reverse=True)  # it keeps the order of equal ones
    return start._replace(theirs=start.theirs - sum(BIT[cell] for cell in white[:marbles]))


def _squared_distance(cell: Place) -> int:
    """Return the squared distance of a cell from the centre, in cells."""
    row, number = ROWS.index(cell[0]) - 4, int(cell[1]) - 5
    return row * row - row * number + number * number


def position_text(position: AbalonePosition) -> str:
    """Return the FEN of PlayStrategy.

    It holds rows i to a (S black, s white, digits empty cells), the ejections by black and by
    white, b or w for the side to move, and always `0 1`: a position knows neither its number nor
    the plies since the last ejection. If a claim ended the game, the text ends with
    `resigned:black`, `flag:white` or the like.
    """
    sides = (position.theirs, position.mine) if position.turn else position[:2]
    rows = []
    for letter in reversed(ROWS):
        bits = [bit for cell, bit in BIT.items() if cell[0] == letter]
        row = "".join(
            _LETTERS[0] if sides[0] & b else _LETTERS[1] if sides[1] & b else " " for b in bits
        )
        rows.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
    black, white = position.ejected
    text = f"{'/'.join(rows)} {black} {white} {'bw'[position.turn]} 0 1"
    if position.claim is None:
        return text
    said = next(word for word, claim in _ENDED.items() if claim == position.claim.text)
    return f"{text} {said}:{SEATS[position.claim.seat]}"


def parse_position(text: str) -> AbalonePosition:
    """Return the position of such a text.

    The two counters are optional; they are checked and dropped. Each side's marbles must make
    fourteen with those ejected. A side that has lost its sixth marble must be to move.
    """
    fields = text.split()
    if len(fields) not in (4, 6, 7):
        raise PositionError(
            f"position {text!r}: expected rows, ejected by black, ejected by white, side, "
            f"two counters, as in 'sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 0 0 b 0 1'"
        )
    sides = _parse_rows(fields[0])
    for seat in (0, 1):
        _check_count(seat, fields[1 + seat], sides[1 - seat].bit_count())
    if fields[3] not in ("b", "w"):
        raise PositionError(f"side to move {fields[3]!r}: expected b or w")
    turn = "bw".index(fields[3])
    if sides[1 - turn].bit_count() <= _LOST_WITH:
        raise PositionError(
            f"side to move {fields[3]!r}: the side that has lost {TO_WIN} marbles must be to move"
        )
    for name, field in zip(("plies without ejection", "move number"), fields[4:6], strict=False):
        if not re.fullmatch("[0-9]{1,6}", field):
            raise PositionError(f"{name} {field!r}: expected a whole number")
    claim = _parse_claim(fields[6]) if len(fields) == 7 else None
    return AbalonePosition(sides[turn], sides[1 - turn], turn, claim)


def _parse_rows(text: str) -> tuple[int, int]:
    """Return the marbles of black and of white."""
    sides = [0, 0]
    rows = text.split("/")
    if len(rows) != len(ROWS):
        raise PositionError(f"board {text!r}: {len(rows)} rows instead of {len(ROWS)}")
    for letter, row in zip(reversed(ROWS), rows, strict=True):
        bits = [bit for cell, bit in BIT.items() if cell[0] == letter]
        at = 0
        for sign in row:
            if sign in "123456789":
                at += int(sign)
                continue
            if sign not in _LETTERS:
                raise PositionError(f"board {text!r}: {sign!r} in row {letter} is no marble")
            if at < len(bits):
                sides[_LETTERS.index(sign)] |= bits[at]
            at += 1
        if at != len(bits):
            raise PositionError(
                f"board {text!r}: row {letter} has {at} cells instead of {len(bits)}"
            )
    return sides[0], sides[1]


def _check_count(seat: Seat, field: str, left: int) -> None:
    """Raise PositionError unless the seat's ejections and the marbles left make fourteen."""
    name = f"ejected by {SEATS[seat]} {field!r}"
    if not re.fullmatch(f"[0-{TO_WIN}]", field):
        raise PositionError(f"{name}: expected a number from 0 to {TO_WIN}")
    if left + int(field) != MARBLES:
        raise PositionError(
            f"{name}: {SEATS[1 - seat]} has {left} marbles on the board, "
            f"which does not make {MARBLES}"
        )


def _parse_claim(field: str) -> Claim:
    word, _, seat = field.partition(":")
    if word not in _ENDED or seat not in SEATS:
        raise PositionError(f"ending {field!r}: expected a text like resigned:black or flag:white")
    return Claim(SEATS.index(seat), _ENDED[word])
