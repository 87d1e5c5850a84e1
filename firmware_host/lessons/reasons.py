"""Why a move misses the goal of a lesson, explained by the engine against the right moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from engine.game import Place
from engine.match import AnyGame, AnyMove
from engine.search import Result, search, stop_after
from engine.search.explain import misses, why
from engine.search.explain.facts import BoardFacts, MoveEffect
from engine.search.grades import NEAR
from firmware_host.i18n.messages import Message, say
from firmware_host.lessons import goals
from firmware_host.lessons.goals import Goal, LessonMove
from firmware_host.text.reasons import why_message

_PLIES: Final = 3
"""The search depth: a beginner must be able to see the reason."""
_LOOKS: Final = 40
"""The search stops after 32 positions times this, about 10 ms, because the board waits for it."""

_COMES_FIRST: Final = ("lets-win", "misses-win")
"""Reasons that matter more than what the right move does."""
_BESIDE_THE_POINT: Final = ("goes-outwards",)
"""Reasons against a weak move that do not say why it misses a goal."""


def reason_by_goal(goal: Goal, played: LessonMove) -> Message | None:
    """Return why a move misses a goal, where the goal itself says it; else None."""
    if "fewest_throws" not in goal:
        return None
    kind = goal["fewest_throws"]
    taking, of = goals.throws_after(played, kind)
    return say(
        "Then the others can take the {piece} with {n} of {of} throws. Another move leaves fewer.",
        piece=say(played.game.kinds[kind]),
        n=taking,
        of=of,
    )


def reason_against(
    game: AnyGame,
    position: Any,
    wrong: AnyMove,
    right: Sequence[AnyMove],
    otherwise: Message | None = None,
) -> Message:
    """Return why a move that misses the goal is worse than the right ones.

    If the engine finds no reason, return `otherwise`, or whether the piece or only the move is
    wrong.
    """
    every = (wrong, *right)
    found = search(
        game, position, stop=stop_after(_LOOKS), deepest=_PLIES, every=every, near=NEAR
    ).moves
    best = next(each for each in found if each.move in right)
    judged = next(each for each in found if each.move == wrong)
    against = Result((best, replace(judged, grade="doubtful")), 0)
    reason = why(against, against.moves[1], stop=lambda: True)
    if reason is None or reason.code not in _COMES_FIRST:
        facts = BoardFacts(game, position)
        missed = misses(MoveEffect(facts, position, best.move), MoveEffect(facts, position, wrong))
        reason = missed or reason
    if reason is not None and reason.code not in _BESIDE_THE_POINT:
        return why_message(game, reason)
    if otherwise is not None:
        return otherwise
    started = set[Place]().union(*(_left(game, position, each) for each in right))
    if _left(game, position, wrong) & started:
        return say("The piece is right, the move is not.")
    return say("A different piece has to move.")


def reason_for(game: AnyGame, position: Any, right: AnyMove) -> Message:
    """Return why a move that reaches the goal is good, as far as the engine can say it."""
    found = search(
        game, position, stop=stop_after(_LOOKS), deepest=_PLIES, every=(right,), near=NEAR
    ).moves
    judged = replace(next(each for each in found if each.move == right), grade="best")
    reason = why(Result((judged,), 0), judged)
    return say("It reaches the goal.") if reason is None else why_message(game, reason)


def _left(game: AnyGame, position: Any, move: AnyMove) -> set[Place]:
    """Return the places that pieces of the mover or of nobody leave."""
    standing, seat = game.pieces(position), game.turn(position)
    return {
        place
        for place, comes in game.changes(position, move).items()
        if (piece := standing.get(place)) is not None
        and piece.owner in (seat, None)
        and (comes is None or comes.count < piece.count)
    }
