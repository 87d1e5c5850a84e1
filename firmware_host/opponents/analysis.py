"""The client of the analysis subprocess: it asks about a position and gets better and better
answers.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, Protocol, TypeAlias

import msgspec

from engine.match import Match
from firmware_host.i18n.messages import Message, warn
from firmware_host.opponents.protocol import Analysis, read_answer, task, write
from firmware_host.opponents.subprocess_client import SubprocessClient

COMMAND: Final = (sys.executable, "-m", "firmware_host.opponents.worker")
OVERDUE_S: Final = 15.0
"""Restart the worker if its answer is this late. Nothing blocks on it, and a busy small computer
needs some seconds to start it, because it runs at low priority.
"""
MOST_CRASHES: Final = 3
"""After this many crashes in a match, every request fails at once."""

log = logging.getLogger(__name__)


class WorkerProcess(Protocol):
    """A running worker, in a process or in a substitute for one."""

    @property
    def pid(self) -> int:
        """Its process id; 0 without a process."""

    @property
    def runs(self) -> bool:
        """Whether it is known to run."""

    @property
    def starting(self) -> bool:
        """Whether it is known to be still starting, so that no answer is overdue."""

    def send(self, line: bytes) -> None:
        """Send it a line; end it if it does not read."""

    def end(self) -> None:
        """End it now."""


StartWorker: TypeAlias = """Callable[
    [tuple[str, ...], Callable[[bytes], None], Callable[[], None]], WorkerProcess
]"""
"""Starts a worker, as `SubprocessClient` does; OSError if that fails."""


@dataclass(slots=True)
class AnalysisRequest:
    """A request with its latest answer."""

    number: int
    about: object
    """The key of the request: an equal one continues it."""
    due: float
    """The time at which an answer is overdue."""
    answer: Analysis | None = None
    failed: bool = field(default=False)
    """Whether the worker crashed on it."""


class AnalysisClient:
    """A search in a subprocess. Nothing blocks on it."""

    def __init__(
        self,
        changed: Callable[[], None],
        command: tuple[str, ...] = COMMAND,
        start: StartWorker = SubprocessClient,
    ) -> None:
        """`changed` is called after each answer and each crash."""
        self.fault: Message | None = None
        """The message about the last crash."""
        self._changed = changed
        self._command = command
        self._start = start
        self._numbers = count(1)
        self._process: WorkerProcess | None = None
        self._asked: AnalysisRequest | None = None
        self._crashes = 0

    @property
    def pid(self) -> int | None:
        """The process id of the worker, if it runs."""
        return self._process.pid if self._process is not None and self._process.runs else None

    def ask(self, about: object, match: Match, now: float, **more: Any) -> AnalysisRequest:
        """Request an analysis of a match; it replaces the request before, unless it is about the
        same. `more` are fields of the `Task`.
        """
        if self._asked is not None and self._asked.about == about:
            return self._asked
        asked = AnalysisRequest(
            next(self._numbers), about, now + more.get("seconds", 0.0) + OVERDUE_S
        )
        self._asked = asked
        if self._crashes < MOST_CRASHES:
            self._send(write(task(asked.number, match, **more)))
        else:
            asked.failed = True
        return asked

    def drop(self) -> None:
        """Cancel the request."""
        if self._asked is not None and self._process is not None:
            self._process.send(b"")
        self._asked = None

    def look(self, now: float) -> float | None:
        """End the worker if it is overdue; return when to look again."""
        asked = self._asked
        if asked is None or asked.failed or asked.answer is not None:
            return None
        if self._process is not None and self._process.starting:
            asked.due = max(asked.due, now + OVERDUE_S)
        if now < asked.due:
            return asked.due
        log.warning("the analysis does not answer and is ended")
        self.close()
        self._crashed()
        return None

    def begin(self) -> None:
        """Start with another match: forget earlier crashes."""
        self.drop()
        self._crashes, self.fault = 0, None

    def close(self) -> None:
        """End the worker."""
        if self._process is not None:
            self._process.end()
        self._process = None

    def _send(self, line: bytes) -> None:
        if self._process is None or not self._process.runs:
            try:
                self._process = self._start(self._command, self._receive, self._crashed)
            except OSError as error:
                log.warning("%s: %s", self._command[0], error.strerror)
                self._crashed()
                return
        self._process.send(line)

    def _receive(self, line: bytes) -> None:
        try:
            answer = read_answer(line)
        except (msgspec.DecodeError, ValueError) as error:
            log.warning("the analysis sent a malformed answer: %s", error)
            return
        if answer.fault:
            log.warning("%s", answer.fault)
        elif self._asked is not None and answer.number == self._asked.number:
            self._asked.answer = answer
            self._changed()

    def _crashed(self) -> None:
        self._crashes += 1
        if self._asked is not None:
            self._asked.failed = True
        self.fault = warn("The analysis failed; this move is played without it.")
        self._changed()
