"""A position of Chaturaji as a value."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from engine.game import Seat
from engine.games.chaturaji.board import GONE, START

SeatSet: TypeAlias = int
"""A set of seats, a bit each: 1 S, 2 W, 4 N, 8 E."""

TEAM: Final = (0b0101, 0b1010, 0b0101, 0b1010)
"""By seat: the set of it and the seat opposite."""


class Teams(NamedTuple):
    """What only the team game has to remember."""

    commanders: SeatSet = 0
    """Who commands the partner's men beside his own; at most one of two partners."""
    heirs: SeatSet = 0
    """Which of them do so because the partner's raja was captured: until it is exchanged."""
    boats: SeatSet = 0
    """Who commands the partner's boat, since a boats' parade."""
    thrones: int = 0
    """Which thrones have brought their point: bit 4 * (seat that entered) + (the throne's seat)."""
    killed: tuple[Seat, Seat] | None = None
    """Right after a move that allows an exchange of rajas: whose turn it was, whose raja died."""
    offer: Seat | None = None
    """Who offered that exchange, while it waits for an answer."""


NO_TEAMS: Final = Teams()


class Position(NamedTuple):
    """Where the men stand, whose turn it is, and what else decides how the game may go on."""

    men: bytes
    """The square of each man."""
    seat: Seat = 0
    """Whose turn it is."""
    dice: tuple[int, ...] = ()
    """The dice thrown and still to be used; empty before a throw."""
    scores: tuple[int, ...] = (0, 0, 0, 0)
    """By seat."""
    quiet: int = 0
    """Turns in a row without capture, pawn move or promotion, this one included once it moved."""
    lost: SeatSet = 0
    """Whose raja was captured and did not come back."""
    out: SeatSet = 0
    """Who left the game: resigned (the men stand still) or retired with the last raja."""
    agreed: SeatSet = 0
    """Who has agreed since the last move to end the game."""
    round: int = 1
    """The number of the round, where rounds are counted."""
    teams: Teams = NO_TEAMS
    ended: str = ""
    """Why the game is over: a key of `Chaturaji.endings`; empty while it goes on."""


START_POSITION: Final = Position(START)


def army(men: bytes | bytearray, seat: Seat) -> bytes | bytearray:
    """Return the squares of a seat's eight men."""
    return men[8 * seat : 8 * seat + 8]


def is_armed(men: bytes | bytearray, seat: Seat) -> bool:
    """Return whether a seat has men on the board."""
    return men[8 * seat : 8 * seat + 8] != GONE


def retired(position: Position) -> SeatSet:
    """Return who left by retiring: without men, and without having lost the raja."""
    left = position.out & ~position.lost
    return sum(1 << s for s in range(4) if left >> s & 1 and not is_armed(position.men, s))


def in_play(position: Position) -> SeatSet:
    """Return who still plays: the seats with men that did not leave."""
    return sum(1 << s for s in range(4) if not position.out >> s & 1 and is_armed(position.men, s))
