"""`lampion matches`: the matches that were played, the latest first."""

from __future__ import annotations

import argparse
import time
from contextlib import closing
from typing import Final

from engine.games import NAMES
from firmware_host.console.terminal import print_error, print_line
from firmware_host.storage.library import Library
from firmware_host.storage.paths import state_directory

MOST: Final = 20
REPORT_S: Final = 2.0
"""The time between two reports while journals are read for the first time."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion matches`."""
    parser.add_argument("name", nargs="*", metavar="NAME", help="only those in which they played")
    parser.add_argument("--game", choices=NAMES, metavar="G", help="only those of this game")
    parser.add_argument(
        "--most", type=int, default=MOST, metavar="N", help=f"at most N of them; default: {MOST}"
    )
    parser.add_argument("--state", metavar="DIR", help="where matches are kept")


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each match: when it was played, its file, and who did what."""
    from firmware_host.web.past_matches import listed

    with closing(Library(state_directory(arguments.state))) as library:
        while (progress := library.update(REPORT_S)).done < progress.total:
            print_error(f"reads the matches: {progress.done} of {progress.total}")
        page = library.page(
            game=arguments.game or "", search=" ".join(arguments.name), most=max(0, arguments.most)
        )
        for match in page.matches:
            told = listed(match, "en")
            played = time.strftime("%Y-%m-%d %H:%M", time.localtime(match.played))
            said = f"{told['title']}, {', '.join(told['names'])}: {told['result']}"
            if not match.summary.game:
                said = told["problem"]
            else:
                said += f", {told['plies']} {'move' if told['plies'] == 1 else 'moves'}"
            damage = " (damaged)" if match.summary.damaged else ""
            print_line(f"{played}  {match.file}  {said}{damage}")
        if page.total > len(page.matches):
            print_error(f"{page.total - len(page.matches)} more: --most N lists them")
    return 0
