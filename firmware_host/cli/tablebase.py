"""`lampion tablebase`: takes a table of the solved Robot Duel that was made elsewhere."""

from __future__ import annotations

import argparse

from firmware_host.console.terminal import print_line
from firmware_host.storage.paths import state_directory
from firmware_host.storage.tablebase import import_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion tablebase`."""
    parser.add_argument("file", metavar="FILE", help="the table, as `make tablebase` makes it")
    parser.add_argument("--state", metavar="DIR", help="where the table is kept")


def run(arguments: argparse.Namespace) -> int:
    """Check the table and keep it."""
    path, size = import_table(state_directory(arguments.state), arguments.file)
    print_line(f"{path}: imported, {size:,} bytes")
    return 0
