"""Puzzles from the matches that learners have looked back at."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

from engine.search.turning_points import TurningPoint
from firmware_host.lessons.lesson import Lesson
from firmware_host.lessons.puzzles import own_puzzle

MOST_LEARNERS: Final = 16
"""The puzzles of at most this many learners are kept in memory, of those looked for last."""

log = logging.getLogger(__name__)


class OwnPuzzles:
    """The puzzles of each learner, made from the turning points of the learner's matches."""

    def __init__(self, turning_points: Callable[[str], Sequence[TurningPoint]]) -> None:
        """`turning_points` returns those of a player of that name, the latest match first."""
        self._turning_points = turning_points
        self._found: OrderedDict[str, tuple[Lesson, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def look(self, learner: str) -> tuple[Lesson, ...]:
        """Return the puzzles of a learner as the files have them now, the latest match first. It
        reads many files, so call it in a thread.
        """
        found = tuple(self._read(learner)) if learner else ()
        with self._lock:  # several pages may look at once
            self._found[learner] = found
            self._found.move_to_end(learner)
            if len(self._found) > MOST_LEARNERS:
                self._found.popitem(last=False)
        return found

    def of(self, learner: str) -> tuple[Lesson, ...]:
        """Return the puzzles of a learner as they were when somebody looked for them last; if
        nobody has, look for them.
        """
        known = self._found.get(learner)
        return self.look(learner) if known is None else known

    def _read(self, learner: str) -> list[Lesson]:
        found = []
        for point in self._turning_points(learner):
            if point.is_unique:
                try:
                    puzzle = own_puzzle(point.game, point.options, point.position, point.better)
                except ValueError as error:
                    log.warning("no puzzle from a turning point: %s", error)
                else:
                    found.append(puzzle)
        return found
