"""A position of Chaturaji as a value, and that value as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from engine.game import Seat
from engine.games.chaturaji.board import (
    GONE,
    LETTERS,
    NOWHERE,
    PAWN,
    SEATS,
    SEEN,
    SQUARES,
    START,
    THRONES,
)

SeatSet: TypeAlias = int
"""A set of seats, a bit each: 1 S, 2 W, 4 N, 8 E."""

TEAM: Final = (0b0101, 0b1010, 0b0101, 0b1010)
"""By seat: the set of it and the seat opposite."""


class Teams(NamedTuple):
    """What only the team game has to remember."""

    commanders: SeatSet = 0
    """Who commands the partner's pieces beside his own; at most one of two partners."""
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


class ChaturajiPosition(NamedTuple):
    """Where the pieces stand, whose turn it is, and what else decides how the game may go on."""

    pieces: bytes
    """The square of each piece."""
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
    """Who left the game: resigned (the pieces stand still) or retired with the last raja."""
    agreed: SeatSet = 0
    """Who has agreed since the last move to end the game."""
    round: int = 1
    """The number of the round, where rounds are counted."""
    teams: Teams = NO_TEAMS
    ended: str = ""
    """Why the game is over: a key of `Chaturaji.endings`; empty while it goes on."""

    def __repr__(self) -> str:
        return f"Position({position_text(self)!r})"


START_POSITION: Final = ChaturajiPosition(START)


def each(seats: SeatSet) -> list[Seat]:
    """Return the seats of a set in turn order."""
    return [seat for seat in range(4) if seats >> seat & 1]


def is_armed(pieces: bytes | bytearray, seat: Seat) -> bool:
    """Return whether a seat has pieces on the board."""
    return pieces[8 * seat : 8 * seat + 8] != GONE


def retired(position: ChaturajiPosition) -> SeatSet:
    """Return who left by retiring: without pieces, and without having lost the raja."""
    left = each(position.out & ~position.lost)
    return sum(1 << seat for seat in left if not is_armed(position.pieces, seat))


def in_play(position: ChaturajiPosition) -> SeatSet:
    """Return who still plays: the seats with pieces that did not leave."""
    there = each(0b1111 & ~position.out)
    return sum(1 << seat for seat in there if is_armed(position.pieces, seat))


# ---- as text


def position_text(position: ChaturajiPosition) -> str:
    """Return the position as one line; `notation` describes it."""
    fields = [
        "/".join(_row(position.pieces, rank) for rank in range(7, -1, -1)),
        SEATS[position.seat],
        "+".join(map(str, position.dice)) or "-",
        ",".join(map(str, position.scores)),
        ",".join(_origins(position.pieces)) or "-",
    ]
    return " ".join(
        [*fields, *(f"{key}={value}" for key, value in further_fields(position) if value)]
    )


def _row(pieces: bytes, rank: int) -> str:
    signs: list[str] = []
    for square in range(8 * rank, 8 * rank + 8):
        piece = pieces.find(square)
        if piece >= 0:
            signs.append(SEATS[piece >> 3].lower() + LETTERS[piece & 7])
        elif signs and signs[-1].isdigit():
            signs[-1] = str(int(signs[-1]) + 1)
        else:
            signs.append("1")
    return ",".join(signs)


def _origins(pieces: bytes) -> Iterator[str]:
    for piece, square in enumerate(pieces):
        lane = piece % 8 - PAWN
        if lane >= 0 and square != NOWHERE and SEEN[piece >> 3][square][0] != lane:
            yield f"{SQUARES[square]}:{LETTERS[lane]}"


def further_fields(position: ChaturajiPosition) -> Iterator[tuple[str, str]]:
    """Yield the keys in order, each with its value, or nothing where that is as at the start."""
    teams = position.teams
    led = (f"{leads(s)}:lost" if teams.heirs >> s & 1 else leads(s) for s in each(teams.commanders))
    yield "command", ",".join(led)
    yield "boat", ",".join(leads(seat) for seat in each(teams.boats))
    entered = {seat: each(teams.thrones >> 4 * seat & 15) for seat in range(4)}
    yield (
        "thrones",
        ";".join(
            f"{SEATS[seat]}:{','.join(SQUARES[THRONES[throne]] for throne in thrones)}"
            for seat, thrones in entered.items()
            if thrones
        ),
    )
    yield "lost", names(position.lost)
    yield "killed", ">".join(SEATS[seat] for seat in teams.killed or ())
    yield "offer", "" if teams.offer is None else SEATS[teams.offer]
    yield "out", names(position.out)
    yield "agree", names(position.agreed)
    yield "quiet", str(position.quiet or "")
    yield "round", "" if position.round == 1 else str(position.round)


def names(seats: SeatSet) -> str:
    """Return the letters of the seats, as `S,N`."""
    return ",".join(SEATS[seat] for seat in each(seats))


def leads(seat: Seat) -> str:
    """Return `S>N` for S: that it commands its partner."""
    return f"{SEATS[seat]}>{SEATS[seat ^ 2]}"
