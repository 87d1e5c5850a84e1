"""The sentences and lights of a board that shows a past match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.game import Claim
from firmware_host.i18n.messages import Message, say
from firmware_host.review.steps import Review, Turn
from firmware_host.session.view import SessionView
from firmware_host.text.announcements import movement_message, repair_messages
from firmware_host.text.claims import claim_label
from firmware_host.text.look_back import better_messages, good_moves_messages, is_judging_message
from firmware_host.text.moves import brief_move, with_notation, words_of
from firmware_host.text.outcomes import ending_message
from firmware_host.text.status import Brief, ReviewNow, Status


def review_status(status: Status, view: SessionView, review: Review) -> Status:
    """Return a status of the step that is shown: no move, no claim and no answer is taken."""
    plan = view.repair.plan
    played = tuple(_turned(review, review.turn) if review.turn else _played(review))
    return replace(
        status,
        says=(
            *status.faults,
            *played,
            *repair_messages(view.game, plan),
            *_looked_back(review),
            *_ways(review),
        ),
        turn_line=_title(review),
        next_step=(movement_message(view.game, plan[0]),) if plan else _next_step(review, played),
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


def better_brief(review: Review) -> Brief | None:
    """Return the better move at the turning point that is shown; None if a step is shown."""
    if review.turn is None:
        return None
    game, position = review.match.game, review.match.position
    move = game.parse_move(position, review.turn.ply.best)
    return brief_move(game, position, move, game.play(position, move))


def _next_step(review: Review, played: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return the line below the title when the pieces stand right: at a turning point the better
    move and why, at the end how far the search is, else the move that was played.
    """
    if review.turn is not None:
        return played[1:]
    if review.at == review.last and review.turns is None:
        return (is_judging_message(len(review.plies), review.expected),)
    return played[:1]


def _turned(review: Review, turn: Turn) -> Iterator[Message]:
    """Yield what was played at a turning point, what is better, and why."""
    game, position = review.match.game, review.match.position
    words = with_notation(words_of(turn.played), turn.played.text)
    yield say("{seat} played: {move}.", seat=review.called(turn.played.seat), move=words)
    yield from better_messages(game, position, turn.ply, lit=True)


def _looked_back(review: Review) -> Iterator[Message]:
    """Yield at the end of the match what the search has found in it."""
    if review.turn is not None or review.at < review.last:
        return
    if review.turns is None:
        yield is_judging_message(len(review.plies), review.expected)
        return
    yield from good_moves_messages(review.whole, review.plies, review.called)
    if not review.turns:
        yield say("No single move decided this match.")


def _title(review: Review) -> Message:
    """Return which step or turning point is shown, in a few words."""
    match = review.match
    if review.turn is not None and review.turns is not None:
        number, count = review.turns.index(review.turn) + 1, len(review.turns)
        return say("Turning point {n} of {count}", n=number, count=count)
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
    if review.next_turn is not None:
        found["hint"] = say("the next turning point") if review.turn else say("the turning points")
    elif review.turn is not None:
        found["hint"] = say("to the end")
    elif review.at < review.last:
        found["hint"] = say("one move on")
    if review.goes_on:
        found["yes"] = say("play on from here")
    return found


def _ways(review: Review) -> Iterator[Message]:
    """Yield what can be done with the buttons and by hands."""
    if review.next_turn is not None:
        yield say("Press “hint” for the next turning point, “take back” for the move before.")
    elif review.turn is not None:
        yield say("Press “hint” for the end of the match, “take back” for the move before.")
    else:
        yield say("Press “hint” for the next move, “take back” for the one before.")
    if review.goes_on:
        yield say("To play on from here, press “yes”.")
    yield say("To leave the past match, press “no”. For another match, set up the pieces.")
