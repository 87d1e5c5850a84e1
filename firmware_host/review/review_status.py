"""What a board says and shows while it shows a past match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.game import Claim
from firmware_host.i18n.messages import Message, say
from firmware_host.review.steps import Review
from firmware_host.session.view import SessionView
from firmware_host.text.announcements import movement_message, repair_messages
from firmware_host.text.claims import claim_label
from firmware_host.text.moves import with_notation, words_of
from firmware_host.text.outcomes import ending_message
from firmware_host.text.status import ReviewNow, Status


def review_status(status: Status, view: SessionView, review: Review) -> Status:
    """Return a status of the step that is shown: no move, no claim and no answer is taken."""
    plan, played = view.repair.plan, tuple(_played(review))
    return replace(
        status,
        says=(
            *status.faults,
            *played,
            *repair_messages(view.game, plan),
            *_ways(review),
        ),
        turn_line=_title(review),
        next_step=(movement_message(view.game, plan[0]),) if plan else played[:1],
        players=tuple(player.name for player in review.players),
        claims={},
        corrections=(),
        question=(),
        unsensed_moves=(),
        outcome=None,
        set_up=(),
        buttons=_buttons(review),
        review=ReviewNow(review.id, review.at, review.last, review.goes_on),
    )


def _title(review: Review) -> Message:
    """Return which step is shown, in a few words."""
    match = review.match
    if match.before is None:
        return say("The start")
    name = review.called(match.seat)
    if isinstance(match.move, Claim):
        return name
    return say("Move {n}, {name}", n=match.plies, name=name)


def _played(review: Review) -> Iterator[Message]:
    """Yield what was played last, and how the match ended with it."""
    match = review.match
    if match.before is not None:
        claim = isinstance(match.move, Claim)
        move = claim_label(match.text) if claim else with_notation(words_of(match), match.text)
        yield say("{seat} played: {move}.", seat=review.called(match.seat), move=move)
    if match.outcome is not None:
        yield ending_message(match.game, match.outcome, review.called)


def _buttons(review: Review) -> Mapping[str, Message]:
    """Return what the buttons of the board do."""
    found = {"no": say("leave the past match")}
    if review.at > 0:
        found["back"] = say("one move back")
    if review.at < review.last:
        found["hint"] = say("one move on")
    if review.goes_on:
        found["yes"] = say("play on from here")
    return found


def _ways(review: Review) -> Iterator[Message]:
    """Yield what can be done with the buttons and by hands."""
    yield say("Press hint for the next move, take back for the one before.")
    if review.goes_on:
        yield say("To play on from here, press yes.")
    yield say("To leave the past match, press no. For another match, set up the pieces.")
