"""The puzzles that were tried, by learner: a small file in the state directory.

    {"Ania": {"shogi-p1f0c2a": "solved", "shogi-p77ab01": "2026-12-03 3"}}

A puzzle that is solved at once is solved. One that was answered wrong, or with a hint, comes back
after a day. If it is solved at once then, it comes back after three days, then after a week, and
then it is solved. The date is the day on which it is due, the number the days that it waits for it.

Time is an argument: the methods take the day on which they are called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from firmware_host.i18n.messages import Message, say, warn
from firmware_host.storage.learner_notes import LearnerNotes

WAITS: Final = (1, 3, 7)
"""The days after which a puzzle comes back that was answered wrong."""
_SOLVED: Final = "solved"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A puzzle that comes back."""

    due: date
    """The day from which it may be tried again."""
    days: int
    """The days that it waits until then, one of WAITS."""


class PuzzleProgress:
    """The puzzles that were tried, by learner, kept in a file."""

    def __init__(self, file: Path) -> None:
        self._notes = LearnerNotes(
            file,
            _read,
            unsaved=lambda why: say("The solved puzzles cannot be saved: {why}.", why=why),
            unreadable=lambda why, kept: warn(
                "The solved puzzles cannot be read ({why}); the list starts again, and "
                "the file is kept as {file}.",
                why=why,
                file=kept,
            ),
        )

    @property
    def trouble(self) -> Message | None:
        """The fault of the file, for people; None if there is none."""
        return self._notes.trouble

    def of(self, learner: str) -> Mapping[str, Waiting | None]:
        """Return the puzzles that a learner has tried, by name; None for one that is solved."""
        return {puzzle: _read(text) for puzzle, text in self._notes.of(learner).items()}

    def miss(self, puzzle: str, learner: str, today: date) -> None:
        """Note that a learner has answered a puzzle wrong, or has asked for a hint."""
        self._wait(puzzle, learner, WAITS[0], today)

    def solve(self, puzzle: str, learner: str, today: date) -> None:
        """Note that a learner has solved a puzzle at once. Before the day on which it is due that
        changes nothing.
        """
        waiting = self.of(learner).get(puzzle)
        if waiting is None:
            self._notes.put(learner, puzzle, _SOLVED)
        elif waiting.due <= today:
            longer = [days for days in WAITS if days > waiting.days]
            if longer:
                self._wait(puzzle, learner, longer[0], today)
            else:
                self._notes.put(learner, puzzle, _SOLVED)

    def _wait(self, puzzle: str, learner: str, days: int, today: date) -> None:
        due = today + timedelta(days)
        self._notes.put(learner, puzzle, f"{due.isoformat()} {days}")


def _read(text: str) -> Waiting | None:
    """Return what a text of the file means; ValueError if it means nothing."""
    if text == _SOLVED:
        return None
    day, _, days = str(text).partition(" ")
    if not days.isdecimal() or int(days) not in WAITS:
        raise ValueError(f"no puzzle waits as {text!r}")
    return Waiting(date.fromisoformat(day), int(days))
