"""The arguments of `lampion doctor`, apart from all that it needs to run."""

from __future__ import annotations

import argparse
from typing import Final

WHAT: Final = ("lights", "pins")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Give a parser the arguments of `lampion doctor`."""
    parser.add_argument(
        "what",
        nargs="?",
        choices=WHAT,
        metavar="WHAT",
        help="`lights` asks what the lights show, `pins` has buttons pressed and magnets laid",
    )
    board = parser.add_mutually_exclusive_group()
    board.add_argument("--layout", metavar="L", help="the board; without it the configuration's")
    board.add_argument(
        "--config", metavar="F", help="of the board; default /etc/lampion/lampion.toml"
    )
    parser.add_argument("--prepare", action="store_true", help="the lines this Pi's files need")
    parser.add_argument("--watch", action="store_true", help="look again and again, until Ctrl-C")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--report", metavar="FILE", help="write one file to attach to a question")
    parser.add_argument("--sim", action="store_true", help="examine a simulated board")
    parser.add_argument(
        "--break",
        dest="broken",
        action="append",
        default=[],
        metavar="FAULT",
        help="what is wrong with the simulated one; `list` prints what can be",
    )
    parser.add_argument("--language", metavar="CODE", help="en, pl, cs or fr; else the system's")
