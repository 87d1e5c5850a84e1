"""`lampion hint`: the legal moves of a position, searched for some seconds, with reasons."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from typing import Any, Final

from engine.match import AnyGame
from engine.search import Book, JudgedMove, Result, Stop, search
from engine.search.explain import why
from engine.search.grades import NEAR
from firmware_host.cli.arguments import above_0, add_position, game_and_position
from firmware_host.console.terminal import print_line
from firmware_host.i18n.messages import render
from firmware_host.players.help_levels import FINE_AT, MOST_HELP, USUAL_LEVEL
from firmware_host.storage import tablebase
from firmware_host.storage.paths import state_directory
from firmware_host.text.outcomes import perfect_message
from firmware_host.text.reasons import why_message

EXPLAINED: Final = 100
"""This number of moves, the best ones, get a reason. Finding the reasons takes at most as long as
the search took."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion hint`."""
    parser.add_argument("--time", type=above_0, default=1.0, metavar="S", help="seconds; default 1")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--state", metavar="DIR", help="where the table of a solved game is kept")
    parser.add_argument(
        "--help-level",
        type=int,
        choices=range(MOST_HELP + 1),
        default=USUAL_LEVEL,
        metavar="N",
        help="0 to 4, as of a seat: how much of the chance a fine move may give away; default 2",
    )
    add_position(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each legal move, best first."""
    game, position = game_and_position(arguments)
    book = tablebase.book_of(game, state_directory(arguments.state))
    level = arguments.help_level
    for line in lines(game, position, arguments.time, arguments.json, book, level):
        print_line(line)
    return 0


def lines(
    game: AnyGame,
    position: Any,
    seconds: float,
    as_json: bool,
    book: Book | None = None,
    help_level: int = USUAL_LEVEL,
) -> Iterator[str]:
    """Yield a line for each legal move, best first; GameError if the game is over or needs dice.

    A line is a JSON object, with the true outcome where a table knows it; or a row of a table that
    has a head, with the outcome where it is near. `help_level` says how much a fine move may give
    away.
    """
    end = time.monotonic() + seconds
    stop, fine = lambda: time.monotonic() >= end, FINE_AT[help_level]
    result = search(game, position, stop=stop, book=book, near=NEAR, fine=fine)
    moves = result.moves
    enough = lambda: time.monotonic() >= end + seconds  # noqa: E731 - it is what it says
    if as_json:
        outcomes = {}
        if result.perfect is not None:  # the book knows distant outcomes, too
            looked_up = search(game, position, stop=lambda: True, book=book).moves
            outcomes = {each.move: each.plies for each in looked_up}
        for judged in moves:
            plies = outcomes.get(judged.move, judged.plies)
            plain = _plain(result, judged, plies, enough)
            yield json.dumps(plain, ensure_ascii=False)
        return
    width = max(4, *(len(judged.text) for judged in moves))
    known = any(judged.plies is not None for judged in moves)
    title = f"{'outcome':11}  " if known else ""
    yield f"{'move':{width}}  chance  grade     {title}depth  line"
    for number, judged in enumerate(moves):
        outcome = f"{_outcome(judged.plies):11}  " if known else ""
        reason = why(result, judged, enough) if number < EXPLAINED else None
        row = (
            f"{judged.text:{width}}  {judged.chance:6.1%}  {judged.grade:8}  "
            f"{outcome}{judged.depth:5}  {' '.join(judged.line)}"
        )
        yield row + (f"  {render(why_message(game, reason))}" if reason else "")
    if result.perfect is not None and moves[0].plies is None:
        yield render(perfect_message(result.perfect))


def _outcome(plies: int | None) -> str:
    if plies is None:
        return ""
    if not plies:
        return "draw"
    return f"wins in {plies}" if plies > 0 else f"loses in {-plies}"


def _plain(result: Result, judged: JudgedMove, plies: int | None, enough: Stop) -> dict[str, Any]:
    known = {} if plies is None else {"plies": plies}
    reason = why(result, judged, enough)
    return {
        "move": judged.text,
        "chance": round(judged.chance, 4),
        "grade": judged.grade,
        **known,
        "depth": judged.depth,
        "line": judged.line,
        "why": reason
        and {
            "code": reason.code,
            "places": reason.places,
            "kinds": reason.kinds,
            "says": render(why_message(judged.game, reason)),
        },
    }
