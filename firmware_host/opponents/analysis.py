"""The adviser as the board sees it: it is asked about a position, and some time later it knows."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

import msgspec

from engine.match import Match
from firmware_host.i18n.messages import Message, warn
from firmware_host.opponents.protocol import Analysis, read_answer, task, write
from firmware_host.opponents.subprocess_client import SubprocessClient

COMMAND: Final = (sys.executable, "-m", "firmware_host.opponents.worker")
SILENT: Final = 15.0
"""Who has not answered so many seconds after he should have is started anew. Nobody waits for him,
and it takes a small computer that is busy some seconds to start him, for he gives way to all else.
"""
MOST_CRASHES: Final = 3
"""After so many crashes in a match nothing more is asked of it."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class AnalysisRequest:
    """One question, and what is known of it by now."""

    number: int
    about: object
    """What it was asked about."""
    due: float
    """When an answer should have come."""
    answer: Analysis | None = None
    failed: bool = field(default=False)
    """Whether it broke down over it."""


class AnalysisClient:
    """A search in a process of its own. Nobody waits for it."""

    def __init__(self, changed: Callable[[], None], command: tuple[str, ...] = COMMAND) -> None:
        """`changed` is called whenever more is known, or it broke down."""
        self.fault: Message | None = None
        """What is said of it, if it broke down."""
        self._changed = changed
        self._command = command
        self._numbers = count(1)
        self._child: SubprocessClient | None = None
        self._asked: AnalysisRequest | None = None
        self._crashes = 0

    @property
    def pid(self) -> int | None:
        """The number of its process, if there is one."""
        return self._child.pid if self._child is not None and self._child.runs else None

    def ask(self, about: object, match: Match, now: float, **more: Any) -> AnalysisRequest:
        """Ask about what a match has come to, in place of what was asked before; the same again
        about the same goes on. `more` are fields of the `Task`.
        """
        if self._asked is not None and self._asked.about == about:
            return self._asked
        asked = AnalysisRequest(next(self._numbers), about, now + more.get("seconds", 0.0) + SILENT)
        self._asked = asked
        if self._crashes < MOST_CRASHES:
            self._tell(write(task(asked.number, match, **more)))
        else:
            asked.failed = True
        return asked

    def drop(self) -> None:
        """Ask nothing any more: what it is doing is of no use."""
        if self._asked is not None and self._child is not None:
            self._child.tell(b"")
        self._asked = None

    def look(self, now: float) -> float | None:
        """End it if it does not answer; return when to look again."""
        asked = self._asked
        if asked is None or asked.failed or asked.answer is not None:
            return None
        if now < asked.due:
            return asked.due
        log.warning("the adviser does not answer and is ended")
        self.close()
        self._broke_down()
        return None

    def begin(self) -> None:
        """Begin with a new match: what went wrong in the last one is forgotten."""
        self.drop()
        self._crashes, self.fault = 0, None

    def close(self) -> None:
        """End its process."""
        if self._child is not None:
            self._child.end()
        self._child = None

    def _tell(self, line: bytes) -> None:
        if self._child is None or not self._child.runs:
            try:
                self._child = SubprocessClient(self._command, self._heard, self._broke_down)
            except OSError as error:
                log.warning("%s: %s", self._command[0], error.strerror)
                self._broke_down()
                return
        self._child.tell(line)

    def _heard(self, line: bytes) -> None:
        try:
            answer = read_answer(line)
        except (msgspec.DecodeError, ValueError) as error:
            log.warning("the adviser said what is no answer: %s", error)
            return
        if answer.fault:
            log.warning("%s", answer.fault)
        elif self._asked is not None and answer.number == self._asked.number:
            self._asked.answer = answer
            self._changed()

    def _broke_down(self) -> None:
        self._crashes += 1
        if self._asked is not None:
            self._asked.failed = True
        self.fault = warn("The adviser failed; this move is played without it.")
        self._changed()
