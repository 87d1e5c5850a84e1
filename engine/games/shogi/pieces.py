"""The pieces: their codes, letters, steps and hands.

The code of a piece is its kind, plus 16 for gote. The kinds are 1 P, 2 L, 3 N, 4 S, 5 G, 6 B, 7 R,
8 K; promotion adds 8. So `piece & 7` is its kind in hand (0 for a king), `piece >> 4` its side, and
0 an empty square.

A hand is an int with five bits for the count of each kind, pawns lowest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.game import Piece, Place, Seat
from engine.games.shogi.squares import BIT, DIAGONAL, ORTHOGONAL, RANKS, Offset, step

SEATS: Final = ("sente", "gote")

PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, KING = range(1, 9)
PROMOTED: Final = 8
GOTE: Final = 16

LETTERS: Final = ("", "P", "L", "N", "S", "G", "B", "R", "K")
HAND_KINDS: Final = range(PAWN, KING)
"""The kinds that a hand can hold."""
PROMOTABLE_KINDS: Final = (PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK)
"""The kinds with a promoted side."""
KINDS: Final = {
    **{LETTERS[kind]: kind for kind in range(PAWN, KING + 1)},
    **{f"+{LETTERS[kind]}": kind + PROMOTED for kind in PROMOTABLE_KINDS},
}
"""The code of each kind by its letter."""
LETTER: Final = {kind: letter for letter, kind in KINDS.items()}
NAMES: Final = {
    "P": "pawn",
    "L": "lance",
    "N": "knight",
    "S": "silver",
    "G": "gold",
    "B": "bishop",
    "R": "rook",
    "K": "king",
    "+P": "tokin",
    "+L": "promoted lance",
    "+N": "promoted knight",
    "+S": "promoted silver",
    "+B": "horse",
    "+R": "dragon",
}
PROMOTIONS: Final = {
    "+P": "The pawn becomes a tokin and moves like a gold.",
    "+L": "The lance is promoted and moves like a gold.",
    "+N": "The knight is promoted and moves like a gold.",
    "+S": "The silver is promoted and moves like a gold.",
    "+B": "The bishop becomes a horse: it can also go one step straight.",
    "+R": "The rook becomes a dragon: it can also go one step diagonally.",
}
FULL_SET: Final = {PAWN: 18, LANCE: 4, KNIGHT: 4, SILVER: 4, GOLD: 4, BISHOP: 2, ROOK: 2, KING: 2}
"""By kind: the pieces in a set, both sides together."""

PIECE_CODES: Final = tuple(kind + side for side in (0, GOTE) for kind in LETTER)
"""The code of every piece that can stand on the board."""
PROMOTABLE: Final = frozenset(kind + side for side in (0, GOTE) for kind in PROMOTABLE_KINDS)
"""The codes of pieces that can promote."""

PIECES: Final = {
    piece: Piece(piece >> 4, LETTER[piece & 15], -1 if piece & PROMOTED and piece & 7 else 1)
    for piece in PIECE_CODES
}
"""By code: the piece as the contract knows it; a promoted one has the other pole up."""

ONE_IN_HAND: Final = (0, *(1 << 5 * (kind - 1) for kind in HAND_KINDS))
"""By kind: what a capture adds to a hand; nothing for a king."""
PAWNS_IN_HAND: Final = 31
"""The bits of a hand that count its pawns."""

TRAYS: Final = tuple(
    tuple("" if kind not in HAND_KINDS else f"hand.{seat}.{LETTERS[kind]}" for kind in range(KING))
    for seat in SEATS
)
"""By seat and kind: the tray."""
HOLDER: Final[dict[Place, tuple[Seat, int]]] = {
    TRAYS[seat][kind]: (seat, kind) for seat in (0, 1) for kind in HAND_KINDS
}
"""By tray: its seat and its kind."""
STACKS: Final = tuple(
    tuple(
        tuple(
            Piece(seat, LETTERS[kind], count=count) if count else None
            for count in range(FULL_SET.get(kind, 0) + 1)
        )
        for kind in range(KING)
    )
    for seat in (0, 1)
)
"""By seat, kind and count: the pieces in a tray."""


def count_in_hand(hand: int, kind: int) -> int:
    """Return the number of pieces of a kind in a hand."""
    return hand >> 5 * (kind - 1) & 31


def count_in_all(kind: int, cells: bytes | bytearray, hands: Sequence[int]) -> int:
    """Return the number of pieces of a kind on the board, promoted or not, and in hand."""
    kinds = (kind, kind + PROMOTED) if kind in PROMOTABLE_KINDS else (kind,)
    on_board = sum(cells.count(each + side) for each in kinds for side in (0, GOTE))
    return on_board + sum(count_in_hand(hand, kind) for hand in hands)


_GOLD: Final[tuple[Offset, ...]] = ((0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1))
_OFFSETS: Final[dict[int, tuple[Offset, ...]]] = {
    PAWN: ((0, -1),),
    KNIGHT: ((-1, -2), (1, -2)),
    SILVER: ((0, -1), (-1, -1), (1, -1), (-1, 1), (1, 1)),
    GOLD: _GOLD,
    KING: ORTHOGONAL + DIAGONAL,
    PAWN + PROMOTED: _GOLD,
    LANCE + PROMOTED: _GOLD,
    KNIGHT + PROMOTED: _GOLD,
    SILVER + PROMOTED: _GOLD,
    BISHOP + PROMOTED: ORTHOGONAL,
    ROOK + PROMOTED: DIAGONAL,
}


def _steps(piece: int) -> tuple[int, ...]:
    """Return by square where a piece steps or jumps from it, as bits."""
    turned = -1 if piece >= GOTE else 1
    table = []
    for square in range(81):
        reached = (
            step(square, (file, turned * rank)) for file, rank in _OFFSETS.get(piece & 15, ())
        )
        table.append(sum(BIT[each] for each in reached if each is not None))
    return tuple(table)


STEPS: Final = tuple(_steps(piece) if piece in PIECES else () for piece in range(32))
"""By piece and square: the targets of steps and jumps, as bits; without slides of L, B and R."""

_LAST: Final = ((RANKS[0], RANKS[0] | RANKS[1]), (RANKS[8], RANKS[8] | RANKS[7]))
DEAD_SQUARES: Final = tuple(
    _LAST[piece >> 4][piece & 15 == KNIGHT] if piece & 15 in (PAWN, LANCE, KNIGHT) else 0
    for piece in range(32)
)
"""By piece: the squares from which it could never move, as bits."""
