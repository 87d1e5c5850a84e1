"""Journals of matches as tests write and read them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.match import AnyGame, Match
from firmware_host.session.record import Record, RecordEntry, entry_of
from firmware_host.storage.journal import Journal, Resumed, resume


def record(*texts: str | tuple[str, ...]) -> Record:
    """Return a record of moves in turn; several texts are a question."""
    return tuple(
        RecordEntry("move", number % 2, each if isinstance(each, tuple) else (each,))
        for number, each in enumerate(texts)
    )


def recorded(match: Match) -> Record:
    """Return the record of a match."""
    return tuple(map(entry_of, match.steps()))


def played(game: AnyGame, moves: Sequence[str]) -> Record:
    """Return the record of a match with these moves."""
    match = Match.begin(game)
    for text in moves:
        match = match.play(game.parse_move(match.position, text))
    return recorded(match)


def keep(path: Path, game: AnyGame, entries: Record, layout: str = "square-reed") -> Path:
    """Keep a match in a file as boards do."""
    path.parent.mkdir(exist_ok=True)
    journal = Journal.begin(path, game, layout)
    journal.write(entries)
    journal.close()
    return path


def read_back(path: Path) -> Resumed:
    """Return the match that a file holds."""
    found = resume(path)
    assert found is not None
    return found


def moves_of(resumed: Resumed | None) -> list[str]:
    """Return the moves of a match that was resumed."""
    assert resumed is not None
    (match,) = resumed.matches
    return match.moves()


def moves_in(path: Path) -> list[str]:
    """Return the moves of the match that a file holds."""
    return moves_of(resume(path))
