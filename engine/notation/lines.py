"""Lines of a record: splitting, trimming and showing them.

Only `\\n`, `\\r\\n` and `\\r` end a line. Other line ends of Python (form feed, U+2028 …) may occur
in names and comments and must not break them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

LONGEST_TEXT: Final = 1 << 21
"""The most characters or bytes of a text. A record has some thousand, with an engine's comments
some hundred thousand.
"""
MOST_LINES: Final = 50_000
"""The most lines of a text."""
MOST_MOVES: Final = 10_000
"""The most moves of a record; no game has had a tenth of that."""

_ENDS: Final = re.compile(r"\r\n|\r|\n")
_CONTROLS: Final = (*map(chr, range(0x20)), "\x7f")
_AT_ENDS: Final = "".join((*_CONTROLS, *(chr(at) for at in range(0x3001) if chr(at).isspace())))
_WORD: Final = re.compile(r"[^\s\x00-\x1f\x7f]+")
_MOST_NOTES: Final = 50
_LONGEST_SHOWN: Final = 60
_LONGEST_MESSAGE: Final = 300


def split(text: str) -> list[str]:
    """Return the lines of a text, at least one."""
    lines = _ENDS.split(text)
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def trimmed(line: str) -> str:
    """Return a line without blanks and control characters at its ends, such as a final ^Z."""
    return line.strip(_AT_ENDS)


def words(line: str) -> list[str]:
    """Return the words of a line between blanks and control characters."""
    return _WORD.findall(line)


def shown(text: str) -> str:
    """Return a quoted text as one short line of printable characters."""
    quoted = repr(text[:_LONGEST_SHOWN])
    if len(text) <= _LONGEST_SHOWN and len(quoted) <= _LONGEST_SHOWN + 2:
        return quoted
    return f"{quoted[: _LONGEST_SHOWN - 1]}…{quoted[0]}"


def message(text: str) -> str:
    """Return an error text as one line of bounded length."""
    short = text if len(text) <= _LONGEST_MESSAGE else f"{text[: _LONGEST_MESSAGE - 1]}…"
    return "".join(sign if sign.isprintable() else " " for sign in short)


class ReadingNote(NamedTuple):
    """A part of a text that was skipped or changed."""

    line: int
    """The line number, from 1."""
    text: str
    """The part and what happened to it: one short line of printable characters."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


class ReadingNotes:
    """Collects the notes on a text while it is read; only the first ones are kept."""

    def __init__(self) -> None:
        self.line = 1
        """The number of the current line."""
        self._kept: list[ReadingNote] = []
        self._others = 0
        self._first_other = 0

    @property
    def where(self) -> str:
        """The current line as errors name it."""
        return f"line {self.line}"

    def each(self, lines: Sequence[str], first: int = 1) -> Iterator[str]:
        """Yield the lines, trimmed, counting from the line number `first`."""
        for self.line, line in enumerate(lines, first):
            yield trimmed(line)

    def skipped(self, text: str) -> None:
        """Note that a text on this line was skipped."""
        self.add(f"{shown(text)} is passed over")

    def add(self, text: str) -> None:
        """Note something about this line."""
        if len(self._kept) < _MOST_NOTES:
            self._kept.append(ReadingNote(self.line, message(text)))
        else:
            self._first_other = self._first_other or self.line
            self._others += 1

    def all(self) -> tuple[ReadingNote, ...]:
        """Return the notes in order; a last one counts those not kept."""
        if not self._others:
            return tuple(self._kept)
        return *self._kept, ReadingNote(self._first_other, f"and {self._others} more from here on")
