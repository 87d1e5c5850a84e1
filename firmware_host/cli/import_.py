"""`lampion import`: the match of a record, kept so that it can be resumed on the board; also a
journal, or an archive of journals.
"""

from __future__ import annotations

import argparse
import shlex
from contextlib import closing
from pathlib import Path

from firmware_host.console.terminal import print_error, print_line
from firmware_host.i18n.messages import RefusedError, render
from firmware_host.storage.game_records import imported
from firmware_host.storage.library import Library
from firmware_host.storage.match_archive import JOURNALS, take_in
from firmware_host.storage.paths import state_directory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion import`."""
    parser.add_argument("file", metavar="FILE", help="the file: a record, a journal or an archive")
    parser.add_argument(
        "--from",
        dest="form",
        metavar="F",
        help="kif, csa, usi, aba-pro or text; default: what the name of the file says",
    )
    parser.add_argument("--layout", metavar="L", help="the board on which it is resumed")
    parser.add_argument("--state", metavar="DIR", help="where matches are kept")


def run(arguments: argparse.Namespace) -> int:
    """Keep the match and print how to resume it; warnings go to standard error."""
    state = state_directory(arguments.state)
    file = Path(arguments.file)
    if file.suffix.lower() in JOURNALS and arguments.form is None:
        return _take_in(state, file)
    path, warnings = imported(state, arguments.file, arguments.form, arguments.layout)
    for warning in warnings:
        print_error(warning)
    state_option = f" --state {shlex.quote(arguments.state)}" if arguments.state else ""
    print_line(f"kept as {path}")
    print_line(f"play on with: lampion sim --match {path.name}{state_option}")
    return 0


def _take_in(state: Path, file: Path) -> int:
    """Keep the matches of a journal or an archive, and print their files."""
    with file.open("rb") as opened, closing(Library(state)) as library:
        try:
            found = take_in(library, file.name, opened, file.stat().st_mtime)
        except RefusedError as error:
            raise ValueError(render(error.message)) from None
        for note in found.notes:
            print_error(note)
        for name in found.matches:
            print_line(f"kept as {library.path(name)}")
    return 0
