"""The journal of a match: no move that was confirmed is ever lost.

A match is a file of JSON lines. The first line is the head; each further line is a change of the
record: how many entries stay, and what follows them. A line also names the players if they have
changed. A line is on the disk before the lights confirm it. A last line that broke off, as when the
power fails, was never confirmed; it is dropped and reported.

    {"lampion":"journal","version":3,"id":"5f0c…","game":"robot-duel", … ,"crc":"0b8e19a2"}
    {"keep":0,"add":[["move",0,"C4C3"]],"players":[["Ania","person"],["","level:plans"]],"crc":"…"}
    {"keep":1,"add":[["move",1,"A1A2"]],"crc":"e7d0c64f"}

With a clock the head has its time control too (`"clock":"5m+3s"`), and each line the milliseconds
that each seat had left: when each of its entries was played (`times`), and when the line was
written (`clock`). Then there are lines that add nothing but that.

    {"keep":1,"add":[["move",1,"A1A2"]],"times":[[300000,295200]],"clock":[300000,298200], … }

Each line ends in its checksum: CRC-32 of all bytes before `,"crc"`, starting from the checksum of
the line before (0 in the first line). So a line that was changed, lost, doubled or moved is found.
One wrong byte in a line is repaired; otherwise the match is resumed from the lines before it. If
the first line is damaged, the moves show which game it is. Version 1 had no checksums and no `id`,
version 2 no players and no `origin`; both are still read.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from engine.game import GameError
from engine.games import make
from engine.match import AnyGame, Match
from firmware_host.players.names import problem
from firmware_host.players.time_control import NO_CLOCK, time_control
from firmware_host.session.match_timer import SeatTimes, TimeSheet
from firmware_host.session.record import Record, RecordEntry
from firmware_host.storage import files, sealed
from firmware_host.storage.restore import RestoreError, head_found, replayed
from firmware_host.storage.times import plain_times, read_times
from hardware import regular_file
from hardware.layout import serving

MOST_ENTRIES: Final = 100_000
MOST_BYTES: Final = 64 * 1024 * 1024
"""No more of a journal is read."""
REWRITE_BYTES: Final = 16 * 1024 * 1024
"""A longer journal is rewritten: only the record as it is now."""

VERSION: Final = 3
_KEYS: Final = {"lampion", "version", "game", "options", "layout", "position"}
_KEYS_OF: Final = {1: _KEYS, 2: _KEYS | {"id"}, VERSION: _KEYS | {"id", "origin"}}
"""The keys of the first line, by version; with a clock it has another one."""


class JournalError(ValueError):
    """A journal that cannot be used; the message names the file, the line and why."""


class NewerError(JournalError):
    """A journal of a later version than this program knows."""


class Player(NamedTuple):
    """A player at a seat, as a journal names them."""

    name: str
    """The name of the player; empty for none."""
    kind: str
    """The text of a `PlayerKind`: `person`, `level:plans` …"""


Players: TypeAlias = tuple[Player, ...]
"""The players by seat; empty if they are not known."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a journal: what is played."""

    game: AnyGame
    layout: str
    position: str | None
    """The position in which the match began, if that is not the start of the game."""
    id: str = ""
    """An id that no other match has; empty in journals of version 1."""
    origin: str = ""
    """The origin of a match that did not begin on a board: the name of an imported file, or `match
    ID PLY` if it continues another match.
    """
    clock: str = ""
    """The text of its time control; empty without a clock."""

    def plain(self) -> dict[str, Any]:
        """Return it as the first line of a journal, without the checksum."""
        return {
            "lampion": "journal",
            "version": VERSION,
            "id": self.id,
            "game": self.game.name,
            "options": dict(self.game.options),
            "layout": self.layout,
            "position": self.position,
            "origin": self.origin,
            **({"clock": self.clock} if self.clock else {}),
        }


class Journal:
    """The file of the live match. `record` is what it has to hold, `saved` what is on the disk."""

    def __init__(self, path: Path, head: Head, aside: Path | None = None) -> None:
        """The first `save` puts the file in place; the file that is there then is renamed to
        `aside`, or deleted.
        """
        self.path = path
        self.head = head if head.id else replace(head, id=secrets.token_hex(8))
        self.record: Record = ()
        self.saved: Record = ()
        self.aside = aside
        """The path under which the file in its place will be kept."""
        self.old_path: Path | None = None
        """The path under which that file was kept."""
        self.players: Players = ()
        """The players; they are written with the record."""
        self._saved_players: Players = ()
        self.times: TimeSheet | None = None
        """The times beside the record; None without a clock."""
        self._saved_times: TimeSheet | None = None
        self._lines: files.LineFile | None = None
        self._checksum = 0

    @classmethod
    def begin(
        cls,
        path: Path,
        game: AnyGame,
        layout: str,
        position: Any | None = None,
        aside: Path | None = None,
    ) -> Journal:
        """Begin the journal of a new match and put it in place."""
        text = None if position is None else game.position_text(position)
        journal = cls(path, Head(game, layout, text), aside)
        journal.save()
        return journal

    @property
    def is_safe(self) -> bool:
        """Whether the record is on the disk, in its place."""
        return self._lines is not None and self._lines.whole and self.record == self.saved

    def write(self, record: Record, times: TimeSheet | None = None) -> None:
        """Take the record as it is now; it is on the disk when this returns. OSError: it is not."""
        self.record, self.times = record, times
        self.save()

    def set_clock(self, control: str) -> None:
        """Take another time control, before anything is played; `save` writes it."""
        if control != self.head.clock:
            self.head, self.times = replace(self.head, clock=control), None
            self.close()

    def save(self) -> None:
        """Write what is not on the disk yet; after an OSError only `saved` is there."""
        lines = self._lines
        if lines is None or lines.end > REWRITE_BYTES or not lines.is_there():
            self._put()
        elif self.record != self.saved or (self.record and self._tells_more):
            keep = _kept(self.saved, self.record)
            if self.times is not None:
                played = () if self._saved_times is None else self._saved_times.played
                keep = min(keep, _kept(played, self.times.played))
            line, checksum = _line(self._change(keep), self._checksum)
            lines.add(line)
            self._note_saved(checksum)
        else:
            lines.cut_rest()  # a line that could not be added may be there anyway

    @property
    def _tells_more(self) -> bool:
        """Whether players or times have changed."""
        return (self.players, self.times) != (self._saved_players, self._saved_times)

    def _put(self) -> None:
        """Write the whole file and put it in place."""
        self.close()
        self._saved_players = ()
        data, checksum = _line(self.head.plain(), 0)
        if self.record or self.players:
            line, checksum = _line(self._change(0), checksum)
            data += line
        files.finish(self.path)  # an earlier attempt: then the file in place is its own
        old_path = files.put(self.path, data, None if self._is_own() else self.aside)
        self.old_path = old_path or self.old_path
        self.aside = None
        self._note_saved(checksum)
        self._lines = files.LineFile(self.path, len(data), sync=True)

    def _change(self, keep: int) -> dict[str, Any]:
        """Return the line that keeps the first entries and adds the others."""
        plain: dict[str, Any] = {
            "keep": keep,
            "add": [entry.plain() for entry in self.record[keep:]],
        }
        if self.players != self._saved_players:
            plain["players"] = self.players
        if self.times is not None:
            plain["times"] = [plain_times(each) for each in self.times.played[keep:]]
            plain["clock"] = plain_times(self.times.now)
        return plain

    def _note_saved(self, checksum: int) -> None:
        self._checksum, self.saved = checksum, self.record
        if self.record or self.players:
            self._saved_players, self._saved_times = self.players, self.times

    def _is_own(self) -> bool:
        """Whether the file in place is of this match: an earlier attempt to put it there may have
        failed after it succeeded.
        """
        try:
            data, _ = regular_file.head(self.path, 4096)
        except OSError:
            return False
        return f'"id":"{self.head.id}"'.encode() in data

    def reopen(self, end: int, checksum: int) -> None:
        """Continue the file in place, which has players and times, after its first `end` bytes,
        whose last line has that checksum. If it cannot be opened, the next `save` rewrites it.
        """
        self._saved_players, self._saved_times = self.players, self.times
        with contextlib.suppress(OSError):
            self._lines = files.LineFile(self.path, end, sync=True)
        self._checksum = checksum

    def close(self) -> None:
        """Close the file; the match may be resumed from it."""
        if self._lines is not None:
            self._lines.close()
            self._lines = None


class _Change(NamedTuple):
    """A change of the record: the first `keep` entries stay, `add` follows."""

    length: int
    add: tuple[RecordEntry, ...]
    players: Players = ()
    times: tuple[SeatTimes, ...] | None = None
    """For each of the entries; None if they are not there."""
    clock: SeatTimes | None = None


class Text:
    """The contents of a journal, line by line, as far as they are readable."""

    def __init__(self, path: Path) -> None:
        """Read a file; JournalError if this program cannot read it."""
        try:
            data, longer = regular_file.head(path, MOST_BYTES)
        except OSError as error:
            raise JournalError(f"{path}: {error.strerror or error}") from None
        lines = sealed.SealedLines(data)
        self.old = False
        """Whether it has no checksums, as those of version 1."""
        self.version = VERSION
        """The version in which it was written."""
        self.headless = False
        """Whether its first line is damaged, so that the head was found by the moves."""
        self.damaged = 0
        """The number of the first further line that is damaged; 0 if none is."""
        self.changes: list[_Change] = []
        self.head = self._read(path, lines)
        self.repaired = lines.repaired
        """The number of the first line in which a wrong byte was repaired; 0 if none."""
        if not self.damaged and (longer or b"\0" in lines.tail):
            self.damaged = lines.number + 1
        self.torn = lines.tail != b"" and not self.damaged
        """Whether a last line that broke off was dropped."""
        self.end = lines.end
        """Where the readable lines end, in bytes."""
        self.checksum = lines.checksum
        """The checksum of the last readable line."""

    def _read(self, path: Path, lines: sealed.SealedLines) -> Head:
        if not lines.more:
            raise JournalError(f"{path}: line 1: this is no journal of a match")
        first = lines.look()
        if (line := lines.next()) is not None:
            head, self.version = _head(path, sealed.body(line), (2, VERSION))
            self._change(self._bodies(lines), head.game)
            return head
        lines.take()
        try:
            head, self.version = _head(path, first, (1,))
        except NewerError:
            raise
        except JournalError as error:
            self.headless = True
            self.old = lines.more and sealed.claimed(lines.look()) is None
            bodies = self._bodies(lines)
            found = self._found(first, bodies)
            if found is None:
                raise error from None
            head = found
        else:
            self.old = True
            bodies = self._bodies(lines)
        self._change(bodies, head.game)
        return head

    def _bodies(self, lines: sealed.SealedLines) -> list[bytes]:
        """Return the objects of the further lines, up to the first damaged one."""
        bodies: list[bytes] = []
        while lines.more:
            if self.old:
                bodies.append(lines.take())
                continue
            # The first one cannot be checked if the line before is damaged.
            unknown = self.headless and not bodies and sealed.claimed(lines.look()) is not None
            line = lines.take() if unknown else lines.next()
            if line is None:
                self.damaged = lines.number + 1
                break
            bodies.append(sealed.body(line))
        return bodies

    def _change(self, bodies: list[bytes], game: AnyGame) -> None:
        """Take the changes in the lines, up to the first line that has none."""
        self.changes.clear()
        length, seats = 0, len(game.seats)
        for number, each in enumerate(bodies, 2):
            change = _read_change(each, length, seats)
            if change is None:
                self.damaged = number
                return
            self.changes.append(change)
            length = change.length + len(change.add)

    def _found(self, first: bytes, bodies: list[bytes]) -> Head | None:
        """Return the head of a match whose first line is damaged, if it can be found."""

        def record_for(game: AnyGame) -> Record:
            before = self.damaged
            self._change(bodies, game)
            self.damaged = before
            return self.record()

        found = head_found(first, record_for)
        if found is None:
            return None
        game, layout, position = found
        boards = [board.name for board in serving(game.name)]
        return Head(game, layout if layout in boards else boards[0], position)

    def record(self) -> Record:
        """Return the record after all lines."""
        record: list[RecordEntry] = []
        for change in self.changes:
            record[change.length :] = change.add
        return tuple(record)

    def times(self) -> TimeSheet | None:
        """Return the times after all lines; None if they are not known, or there is no clock."""
        played: list[SeatTimes] = []
        now: SeatTimes | None = None
        for change in self.changes:
            if not change.add and change.times is None:
                continue  # it only names the players
            if change.times is None or change.clock is None or not self.head.clock:
                return None
            played[change.length :] = change.times
            now = change.clock
        return None if now is None else TimeSheet(tuple(played), now)

    def players(self) -> Players:
        """Return the players that were named last."""
        return next((each.players for each in reversed(self.changes) if each.players), ())


class Resumed:
    """A match read from its journal."""

    def __init__(self, path: Path) -> None:
        text = Text(path)
        self.path = path
        self.head = text.head
        self.game: AnyGame = text.head.game
        self.layout = text.head.layout
        self.players = text.players()
        self.torn = text.torn
        self.damaged = text.damaged
        """The number of the first further line that cannot be used; 0 if all can."""
        self.headless = text.headless
        """Whether the first line is damaged, so that game and rules were found by the moves."""
        self.repaired = text.repaired
        """The number of the first line in which a wrong byte was repaired; 0 if none."""
        self._text = text
        try:
            at = text.head.position
            start = self.game.start() if at is None else self.game.parse_position(at)
        except GameError as error:
            raise JournalError(f"{path}: line 1: {error}") from None
        self.record: Record
        self.matches: list[Match]
        while True:
            self.record = text.record()
            try:
                self.matches = replayed(self.game, start, self.record)
            except RestoreError as error:
                self.damaged = _drop(text.changes, error.number)
            else:
                break
        self.times = text.times()
        """The times of its clock; None if they are not known, or there is no clock."""

    @property
    def whole(self) -> bool:
        """Whether nothing was lost."""
        return not (self.damaged or self.headless)

    @property
    def goes_on(self) -> bool:
        """Whether something was played, and the match is not over."""
        return bool(self.record) and self.matches[0].outcome is None

    def reopen(
        self, path: Path | None = None, aside: Path | None = None, layout: str | None = None
    ) -> Journal:
        """Return the journal, to be continued at `path`, by default its own, on the board of that
        `layout`. Unless a whole journal of that board is there, the first `save` writes all of it;
        the file that is there then is kept as `aside`.
        """
        path = path or self.path
        own = path == self.path
        same = own and self.whole  # else it is another match than the file that stays
        head = replace(self.head, layout=layout or self.layout)
        journal = Journal(path, head if same else replace(head, id=""), aside)
        journal.record, journal.players, journal.times = self.record, self.players, self.times
        if own:
            journal.saved = self.record
            if same and head == self.head and self._text.version == VERSION and not self.repaired:
                journal.reopen(self._text.end, self._text.checksum)
        return journal


def resume(path: Path) -> Resumed | None:
    """Return the match in a journal; None if there is none. JournalError if it cannot be read."""
    return Resumed(path) if os.path.lexists(path) else None


# ---- lines and their checksums


def _line(value: dict[str, Any], checksum: int) -> tuple[bytes, int]:
    """Return a line with its end, after one of that checksum, and its own checksum."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
    checksum = zlib.crc32(body, checksum)
    return body + sealed.seal(checksum) + b"\n", checksum


def _kept(old: Sequence[object], new: Sequence[object]) -> int:
    """Return how many values at the beginning stay the same."""
    pairs = zip(old, new, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _parsed(line: bytes) -> dict[str, Any]:
    """Return the object of a line; an empty one if it is none."""
    try:
        value = msgspec.json.decode(line)  # `json` takes surrogates, which cannot be written again
    except (ValueError, RecursionError):  # msgspec.DecodeError is a ValueError
        value = None
    return value if isinstance(value, dict) else {}


def _head(path: Path, line: bytes, versions: tuple[int, ...]) -> tuple[Head, int]:
    """Return the head in a first line of one of these versions, and its version."""
    header = _parsed(line)
    found = header.get("version")
    if header.get("lampion") == "journal" and type(found) is int and found > VERSION:
        raise NewerError(
            f"{path}: line 1: a newer Lampion wrote this journal: its version is {found}, this one "
            f"reads 1 to {VERSION}"
        )
    options, text = header.get("options"), header.get("position")
    if (
        type(found) is not int
        or found not in versions
        or header.keys() - ({"clock"} if found == VERSION else set()) != _KEYS_OF[found]
        or header["lampion"] != "journal"
        or not isinstance(header["game"], str)
        or not isinstance(header["layout"], str)
        or not isinstance(header.get("id", ""), str)
        or not isinstance(header.get("origin", ""), str)
        or not isinstance(header.get("clock", ""), str)
        or not isinstance(options, dict)
        or not isinstance(text, str | None)
    ):
        raise JournalError(f"{path}: line 1: this is no journal of a match")
    try:
        game: AnyGame = make(header["game"], options)
        control = time_control(header.get("clock", NO_CLOCK))
    except ValueError as error:
        raise JournalError(f"{path}: line 1: {error}") from None
    head = Head(game, header["layout"], text, header.get("id", ""), header.get("origin", ""))
    return replace(head, clock="" if control is None else control.text), found


def _read_change(body: bytes, length: int, seats: int) -> _Change | None:
    """Return the change that a line makes to a record of that length; None if it is no change."""
    value = _parsed(body)
    keep, add = value.get("keep"), value.get("add")
    players = _players(value.pop("players", []), seats)
    times, clock = value.pop("times", None), read_times(value.pop("clock", None), seats)
    if value.keys() != {"keep", "add"} or type(keep) is not int or not isinstance(add, list):
        return None
    entries = [entry for each in add if (entry := _entry(each, seats)) is not None]
    whole = len(entries) == len(add) and 0 <= keep <= length and players is not None
    if not whole or keep + len(add) > MOST_ENTRIES:
        return None
    read = [read_times(each, seats) for each in times] if isinstance(times, list) else []
    known = tuple(each for each in read if each is not None)
    played = known if isinstance(times, list) and len(known) == len(add) else None
    return _Change(keep, tuple(entries), players or (), played, clock)


def _players(plain: object, seats: int) -> Players | None:
    """Return the players that a line names, none if it names none; None if they are not right."""
    match plain:
        case []:
            return ()
        case list() if len(plain) == seats:
            found = [Player(*each) for each in plain if _is_player(each)]
            return tuple(found) if len(found) == seats else None
    return None


def _is_player(plain: object) -> bool:
    match plain:
        case [str(name), str()]:
            return problem(name) is None
    return False


def _entry(plain: object, seats: int) -> RecordEntry | None:
    match plain:
        case ["move" | "throw" | "claim" as kind, int(seat), str(first), *others]:
            texts = (first, *(str(text) for text in others if isinstance(text, str)))
            if type(seat) is int and -1 <= seat < seats and len(texts) == len(others) + 1:
                return RecordEntry(kind, seat, texts)
    return None


def _drop(changes: list[_Change], number: int) -> int:
    """Drop the changes from the one that wrote entry `number` on, for that entry is not possible;
    return the number of its line.
    """
    while changes[-1].length >= number:
        changes.pop()
    changes.pop()
    return len(changes) + 2
