"""The lessons that were solved, by learner: a small file in the state directory.

    {"": {"shogi-01": "alone"}, "Ania": {"shogi-01": "alone", "shogi-02": "hint"}}

A learner without a name is `""`. An older file is a list of names of lessons; they belong to `""`.
A file that cannot be read is put aside and reported, and an empty one begins.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Final

from firmware_host.i18n.messages import Message, render, say, warn
from firmware_host.players.names import problem
from firmware_host.storage import files
from hardware.regular_file import read

MOST_BYTES: Final = 1 << 18
"""No such file is larger: that is some hundred learners with all lessons."""

log = logging.getLogger(__name__)


class Solved(Enum):
    """How a lesson was solved."""

    ALONE = "alone"
    HINT = "hint"


class LessonProgress:
    """The lessons that were solved, by learner, kept in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.trouble: Message | None = None
        """What is wrong with the file, for people."""
        self._solved = self._read()

    @property
    def learners(self) -> tuple[str, ...]:
        """The learners with a name who have solved a lesson, the first one first."""
        return tuple(filter(None, self._solved))

    def of(self, learner: str) -> Mapping[str, Solved]:
        """Return the lessons that a learner has solved, by the lesson's name."""
        return self._solved.get(learner, {})

    def add(self, lesson: str, learner: str = "", how: Solved = Solved.ALONE) -> None:
        """Note that a learner has solved a lesson. One that was solved alone stays so."""
        if self.of(learner).get(lesson) in (how, Solved.ALONE):
            return
        self._solved.setdefault(learner, {})[lesson] = how
        why_not = self._save()
        if why_not is not None:  # it counts anyway until the program ends
            self._report(say("The finished lessons cannot be saved: {why}.", why=why_not))

    def _save(self) -> Message | None:
        """Write the file; return why that is impossible."""
        solved = {
            learner: {lesson: how.value for lesson, how in lessons.items()}
            for learner, lessons in self._solved.items()
        }
        text = (json.dumps(solved, ensure_ascii=False) + "\n").encode()
        if len(text) > MOST_BYTES:
            return say("too many names")
        try:
            files.put(self._file, text)
        except OSError as error:
            return files.why(error)
        return None

    def _read(self) -> dict[str, dict[str, Solved]]:
        try:
            return _parsed(json.loads(read(self._file, MOST_BYTES)))
        except FileNotFoundError:
            pass
        except OSError as error:
            self._put_aside(files.why(error))
        except (ValueError, RecursionError) as error:
            self._put_aside(say("{why}", why=str(error)))
        return {}

    def _put_aside(self, why: Message) -> None:
        """Keep what cannot be read under another name, where nothing is written over it."""
        aside = self._file.with_stem(f"{self._file.stem}-damaged")
        try:
            aside = files.put_aside(self._file, aside)
        except OSError:
            aside = self._file
        self._report(
            warn(
                "The finished lessons cannot be read ({why}); the list starts again, and "
                "the file is kept as {file}.",
                why=why,
                file=aside.name,
            )
        )

    def _report(self, trouble: Message) -> None:
        self.trouble = trouble
        log.warning("%s: %s", self._file, render(trouble))


def _parsed(read: object) -> dict[str, dict[str, Solved]]:
    """Return what a file says; ValueError if it says something else."""
    if isinstance(read, list):  # a file from before there were learners and hints
        read = {"": dict.fromkeys(read, Solved.ALONE.value)} if _are_texts(read) else None
    if not isinstance(read, dict) or not all(isinstance(each, dict) for each in read.values()):
        raise ValueError("not the lessons of each learner")
    if any(problem(learner) is not None for learner in read):
        raise ValueError("a learner has no name that is accepted")
    return {
        learner: {lesson: Solved(how) for lesson, how in lessons.items()}
        for learner, lessons in read.items()
    }


def _are_texts(values: list[object]) -> bool:
    return all(isinstance(each, str) for each in values)
