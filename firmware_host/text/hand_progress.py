"""Sentences about a move in progress: its other movements, or that a piece cannot move now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.game import CHANCE, Attempt, Place
from engine.match import AnyGame
from engine.reading.fewest_moves import Movement
from engine.reading.verdict import Underway
from firmware_host.i18n.messages import Message, count, say
from firmware_host.players.names import Who
from firmware_host.session.hand_progress import (
    RefillUnderway,
    captive_first,
    unfinished_moves,
    unmovable,
)
from firmware_host.session.view import SessionView

MOST_WAYS: Final = 6
"""The lights show all ways to continue; this many are also said."""


def unmovable_message(view: SessionView, who: Who) -> Message | None:
    """Return why the lifted piece cannot move now; None if it can."""
    found = unmovable(view)
    if found is None:
        return None
    place, piece = found
    name = say(view.game.kinds[piece.kind])
    own = piece.owner is None or piece.owner == view.acting
    seat = say("") if piece.owner is None else who(piece.owner)
    if place in view.sight.trays:
        if own:
            return say("That {piece} cannot be moved now.", piece=name)
        return say("That {piece} belongs to {seat}.", piece=name, seat=seat)
    if own:
        why = view.game.why_not(view.match.position, Attempt(frozenset((place,)), frozenset()))
        reason = "" if why is None else view.game.reasons[why.code]
        if not reason or "{" in reason:  # it is about a place where the piece does not stand yet
            return say("The {piece} on {place} cannot be moved now.", piece=name, place=place)
        return say(
            "The {piece} on {place} cannot be moved now. {why}",
            piece=name,
            place=place,
            why=say(reason),
        )
    return say("The {piece} on {place} belongs to {seat}.", piece=name, place=place, seat=seat)


def underway_messages(view: SessionView, verdict: Underway, who: Who) -> Iterator[Message]:
    """Yield the rest of the move in progress, or that a player holds a piece."""
    found = unfinished_moves(view)
    left = dict.fromkeys(step for rest in found for step in rest.steps)
    carried = [step for step in left if step.carries]
    taken = ", ".join(step.start for step in left if step.start and step.end is None)
    if carried:
        ways = _ways(carried[:MOST_WAYS])
        if all(rest.is_row for rest in found):
            yield say("Now the other pieces of the row: {ways}.", ways=ways)
        else:
            yield say("Now the rest of the move: {ways}.", ways=ways)
    if taken:
        yield say("Now take off the pieces on: {places}.", places=taken)
    if not left and (captive := captive_first(view)) is not None:
        yield _taken_message(view.game, verdict, *captive)
    elif not left:
        seat = verdict.line.match.turn
        yield say("{seat} holds a piece …", seat=who(view.match.turn if seat == CHANCE else seat))


def _taken_message(
    game: AnyGame, verdict: Underway, place: Place, starts: Sequence[Place]
) -> Message:
    """Return the pieces that can take the piece that was lifted first."""
    pieces = game.pieces(verdict.line.match.position)
    by = tuple(
        say("the {piece} on {place}", piece=say(game.kinds[pieces[start].kind]), place=start)
        for start in starts
    )
    piece = say(game.kinds[pieces[place].kind])
    return say("The {piece} on {place} can be taken by {by}.", piece=piece, place=place, by=by)


def _ways(steps: Sequence[Movement]) -> Message:
    """Return a choice of movements from cell to cell."""
    *ways, last = (
        say("{start} to {end}", start=step.start or "", end=step.end or "") for step in steps
    )
    return say("{ways}, or {way}", ways=tuple(ways), way=last) if ways else last


def refill_messages(view: SessionView, found: RefillUnderway, who: Who) -> Iterator[Message]:
    """Yield how many tokens a refill still needs, and which button reports that they are there."""
    seat = who(found.seat)
    if not found.more:
        yield say("The extra tokens in the stock of {seat} go back to the pool.", seat=seat)
        return
    if not found.complete:
        yield count(
            "{n} more token goes to the stock of {seat}.",
            "{n} more tokens go to the stock of {seat}.",
            found.more,
            seat=seat,
        )
        return
    yield count(
        "{n} more token goes to the stock of {seat}, unless it is there already.",
        "{n} more tokens go to the stock of {seat}, unless they are there already.",
        found.more,
        seat=seat,
    )
    if not view.question.open:
        yield say("When all tokens are there, press the button of {seat}, or play on.", seat=seat)
