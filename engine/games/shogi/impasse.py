"""Jishōgi: when both kings have entered the enemy camp and neither can be mated, points decide."""

from __future__ import annotations

from typing import Final

from engine.game import Reason, Seat
from engine.games.shogi.board import ShogiBoard
from engine.games.shogi.pieces import BISHOP, GOTE, HELD, KING, ROOK, held
from engine.games.shogi.position import ShogiPosition
from engine.games.shogi.squares import BIT, PLACES, ZONES

ENOUGH_TO_DRAW: Final = 24
ENOUGH_TO_DECLARE: Final = (28, 27)
"""By seat: sente, who began, needs one more."""
PIECES_TO_DECLARE: Final = 10


def worth(kind: int) -> int:
    """Return the points of a kind, which promotion does not change: 5 for R and B, 0 for K."""
    return 0 if kind == KING else 5 if kind & 7 in (BISHOP, ROOK) else 1


def points(position: ShogiPosition, seat: Seat) -> int:
    """Return the points of a side's pieces on the board and in hand."""
    return _in_hand(position, seat) + sum(
        worth(piece & 15) for piece in position.cells if piece and piece >> 4 == seat
    )


def _in_hand(position: ShogiPosition, seat: Seat) -> int:
    return sum(held(position.hands[seat], kind) * worth(kind) for kind in HELD)


def both_entered(position: ShogiPosition) -> bool:
    """Whether both kings stand in their promotion zones."""
    squares = [position.cells.find(KING + GOTE * seat) for seat in (0, 1)]
    return all(
        square >= 0 and bool(BIT[square] & ZONES[seat]) for seat, square in enumerate(squares)
    )


def agreed_winner(position: ShogiPosition) -> Seat | None:
    """Return who wins when both have agreed to count: whoever leaves the other below 24 points;
    None for a draw. A whole set has 54 points; with fewer pieces both may be below, a draw too.
    """
    below = [points(position, seat) < ENOUGH_TO_DRAW for seat in (0, 1)]
    return None if below[0] == below[1] else int(below[0])


def declaration_refusal(position: ShogiPosition, seat: Seat) -> Reason | None:
    """Return which condition of the declared win a side does not meet, or None.

    Its king and at least ten of its other pieces stand in the promotion zone, it is not in check,
    and the pieces there and in hand count 28 points for sente or 27 for gote (the 27-point rule).
    """
    king = position.cells.find(KING + GOTE * seat)
    if position.turn != seat or king < 0:
        return Reason("declare-turn")
    if not BIT[king] & ZONES[seat]:
        return Reason("declare-king", (PLACES[king],))
    if ShogiBoard(position).checkers(seat):
        return Reason("declare-check", (PLACES[king],))
    inside = [
        piece & 15
        for square, piece in enumerate(position.cells)
        if piece and piece >> 4 == seat and BIT[square] & ZONES[seat] and piece & 15 != KING
    ]
    if len(inside) < PIECES_TO_DECLARE:
        return Reason("declare-pieces")
    if _in_hand(position, seat) + sum(map(worth, inside)) < ENOUGH_TO_DECLARE[seat]:
        return Reason("declare-points")
    return None
