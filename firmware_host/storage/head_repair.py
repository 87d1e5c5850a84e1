"""The head of a match whose own line is damaged: found in what is left of it, and by the moves."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from engine.game import GameError
from engine.games import NAMES, make
from engine.match import AnyGame
from firmware_host.session.record import Record
from firmware_host.storage.restore import RestoreError, replayed


def head_found(
    line: bytes, record_for: Callable[[AnyGame], Record]
) -> tuple[AnyGame, str, str | None] | None:
    """Return the game with its options, the layout and the position of the start, as far as a
    damaged line has them, so that as much of the record as can be is possible: of the game that it
    names, else of another. `record_for` gives the record for a game. None if no move is possible.
    """
    best, found = 0, None
    named = _value(line, "game")
    for name in sorted(NAMES, key=lambda each: each != named):
        game = _with_options(line, name)
        for text in dict.fromkeys((_value(line, "position") or None, None)):
            length = _possible(game, text, record_for(game))
            if length > best:
                best, found = length, (game, _value(line, "layout"), text)
    return found


def _value(line: bytes, key: str) -> str:
    found = re.search(rb'"%s": ?"([^"]*)"' % re.escape(key.encode()), line)
    return found[1].decode("utf-8", "replace") if found else ""


def _with_options(line: bytes, name: str) -> AnyGame:
    """Return a game with those of its options that can be read, the others as they are usually."""
    game: AnyGame = make(name)
    chosen: dict[str, object] = {}
    for option in game.known_options:
        more = {**chosen, option.name: _value(line, option.name)}
        try:
            game = make(name, more)
        except GameError:
            continue
        chosen = more
    return game


def _possible(game: AnyGame, text: str | None, record: Record) -> int:
    """Return how many entries of a record can be played from a position on."""
    try:
        start: Any = game.start() if text is None else game.parse_position(text)
        replayed(game, start, record)
    except RestoreError as error:
        return error.number - 1
    except GameError:
        return 0
    return len(record)
