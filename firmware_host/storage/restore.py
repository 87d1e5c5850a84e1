"""A record that was kept, played again: the matches that it allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.game import Claim, GameError, MoveError, Throw
from engine.match import AnyGame, AnyMove, Match
from firmware_host.session.record import NOTHING, RecordEntry


class RestoreError(GameError):
    """A record that is not possible; `number` is that of the entry that does not fit, from 1."""

    def __init__(self, number: int, entry: RecordEntry) -> None:
        said = " or ".join(entry.texts)
        super().__init__(f"entry {number}: the {entry.kind} {said} is not possible")
        self.number = number


def replayed(game: AnyGame, start: object, record: Sequence[RecordEntry]) -> list[Match]:
    """Return all matches that a record allows; RecordError names the entry that does not fit."""
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
