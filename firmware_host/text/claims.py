"""Claims in words: what people may say beside moving, and what each of that does to whom.

What a claim does is found by playing it, so its sentence cannot say but what happens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from engine.game import Claim, Seat
from engine.match import Match
from firmware_host.i18n.messages import Message, say
from firmware_host.players.names import Who, called
from firmware_host.text.outcomes import winner_message

NEED_A_CLOCK: Final = frozenset({"flag"})
"""What only a clock can know: people say it where they have chosen to play with one, or where the
flag has fallen on one that is plugged into the board."""

_TOGETHER: Final = frozenset({"agree", "jishogi"})
"""What holds when all who must have said it."""

Offers = Mapping[Seat, Mapping[str, Message]]


def offers(
    matches: Sequence[Match],
    players: tuple[str, ...] = (),
    fallen: frozenset[Seat] = frozenset(),
) -> Offers:
    """Return what each seat may say now: the text of a claim with the sentence that tells what it
    does to whom, by the names of the `players` who have said them; `fallen` are those whose flag
    has fallen on the board's clock. Where a match may have gone several ways, only what means the
    same in all of them.
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


@lru_cache(maxsize=32)  # much happens on a board while a match stands where it does
def _offers(match: Match, players: tuple[str, ...], fallen: frozenset[Seat]) -> Offers:
    game, position = match.game, match.position
    if game.options.get("clock", "none") != "none":
        fallen = frozenset(range(len(game.seats)))  # of another clock only people know
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
    word, _, rest = claim.text.partition(" ")
    known = {
        "resign": say("{seat} resigns", seat=seat),
        "flag": say("{seat} has no time left", seat=seat),
        "declare": say("{seat} declares the win with the king in the enemy camp", seat=seat),
        "illegal": say("{seat} claims an illegal move of the opponent", seat=seat),
        "draw?": say("{seat} offers a draw", seat=seat),
        "agree": say("{seat} agrees to end the game", seat=seat),
        "decline": say("{seat} declines the draw", seat=seat),
        "jishogi": say("{seat} wants to count the points", seat=seat),
        "retire": say(
            "{seat} takes the last raja off {where}, and nobody scores for it",
            seat=seat,
            where=rest,
        ),
        "promote": say("{seat} promotes a pawn", seat=seat),
        "exchange?": say("{seat} offers to exchange rajas", seat=seat),
        "exchange": say("{seat} agrees to exchange rajas", seat=seat),
        "exchange no": say("{seat} refuses to exchange rajas", seat=seat),
    }
    found = known.get(claim.text) or known.get(word)
    return found or say("{seat} claims {what}", seat=seat, what=claim.text)


def _put(before: Match, after: Match, who: Who) -> Iterator[Message]:
    """Say what comes to stand where."""
    game = before.game
    stood, cells = game.pieces(before.position), frozenset(game.cells())
    for place, piece in game.pieces(after.position).items():
        if place in cells and stood.get(place) != piece:
            kind = say(game.kinds[piece.kind])
            if piece.owner is not None:
                kind = say("{kind} of {seat}", kind=kind, seat=who(piece.owner))
            yield say("{piece} on {place}", piece=kind, place=place)


def _result(before: Match, after: Match, claim: Claim, who: Who) -> Iterator[Message]:
    """Say how the game ends by that, or who is to say or do something now."""
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
    """Return a claim in so few words as fit on a button."""
    head, _, rest = claim.partition(" ")
    known = {
        "resign": say("Resign"),
        "flag": say("My time is up"),
        "declare": say("Declare the win"),
        "illegal": say("That was illegal"),
        "draw?": say("Offer a draw"),
        "agree": say("Agree to end the game"),
        "decline": say("Decline the draw"),
        "jishogi": say("Count the points"),
        "exchange?": say("Offer to exchange rajas"),
        "exchange no": say("Refuse to exchange rajas"),
    }
    if claim in known:
        return known[claim]
    if head == "retire":
        return say("Take the last raja off: {where}", where=rest)
    if head == "promote":
        return say("Promote: {what}", what=rest)
    if head == "exchange":
        return say("Exchange of rajas: {what}", what=rest)
    return say("Claim: {what}", what=claim)
