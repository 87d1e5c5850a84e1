"""Output to the terminal: text without control characters, in lines of limited length.

File names, layouts, recordings and error texts come from other people. An escape sequence in one of
them would move the cursor, colour the screen or worse; here it is printed as text.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NoReturn, TextIO

LONGEST_CHARS: Final = 200
"""The length of an error message; a longer one loses its middle."""
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
    """Return an error message as one plain line; of a very long one the beginning and the end."""
    if len(text) > 8 * LONGEST_CHARS:  # do not process all of a megabyte
        text = text[: 4 * LONGEST_CHARS] + text[-4 * LONGEST_CHARS :]
    line = plain(" ".join(text.split()))
    if len(line) <= LONGEST_CHARS:
        return line
    end = LONGEST_CHARS * 2 // 5
    return f"{line[: LONGEST_CHARS - end - 3]} … {line[-end:]}"


@contextlib.contextmanager
def standard_output() -> Iterator[None]:
    """Write to standard output in this context. An OSError names it, and later output is discarded.

    Whether the write or the flush after it fails depends on the buffer, which PYTHONUNBUFFERED
    disables. The caller sees no difference.
    """
    try:
        yield
    except OSError as error:
        discard(sys.stdout)
        raise OSError(error.errno, error.strerror, "standard output") from error


def print_line(text: str, *, flush: bool = False) -> None:
    """Print lines; do nothing if there is no standard output."""
    if sys.stdout is not None:
        with standard_output():
            print("\n".join(map(plain, text.split("\n"))), flush=flush)


def flush_output() -> None:
    """Flush standard output."""
    if sys.stdout is not None:
        with standard_output():
            sys.stdout.flush()


def print_error(text: str) -> None:
    """Print an error message in one line, if there is a standard error."""
    if sys.stderr is None:  # print would use standard output instead
        return
    try:
        print(f"lampion: {one_line(text)}", file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def print_errors(lines: Iterable[str]) -> None:
    """Print each line to standard error, as `print_error` does."""
    for line in lines:
        print_error(line)


def discard(stream: TextIO) -> None:
    """Discard all later output: the reader has gone, or the disk is full."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Parser(argparse.ArgumentParser):
    """An argument parser that reports wrong usage in one line, which names the help to read."""

    def error(self, message: str) -> NoReturn:
        print_error(f"{message}; see {self.prog} --help")
        raise SystemExit(USAGE)

    def print_help(self, file: Any = None) -> None:
        """Print the help; argparse itself hides a full disk if nothing is buffered."""
        out = file or sys.stdout
        if out is not None:
            with standard_output():
                out.write(self.format_help())

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Refuse unknown arguments here: argparse would report them for the whole program."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown
