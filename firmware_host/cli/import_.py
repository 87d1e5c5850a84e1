"""`lampion import`: the match of a record, kept so that it can be resumed on the board."""

from __future__ import annotations

import argparse
import shlex

from firmware_host.console.terminal import print_error, print_line
from firmware_host.storage.game_records import imported
from firmware_host.storage.paths import state_directory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion import`."""
    parser.add_argument("file", metavar="FILE", help="the file of the record")
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
    path, warnings = imported(state, arguments.file, arguments.form, arguments.layout)
    for warning in warnings:
        print_error(warning)
    state_option = f" --state {shlex.quote(arguments.state)}" if arguments.state else ""
    print_line(f"kept as {path}")
    print_line(f"play on with: lampion sim --match {path.name}{state_option}")
    return 0
