"""`lampion export` and `lampion import`: matches in the formats of other programs."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from engine.game import Claim, GameError
from engine.match import AnyGame, Match
from engine.notation import standard
from engine.notation.lines import LONGEST_TEXT
from firmware_host.session.record import Record, entry_of
from firmware_host.storage import files
from firmware_host.storage.journal import Head, Journal, JournalError, resume
from firmware_host.storage.match_files import MATCH
from firmware_host.storage.player_names import PlayerNames
from hardware import layout as layouts
from hardware import regular_file


def settled(match: Match, record: Record) -> Match:
    """Return a match up to the first open question."""
    known = sum(1 for _ in takewhile(lambda entry: not entry.open, record))
    line = match.line()[:known]
    return line[-1] if line else match.back(match.plies + 1)


def names(game: AnyGame, players: Sequence[str]) -> Mapping[str, str]:
    """Return the names of the players who have one, by the names of their seats."""
    called = zip(game.seats, map(str.strip, players), strict=True)
    return {seat: name for seat, name in called if name}


def in_play(match: Match, record: Record, players: Sequence[str]) -> tuple[str, str]:
    """Return the name and the text of the file of a match, in the usual format of its game."""
    game = match.game
    to = standard.formats(game)[0]
    text = standard.write(settled(match, record), to, names(game, players))
    return game.name + standard.SUFFIXES[to], text


def exported(state: Path, name: str | None, to: str | None) -> tuple[str, list[str]]:
    """Return the match in play, or the one in the file of that name (kept in `state`, or anywhere),
    in a format or the usual one of its game, and what else is to be said, a line each. JournalError
    if it cannot be read, GameError if it is not written so.
    """
    path = state / (name or MATCH)
    if name is not None and not path.exists():
        path = Path(name)
    saved = resume(path)
    if saved is None:
        raise JournalError(f"{path}: there is no such match")
    said = []
    if saved.repaired:
        said.append(f"{path}: line {saved.repaired}: one byte was wrong and is put right")
    if saved.headless:
        said.append(
            f"{path}: line 1 is damaged; game and rules are what can be read of it and what the "
            "moves tell"
        )
    if saved.damaged:
        said.append(
            f"{path}: line {saved.damaged} and what follows cannot be read, and is left out"
        )
    match = settled(saved.matches[0], saved.record)
    if len(match.line()) < len(saved.record):
        said.append(
            f"{path}: it is still asked which move number {match.plies + 1} was; it ends there"
        )
    players = PlayerNames(state / "players.json").of(len(saved.game.seats)) if name is None else ()
    called = names(saved.game, players) if players else {}
    return standard.write(match, to or standard.formats(saved.game)[0], called), said


def _start_of_a_game(match: Match, notes: Sequence[str], file: str) -> Any:
    """Return where a match began that was read of a file; ValueError if it is none to play on with:
    nothing of it could be read, or it is a problem that no game leads to.
    """
    game, start = match.game, standard.start_of(match)
    moves = [step for step in match.line() if not isinstance(step.move, Claim)]
    if not moves and (notes or start == game.start()):
        raise ValueError("; ".join([f"{file}: no move is in it", *notes[:1]]))
    try:
        game.parse_position(game.position_text(start))
    except GameError as error:
        raise ValueError(f"{file}: no game can begin where this problem does: {error}") from None
    return start


def imported(
    state: Path, file: str, form: str | None, layout: str | None
) -> tuple[Path, list[str]]:
    """Keep the match of a record as one that can be resumed on a board, the usual one or that
    of a layout; return its file, and what of the record was passed over, a line each. GameError,
    LayoutError or OSError say in one line what is wrong.
    """
    try:
        data = regular_file.read(file, LONGEST_TEXT)
        form = form or standard.ENDINGS.get(Path(file).suffix.lower())
        if form not in standard.READ:
            raise ValueError(f"say what it is with --from: {', '.join(standard.READ)}")
        found = standard.read(data, form)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    match = found.match
    game = match.game
    board = layouts.load(layout) if layout else layouts.serving(game.name)[0]
    board.game(game.name)  # raises if it does not serve this game
    start = _start_of_a_game(match, found.notes, file)
    files.make_directory(state)
    path = files.reserved(state / time.strftime("match-%Y%m%d-%H%M%S.jsonl"))
    at = None if start == game.start() else game.position_text(start)
    journal = Journal(path, Head(game, board.name, at))
    try:
        journal.write(tuple(map(entry_of, match.line())))
    except OSError:
        with contextlib.suppress(OSError):  # the name was created without a match
            path.unlink()
        raise
    finally:
        journal.close()
    return path, [f"{file}: {note}" for note in found.notes]
