"""The library: an index of all matches in a state directory, so that they can be listed at once.

The journals stay the truth. The index (`library.sqlite`) is rebuilt from them when it is missing,
damaged or of another version, and brought up to date when files have come, gone or changed behind
its back. A match that was deleted lies in the folder `deleted` and can be restored.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from firmware_host.storage import files
from firmware_host.storage.journal import JournalError
from firmware_host.storage.journal_summary import Summary, summary_of
from firmware_host.storage.match_files import MATCH
from hardware import regular_file
from hardware.regular_file import opened

INDEX: Final = "library.sqlite"
IN_PLAY: Final = Path(MATCH).stem
"""Another id of the match in play."""
DELETED: Final = "deleted"
"""The folder of the matches that were deleted."""
VERSION: Final = 1
"""The version of the index; one of another version is rebuilt."""
MORNING: Final = timedelta(hours=4)
"""An evening ends at this time of the night."""
BATCH: Final = 50
"""The matches that are written to the index at once."""
LATE_S: Final = 0.5
"""How long a question waits for the index if a journal has changed behind its back."""
SHORT_BYTES: Final = 4096
"""The first line of a journal is shorter."""
BUSY_S: Final = 5.0
"""How long to wait for another program that uses the same index."""

_TABLE: Final = """
CREATE TABLE matches (
  file TEXT PRIMARY KEY, size INTEGER, changed INTEGER,
  id TEXT UNIQUE, game TEXT, words TEXT, played REAL, listed INTEGER, summary BLOB
);
CREATE INDEX by_time ON matches (listed, played DESC, file DESC);
"""

T = TypeVar("T")
log = logging.getLogger(__name__)
_decode: Final = msgspec.json.Decoder(Summary).decode
_encode: Final = msgspec.json.Encoder().encode


class PastMatch(NamedTuple):
    """A match of the library."""

    id: str
    """No other match of the library has it."""
    file: str
    """The name of its journal in the state directory."""
    played: float
    """When it was last played, in seconds since 1970."""
    summary: Summary

    @property
    def in_play(self) -> bool:
        """Whether it is the match in play."""
        return self.file == MATCH

    @property
    def deleted(self) -> bool:
        """Whether people have deleted it; its journal is kept."""
        return self.file.startswith(f"{DELETED}/")


class Page(NamedTuple):
    """Some matches of a list, the latest first."""

    matches: tuple[PastMatch, ...]
    total: int
    """The number of matches in the whole list."""
    next: str
    """Where the rest of the list begins; empty if there is none."""


class IndexProgress(NamedTuple):
    """How far the index is."""

    done: int
    total: int


class _Read(NamedTuple):
    """A journal that was read, as it was then."""

    file: str
    size: int
    changed: int
    summary: Summary


class Library:
    """The matches of a state directory. It may be used by several threads."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self._lock = threading.Lock()  # of the database; held for moments only
        self._updating = threading.Lock()
        self._database: sqlite3.Connection | None = None
        self._in_memory = False
        self._closed = False

    def close(self) -> None:
        """Close the index; from now on each question is a JournalError."""
        with self._lock:
            self._closed = True
            self._drop()

    # ---- the index

    def update(self, seconds: float | None = None) -> IndexProgress:
        """Bring the index up to date, the latest matches first, for about `seconds`, by default
        until all are in it; return the number of files that are in it. While another thread does
        that, it only waits.
        """
        if not self._updating.acquire(timeout=-1 if seconds is None else seconds):
            found, fresh = self._changes()
            return IndexProgress(len(found) - len(fresh), len(found))
        try:
            found, fresh = self._changes()
            left = self._read_all(found, fresh, seconds)
        finally:
            self._updating.release()
        return IndexProgress(len(found) - left, len(found))

    def _changes(self) -> tuple[dict[str, tuple[int, int]], list[str]]:
        """Forget the journals that are gone; return all that are there, and those that have to be
        read, the latest first.
        """
        found = self._files()
        known = dict(self._ask(_known))
        gone = [file for file in known if file not in found and not self._is_there(file)]
        if gone:
            self._ask(lambda database: _forget(database, gone))
        fresh = [file for file, signs in found.items() if known.get(file) != signs]
        fresh.sort(key=lambda file: found[file][1], reverse=True)
        return found, fresh

    def _read_all(
        self, found: dict[str, tuple[int, int]], fresh: list[str], seconds: float | None
    ) -> int:
        """Read journals into the index, in this order; return how many are left."""
        end = float("inf") if seconds is None else time.monotonic() + seconds
        left = len(fresh)
        while left and time.monotonic() < end:
            batch: list[_Read] = []
            while left and len(batch) < BATCH and time.monotonic() < end:
                file = fresh[-left]
                batch.append(_Read(file, *found[file], summary_of(self.state / file)))
                left -= 1
            # A file that was moved meanwhile is found under its new name.
            there = [each for each in batch if self._is_there(each.file)]
            self._ask(partial(_put, there))
        return left

    def _is_there(self, file: str) -> bool:
        return os.path.lexists(self.state / file)

    def _files(self) -> dict[str, tuple[int, int]]:
        """Return the size and the time of the last change of each journal."""
        found: dict[str, tuple[int, int]] = {}
        for folder in ("", DELETED):
            with contextlib.suppress(OSError), os.scandir(self.state / folder) as entries:
                for entry in entries:
                    if not is_journal(entry.name) or (folder and entry.name == MATCH):
                        continue
                    with contextlib.suppress(OSError):
                        status = entry.stat(follow_symlinks=False)
                        name = f"{folder}/{entry.name}" if folder else entry.name
                        found[name] = (status.st_size, status.st_mtime_ns)
        return found

    # ---- what is in it

    def page(self, *, game: str = "", search: str = "", after: str = "", most: int = 50) -> Page:
        """Return matches of a game, if it is given, whose players or file match all words of
        `search`; at most that number, and those `after` the end of a page before.
        """
        where, values = ["listed = 1"], []
        if game:
            where.append("game = ?")
            values.append(game)
        for word in search.casefold().split()[:8]:
            where.append("instr(words, ?) > 0")
            values.append(word)
        all_of_them = " AND ".join(where)
        more, moment = "", _moment(after)
        if moment is not None:
            more = " AND (played, file) < (?, ?)"

        def ask(database: sqlite3.Connection) -> tuple[list[Any], int]:
            rows = database.execute(
                f"SELECT id, file, played, summary FROM matches WHERE {all_of_them}{more}"
                " ORDER BY played DESC, file DESC LIMIT ?",
                (*values, *(moment or ()), most + 1),
            ).fetchall()
            counted = f"SELECT count(*) FROM matches WHERE {all_of_them}"
            (total,) = database.execute(counted, values).fetchone()
            return rows, total

        rows, total = self._ask(ask)
        shown = tuple(map(_past_match, rows[:most]))
        end = f"{shown[-1].played!r} {shown[-1].file}" if shown and len(rows) > most else ""
        return Page(shown, total, end)

    def since(self, moment: float) -> tuple[PastMatch, ...]:
        """Return the matches that were last played after a moment, the latest first."""

        def ask(database: sqlite3.Connection) -> list[Any]:
            return database.execute(
                "SELECT id, file, played, summary FROM matches WHERE listed = 1 AND played >= ?"
                " ORDER BY played DESC",
                (moment,),
            ).fetchall()

        return tuple(map(_past_match, self._ask(ask)))

    def match(self, name: str) -> PastMatch:
        """Return the match of that id, also a deleted one; `match` is also the match in play.
        JournalError if there is none.
        """
        row = self._row(name)
        if row is None or not self._is_as_read(*row[:3]):
            self.update(LATE_S)
            row = self._row(name)
        if row is None:
            raise JournalError(f"{self.state}: no match {name!r} is saved there")
        file, _, _, played, summary, own = row
        return PastMatch(own, file, played, _decode(summary))

    def _row(self, name: str) -> Any:
        def ask(database: sqlite3.Connection) -> Any:
            return database.execute(
                "SELECT file, size, changed, played, summary, id FROM matches"
                " WHERE id = ? OR (file = ? AND ? = ?)",
                (name, MATCH, name, IN_PLAY),
            ).fetchone()

        return self._ask(ask)

    def _is_as_read(self, file: str, size: int, changed: int) -> bool:
        """Whether a journal is still the one that was read into the index."""
        try:
            status = os.lstat(self.state / file)
        except OSError:
            return False
        return (status.st_size, status.st_mtime_ns) == (size, changed)

    def path(self, name: str) -> Path:
        """Return the journal of the match of that id."""
        return self.state / self.match(name).file

    def known(self, name: str) -> Path | None:
        """Return the journal of the match of that id, if the index has it as it is."""
        row = self._row(name)
        return self.state / row[0] if row is not None and self._is_as_read(*row[:3]) else None

    def read(self, path: Path) -> str:
        """Read one journal into the index and return the id of its match."""
        file, status = path.relative_to(self.state).as_posix(), path.lstat()
        one = _Read(file, status.st_size, status.st_mtime_ns, summary_of(path))

        def ask(database: sqlite3.Connection) -> str:
            _put([one], database)
            found = database.execute("SELECT id FROM matches WHERE file = ?", (file,)).fetchone()
            return str(found[0])

        return self._ask(ask)

    def paths(self) -> list[Path]:
        """Return the journals that are not deleted, the earliest first, whether they are in the
        index or not; that of the match in play only if something was played.
        """
        found = self._files()
        names = sorted(found, key=lambda file: found[file][1])
        paths = [self.state / name for name in names if not name.startswith(f"{DELETED}/")]
        return [path for path in paths if path.name != MATCH or _is_played(path)]

    # ---- deleting and restoring

    def delete(self, name: str) -> None:
        """Move the journal of a match to the deleted ones; JournalError if there is none or it is
        in play, OSError if it cannot be moved.
        """
        match = self.match(name)
        if match.in_play:
            raise JournalError("this match is in play")
        if not match.deleted:
            files.make_directory(self.state / DELETED)
            self._move(match, self.state / DELETED / match.file)

    def restore(self, name: str) -> None:
        """Move the journal of a deleted match back; errors as for `delete`."""
        match = self.match(name)
        if match.deleted:
            self._move(match, self.state / Path(match.file).name)

    def _move(self, match: PastMatch, target: Path) -> None:
        """Move a journal to the first free name; its id stays."""
        kept = files.put_aside(self.state / match.file, target)
        files.sync_directory(kept.parent)
        file = kept.relative_to(self.state).as_posix()
        listed = 0 if file.startswith(f"{DELETED}/") else 1

        def ask(database: sqlite3.Connection) -> None:
            database.execute(
                "UPDATE matches SET file = ?, listed = ? WHERE id = ?", (file, listed, match.id)
            )

        self._ask(ask)

    # ---- the database

    def _ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Ask the database, and once more a new one if it is damaged or cannot be written."""
        with self._lock:
            if self._closed:
                raise JournalError(f"{self.state}: the library is closed")
            for _ in range(2):
                try:
                    with self._opened() as database:  # commits, or rolls back
                        return question(database)
                except sqlite3.OperationalError as error:
                    self._drop()
                    self._in_memory = True
                    log.warning("%s: %s; it is kept in memory", self.state / INDEX, error)
                except sqlite3.DatabaseError as error:
                    self._drop()
                    self._remove()
                    log.warning("%s: %s; it is rebuilt", self.state / INDEX, error)
            with self._opened() as database:
                return question(database)

    def _opened(self) -> sqlite3.Connection:
        if self._database is not None:
            return self._database
        path = self.state / INDEX
        name = ":memory:"
        if not self._in_memory:
            try:
                os.close(opened(path, os.O_RDWR | os.O_CREAT))  # for its user only
                name = str(path)
            except OSError as error:
                self._in_memory = True
                log.warning("%s: %s; it is kept in memory", path, error.strerror)
        database = sqlite3.connect(name, timeout=BUSY_S, check_same_thread=False)
        self._database = database
        database.execute("PRAGMA synchronous = NORMAL")
        (version,) = database.execute("PRAGMA user_version").fetchone()
        tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if version != VERSION and tables != (0,):
            self._drop()
            self._remove()
            return self._opened()
        if version != VERSION:
            database.executescript(f"BEGIN; {_TABLE} PRAGMA user_version = {VERSION}; COMMIT;")
        if database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("the index is damaged")
        # Read unreadable files again: the package of their game may be back.
        database.execute("UPDATE matches SET size = -1 WHERE game = ''")
        return database

    def _drop(self) -> None:
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.close()
            self._database = None

    def _remove(self) -> None:
        """Remove the index; it is rebuilt from the journals."""
        for suffix in ("", "-journal", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                os.unlink(self.state / f"{INDEX}{suffix}")


def evening_began(now: datetime) -> datetime:
    """Return the beginning of the evening that a moment belongs to: the last time it was 4 o'clock
    in the morning.
    """
    day = (now - MORNING).replace(hour=0, minute=0, second=0, microsecond=0)
    return day + MORNING


def is_journal(name: str) -> bool:
    """Whether a file of that name is the journal of a match. No name of ours is not a text."""
    kept = name == MATCH or (name.startswith("match-") and name.endswith(".jsonl"))
    return kept and not any("\ud800" <= sign <= "\udfff" for sign in name)


def _is_played(path: Path) -> bool:
    """Whether a journal has more than its head."""
    try:
        return regular_file.head(path, SHORT_BYTES)[0].count(b"\n") > 1
    except OSError:
        return True  # so it is listed with the reason


def _moment(after: str) -> tuple[float, str] | None:
    """Return the last match of a page before; None if that is no such text."""
    played, _, file = after.partition(" ")
    try:
        return (float(played), file) if file else None
    except ValueError:
        return None


def _known(database: sqlite3.Connection) -> list[tuple[str, tuple[int, int]]]:
    rows = database.execute("SELECT file, size, changed FROM matches").fetchall()
    return [(file, (size, changed)) for file, size, changed in rows]


def _put(batch: Sequence[_Read], database: sqlite3.Connection) -> None:
    """Put journals into the index."""
    for file, size, changed, summary in batch:
        folder, _, name = file.rpartition("/")
        words = [summary.game.replace("-", " "), name, *(each for each, _ in summary.players)]
        database.execute("DELETE FROM matches WHERE file = ?", (file,))
        row = {
            "file": file,
            "size": size,
            "changed": changed,
            "id": next(each for each in _ids(name, summary) if not _is_taken(each, database)),
            "game": summary.game,
            "words": " ".join(words).casefold(),
            "played": changed / 1e9,
            "listed": not folder and bool(summary.entries or summary.problem or summary.damaged),
            "summary": _encode(summary),
        }
        marks = ", ".join(f":{each}" for each in row)
        database.execute(f"INSERT INTO matches ({', '.join(row)}) VALUES ({marks})", row)


def _ids(file: str, summary: Summary) -> Iterator[str]:
    """Yield ids for a journal: its own, else its name, with a number if others have that, too."""
    if summary.id and summary.id != IN_PLAY:
        yield summary.id
    for path in files.numbered(Path(file)):
        yield path.stem


def _is_taken(name: str, database: sqlite3.Connection) -> bool:
    found = database.execute("SELECT 1 FROM matches WHERE id = ?", (name,)).fetchone()
    return found is not None


def _forget(database: sqlite3.Connection, gone: Sequence[str]) -> None:
    database.executemany("DELETE FROM matches WHERE file = ?", [(file,) for file in gone])


def _past_match(row: Any) -> PastMatch:
    name, file, played, summary = row
    return PastMatch(name, file, played, _decode(summary))
