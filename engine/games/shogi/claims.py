"""The claims of Shogi: when a seat may make them, and their effect.

Jishōgi: when both kings have entered the enemy camp and neither can be mated, points decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.game import Claim, Outcome, Reason, Seat
from engine.games.shogi.board import ShogiBoard
from engine.games.shogi.pieces import BISHOP, GOTE, HAND_KINDS, KING, ROOK, count_in_hand
from engine.games.shogi.position import ShogiPosition
from engine.games.shogi.squares import BIT, PLACES, ZONES

CLAIMS: Final = ("resign", "flag", "illegal", "draw?", "agree", "decline", "jishogi", "declare")
CLAIMED_ENDINGS: Final = ("resign", "flag", "illegal-move", "agreement", "jishogi", "declare")
"""The endings by claim."""


def refusal_of_claim(
    position: ShogiPosition, claim: Claim, options: Mapping[str, str], goes_on: bool
) -> Reason | None:
    """Return why a seat may not make the claim, or None; `goes_on`: the game is not over."""
    seat, text = claim.seat, claim.text
    if not goes_on:
        return Reason("over")
    if seat not in (0, 1):
        return Reason("no-claim")
    if text == "jishogi" and options["impasse"] == "agreement24":
        if not both_entered(position):
            return Reason("kings-outside")
        return Reason("no-claim") if claim in position.offers else None
    if text == "declare" and options["impasse"] == "declaration27":
        return declaration_refusal(position, seat)
    offered = {offer.seat for offer in position.offers if offer.text == "draw?"}
    now = {
        "resign": True,
        "flag": True,
        "illegal": options["illegal_move"] == "loses" and seat != position.turn,
        "draw?": options["allow_draw_offer"] == "true" and not offered,
        "agree": 1 - seat in offered,
        "decline": 1 - seat in offered,
    }
    return None if now.get(text) else Reason("no-claim")


def after_claim(position: ShogiPosition, claim: Claim) -> ShogiPosition:
    """Return the position after an allowed claim."""
    seat, other = claim.seat, 1 - claim.seat
    answered = position.offers - {Claim(other, "draw?")}
    if claim.text == "decline":
        return position._replace(offers=answered)
    if claim.text == "draw?" or (
        claim.text == "jishogi" and Claim(other, "jishogi") not in position.offers
    ):
        return position._replace(offers=position.offers | {claim})
    if claim.text == "jishogi":
        winner = agreed_winner(position)
        counted = (points(position, 0), points(position, 1))
        winners = [] if winner is None else [winner]
        ended = Outcome(frozenset(winners), "jishogi", counted)
    else:
        ended = {
            "resign": Outcome(frozenset({other}), "resign"),
            "flag": Outcome(frozenset({other}), "flag"),
            "illegal": Outcome(frozenset({seat}), "illegal-move"),
            "agree": Outcome(frozenset(), "agreement"),
            "declare": Outcome(frozenset({seat}), "declare"),
        }[claim.text]
    return position._replace(offers=frozenset(), ended=ended)


# ---- impasse

ENOUGH_TO_DRAW: Final = 24
ENOUGH_TO_DECLARE: Final = (28, 27)
"""By seat: sente moves first and needs one point more."""
PIECES_TO_DECLARE: Final = 10


def points_of(kind: int) -> int:
    """Return the points of a kind, promoted or not: 5 for R and B, 0 for K, else 1."""
    return 0 if kind == KING else 5 if kind & 7 in (BISHOP, ROOK) else 1


def points(position: ShogiPosition, seat: Seat) -> int:
    """Return the points of a side's pieces on the board and in hand."""
    return _in_hand(position, seat) + sum(
        points_of(piece & 15) for piece in position.cells if piece and piece >> 4 == seat
    )


def _in_hand(position: ShogiPosition, seat: Seat) -> int:
    return sum(count_in_hand(position.hands[seat], kind) * points_of(kind) for kind in HAND_KINDS)


def both_entered(position: ShogiPosition) -> bool:
    """Return whether both kings stand in their promotion zones."""
    squares = [position.cells.find(KING + GOTE * seat) for seat in (0, 1)]
    return all(
        square >= 0 and bool(BIT[square] & ZONES[seat]) for seat, square in enumerate(squares)
    )


def agreed_winner(position: ShogiPosition) -> Seat | None:
    """Return the winner when both have agreed to count, None for a draw.

    A side below 24 points loses. A whole set has 54 points; with fewer pieces both sides may be
    below 24, which is a draw too.
    """
    below = [points(position, seat) < ENOUGH_TO_DRAW for seat in (0, 1)]
    return None if below[0] == below[1] else int(below[0])


def declaration_refusal(position: ShogiPosition, seat: Seat) -> Reason | None:
    """Return the condition of the declared win that a side does not meet, or None.

    Its king and at least ten other pieces stand in the promotion zone, it is not in check, and its
    pieces there and in hand count 28 points for sente or 27 for gote (the 27-point rule).
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
    if _in_hand(position, seat) + sum(map(points_of, inside)) < ENOUGH_TO_DECLARE[seat]:
        return Reason("declare-points")
    return None
