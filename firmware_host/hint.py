"""`lampion hint`: the legal moves of a position, judged for so many seconds."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from engine.match import AnyGame
from engine.search import Judged, search


def lines(game: AnyGame, position: Any, seconds: float, as_json: bool) -> Iterator[str]:
    """Yield a line for each legal move, best first: a JSON object, or a row of a table below its
    head. GameError if the game is over or waits for dice.
    """
    end = time.monotonic() + seconds
    moves = search(game, position, stop=lambda: time.monotonic() >= end).moves
    if as_json:
        for judged in moves:
            yield json.dumps(_plain(judged), ensure_ascii=False)
        return
    width = max(4, *(len(judged.text) for judged in moves))
    yield f"{'move':{width}}  chance  grade     depth  line"
    for each in moves:
        line = " ".join(each.line)
        yield f"{each.text:{width}}  {each.chance:6.1%}  {each.grade:8}  {each.depth:5}  {line}"


def _plain(judged: Judged) -> dict[str, Any]:
    return {
        "move": judged.text,
        "chance": round(judged.chance, 4),
        "grade": judged.grade,
        "depth": judged.depth,
        "line": judged.line,
    }
