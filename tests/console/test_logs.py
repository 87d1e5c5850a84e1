"""The log: one plain line for each event, and a limited number of lines."""

from __future__ import annotations

import logging

import pytest

from firmware_host.console.logs import MOST_LINES, SPAN_S, LogRateLimit, OneLine


class Log:
    """A log as a person reads it, with a clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lines: list[str] = []
        self._filter = LogRateLimit(lambda: self.now)

    def write(self, text: str, *values: object, error: BaseException | None = None) -> None:
        told = (type(error), error, error.__traceback__) if error else None
        record = logging.LogRecord("lampion", logging.WARNING, "", 0, text, values, told)
        if self._filter.filter(record):
            self.lines.append(OneLine().format(record))


@pytest.fixture
def log() -> Log:
    return Log()


def test_the_same_line_is_written_once_a_minute_with_a_count(log: Log) -> None:
    for _ in range(93_190):
        log.write("no connection can be let in now: %s", "Too many open files")
    line = "lampion: no connection can be let in now: Too many open files"
    assert log.lines == [line]
    log.now = SPAN_S
    log.write("no connection can be let in now: %s", "Too many open files")
    assert log.lines == [line, f"{line} (93189 times more before)"]
    log.now = 2 * SPAN_S
    log.write("no connection can be let in now: %s", "Too many open files")
    assert log.lines[2] == line


def test_different_lines_are_bounded_too(log: Log) -> None:
    for number in range(1000):
        log.write("guest %d", number)
    assert len(log.lines) == MOST_LINES
    log.now = SPAN_S
    log.write("another")
    assert log.lines[-1] == f"lampion: another ({1000 - MOST_LINES} other lines were left out)"


def test_an_exception_is_one_line_that_says_where_it_arose(log: Log) -> None:
    try:
        raise RuntimeError("a\nb")
    except RuntimeError as error:
        log.write("Exception in the page\n", error=error)
    assert log.lines[0].startswith(
        "lampion: Exception in the page: RuntimeError: a b (test_logs.py"
    )


def test_control_characters_are_printed_as_text(log: Log) -> None:
    log.write("%s: no such file", "\x1b[2J\u202eevil\x9b")
    assert log.lines == [r"lampion: \u001b[2J\u202eevil\u009b: no such file"]
