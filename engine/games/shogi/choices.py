"""Ready tuples of moves, looked up by what decides them; filled as positions come."""

from __future__ import annotations

from typing import Final

from engine.cache import BoundedCache, CacheTable
from engine.games.shogi.move import ShogiMove, board_move, drop_move
from engine.games.shogi.pieces import GOTE, HELD, PAWN, STUCK, TURNERS
from engine.games.shogi.squares import BIT, FILES, ZONES, squares_of

Moves = tuple[ShogiMove, ...]

ROOM: Final = BoundedCache(1 << 13)
"""For what all tables here remember."""


def faces(piece: int, start: int, target: int) -> list[ShogiMove]:
    """Return the one or two moves from a square to another: with promotion, without."""
    found = []
    if piece in TURNERS and (BIT[start] | BIT[target]) & ZONES[piece >> 4]:
        found.append(board_move(start, target, True))
    if not STUCK[piece] & BIT[target]:
        found.append(board_move(start, target))
    return found


class Choices(CacheTable[int, Moves]):
    """The moves of one piece from one square, by the squares it may go to, as bits."""

    def __init__(self, piece: int, start: int) -> None:
        super().__init__(ROOM)
        self.piece = piece
        self.start = start

    def work_out(self, targets: int) -> Moves:
        """Return the moves to these squares."""
        return tuple(
            move for target in squares_of(targets) for move in faces(self.piece, self.start, target)
        )


class PawnChoices(CacheTable[int, Moves]):
    """The moves of all pawns of a side together, by the squares they may go to."""

    def __init__(self, side: int) -> None:
        super().__init__(ROOM)
        self.pawn = PAWN + GOTE * side
        self.back = -1 if side else 1

    def work_out(self, targets: int) -> Moves:
        """Return the moves to these squares."""
        return tuple(
            move
            for target in squares_of(targets)
            for move in faces(self.pawn, target + self.back, target)
        )


PAWN_CHOICES: Final = (PawnChoices(0), PawnChoices(1))


class PawnFiles(CacheTable[int, tuple[int, int, int]]):
    """The files on which a side has pawns, by its pawns: for each band of three files a key part
    for `Drops`.
    """

    def work_out(self, pawns: int) -> tuple[int, int, int]:
        """Return the key parts for three bands."""
        taken = [bool(pawns & FILES[file]) for file in range(9)]
        right, middle, left = (
            sum(1 << 27 + file for file in range(3) if taken[3 * band + file]) for band in range(3)
        )
        return right, middle, left


PAWN_FILES: Final = PawnFiles(ROOM)

BAND: Final = (1 << 27) - 1
"""Three files: the right band, and with `>> 27` and `>> 54` the middle and the left one."""


class Drops(CacheTable[int, Moves]):
    """All drops from a hand on a band of three files.

    The key is the 27 empty squares of the band plus, from bit 27 on, its three files where an own
    pawn stands: no pawn may be dropped there, so nifu costs nothing.
    """

    def __init__(self, side: int, kinds: tuple[int, ...], band: int) -> None:
        super().__init__(ROOM)
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
                ((for_pawns if piece & 15 == PAWN else empty) << self.lowest) & ~STUCK[piece]
            )
        )


Bands = tuple[Drops, Drops, Drops]


class DropTables(CacheTable[int, Bands]):
    """The drops of a side, by its hand; hands of the same kinds share their tables."""

    def __init__(self, side: int) -> None:
        super().__init__(ROOM)
        self.side = side
        self.by_kinds: dict[tuple[int, ...], Bands] = {}

    def work_out(self, hand: int) -> Bands:
        """Return the drops of a hand, by the band of files where they go."""
        kinds = tuple(kind for kind in HELD if hand >> 5 * (kind - 1) & 31)
        if kinds not in self.by_kinds:
            right, middle, left = (Drops(self.side, kinds, band) for band in range(3))
            self.by_kinds[kinds] = right, middle, left
        return self.by_kinds[kinds]


DROPS: Final = (DropTables(0), DropTables(1))
