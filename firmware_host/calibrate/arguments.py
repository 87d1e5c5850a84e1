"""The arguments of `lampion calibrate`, apart from all that it needs to run."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Give a parser the arguments of `lampion calibrate`."""
    board = parser.add_mutually_exclusive_group()
    board.add_argument(
        "--layout", metavar="L", help="what the board should be; without it the configuration's"
    )
    board.add_argument(
        "--config", metavar="F", help="of the board; default /etc/lampion/lampion.toml"
    )
    parser.add_argument("--state", metavar="DIR", help="where what was found out is kept")
    parser.add_argument(
        "--anew", action="store_true", help="forget what was found out before a break"
    )
    parser.add_argument(
        "--sim",
        type=int,
        nargs="?",
        const=1,
        metavar="N",
        help="a simulated board that was built otherwise than its layout says, and hands at it; "
        "another one for each N",
    )
    parser.add_argument(
        "--page", action="store_true", help="ask on a page in the browser, not at the terminal"
    )
    parser.add_argument(
        "--port", type=int, default=8710, metavar="N", help="of the page; default 8710"
    )
    parser.add_argument("--lan", action="store_true", help="let a phone open it, too")
    parser.add_argument("--language", metavar="CODE", help="en, pl, cs or fr; else the system's")
