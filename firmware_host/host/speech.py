"""Speech at a real board: a child process says whose turn it is and what to do next.

Nothing waits for it, and no fault of it matters: then the board is silent.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import shutil
import signal
from collections import deque
from collections.abc import Callable
from typing import Final

from firmware_host.i18n.messages import sentence
from firmware_host.text.status import Status

PROGRAM: Final = "espeak-ng"
LOOK_S: Final = 0.25
"""The time between two looks at the status."""
MOST_WAITING: Final = 4
"""The most sentences that wait; of more, the oldest are not said."""
LONGEST_S: Final = 20.0
"""A sentence that takes longer is broken off."""
_SIGNS: Final = re.compile(r"\s*[◎○✕★▸❗]")
"""The signs of lights; a sentence also names their colours."""

log = logging.getLogger(__name__)


def installed() -> str | None:
    """Return the path of the program that speaks; None if it is not installed."""
    return shutil.which(PROGRAM)


class Speaker:
    """What is said, each sentence once; an urgent one interrupts."""

    def __init__(self, program: str, language: str) -> None:
        self._program = program
        self._language = language
        self._waiting: deque[str] = deque(maxlen=MOST_WAITING)
        self._told: frozenset[str] = frozenset()  # the sentences of the last status
        self._process: asyncio.subprocess.Process | None = None
        self._failed = False

    def hear(self, status: Status) -> None:
        """Queue what is new in a status. What still waits is old by then."""
        urgent = [sentence(each, self._language) for each in status.says if each.urgent]
        usual = [sentence(each, self._language) for each in (status.turn_line, *status.next_step)]
        fresh = [each for each in dict.fromkeys((*urgent, *usual)) if each not in self._told]
        if not self._told.issuperset(urgent):
            self._break_off()
        if fresh:
            self._waiting.clear()
        self._waiting.extend(_SIGNS.sub("", each) for each in fresh)
        self._told = frozenset((*urgent, *usual))

    async def run(self, status: Callable[[], Status]) -> None:
        """Say what is new in the status, until cancelled."""
        try:
            await asyncio.gather(self._watch(status), self._speak())
        except Exception:
            log.exception("the board is silent from now on")
            await asyncio.Event().wait()  # the match goes on
        finally:
            process = self._process
            self._break_off()
            if process is not None:
                await process.wait()

    async def _watch(self, status: Callable[[], Status]) -> None:
        last: Status | None = None
        while True:
            now = status()
            if now is not last:
                last = now
                self.hear(now)
            await asyncio.sleep(LOOK_S)

    async def _speak(self) -> None:
        while True:
            if self._waiting:
                await self._say(self._waiting.popleft())
            else:
                await asyncio.sleep(LOOK_S / 2)

    async def _say(self, text: str) -> None:
        """Say one sentence to its end, unless it is broken off."""
        pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        command = self._program, "-v", self._language, "--stdin"
        starting = asyncio.ensure_future(
            asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=null, stderr=null, start_new_session=True
            )
        )
        try:
            try:
                self._process = process = await asyncio.shield(starting)
            except asyncio.CancelledError:  # a program that has just started is ended, too
                with contextlib.suppress(OSError):
                    self._process = await starting
                raise
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LONGEST_S):
                    await process.communicate(text.encode())
            self._break_off()
            failed = process.returncode is not None and process.returncode > 0
            why = f"exit code {process.returncode}"
        except OSError as error:
            failed, why = True, str(error)
        if failed and not self._failed:
            log.warning("%s: %s; the board may be silent", self._program, why)
        self._failed = failed

    def _break_off(self) -> None:
        """End what is being said."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
