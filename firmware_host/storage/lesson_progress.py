"""The lessons that were done: a small file in the state directory, a list of their names.

A file that cannot be read is put aside and reported, and an empty list begins.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Final

from firmware_host.i18n.messages import Message, render, say, warn
from firmware_host.storage import files
from hardware.regular_file import read

MOST_BYTES: Final = 1 << 16
"""No such file is larger."""

log = logging.getLogger(__name__)


class LessonProgress:
    """The names of the lessons that were done, kept in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.trouble: Message | None = None
        """What is wrong with the file, for people."""
        self._names = self._read()

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def add(self, name: str) -> None:
        """Note that a lesson was done."""
        if name in self._names:
            return
        self._names[name] = None
        try:
            files.put(self._file, (json.dumps(list(self._names)) + "\n").encode())
        except OSError as error:  # it counts anyway until the program ends
            why = files.why(error)
            self._report(say("The finished lessons cannot be saved: {why}.", why=why))

    def _read(self) -> dict[str, None]:
        try:
            names = json.loads(read(self._file, MOST_BYTES))
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise ValueError("not a list of names")
        except FileNotFoundError:
            return {}
        except OSError as error:
            self._put_aside(files.why(error))
        except (ValueError, RecursionError) as error:
            self._put_aside(say("{why}", why=str(error)))
        else:
            return dict.fromkeys(names)
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
