"""Claims in words: what people may claim, and what each claim does.

A claim is played to find out what it does, so its sentence always says what happens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from engine.game import Claim, Seat
from engine.match import Match
from firmware_host.i18n.messages import Message, fill, say
from firmware_host.players.names import Who, called
from firmware_host.text.outcomes import winner_message

NEED_A_CLOCK: Final = frozenset({"flag"})
"""Claims that need a clock: a flag has fallen on the one that the board knows, or the players have
chosen to play with one of their own."""

_TOGETHER: Final = frozenset({"agree", "jishogi"})
"""Claims that hold once all players concerned have made them."""

_CLAIMS: Final[Mapping[str, tuple[Message, Message]]] = {
    "resign": (say("Resign"), say("{seat} resigns")),
    "flag": (say("My time is up"), say("{seat} has no time left")),
    "declare": (
        say("Declare the win"),
        say("{seat} declares the win with the king in the enemy camp"),
    ),
    "illegal": (
        say("That was illegal"),
        say("{seat} claims an illegal move of the opponent"),
    ),
    "draw?": (say("Offer a draw"), say("{seat} offers a draw")),
    "agree": (say("Agree to end the game"), say("{seat} agrees to end the game")),
    "decline": (say("Decline the draw"), say("{seat} declines the draw")),
    "jishogi": (say("Count the points"), say("{seat} wants to count the points")),
    "retire": (
        say("Take the last raja off: {where}"),
        say("{seat} takes the last raja off {where}, and nobody scores for it"),
    ),
    "promote": (say("Promote: {what}"), say("{seat} promotes a pawn")),
    "exchange?": (say("Offer to exchange rajas"), say("{seat} offers to exchange rajas")),
    "exchange": (say("Exchange of rajas: {what}"), say("{seat} agrees to exchange rajas")),
    "exchange no": (say("Refuse to exchange rajas"), say("{seat} refuses to exchange rajas")),
}
"""By the text of a claim, or its first word: the words on a button, and the sentence."""
_ANY_CLAIM: Final = (say("Claim: {what}"), say("{seat} claims {what}"))

Offers = Mapping[Seat, Mapping[str, Message]]


def offers(
    matches: Sequence[Match],
    players: tuple[str, ...] = (),
    fallen: frozenset[Seat] | None = None,
) -> Offers:
    """Return the claims of each seat now, by their texts, each with a sentence that says what it
    does. `players` are the players' own names, `fallen` the seats whose flag has fallen on the
    clock that the board knows; None if it knows of none. If several `matches` are possible, only
    claims that do the same in all of them.
    """
    first, *others = [_offers(match, players, fallen) for match in matches]
    return {
        seat: {
            text: does
            for text, does in claims.items()
            if all(other[seat].get(text) == does for other in others)
        }
        for seat, claims in first.items()
    }


@lru_cache(maxsize=32)  # a match stays the same while much happens on the board
def _offers(match: Match, players: tuple[str, ...], fallen: frozenset[Seat] | None) -> Offers:
    game, position = match.game, match.position
    if fallen is None:  # people may read a clock of their own
        own = game.options.get("clock", "none") != "none"
        fallen = frozenset(range(len(game.seats))) if own else frozenset()
    who = partial(called, game, players)
    return {
        seat: {
            claim.text: _does(match, claim, who)
            for claim in game.claims(position, seat)
            if match.outcome is None and (seat in fallen or claim.text not in NEED_A_CLOCK)
        }
        for seat in range(len(game.seats))
    }


def _does(match: Match, claim: Claim, who: Who) -> Message:
    after = match.play(claim)
    effect = (*_put(match, after, who), *_result(match, after, claim, who))
    return say("{claim}: {effect}", claim=_said(claim, who(claim.seat)), effect=effect)


def _said(claim: Claim, seat: Message) -> Message:
    head, _, rest = claim.text.partition(" ")
    words = _CLAIMS.get(claim.text) or _CLAIMS.get(head) or _ANY_CLAIM
    return fill(words[1], seat=seat, where=rest, what=claim.text)


def _put(before: Match, after: Match, who: Who) -> Iterator[Message]:
    """Yield the pieces that come to a cell, each with its cell."""
    game = before.game
    stood, cells = game.pieces(before.position), frozenset(game.cells())
    for place, piece in game.pieces(after.position).items():
        if place in cells and stood.get(place) != piece:
            kind = say(game.kinds[piece.kind])
            if piece.owner is not None:
                kind = say("{kind} of {seat}", kind=kind, seat=who(piece.owner))
            yield say("{piece} on {place}", piece=kind, place=place)


def _result(before: Match, after: Match, claim: Claim, who: Who) -> Iterator[Message]:
    """Yield how the claim ends the game, or what has to follow it."""
    game, outcome = before.game, after.outcome
    word = claim.text.partition(" ")[0]
    if outcome is not None:
        if word in _TOGETHER and outcome.points:
            yield say("points {points}", points=" : ".join(map(str, outcome.points)))
        yield winner_message(outcome, who)
        return
    may_say = {
        seat: {each.text for each in game.claims(after.position, seat)}
        for seat in range(len(game.seats))
        if seat != claim.seat
    }
    if word in _TOGETHER:
        missing = [seat for seat, texts in may_say.items() if claim.text in texts]
        yield say("{seats} must say the same.", seats=tuple(map(who, missing)))
    elif word.endswith("?"):
        asked = [
            seat
            for seat, texts in may_say.items()
            if texts - {each.text for each in game.claims(before.position, seat)}
        ]
        yield say("{seats} may accept or refuse.", seats=tuple(map(who, asked)))
    elif word == "resign":
        yield say("the others play on, and the pieces of this side stay where they are.")
    else:
        yield say("the game goes on.")


def claim_label(claim: str) -> Message:
    """Return the words for a claim's button."""
    head, _, rest = claim.partition(" ")
    if words := _CLAIMS.get(claim) or _CLAIMS.get(head):
        return fill(words[0], what=rest, where=rest)
    return fill(_ANY_CLAIM[0], what=claim)
