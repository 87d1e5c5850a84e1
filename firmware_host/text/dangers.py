"""Dangers in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from engine.game import Piece, Place, Threat
from engine.match import AnyGame
from firmware_host.i18n.messages import Message, say
from firmware_host.lights.threats import ALL_DANGERS, warned

if TYPE_CHECKING:
    from firmware_host.session.view import SessionView

MOST_SAID: Final = 3
"""The lights show all dangers; this many are also said."""


def dangers(view: SessionView) -> Iterator[Message]:
    """Yield the dangers, if the seat to act has chosen to hear of all of them."""
    if view.assist[view.acting] < ALL_DANGERS:
        return
    pieces = view.game.pieces(view.match.position)
    for threat in warned(view)[:MOST_SAID]:
        yield _danger(view.game, threat, pieces)


def _danger(game: AnyGame, threat: Threat, pieces: Mapping[Place, Piece]) -> Message:
    def name(place: Place) -> Message:
        return say(game.kinds[pieces[place].kind])

    piece, place = name(threat.place), threat.place
    if threat.kind == "reach":
        ends = ", ".join(threat.by)
        return say(
            "The other player can take the {piece} on {place} to {ends}.",
            piece=piece,
            place=place,
            ends=ends,
        )
    by = tuple(say("the {piece} on {place}", piece=name(each), place=each) for each in threat.by)
    if threat.kind == "edge":
        return say(
            "The {piece} on {place} can be pushed off by {by}.", piece=piece, place=place, by=by
        )
    return say("The {piece} on {place} can be taken by {by}.", piece=piece, place=place, by=by)
