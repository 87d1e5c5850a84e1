"""How the opponent replies in a lesson of two moves: to a right first move and to a wrong one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from engine.game import CHANCE
from engine.match import AnyMove
from engine.search import JudgedMove, search, stop_after
from engine.search.grades import NEAR
from firmware_host.lessons.lesson import Lesson

_LOOKS: Final = 40
"""A search stops after 32 positions times this, because the board waits for it."""
_SAME: Final = 0.01
"""Replies whose winning chances differ by less are equally good."""
_MOST_COMPARED: Final = 12
"""At most this many replies are compared by what they leave to the learner."""


def best_defence(lesson: Lesson, position: Any) -> AnyMove:
    """Return the reply of the opponent to a right first move; `position` is the one after it.

    It is the best reply by a short search. Of equally good ones, as where all lose, it is the reply
    that leaves the learner the fewest moves to the goal. If the whole play is known, it is the best
    reply of that play.
    """
    if lesson.play is not None:
        return lesson.play.defence(lesson.game, position)
    found = _replies(lesson, position)
    equal = sorted(
        (each for each in found if found[0].chance - each.chance < _SAME), key=lambda e: e.text
    )
    if len(equal) == 1:
        return equal[0].move
    compared = equal[:_MOST_COMPARED]
    return min(compared, key=lambda each: ways_left(lesson, position, each.move)).move


def refutation(lesson: Lesson, position: Any) -> AnyMove | None:
    """Return a good reply that stops the learner; None if the goal is out of reach anyway.

    `position` is the one after a wrong first move.
    """
    game = lesson.game
    if (
        lesson.play is not None
        or lesson.moves < 2
        or game.outcome(position) is not None
        or game.turn(position) == CHANCE
    ):
        return None
    replies = [each.move for each in _replies(lesson, position)[:_MOST_COMPARED]]
    stopping = [each for each in replies if not any(True for _ in _ways(lesson, position, each))]
    return stopping[0] if 0 < len(stopping) < len(replies) else None


def ways_left(lesson: Lesson, position: Any, reply: AnyMove) -> int:
    """Return how many moves of the learner reach the goal after a reply."""
    return sum(1 for _ in _ways(lesson, position, reply))


def _replies(lesson: Lesson, position: Any) -> tuple[JudgedMove, ...]:
    """Return the replies of the opponent, the best first."""
    return search(lesson.game, position, stop=stop_after(_LOOKS), near=NEAR).moves


def _ways(lesson: Lesson, position: Any, reply: AnyMove) -> Iterator[AnyMove]:
    return lesson.solutions(lesson.game.play(position, reply), lesson.moves - 1)
