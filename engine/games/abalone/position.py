"""A position of Abalone, and its text."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from engine.game import Claim, PositionError, Seat
from engine.games.abalone.board import BIT, ROWS

SEATS: Final = ("black", "white")
MARBLES: Final = 14
"""How many each side begins with."""
TO_WIN: Final = 6
"""How many enemy marbles must be ejected."""
_LEAST: Final = MARBLES - TO_WIN

_LETTERS: Final = "Ss"
_ENDED: Final = {"resigned": "resign", "flag": "flag"}
"""How the text writes the claims that end a game."""


class AbalonePosition(NamedTuple):
    """Whose marbles lie where and whose turn it is, seen from the side to move."""

    mine: int
    """The marbles of the side to move, as a set of cells on the grid of the board."""
    theirs: int
    """Those of the other side."""
    turn: Seat
    claim: Claim | None = None
    """What was said that ended the game, if something was."""

    def __repr__(self) -> str:
        return f"Position({position_text(self)!r})"

    @property
    def is_over(self) -> bool:
        """Whether a side has given up, lost on time or lost its sixth marble."""
        return self.claim is not None or self.mine.bit_count() <= _LEAST

    @property
    def ejected(self) -> tuple[int, int]:
        """How many enemy marbles black and white have pushed off."""
        lost = MARBLES - self.mine.bit_count(), MARBLES - self.theirs.bit_count()
        return lost if self.turn else (lost[1], lost[0])

    def passed(self) -> AbalonePosition:
        """Return the same with the other side to move."""
        return AbalonePosition(self.theirs, self.mine, 1 - self.turn, self.claim)


def position_text(position: AbalonePosition) -> str:
    """Return it as PlayStrategy's FEN: rows i to a, S black, s white, digits empty cells; what
    black and white have ejected; b or w for the side to move; then always `0 1`, since a position
    knows neither how long nothing was ejected nor its number. A game that a claim ended says so
    last: `resigned:black`, `flag:white`.
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
    """Return the position of such a text; PositionError names the field and why.

    The two counters may be left out; they are checked, then forgotten. The side that has lost its
    sixth marble must be the one to move.
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
    if sides[1 - turn].bit_count() <= _LEAST:
        raise PositionError(
            f"side to move {fields[3]!r}: the side that has lost {TO_WIN} marbles must be to move"
        )
    for name, field in zip(("plies without ejection", "move number"), fields[4:6], strict=False):
        if not re.fullmatch("[0-9]{1,6}", field):
            raise PositionError(f"{name} {field!r}: expected a whole number")
    claim = _parse_claim(fields[6]) if len(fields) == 7 else None
    return AbalonePosition(sides[turn], sides[1 - turn], turn, claim)


def _parse_rows(text: str) -> tuple[int, int]:
    """Return black's and white's marbles."""
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
    """See that what the seat has ejected and what the other side has left make fourteen."""
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
