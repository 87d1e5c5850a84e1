"""Ready tuples of moves, looked up by what decides them; filled as positions come.

Those tables that have no natural bound are emptied when they get large, which costs time and
never changes an answer.
"""

from __future__ import annotations

from typing import Final

from engine.games.shogi.men import GOTE, HELD, PAWN, STUCK, TURNERS
from engine.games.shogi.move import Move, board_move, drop_move
from engine.games.shogi.squares import BIT, FILES, ZONES, squares_of

Moves = tuple[Move, ...]

MANY_PAWN_SETS: Final = 1 << 13
MANY_DROPS: Final = 1 << 11


def faces(man: int, start: int, target: int) -> list[Move]:
    """Return the one or two moves from a square to another: with promotion, without."""
    found = []
    if man in TURNERS and (BIT[start] | BIT[target]) & ZONES[man >> 4]:
        found.append(board_move(start, target, True))
    if not STUCK[man] & BIT[target]:
        found.append(board_move(start, target))
    return found


class Choices(dict[int, Moves]):
    """The moves of one man from one square, by the squares it may go to, as bits."""

    def __init__(self, man: int, start: int) -> None:
        self.man = man
        self.start = start

    def __missing__(self, targets: int) -> Moves:
        self[targets] = moves = tuple(
            move for target in squares_of(targets) for move in faces(self.man, self.start, target)
        )
        return moves


class PawnChoices(dict[int, Moves]):
    """The moves of all pawns of a side together, by the squares they may go to."""

    def __init__(self, side: int) -> None:
        self.pawn = PAWN + GOTE * side
        self.back = -1 if side else 1

    def __missing__(self, targets: int) -> Moves:
        if len(self) >= MANY_PAWN_SETS:
            self.clear()
        self[targets] = moves = tuple(
            move
            for target in squares_of(targets)
            for move in faces(self.pawn, target + self.back, target)
        )
        return moves


PAWN_CHOICES: Final = (PawnChoices(0), PawnChoices(1))


class PawnFiles(dict[int, tuple[int, int, int]]):
    """The files on which a side has pawns, by its pawns: for each band of three files a key part
    for `Drops`.
    """

    def __missing__(self, pawns: int) -> tuple[int, int, int]:
        if len(self) >= MANY_PAWN_SETS:
            self.clear()
        taken = [bool(pawns & FILES[file]) for file in range(9)]
        right, middle, left = (
            sum(1 << 27 + file for file in range(3) if taken[3 * band + file]) for band in range(3)
        )
        self[pawns] = right, middle, left
        return right, middle, left


PAWN_FILES: Final = PawnFiles()

BAND: Final = (1 << 27) - 1
"""Three files: the right band, and with `>> 27` and `>> 54` the middle and the left one."""


class Drops(dict[int, Moves]):
    """All drops from a hand on a band of three files.

    The key is the 27 empty squares of the band plus, from bit 27 on, its three files where an own
    pawn stands: no pawn may be dropped there, so nifu costs nothing.
    """

    def __init__(self, side: int, kinds: tuple[int, ...], band: int) -> None:
        self.men = [kind + GOTE * side for kind in kinds]
        self.lowest = 27 * band

    def __missing__(self, key: int) -> Moves:
        if len(self) >= MANY_DROPS:
            self.clear()
        empty = for_pawns = key & BAND
        for file in range(3):
            if key >> 27 + file & 1:
                for_pawns &= ~FILES[file]
        self[key] = moves = tuple(
            drop_move(man & 15, square)
            for man in self.men
            for square in squares_of(
                ((for_pawns if man & 15 == PAWN else empty) << self.lowest) & ~STUCK[man]
            )
        )
        return moves


Bands = tuple[Drops, Drops, Drops]


class DropTables(dict[int, Bands]):
    """The drops of a side, by its hand; hands of the same kinds share their tables."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.by_kinds: dict[tuple[int, ...], Bands] = {}

    def __missing__(self, hand: int) -> Bands:
        kinds = tuple(kind for kind in HELD if hand >> 5 * (kind - 1) & 31)
        if kinds not in self.by_kinds:
            right, middle, left = (Drops(self.side, kinds, band) for band in range(3))
            self.by_kinds[kinds] = right, middle, left
        self[hand] = bands = self.by_kinds[kinds]
        return bands


DROPS: Final = (DropTables(0), DropTables(1))
