"""The lessons that were solved, by learner: a small file in the state directory, with how each was
solved.

An older file is a list of names of lessons; they belong to the learner without a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path

from firmware_host.i18n.messages import Message, say, warn
from firmware_host.storage.learner_notes import LearnerNotes


class Solved(Enum):
    """How a lesson was solved."""

    ALONE = "alone"
    HINT = "hint"


class LessonProgress:
    """The lessons that were solved, by learner, kept in a file."""

    def __init__(self, file: Path) -> None:
        self._notes = LearnerNotes(
            file,
            Solved,
            unsaved=lambda why: say("The finished lessons cannot be saved: {why}.", why=why),
            unreadable=lambda why, kept: warn(
                "The finished lessons cannot be read ({why}); the list starts again, and "
                "the file is kept as {file}.",
                why=why,
                file=kept,
            ),
            older=_by_learner,
        )

    @property
    def trouble(self) -> Message | None:
        """The fault of the file, for people; None if there is none."""
        return self._notes.trouble

    @property
    def learners(self) -> tuple[str, ...]:
        """The learners with a name who have solved a lesson, the first one first."""
        return self._notes.learners

    def of(self, learner: str) -> Mapping[str, Solved]:
        """Return the lessons that a learner has solved, by the lesson's name."""
        return {lesson: Solved(how) for lesson, how in self._notes.of(learner).items()}

    def add(self, lesson: str, learner: str = "", how: Solved = Solved.ALONE) -> None:
        """Note that a learner has solved a lesson. One that was solved alone stays so."""
        alone = self._notes.of(learner).get(lesson) == Solved.ALONE.value
        self._notes.put(learner, lesson, (Solved.ALONE if alone else how).value)


def _by_learner(read: object) -> object:
    """Return what a file says, also one from before there were learners and hints."""
    if isinstance(read, list) and all(isinstance(each, str) for each in read):
        return {"": dict.fromkeys(read, Solved.ALONE.value)}
    return read
