"""The analysis in a Web Worker of its own: both ends of its lines."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeAlias

from firmware_host.opponents.analysis import StartWorker
from firmware_host.opponents.protocol import read_task, write
from firmware_host.opponents.worker import Worker

LOOK_S: Final = 0.02
"""The time between two looks for a new line while the worker searches."""


class JsWorker(Protocol):
    """A Web Worker, as the board's script gives it."""

    def send(self, line: str) -> None:
        """Send it a line."""

    def end(self) -> None:
        """End it now."""


StartInBrowser: TypeAlias = Callable[[Callable[[str], None], Callable[[], None]], JsWorker]
"""Starts a Web Worker, with the functions that get its lines, and its failure."""


class WebWorkerProcess:
    """A Web Worker in place of a process. Its first line is empty: Python has started there."""

    pid = 0

    def __init__(
        self,
        start: StartInBrowser,
        received: Callable[[bytes], None],
        ended: Callable[[], None],
    ) -> None:
        self.runs = self.starting = True
        self._received, self._ended = received, ended
        self._worker = start(self._take, self._fail)

    def send(self, line: bytes) -> None:
        """Send it a line."""
        if self.runs:
            self._worker.send(line.decode())

    def end(self) -> None:
        """End it now."""
        if self.runs:
            self.runs = False
            self._worker.end()

    def _take(self, line: str) -> None:
        if not self.runs:
            return
        if line:
            self._received(line.encode())
        self.starting = False

    def _fail(self) -> None:
        if self.runs:
            self.end()
            self._ended()


def worker_starter(start: StartInBrowser) -> StartWorker:
    """Return a function that starts the worker of an `AnalysisClient`; the command is ignored,
    since there are no processes.
    """
    return lambda command, received, ended: WebWorkerProcess(start, received, ended)


class Lines:
    """The lines that were sent to this worker.

    A Web Worker gets its messages only when Python waits. Where the browser can suspend Python in
    the middle of a search, it does so now and then; elsewhere a new line waits for the next answer.
    """

    def __init__(self, pause: Callable[[], Awaitable[None]], clock: Callable[[], float]) -> None:
        """`pause` lets the messages in."""
        self._pause = pause
        self._clock = clock
        self._lines: deque[str] = deque()
        self._came = asyncio.Event()
        self._looked = clock()

    def put(self, line: str) -> None:
        """Take a line of the board."""
        self._lines.append(line)
        self._came.set()

    @property
    def waiting(self) -> bool:
        """Whether a line can be read at once."""
        if not self._lines and self._clock() - self._looked >= LOOK_S:
            suspend_for(self._pause)
            self._looked = self._clock()
        return bool(self._lines)

    async def line(self) -> str:
        """Wait for a line."""
        while not self._lines:
            self._came.clear()
            await self._came.wait()
        return self._lines.popleft()

    async def pause(self) -> None:
        """Let the messages in."""
        await self._pause()
        self._looked = self._clock()


def suspend_for(pause: Callable[[], Awaitable[None]]) -> None:
    """Suspend Python until the pause is over, where the browser can do that."""
    from pyodide.ffi import can_run_sync, run_sync

    if can_run_sync():
        run_sync(pause())


def lines(pause: Callable[[], Awaitable[None]]) -> Lines:
    """Return the lines of this worker, for its script to fill."""
    return Lines(pause, time.monotonic)


async def work(inbox: Lines, tell: Callable[[str], object]) -> None:
    """Answer tasks as the analysis subprocess does, until the worker is ended."""
    worker = Worker(inbox)
    tell("")
    while True:
        if not (line := await inbox.line()):
            continue  # an empty line only cancels
        for answer in worker.answers(read_task(line.encode())):
            tell(write(answer).decode())
            await inbox.pause()
