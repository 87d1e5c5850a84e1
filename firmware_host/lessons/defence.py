"""The best defence: how the opponent replies in a lesson of two moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, Final

from engine.match import AnyMove
from engine.search import search
from engine.search.grades import NEAR
from firmware_host.lessons.lesson import Lesson

_LOOKS: Final = 40
"""The search stops after 32 positions times this, because the board waits for it."""
_SAME: Final = 0.01
"""Replies whose winning chances differ by less are equally good."""
_MOST_COMPARED: Final = 12
"""At most this many equally good replies are compared by what they leave to the learner."""


def best_defence(lesson: Lesson, position: Any) -> AnyMove:
    """Return the reply of the opponent to a right first move; `position` is the one after it.

    It is the best reply by a short search. Of equally good ones, as where all lose, it is the reply
    that leaves the learner the fewest moves to the goal.
    """
    asked = count()
    stop = lambda: next(asked) >= _LOOKS  # noqa: E731
    found = search(lesson.game, position, stop=stop, near=NEAR).moves
    equal = sorted((each for each in found if found[0].chance - each.chance < _SAME), key=_text)
    if len(equal) == 1:
        return equal[0].move
    compared = equal[:_MOST_COMPARED]
    return min(compared, key=lambda each: ways_left(lesson, position, each.move)).move


def ways_left(lesson: Lesson, position: Any, reply: AnyMove) -> int:
    """Return how many moves of the learner reach the goal after a reply."""
    return sum(1 for _ in _ways(lesson, position, reply))


def _ways(lesson: Lesson, position: Any, reply: AnyMove) -> Iterator[AnyMove]:
    return lesson.solutions(lesson.game.play(position, reply), lesson.moves - 1)


def _text(judged: Any) -> str:
    return str(judged.text)
