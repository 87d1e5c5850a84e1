"""`lampion export`: a kept match as a record that other programs read."""

from __future__ import annotations

import argparse

from firmware_host.console.terminal import print_error, print_line
from firmware_host.storage.game_records import exported
from firmware_host.storage.paths import state_directory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion export`."""
    parser.add_argument(
        "match", nargs="?", metavar="MATCH", help="the file of a kept match; default: the last one"
    )
    parser.add_argument("--to", metavar="F", help="kif, csa, usi, aba-pro or text")
    parser.add_argument("--state", metavar="DIR", help="where matches are kept")


def run(arguments: argparse.Namespace) -> int:
    """Print the record; warnings go to standard error."""
    text, warnings = exported(state_directory(arguments.state), arguments.match, arguments.to)
    for warning in warnings:
        print_error(warning)
    print_line(text.rstrip("\n"))
    return 0
