"""The journal: what was played, so that nothing of it is ever lost.

A match is a file of JSON lines. The first names the game; each further line says how the record
changed: how many entries of it stay, and what comes after them. A line is on the disk before the
lights confirm it. A last line that broke off, as when the power went, is dropped and said.
"""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import IO, Any

from engine.game import GameError
from engine.games import make
from engine.match import AnyGame, Match
from firmware_host.record import Entry, Record, replayed

MOST_ENTRIES = 100_000


class JournalError(ValueError):
    """A journal that cannot be used; names the file, the line and why."""


class Journal:
    """The file of one match, open for more."""

    def __init__(self, path: Path, file: IO[bytes], record: Record) -> None:
        self.path = path
        self._file = file
        self._record = record

    @classmethod
    def begin(cls, path: Path, game: AnyGame, layout: str, position: Any | None = None) -> Journal:
        """Begin the journal of a new match; what was in the file is gone."""
        header = {
            "lampion": "journal",
            "version": 1,
            "game": game.name,
            "options": dict(game.options),
            "layout": layout,
            "position": None if position is None else game.position_text(position),
        }
        beside = path.with_name(path.name + ".new")
        with beside.open("wb") as file:
            file.write(_line(header))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
        return cls(path, path.open("ab", buffering=0), ())

    def write(self, record: Record) -> None:
        """Note what the record is now; it is on the disk when this returns."""
        if record == self._record:
            return
        keep = 0
        for old, new in zip(self._record, record, strict=False):
            if old != new:
                break
            keep += 1
        added = [entry.plain() for entry in record[keep:]]
        self._file.write(_line({"keep": keep, "add": added}))
        os.fdatasync(self._file.fileno())
        self._record = record

    def close(self) -> None:
        """Close the file; the match may be resumed from it."""
        self._file.close()


class Resumed:
    """What a journal held."""

    def __init__(self, path: Path, data: bytes) -> None:
        lines = data.split(b"\n")
        torn = lines.pop()
        self.torn = torn != b""
        """Whether a last line that broke off was dropped."""
        header = _parsed(path, 1, lines[0]) if lines else {}
        if header.get("lampion") != "journal" or header.get("version") != 1:
            raise JournalError(f"{path}: line 1: this is no journal of a match")
        options, text = header.get("options"), header.get("position")
        if not isinstance(options, dict) or not isinstance(text, str | None):
            raise JournalError(f"{path}: line 1: this is no journal of a match")
        record: list[Entry] = []
        try:
            self.game: AnyGame = make(str(header.get("game")), options)
            start = self.game.start() if text is None else self.game.parse_position(text)
            for number, line in enumerate(lines[1:], 2):
                _apply(path, number, _parsed(path, number, line), record, len(self.game.seats))
            self.matches: list[Match] = replayed(self.game, start, record)
        except GameError as error:
            raise JournalError(f"{path}: {error}") from None
        self.layout = str(header.get("layout"))
        self.record: Record = tuple(record)
        self._path = path
        self._whole = len(data) - len(torn)

    def go_on(self) -> Journal:
        """Return the journal, open for more, what broke off cut away."""
        file = self._path.open("ab", buffering=0)
        file.truncate(self._whole)
        return Journal(self._path, file, self.record)


def resume(path: Path) -> Resumed | None:
    """Return what a journal holds; None if there is none. JournalError if it cannot be read."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalError(f"{path}: {error.strerror or error}") from None
    return Resumed(path, data)


def lock(directory: Path) -> IO[str]:
    """Return the lock of a state directory, held while it is open; JournalError if another
    program has it.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        file = (directory / "lock").open("w")
    except OSError as error:
        raise JournalError(f"{directory}: {error.strerror or error}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise JournalError(
            f"{directory}: another board keeps its match here; end it, or choose --state"
        ) from None
    return file


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _parsed(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise JournalError(f"{path}: line {number}: not a JSON object")
    return value


def _apply(path: Path, number: int, line: dict[str, Any], record: list[Entry], seats: int) -> None:
    keep, add = line.get("keep"), line.get("add")
    entries = [_entry(each, seats) for each in add] if isinstance(add, list) else [None]
    if type(keep) is not int or not 0 <= keep <= len(record) or None in entries:
        raise JournalError(f"{path}: line {number}: not a change of the record")
    record[keep:] = [entry for entry in entries if entry is not None]
    if len(record) > MOST_ENTRIES:
        raise JournalError(f"{path}: line {number}: more than {MOST_ENTRIES} moves")


def _entry(plain: object, seats: int) -> Entry | None:
    match plain:
        case ["move" | "throw" | "claim" as kind, int(seat), str(first), *others]:
            texts = (first, *(str(text) for text in others if isinstance(text, str)))
            if seat < seats and len(texts) == len(others) + 1:
                return Entry(kind, seat, texts)
    return None
