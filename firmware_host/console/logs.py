"""The log: one plain line for each event, limited in number so that it cannot fill a disk."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware_host.console.terminal import one_line

SPAN_S: Final = 60.0
"""The same line is written once in this time."""
MOST_LINES: Final = 30
"""The largest number of different lines in this time."""


class LogRateLimit(logging.Filter):
    """Passes each line once a minute, and adds to the next one how many were left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._begun = clock()
        self._said: dict[str, int] = {}  # lines of this minute: how often each was left out
        self._before: dict[str, int] = {}  # the same of the minute before
        self._crowded_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether to write this line; add to it how many were left out."""
        now = self._clock()
        if now - self._begun >= SPAN_S:
            self._begun = now
            self._before, self._said = self._said, {}
        line = _line(record)
        if line in self._said:
            self._said[line] += 1
            return False
        if len(self._said) >= MOST_LINES:
            self._crowded_out += 1
            return False
        self._said[line] = 0
        left_out = self._before.pop(line, 0)
        if left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out} times more before)", ()
        if self._crowded_out:
            more = f"({self._crowded_out} other lines were left out)"
            record.msg, record.args = f"{record.getMessage()} {more}", ()
            self._crowded_out = 0
        return True


class OneLine(logging.Formatter):
    """Formats a record as one plain line; an exception as its message and its origin."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return f"lampion: {_line(record)}"


def _line(record: logging.LogRecord) -> str:
    text = record.getMessage()
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        text = f"{text.partition(chr(10))[0]}: {type(error).__name__}: {error}{_place(error)}"
    return one_line(text)


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f" ({Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno})"


def begin() -> None:
    """Write warnings and errors to standard error."""
    handler = logging.StreamHandler()
    handler.addFilter(LogRateLimit())
    handler.setFormatter(OneLine())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
