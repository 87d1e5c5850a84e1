"""The moves of Shogi, and the tables from which the board reads them.

A move is one shared object for each USI text, so comparing and hashing are cheap. A table maps sets
of squares to tuples of moves; it fills as positions come up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from engine.cache import BoundedCache, CacheTable
from engine.game import MoveError, Place
from engine.games.shogi.pieces import (
    BISHOP,
    DEAD_SQUARES,
    GOTE,
    HAND_KINDS,
    KINDS,
    KING,
    KNIGHT,
    LANCE,
    LETTERS,
    PAWN,
    PIECE_CODES,
    PROMOTABLE,
    PROMOTED,
    ROOK,
    STEPS,
)
from engine.games.shogi.squares import (
    BIT,
    FALLING_LINE,
    FILE_LINE,
    FILES,
    FORWARD_LINE,
    PLACES,
    RANK_LINE,
    RISING_LINE,
    SQUARES,
    ZONES,
    squares_of,
)

_TEXT: Final = re.compile(r"([1-9][a-i])([1-9][a-i])(\+?)|([PLNSGBR])\*([1-9][a-i])")


class ShogiMove:
    """A move on the board or a drop; `ShogiMove("8h2b+")` is always the same object.

    It does not depend on a position: the same move may belong to a rook in one and a king in
    another.
    """

    __slots__ = ("drop", "promotes", "start", "target", "text")

    text: str
    """In USI: `7g7f`, `8h2b+`, `P*5e`."""
    start: int
    """The number of the square that it leaves; the target of a drop."""
    target: int
    """The number of the target square."""
    promotes: bool
    drop: int
    """The dropped kind; 0 for a move on the board."""

    _made: Final[dict[str, ShogiMove]] = {}

    def __new__(cls, text: str) -> ShogiMove:
        """Return the move of that text; MoveError if the text is no move."""
        made = cls._made.get(text)
        if made is not None:
            return made
        match = _TEXT.fullmatch(text)
        if match is None or (match[1] == match[2] and match[1]):
            raise MoveError(f"move: {text!r} is no move such as 7g7f, 8h2b+ or P*5e")
        start, target, plus, kind, square = match.groups()
        move = object.__new__(cls)
        for name, value in {
            "text": text,
            "start": SQUARES[start or square],
            "target": SQUARES[target or square],
            "promotes": plus == "+",
            "drop": KINDS[kind] if kind else 0,
        }.items():
            object.__setattr__(move, name, value)
        cls._made[text] = move
        return move

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a move cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a move cannot be changed: {name}")

    def __repr__(self) -> str:
        return f"ShogiMove({self.text!r})"

    def __reduce__(self) -> tuple[type[ShogiMove], tuple[str]]:
        return ShogiMove, (self.text,)

    @property
    def source(self) -> Place | None:
        """The place that it leaves; None for a drop."""
        return None if self.drop else PLACES[self.start]

    @property
    def place(self) -> Place:
        """The target place."""
        return PLACES[self.target]


def board_move(start: int, target: int, promotes: bool = False) -> ShogiMove:
    """Return the move from one square to another."""
    return ShogiMove(PLACES[start] + PLACES[target] + ("+" if promotes else ""))


def drop_move(kind: int, target: int) -> ShogiMove:
    """Return the drop of a kind on a square."""
    return ShogiMove(f"{LETTERS[kind]}*{PLACES[target]}")


# ---- tables of moves

Moves = tuple[ShogiMove, ...]

CACHE: Final = BoundedCache(1 << 13)
"""The shared limit of the tables of moves."""


def moves_between(piece: int, start: int, target: int) -> list[ShogiMove]:
    """Return the allowed moves between two squares, with promotion first."""
    found = []
    if piece in PROMOTABLE and (BIT[start] | BIT[target]) & ZONES[piece >> 4]:
        found.append(board_move(start, target, True))
    if not DEAD_SQUARES[piece] & BIT[target]:
        found.append(board_move(start, target))
    return found


class Choices(CacheTable[int, Moves]):
    """The moves of one piece from one square, by the bits of the allowed targets."""

    def __init__(self, piece: int, start: int) -> None:
        super().__init__(CACHE)
        self.piece = piece
        self.start = start

    def work_out(self, targets: int) -> Moves:
        """Return the moves to these squares."""
        return tuple(
            move
            for target in squares_of(targets)
            for move in moves_between(self.piece, self.start, target)
        )


class PawnChoices(CacheTable[int, Moves]):
    """The moves of all pawns of a side together, by the bits of the allowed targets."""

    def __init__(self, side: int) -> None:
        super().__init__(CACHE)
        self.pawn = PAWN + GOTE * side
        self.back = -1 if side else 1

    def work_out(self, targets: int) -> Moves:
        """Return the moves to these squares."""
        return tuple(
            move
            for target in squares_of(targets)
            for move in moves_between(self.pawn, target + self.back, target)
        )


PAWN_CHOICES: Final = (PawnChoices(0), PawnChoices(1))


class PawnFiles(CacheTable[int, tuple[int, int, int]]):
    """By the bits of a side's pawns: for each band, its files with pawns as a key for `Drops`."""

    def work_out(self, pawns: int) -> tuple[int, int, int]:
        """Return the key parts of the three bands."""
        taken = [bool(pawns & FILES[file]) for file in range(9)]
        right, middle, left = (
            sum(1 << 27 + file for file in range(3) if taken[3 * band + file]) for band in range(3)
        )
        return right, middle, left


PAWN_FILES: Final = PawnFiles(CACHE)

BAND: Final = (1 << 27) - 1
"""A band of three files: the right one; `>> 27` gives the middle and `>> 54` the left one."""


class Drops(CacheTable[int, Moves]):
    """All drops from a hand on a band of three files.

    The key holds the empty squares of the band in 27 bits and, above them, its three files with an
    own pawn. No pawn may be dropped there, so the rule of nifu costs no extra test.
    """

    def __init__(self, side: int, kinds: tuple[int, ...], band: int) -> None:
        super().__init__(CACHE)
        self.pieces = [kind + GOTE * side for kind in kinds]
        self.lowest = 27 * band

    def work_out(self, key: int) -> Moves:
        """Return the drops on these squares."""
        empty = for_pawns = key & BAND
        for file in range(3):
            if key >> 27 + file & 1:
                for_pawns &= ~FILES[file]
        return tuple(
            drop_move(piece & 15, square)
            for piece in self.pieces
            for square in squares_of(
                ((for_pawns if piece & 15 == PAWN else empty) << self.lowest) & ~DEAD_SQUARES[piece]
            )
        )


Bands = tuple[Drops, Drops, Drops]


class DropTables(CacheTable[int, Bands]):
    """The drops of a side by its hand; hands with the same kinds share their tables."""

    def __init__(self, side: int) -> None:
        super().__init__(CACHE)
        self.side = side
        self.by_kinds: dict[tuple[int, ...], Bands] = {}

    def work_out(self, hand: int) -> Bands:
        """Return the drops of a hand by the band of their targets."""
        kinds = tuple(kind for kind in HAND_KINDS if hand >> 5 * (kind - 1) & 31)
        if kinds not in self.by_kinds:
            right, middle, left = (Drops(self.side, kinds, band) for band in range(3))
            self.by_kinds[kinds] = right, middle, left
        return self.by_kinds[kinds]


DROPS: Final = (DropTables(0), DropTables(1))


# ---- groups of pieces, and what they reach

# The six groups of pieces that move alike; add the side to get the number of a group.
PAWNS, STEPPERS, LANCES, BISHOPS, ROOKS, KINGS = range(0, 12, 2)
_GROUPS: Final = {
    PAWN: PAWNS,
    LANCE: LANCES,
    BISHOP: BISHOPS,
    BISHOP + PROMOTED: BISHOPS,
    ROOK: ROOKS,
    ROOK + PROMOTED: ROOKS,
    KING: KINGS,
}
GROUP: Final = tuple(_GROUPS.get(piece & 15, STEPPERS) + (piece >> 4) for piece in range(32))
"""By piece: the number of its group."""


def _mobility(piece: int, square: int) -> tuple[Any, ...]:
    """Return what `ShogiBoard` needs to find the moves of a piece on a square.

    That is (steps, choices), for a lance (mask, line, choices), for bishops and rooks (mask, line,
    mask, line, steps, choices).
    """
    steps, ready = STEPS[piece][square], Choices(piece, square)
    group = GROUP[piece] & ~1
    if group == LANCES:
        line = FORWARD_LINE[piece >> 4][square]
        return line.mask, line, ready
    if group == BISHOPS:
        rising, falling = RISING_LINE[square], FALLING_LINE[square]
        return rising.mask, rising, falling.mask, falling, steps, ready
    if group == ROOKS:
        file, rank = FILE_LINE[square], RANK_LINE[square]
        return file.mask, file, rank.mask, rank, steps, ready
    return steps, ready


MOBILITY: Final = tuple(
    tuple(_mobility(piece, square) for square in range(81)) if piece in PIECE_CODES else ()
    for piece in range(32)
)

CROSS: Final = tuple(FILE_LINE[square].mask | RANK_LINE[square].mask for square in range(81))
SALTIRE: Final = tuple(RISING_LINE[square].mask | FALLING_LINE[square].mask for square in range(81))
NEAR: Final = tuple(
    tuple(STEPS[KING][square] | STEPS[KNIGHT + GOTE * (1 - by)][square] for square in range(81))
    for by in (0, 1)
)
"""By side and square: the squares from which a piece of that side may step or jump there."""


def _about(table: Callable[[int], int]) -> tuple[int, ...]:
    """Return by square the bits of a table for the square and its neighbours together."""
    found = []
    for square in range(81):
        bits = table(square)
        for neighbour in squares_of(STEPS[KING][square]):
            bits |= table(neighbour)
        found.append(bits)
    return tuple(found)


# By the king's square (and side): the squares that may attack it or a square beside it.
NEAR_ABOUT: Final = (_about(lambda at: NEAR[1][at]), _about(lambda at: NEAR[0][at]))
CROSS_ABOUT: Final = _about(lambda at: CROSS[at])
SALTIRE_ABOUT: Final = _about(lambda at: SALTIRE[at])
AHEAD_ABOUT: Final = (
    _about(lambda at: FORWARD_LINE[0][at].mask),
    _about(lambda at: FORWARD_LINE[1][at].mask),
)
