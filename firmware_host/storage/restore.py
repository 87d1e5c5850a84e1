"""Restoring a saved match: the matches that its record allows, and its head if that is damaged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.game import Claim, GameError, MoveError, Throw
from engine.games import NAMES, make
from engine.match import AnyGame, AnyMove, Match
from firmware_host.session.record import NOTHING, Record, RecordEntry


class RestoreError(GameError):
    """A record that is not possible; `number` is the entry that does not fit, from 1."""

    def __init__(self, number: int, entry: RecordEntry) -> None:
        said = " or ".join(entry.texts)
        super().__init__(f"entry {number}: the {entry.kind} {said} is not possible")
        self.number = number


def replayed(game: AnyGame, start: object, record: Sequence[RecordEntry]) -> list[Match]:
    """Return all matches that a record allows; RestoreError names the entry that does not fit."""
    matches = [Match.begin(game, start)]
    for number, entry in enumerate(record, 1):
        matches = [
            later
            for match in matches
            for text in entry.texts
            for later in _step(match, entry, text)
        ]
        if not matches:
            raise RestoreError(number, entry)
    return matches


def _step(match: Match, entry: RecordEntry, text: str) -> Iterator[Match]:
    move: AnyMove
    if text == NOTHING:
        yield match
        return
    try:
        if entry.kind == "throw":
            move = parse_throw(text)
        elif entry.kind == "claim":
            move = Claim(entry.seat, text)
        else:
            move = match.game.parse_move(match.position, text)
        yield match.play(move)
    except GameError:
        return


def parse_throw(text: str) -> Throw:
    """Return the throw of that text; MoveError if it is none."""
    dice = text.split("+")
    if not all(die.isascii() and die.isdigit() and len(die) < 3 for die in dice):
        raise MoveError(f"throw {text!r}: expected a text like 3 or 2+5")
    return Throw(tuple(map(int, dice)))


def head_found(
    line: bytes, record_for: Callable[[AnyGame], Record]
) -> tuple[AnyGame, str, str | None] | None:
    """Return the game with its options, the layout and the position of the start, from what is left
    of a damaged first line. Of all games, the one that it names first, the result is the one that
    allows the most entries of the record. `record_for` gives the record for a game. None if no move
    is possible.
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
    """Return a game with those of its options that can be read; the others have their defaults."""
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
