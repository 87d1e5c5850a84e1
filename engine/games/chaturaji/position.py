"""A position of Chaturaji, its board and pieces, and its text.

Squares are 0 (a1) … 63 (h8), eight to a rank, and `NOWHERE` for a piece that left the board. A
piece is a number: eight times its seat plus its slot. An army never has two pieces of one slot: a
pawn is known by the piece in front of which it started, and it becomes another piece only while
that one is lost. So a whole board is one square for each piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from engine.game import Seat

SEATS: Final = "SWNE"
"""The letters of the seats clockwise: south, west, north, east."""

BOAT, HORSE, ELEPHANT, RAJA, PAWN = range(5)
"""The slots of an army; slots 4 … 7 are the pawns in front of boat, horse, elephant, raja."""

LETTERS: Final = "BHEKPPPP"
"""The letter of each slot."""

DIE: Final = (2, 3, 4, 5, 5, 5, 5, 5)
"""By slot: the throw that moves the piece."""

POINTS: Final = (2, 3, 4, 5, 1, 1, 1, 1)
"""By slot: the points for capturing the piece."""

STRONG: Final = (HORSE, ELEPHANT, RAJA)
"""The slots that boats and pawns may not capture with the option `ranks`."""

NOWHERE: Final = 64
GONE: Final = bytes([NOWHERE] * 8)
"""The squares of an army that left the board."""

SQUARES: Final = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
INDEX: Final = {name: square for square, name in enumerate(SQUARES)}


def turned(seat: Seat, lane: int, line: int) -> int:
    """Return the square on a lane and line of a seat, both 0 … 7 from its own left corner."""
    x, y = lane, line
    for _ in range(seat):
        x, y = y, 7 - x
    return 8 * y + x


# By seat and square: its lane and line as that seat sees them.
SEEN: Final = tuple(
    {turned(seat, lane, line): (lane, line) for lane in range(8) for line in range(8)}
    for seat in range(4)
)

START: Final = bytes(
    turned(seat, slot % PAWN, slot // PAWN) for seat in range(4) for slot in range(8)
)
"""The square of each piece at the start."""

THRONES: Final = tuple(START[8 * seat + RAJA] for seat in range(4))
"""By seat: the start square of its raja."""

LAST_LINE: Final = tuple(frozenset(turned(seat, lane, 7) for lane in range(8)) for seat in range(4))
"""By seat: the squares where its pawns may promote."""

SeatSet: TypeAlias = int
"""A set of seats, a bit each: 1 S, 2 W, 4 N, 8 E."""

TEAM: Final = (0b0101, 0b1010, 0b0101, 0b1010)
"""By seat: the set of this seat and its partner."""


class Teams(NamedTuple):
    """The state of the team game."""

    commanders: SeatSet = 0
    """The seats that command the partner's pieces beside their own; at most one of a team."""
    heirs: SeatSet = 0
    """The commanders by capture of the partner's raja; an exchange ends their command."""
    boats: SeatSet = 0
    """The seats that command the partner's boat after a boats' parade."""
    thrones: int = 0
    """The thrones that gave their point: bit 4 * (entering seat) + (seat of the throne)."""
    killed: tuple[Seat, Seat] | None = None
    """After a move that allows an exchange of rajas: the seat to move, the captured raja's seat."""
    offer: Seat | None = None
    """The seat whose offer of this exchange waits for an answer."""


NO_TEAMS: Final = Teams()


class ChaturajiPosition(NamedTuple):
    """The pieces, the turn, and whatever else decides the future of the game."""

    pieces: bytes
    """The square of each piece."""
    seat: Seat = 0
    """The seat whose turn it is."""
    dice: tuple[int, ...] = ()
    """The dice that are thrown and not yet used; empty before a throw."""
    scores: tuple[int, ...] = (0, 0, 0, 0)
    """By seat."""
    quiet: int = 0
    """Turns in a row without capture, pawn move or promotion; this turn counts after its move."""
    lost: SeatSet = 0
    """The seats whose raja was captured and did not return."""
    out: SeatSet = 0
    """The seats that left: they resigned (their pieces stand still) or retired their lone raja."""
    agreed: SeatSet = 0
    """The seats that agreed since the last move to end the game."""
    round: int = 1
    """The number of the round, if rounds count."""
    teams: Teams = NO_TEAMS
    ended: str = ""
    """The key of `Chaturaji.endings` when the game is over; else empty."""

    def __repr__(self) -> str:
        return f"Position({position_text(self)!r})"


START_POSITION: Final = ChaturajiPosition(START)


def seats_in(seats: SeatSet) -> list[Seat]:
    """Return the seats of a set in turn order."""
    return [seat for seat in range(4) if seats >> seat & 1]


def is_armed(pieces: bytes | bytearray, seat: Seat) -> bool:
    """Return whether the seat has pieces on the board."""
    return pieces[8 * seat : 8 * seat + 8] != GONE


def retired(position: ChaturajiPosition) -> SeatSet:
    """Return the seats that retired: they have no pieces and lost no raja."""
    left = seats_in(position.out & ~position.lost)
    return sum(1 << seat for seat in left if not is_armed(position.pieces, seat))


def in_play(position: ChaturajiPosition) -> SeatSet:
    """Return the seats that still play: they have pieces and did not leave."""
    there = seats_in(0b1111 & ~position.out)
    return sum(1 << seat for seat in there if is_armed(position.pieces, seat))


# ---- as text


def position_text(position: ChaturajiPosition) -> str:
    """Return the position as one line; `notation` describes its form."""
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
    """Yield the keys in order with their values; a value as at the start is empty."""
    teams = position.teams
    led = (
        f"{command_text(s)}:lost" if teams.heirs >> s & 1 else command_text(s)
        for s in seats_in(teams.commanders)
    )
    yield "command", ",".join(led)
    yield "boat", ",".join(command_text(seat) for seat in seats_in(teams.boats))
    entered = {seat: seats_in(teams.thrones >> 4 * seat & 15) for seat in range(4)}
    yield (
        "thrones",
        ";".join(
            f"{SEATS[seat]}:{','.join(SQUARES[THRONES[throne]] for throne in thrones)}"
            for seat, thrones in entered.items()
            if thrones
        ),
    )
    yield "lost", letters_of(position.lost)
    yield "killed", ">".join(SEATS[seat] for seat in teams.killed or ())
    yield "offer", "" if teams.offer is None else SEATS[teams.offer]
    yield "out", letters_of(position.out)
    yield "agree", letters_of(position.agreed)
    yield "quiet", str(position.quiet or "")
    yield "round", "" if position.round == 1 else str(position.round)


def letters_of(seats: SeatSet) -> str:
    """Return the letters of the seats, as `S,N`."""
    return ",".join(SEATS[seat] for seat in seats_in(seats))


def command_text(seat: Seat) -> str:
    """Return `S>N` for S: it commands its partner."""
    return f"{SEATS[seat]}>{SEATS[seat ^ 2]}"
