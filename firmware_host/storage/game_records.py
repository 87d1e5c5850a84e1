"""`lampion export` and `lampion import`: matches in the formats of other programs."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from engine.game import Claim, GameError
from engine.match import AnyGame, Match
from engine.notation import standard
from engine.notation.lines import LONGEST_TEXT
from firmware_host.players.kinds import PERSON, as_then
from firmware_host.players.names import LONGEST, problem
from firmware_host.session.match_timer import TimeSheet
from firmware_host.session.record import Record, entry_of
from firmware_host.storage import files
from firmware_host.storage.journal import (
    Head,
    Journal,
    JournalError,
    Player,
    Players,
    Resumed,
    resume,
)
from firmware_host.storage.match_files import MATCH
from firmware_host.storage.player_names import PlayerNames
from hardware import layout as layouts
from hardware import regular_file


def settled(match: Match, record: Record) -> Match:
    """Return a match up to the first open question."""
    known = sum(1 for _ in takewhile(lambda entry: not entry.open, record))
    line = match.steps()[:known]
    return line[-1] if line else match.first


def names(game: AnyGame, players: Sequence[str]) -> Mapping[str, str]:
    """Return the names of the players who have one, by the names of their seats; none of `players`
    if they are not known.
    """
    if not players:
        return {}
    called = zip(game.seats, map(str.strip, players), strict=True)
    return {seat: name for seat, name in called if name}


def named_record(match: Match, players: Sequence[str]) -> tuple[str, str]:
    """Return the name and the text of the file of a match, in the usual format of its game."""
    game = match.game
    to = standard.formats(game)[0]
    text = standard.write(match, to, names(game, players))
    return game.name + standard.SUFFIXES[to], text


def exported(state: Path, name: str | None, to: str | None) -> tuple[str, list[str]]:
    """Return the match in play, or the one in the file of that name (in `state`, or anywhere), in a
    format, by default the usual one of its game, and notes for people, a line each. JournalError if
    it cannot be read, GameError if the format cannot hold it.
    """
    path = state / (name or MATCH)
    if name is not None and not path.exists():
        path = Path(name)
    saved = resume(path)
    if saved is None and name is None:
        raise JournalError(f"{state}: no match has been played here; name the file of a kept one")
    if saved is None:
        raise JournalError(f"{path}: there is no such match")
    match = settled(saved.matches[0], saved.record)
    said = notes_on(path, saved, match)
    players = tuple(player.name for player in saved.players)
    if name is None and not players:
        players = PlayerNames(state / "players.json").of(len(saved.game.seats))
    called = names(saved.game, players)
    return standard.write(match, to or standard.formats(saved.game)[0], called), said


def notes_on(path: Path, saved: Resumed, match: Match) -> list[str]:
    """Return notes for people on a journal whose settled match is used, a line each."""
    said = []
    if saved.repaired:
        said.append(f"{path}: line {saved.repaired}: one byte was wrong and has been corrected")
    if saved.headless:
        said.append(
            f"{path}: line 1 is damaged; game and rules are guessed from its rest and the moves"
        )
    if saved.damaged:
        said.append(
            f"{path}: line {saved.damaged} and what follows cannot be read, and is left out"
        )
    if len(match.steps()) < len(saved.record):
        said.append(
            f"{path}: move number {match.plies + 1} is still in question; the record ends before it"
        )
    return said


def _start_of_a_game(match: Match, notes: Sequence[str], file: str) -> Any:
    """Return where a match began that was read of a file; ValueError if it is none to play on with:
    nothing of it could be read, or it is a problem that no game leads to.
    """
    game, start = match.game, match.first.position
    moves = [step for step in match.steps() if not isinstance(step.move, Claim)]
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
    return kept_record(state, file, regular_file.read(file, LONGEST_TEXT), form, layout)


def kept_record(
    state: Path,
    file: str,
    data: bytes,
    form: str | None = None,
    layout: str | None = None,
    played: float | None = None,
) -> tuple[Path, list[str]]:
    """Keep the match of the record in a file with that content, as `imported` does. It was `played`
    at that time, in seconds since 1970.
    """
    try:
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
    path = reserved_for(state, played)
    at = None if start == game.start() else game.position_text(start)
    journal = Journal(path, Head(game, board.name, at, origin=f"file {Path(file).name}"))
    journal.players = kept_players(game, found.players)
    put_in_place(path, journal, tuple(map(entry_of, match.steps())), played)
    return path, [f"{file}: {note}" for note in found.notes]


def kept_players(game: AnyGame, called: Mapping[str, str]) -> Players:
    """Return the players of a record, those of whom it has a name that we accept; a person each."""
    names = [called.get(seat, "")[:LONGEST].strip() for seat in game.seats]
    names = [name if problem(name) is None else "" for name in names]
    return tuple(Player(name, PERSON.text) for name in names) if any(names) else ()


def continued(state: Path, path: Path, ply: int, *, thrown: bool = False) -> Path:
    """Keep a match of its own that begins with the first moves of a journal; return its file. It
    ends after move number `ply`, or with `thrown` after the throw that followed, if one did. The
    machine plays at the level at which it played.
    JournalError if the journal has fewer moves.
    """
    saved = Resumed(path)
    moves = [number for number, entry in enumerate(saved.record, 1) if entry.kind == "move"]
    if ply > len(moves):
        raise JournalError(f"{path.name}: this match has only {len(moves)} moves")
    kept = moves[ply - 1] if ply else 0
    if thrown and kept < len(saved.record) and saved.record[kept].kind == "throw":
        kept += 1
    record = saved.record[:kept]
    came_from = saved.head.id or path.stem
    head = replace(saved.head, id="", origin=f"match {came_from} {ply}")
    copy = reserved_for(state)
    journal = Journal(copy, head)
    journal.players = tuple(Player(name, as_then(kind)) for name, kind in saved.players)
    times = None
    if saved.times is not None and record:
        played = saved.times.played[: len(record)]
        times = TimeSheet(played, played[-1])
    put_in_place(copy, journal, record, times=times)
    return copy


def begun_at(state: Path, game: AnyGame, layout: str, position: Any) -> Path:
    """Keep a match without moves that begins in a position; return its file."""
    path = reserved_for(state)
    put_in_place(path, Journal(path, Head(game, layout, game.position_text(position))), ())
    return path


def reserved_for(state: Path, played: float | None = None) -> Path:
    """Reserve the name of the journal of a match that was `played` at that time, or is now."""
    files.make_directory(state)
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(played))
    return files.reserved(state / f"match-{stamp}.jsonl")


def put_in_place(
    path: Path,
    journal: Journal,
    record: Record,
    played: float | None = None,
    times: TimeSheet | None = None,
) -> None:
    """Write a journal under the name that is reserved for it; OSError leaves nothing there."""
    try:
        journal.write(record, times)
        if played is not None:
            os.utime(path, (played, played))
    except OSError:
        with contextlib.suppress(OSError):  # the name was created without a match
            path.unlink()
        raise
    finally:
        journal.close()
