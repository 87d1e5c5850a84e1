"""A small file of texts by learner and name of a lesson or puzzle:

    {"": {"shogi-01": "alone"}, "Ania": {"shogi-01": "alone", "shogi-02": "hint"}}

A learner without a name is `""`. A file that cannot be read is put aside and reported, and an empty
one begins.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from firmware_host.i18n.messages import Message, render, say
from firmware_host.players.names import problem
from firmware_host.storage import files
from hardware.regular_file import read

MOST_BYTES: Final = 1 << 22
"""No such file is larger: that is more than 300 learners with all lessons or puzzles."""

Notes = dict[str, dict[str, str]]
Check = Callable[[str], object]
"""Called with each text; ValueError if it means nothing."""

log = logging.getLogger(__name__)


class LearnerNotes:
    """The texts in a file."""

    def __init__(
        self,
        file: Path,
        check: Check,
        *,
        unsaved: Callable[[Message], Message],
        unreadable: Callable[[Message, str], Message],
        older: Callable[[object], object] = lambda read: read,
    ) -> None:
        """`unsaved` says for people why the file cannot be saved, `unreadable` why it could not be
        read and under which name it is kept. `older` brings what an older file says into this form.
        """
        self._not_read: Message | None = None
        self._not_saved: Message | None = None
        self._file = file
        self._check = check
        self._unsaved = unsaved
        self._unreadable = unreadable
        self._older = older
        self._notes = self._read()

    @property
    def trouble(self) -> Message | None:
        """The fault of the file, for people; None if there is none."""
        return self._not_saved or self._not_read

    @property
    def learners(self) -> tuple[str, ...]:
        """The learners with a name, the first one first."""
        return tuple(filter(None, self._notes))

    def of(self, learner: str) -> Mapping[str, str]:
        """Return the texts of a learner as they are now, by the name of the lesson or puzzle."""
        return dict(self._notes.get(learner, {}))  # a thread may go through them

    def put(self, learner: str, name: str, text: str) -> None:
        """Note a text, and save the file if that changes anything or was impossible before."""
        if self.of(learner).get(name) == text and self._not_saved is None:
            return
        self._notes.setdefault(learner, {})[name] = text
        before, why_not = self._not_saved, self._save()
        self._not_saved = None if why_not is None else self._unsaved(why_not)
        if self._not_saved is not None and self._not_saved != before:
            self._log(self._not_saved)  # the text counts anyway until the program ends

    def _save(self) -> Message | None:
        """Write the file; return why that is impossible."""
        text = (json.dumps(self._notes, ensure_ascii=False) + "\n").encode()
        if len(text) > MOST_BYTES:
            return say(
                "too many names; delete some in {file}, then start again", file=self._file.name
            )
        try:
            files.put(self._file, text)
        except OSError as error:
            return files.why(error)
        return None

    def _read(self) -> Notes:
        try:
            return self._parsed(self._older(json.loads(read(self._file, MOST_BYTES))))
        except FileNotFoundError:
            pass
        except OSError as error:
            self._put_aside(files.why(error))
        except (ValueError, RecursionError) as error:
            self._put_aside(say("{why}", why=str(error)))
        return {}

    def _parsed(self, read: object) -> Notes:
        """Return what a file says; ValueError if it says something else."""
        if not isinstance(read, dict) or not all(isinstance(each, dict) for each in read.values()):
            raise ValueError("not the lessons of each learner")
        if any(problem(learner) is not None for learner in read):
            raise ValueError("a learner has no name that is accepted")
        for texts in read.values():
            for text in texts.values():
                self._check(text)
        return read

    def _put_aside(self, why: Message) -> None:
        """Keep what cannot be read under another name, where nothing is written over it."""
        aside = self._file.with_stem(f"{self._file.stem}-damaged")
        try:
            aside = files.put_aside(self._file, aside)
        except OSError:
            aside = self._file
        self._not_read = self._unreadable(why, aside.name)
        self._log(self._not_read)

    def _log(self, trouble: Message) -> None:
        log.warning("%s: %s", self._file, render(trouble))
