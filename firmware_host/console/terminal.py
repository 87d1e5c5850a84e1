"""What goes to the terminal: text without a character that could command it, in lines of sane size.

File names, layouts, recordings and error texts are other people's words. An escape sequence in one
of them would move the cursor, colour the screen or worse; here it is only shown.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, Final, NoReturn, TextIO

LONGEST: Final = 200
"""Characters of a complaint; of a longer one the middle is left out."""
USAGE: Final = 2
"""The exit code of wrong usage."""
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def plain(text: str) -> str:
    """Return one line with every control character written as JSON writes it: `\\u001b`."""
    if text.isprintable():
        return text
    return "".join(
        json.dumps(each)[1:-1] if unicodedata.category(each) in _HIDDEN else each for each in text
    )


def one_line(text: str) -> str:
    """Return a complaint as one plain line; of a very long one its beginning and its end."""
    if len(text) > 8 * LONGEST:  # not all of a megabyte needs a look
        text = text[: 4 * LONGEST] + text[-4 * LONGEST :]
    line = plain(" ".join(text.split()))
    if len(line) <= LONGEST:
        return line
    end = LONGEST * 2 // 5
    return f"{line[: LONGEST - end - 3]} … {line[-end:]}"


@contextlib.contextmanager
def standard_output() -> Iterator[None]:
    """Write to standard output in here; an OSError names it, and what comes later goes nowhere.

    Whether the write or the flush behind it fails depends on the buffer, which PYTHONUNBUFFERED
    takes away. The caller sees no difference.
    """
    try:
        yield
    except OSError as error:
        let_go(sys.stdout)
        raise OSError(error.errno, error.strerror, "standard output") from error


def tell(text: str, *, flush: bool = False) -> None:
    """Print lines; nothing happens where there is no standard output."""
    if sys.stdout is not None:
        with standard_output():
            print("\n".join(map(plain, text.split("\n"))), flush=flush)


def flush_told() -> None:
    """Write what was printed and still waits in the buffer."""
    if sys.stdout is not None:
        with standard_output():
            sys.stdout.flush()


def complain(text: str) -> None:
    """Print one line about what went wrong, if anybody can read it."""
    if sys.stderr is None:  # print would take standard output instead
        return
    try:
        print(f"lampion: {one_line(text)}", file=sys.stderr, flush=True)
    except OSError:
        let_go(sys.stderr)


def let_go(stream: TextIO) -> None:
    """Send what is still to come to nowhere: who was listening is gone, or the disk is full."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Parser(argparse.ArgumentParser):
    """Refuses wrong usage in one line, which names the help of the command that was meant."""

    def error(self, message: str) -> NoReturn:
        complain(f"{message}; see {self.prog} --help")
        raise SystemExit(USAGE)

    def print_help(self, file: Any = None) -> None:
        """Print the help; argparse itself hides a full disk if nothing is buffered."""
        out = file or sys.stdout
        if out is not None:
            with standard_output():
                out.write(self.format_help())

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Know all arguments: a command would hand those it does not know to the whole program."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown
