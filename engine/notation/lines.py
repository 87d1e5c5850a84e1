"""The lines of a record, and what of them may be shown.

Only `\\n`, `\\r\\n` and `\\r` end a line. Everything else that Python takes for a line's end (form
feeds, U+2028 …) stands in names and comments, and must not break them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

LONGEST_TEXT: Final = 1 << 21
"""How many signs, or bytes, a text may have that is read; a record has some thousand, and with all
that an engine thought some hundred thousand."""
MOST_LINES: Final = 50_000
"""How many lines it may have."""
MOST_MOVES: Final = 10_000
"""How many moves a record may have; no game has had a tenth of that."""

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
    """Return a line without the blanks and control characters at its ends: some programs put ^Z at
    the end of a file.
    """
    return line.strip(_AT_ENDS)


def words(line: str) -> list[str]:
    """Return what stands in a line between blanks and control characters."""
    return _WORD.findall(line)


def shown(text: str) -> str:
    """Return a text in quotes as one short line of printable signs."""
    quoted = repr(text[:_LONGEST_SHOWN])
    if len(text) <= _LONGEST_SHOWN and len(quoted) <= _LONGEST_SHOWN + 2:
        return quoted
    return f"{quoted[: _LONGEST_SHOWN - 1]}…{quoted[0]}"


def message(text: str) -> str:
    """Return what an error says as one line of bounded length."""
    short = text if len(text) <= _LONGEST_MESSAGE else f"{text[: _LONGEST_MESSAGE - 1]}…"
    return "".join(sign if sign.isprintable() else " " for sign in short)


class ReadingNote(NamedTuple):
    """Something in a text that was passed over, or not taken as it stands."""

    line: int
    """The number of its line, from 1."""
    text: str
    """What it is and what became of it: one short line of printable signs."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


class ReadingNotes:
    """The notes on a text while it is being read; only the first ones are kept."""

    def __init__(self) -> None:
        self.line = 1
        """The number of the line that is being read."""
        self._kept: list[ReadingNote] = []
        self._others = 0
        self._first_other = 0

    @property
    def where(self) -> str:
        """The line that is being read, as errors name it."""
        return f"line {self.line}"

    def each(self, lines: Sequence[str], first: int = 1) -> Iterator[str]:
        """Yield lines, of which the first has that number, trimmed."""
        for self.line, line in enumerate(lines, first):
            yield trimmed(line)

    def skipped(self, text: str) -> None:
        """Note that a text on this line was passed over."""
        self.add(f"{shown(text)} is passed over")

    def add(self, text: str) -> None:
        """Note something about this line."""
        if len(self._kept) < _MOST_NOTES:
            self._kept.append(ReadingNote(self.line, message(text)))
        else:
            self._first_other = self._first_other or self.line
            self._others += 1

    def all(self) -> tuple[ReadingNote, ...]:
        """Return the notes in the order of the lines; the last one counts those not kept."""
        if not self._others:
            return tuple(self._kept)
        return *self._kept, ReadingNote(self._first_other, f"and {self._others} more from here on")
