"""Lines of a record: splitting, trimming and showing them.

Only `\\n`, `\\r\\n` and `\\r` end a line. Other line ends of Python (form feed, U+2028 …) may occur
in names and comments and must not break them.
"""

from __future__ import annotations

import re
from typing import Final

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
