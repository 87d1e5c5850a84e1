"""Sentences about moves whose outcome is known for certain."""

from __future__ import annotations

from firmware_host.words import Message, count, say


def outcome_message(text: str, plies: int) -> Message:
    """Return what comes of a move, which is given as text, if both play as well as can be: in so
    many plies, itself among them, it wins, or, negative, loses; 0: it draws.
    """
    if plies > 0:
        return count("{move} wins in {n} ply.", "{move} wins in {n} plies.", plies, move=text)
    if plies < 0:
        return count("{move} loses in {n} ply.", "{move} loses in {n} plies.", -plies, move=text)
    return say("{move} leads to a draw.", move=text)
