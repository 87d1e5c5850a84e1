"""Sentences that say why the rules forbid something."""

from __future__ import annotations

from engine.game import Reason
from engine.match import AnyGame
from firmware_host.i18n.messages import Message, warn


def refusal_message(game: AnyGame, reason: Reason) -> Message:
    """Return the sentence of a refusal, with its places. It is urgent."""
    places = {str(index): place for index, place in enumerate(reason.places)}
    return warn(game.reasons[reason.code], **places)
