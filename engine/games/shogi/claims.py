"""What a seat may say in Shogi, beside moving: when it may, and what becomes of the position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.game import Claim, Outcome, Reason
from engine.games.shogi.impasse import agreed_winner, both_entered, declaration_refusal, points
from engine.games.shogi.position import ShogiPosition

CLAIMS: Final = ("resign", "flag", "illegal", "draw?", "agree", "decline", "jishogi", "declare")
CLAIMED_ENDINGS: Final = ("resign", "flag", "illegal-move", "agreement", "jishogi", "declare")
"""How a position may have ended that no move ended."""


def refused(
    position: ShogiPosition, claim: Claim, options: Mapping[str, str], goes_on: bool
) -> Reason | None:
    """Return why a seat may not say that now, or None; `goes_on` says that the game is not over."""
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


def said(position: ShogiPosition, claim: Claim) -> ShogiPosition:
    """Return the position after a claim that may be made."""
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
