"""`lampion hint`: the legal moves of a position, judged for so many seconds, and why."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any, Final

from engine.match import AnyGame
from engine.search import Book, Judged, Result, Stop, search
from engine.search.explain import why
from engine.search.grades import NEAR
from firmware_host.i18n.messages import render
from firmware_host.opponents.bounds import FINE_AT, USUAL
from firmware_host.text.outcomes import perfect_message
from firmware_host.text.reasons import why_message

EXPLAINED: Final = 100
"""Of so many moves, the best ones, it is said why they are good or bad; what comes of them is
looked up for as long again as was thought."""


def lines(
    game: AnyGame,
    position: Any,
    seconds: float,
    as_json: bool,
    book: Book | None = None,
    help_level: int = USUAL,
) -> Iterator[str]:
    """Yield a line for each legal move, best first: a JSON object with the true outcome where that
    is known, by the book or by heart; or a row of a table below its head, with the outcome where it
    is near. The `help_level` says how much a fine move may give away. GameError if the game is over
    or waits for dice.
    """
    end = time.monotonic() + seconds
    stop, fine = lambda: time.monotonic() >= end, FINE_AT[help_level]
    result = search(game, position, stop=stop, book=book, near=NEAR, fine=fine)
    moves = result.moves
    enough = lambda: time.monotonic() >= end + seconds  # noqa: E731 - it is what it says
    if as_json:
        outcomes = {}
        if result.perfect is not None:  # the book knows of what is far away, too
            at_once = search(game, position, stop=lambda: True, book=book).moves
            outcomes = {each.move: each.plies for each in at_once}
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


def _plain(result: Result, judged: Judged, plies: int | None, enough: Stop) -> dict[str, Any]:
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
