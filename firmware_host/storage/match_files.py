"""The files of a match in the state directory: its journal and the files beside it.

`match.jsonl` is the journal of the match in play, `recording.jsonl` its recording, `table.json` has
the places of the pieces; the journals of earlier matches lie beside them, named by the time of
their end. A failed write is reported, and play goes on: the journal is tried again and again, a
recording ends.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, takewhile
from operator import itemgetter
from pathlib import Path
from typing import Final

from engine.match import AnyGame
from firmware_host.i18n.messages import Message, count, render, say, warn
from firmware_host.players.kinds import PERSON
from firmware_host.session.events import Event, Frame
from firmware_host.session.match_timer import TimeSheet
from firmware_host.session.record import Record
from firmware_host.storage import files
from firmware_host.storage.journal import (
    Head,
    Journal,
    JournalError,
    Player,
    Players,
    Resumed,
    Text,
    resume,
)
from firmware_host.storage.recorder import RecordingFile
from firmware_host.storage.recording import RecordingHeader
from firmware_host.text.storage_status import SavedMatch, StorageStatus

MATCH: Final = "match.jsonl"
RECORDING: Final = "recording.jsonl"
RETRY_S: Final = 1.0
"""A failed write is tried again after this time."""
LOOK_S: Final = 60.0
"""The time between two looks at how much space is left."""
LITTLE_BYTES: Final = 20_000_000
"""People are warned when less space than this is left."""
MOST_WAITING: Final = 50
"""The most matches that stay in memory because they could not be written."""
MOST_LISTED: Final = 50
"""The most saved matches among which people choose."""

log = logging.getLogger(__name__)


class MatchFiles:
    """The files of one match after the other. Times are the caller's, in seconds."""

    def __init__(self, state: Path, record: Path | None = None) -> None:
        """`record` is the path of another recording; a second match gets `-2` in its name."""
        self.table = state / "table.json"
        self.status = StorageStatus()
        """The state of the files, for people; a new value after each change."""
        self._state = state
        self._path = state / MATCH
        self._record = record
        self._journals: list[Journal] = []  # the live match's is last; the others are to be written
        self._found_as = ""  # the name under which the file found at the start is set aside
        self._moved_from: Path | None = None
        self._provisional = False
        self._header: RecordingHeader | None = None
        self._recordings: list[RecordingFile] | None = None  # None: not started
        self._now = 0.0
        self._why: Message | None = None  # why the journal cannot be written
        self._retry = 0.0
        self._little = False
        self._look = 0.0
        self._ends: dict[str, Message] = {}  # by name: why a file beside the journal ended
        self._logged: set[str] = set()
        self._asks: Message | None = None
        self._saved: tuple[SavedMatch, ...] = ()
        self._news: list[Message] = []  # reported until the record changes
        self._players: Players = ()

    # ---- one match after the other

    def last_match(self) -> Resumed | None:
        """Return the match in play when the program ended. None if there is none, or if it cannot
        be read at all: then people are asked which match to resume.
        """
        try:
            self._finish()
            saved = resume(self._path)
        except (JournalError, OSError) as error:
            self._found_as = "match-unread"
            self._asks = warn(
                "The last match cannot be read ({why}). Choose a saved match to continue,"
                " or start a new one; for now this is an empty match.",
                why=str(error),
            )
            self._saved = saved_matches(self._state)
            log.warning(render(self._asks))
            return None
        if saved is not None:
            self._found_as = "match" if saved.record else ""
            if not saved.whole:
                self._found_as = "match-damaged"
            if saved.torn:
                log.warning("%s: the last line broke off and is left out", self._path)
        return saved

    @property
    def match_id(self) -> str:
        """The id of the live match, which no other match has."""
        return self._journals[-1].head.id

    @property
    def asks(self) -> bool:
        """Whether people are asked which match to resume."""
        return self._asks is not None

    def _finish(self) -> None:
        """Put a new match in its place if the program was killed just before that."""
        with contextlib.suppress(JournalError):
            if resume(files.beside(self._path)) is not None:
                files.finish(self._path)

    def chosen(self, name: str) -> Resumed:
        """Return the saved match of that name; JournalError if it cannot be resumed."""
        if name not in [path.name for path in saved_journals(self._state)]:
            raise JournalError(f"{self._state}: no match {name!r} is kept there")
        return Resumed(self._state / name)

    def resume(self, saved: Resumed, header: RecordingHeader, layout: str | None = None) -> None:
        """Resume a saved match: the last one, or an earlier one, which takes its place; on the
        board of that `layout`, by default its own.
        """
        own = saved.path == self._path
        aside = None if saved.whole and own else self._aside()
        journal = saved.reopen(self._path, aside, layout)
        self._begin(journal, header, resumed=own and layout in (None, saved.layout))
        self._moved_from = None if own or not saved.whole else saved.path
        damage = list(_damaged(saved, aside if own and aside else saved.path))
        self._news += damage
        for each in damage:
            log.warning(render(each))
        self._save()

    def begin(
        self,
        game: AnyGame,
        layout: str,
        header: RecordingHeader,
        *,
        provisional: bool = False,
        clock: str = "",
    ) -> None:
        """Begin a new match, with the time control `clock` unless that is empty; the one before
        stays saved. A `provisional` match takes its place only when something is played.
        """
        journal = Journal(self._path, Head(game, layout, None, clock=clock), self._aside())
        if self._journals and self._journals[-1].head.game.name == game.name:
            journal.players = self._players  # the same people play on
        self._begin(journal, header, resumed=provisional)
        self._provisional = provisional
        self._save()

    def name(self, players: Players, *, over: bool = False) -> None:
        """Set the players of the live match and of the next one of its game; the journal has them
        once something is played. A match that is over keeps its players; only people without a name
        get theirs.
        """
        self._players = players
        journal = self._journals[-1]
        if over and journal.players:
            players = tuple(map(_named_later, journal.players, players))
        if players != journal.players:
            journal.players = players
            if journal.record:
                self._save()

    def report_left(self, saved: Resumed) -> None:
        """Report that another match has begun: this board does not serve the game of `saved`."""
        left = self._journals[-1].old_path or self._path
        left_behind = warn(
            "This board is not made for {game}. Its match is kept as {file}; to continue "
            "it, start with --match {file} on a board for that game.",
            game=say(saved.game.title),
            file=left.name,
        )
        self._news.append(left_behind)
        log.warning(render(left_behind))
        self._report()

    def _aside(self) -> Path | None:
        """Return the path to which the present file is renamed when another match takes its place;
        None if nothing was played in it.
        """
        if self._journals and not self._journals[-1].record:
            return self._journals[-1].aside
        name = "match" if self._journals else self._found_as
        stamp = time.strftime("%Y%m%d-%H%M%S")
        return self._path.with_stem(f"{name}-{stamp}") if name else None

    def _begin(self, journal: Journal, header: RecordingHeader, *, resumed: bool) -> None:
        """Close the files of the match before and take this one; the recording of a `resumed` match
        goes on.
        """
        if self._why is not None:
            self._save()
        waiting = [each for each in self._journals if each.record and not each.is_safe]
        self._close_files()
        self._journals = [*waiting[-MOST_WAITING:], journal]
        self._header = replace(header, match=journal.head.id)
        self._recordings = None
        if not resumed:
            with contextlib.suppress(OSError):
                os.unlink(self._state / RECORDING)
            self._asks = None
        self._moved_from, self._provisional = None, False
        self._news.clear()

    def close(self) -> None:
        """Close the files after a last try to write everything; log what is lost. The match may be
        resumed.
        """
        if self._why is not None:
            self._save()
        for journal in self._journals if self._why is not None else ():
            lost = ["/".join(each.candidates) for each in journal.record[_in_common(journal) :]]
            if lost:
                title = journal.head.game.title
                log.warning("%s: lost, as it cannot be saved: %s", title, ", ".join(lost))
        self._close_files()

    def _close_files(self) -> None:
        for journal in self._journals:
            journal.close()
        for each in self._recordings or ():
            each.close()
        self._recordings = []

    # ---- what happens in it

    def write(self, record: Record, now: float, times: TimeSheet | None = None) -> None:
        """Take the record as it is now, with the times of its clock. It is on the disk when this
        returns, or `status` says why not; then `save_due` tries again.
        """
        self._now = now
        journal = self._journals[-1]
        if record != journal.record:
            journal.record, journal.times = record, times
            self._news.clear()
            self._provisional, self._asks = False, None
            self._save()
        elif record and times != journal.times:
            journal.times = times
            self._save()

    def set_clock(self, control: str, now: float) -> None:
        """Give the match another time control, before anything is played."""
        self._now = now
        self._journals[-1].set_clock(control)
        self._save()

    def save_due(self, now: float) -> float:
        """Write what is not on the disk yet and check the free space, each when it is time; return
        when to call again.
        """
        self._now = now
        if self._why is not None and now >= self._retry:
            self._save()
        if now >= self._look:
            self._look = now + LOOK_S
            self._look_at_space()
        return self._look if self._why is None else min(self._look, self._retry)

    def _save(self) -> None:
        if self._provisional:
            self._report()
            return
        was = self._why
        try:
            self._journals[0].save()
            for waiting, journal in pairwise(list(self._journals)):
                waiting.close()
                self._journals.remove(waiting)
                journal.save()
        except OSError as error:
            self._why, self._retry = _unsafe(error, self._path), self._now + RETRY_S
            if was is None:
                log.warning(render(self._why))
        else:
            self._why = None
            if was is not None:
                self._news.append(say("The match is saved again; all moves are safe."))
                log.warning(render(self._news[-1]))
            if self._moved_from is not None:
                with contextlib.suppress(OSError):
                    os.unlink(self._moved_from)
                self._moved_from = None
        self._report()

    def _report(self) -> None:
        faults = [] if self._why is None else [self._why]
        if self._little:
            faults.append(_little(self._state))
        safe = None if self._why is None else _in_common(self._journals[-1])
        notices = (*self._news, *self._ends.values())
        saved = self._saved if self.asks else ()
        status = StorageStatus(safe, tuple(faults), notices, self._asks, saved)
        if status != self.status:
            self.status = status

    def _look_at_space(self) -> None:
        with contextlib.suppress(OSError):
            found = os.statvfs(self._state)
            self._little = found.f_blocks > 0 and found.f_bavail * found.f_frsize < LITTLE_BYTES
        if self._little:
            self._log("little", _little(self._state))
        self._report()

    def _log(self, key: str, message: Message) -> None:
        """Log something once."""
        if key not in self._logged:
            self._logged.add(key)
            log.warning(render(message))

    # ---- beside the journal

    @contextlib.contextmanager
    def _beside(self, path: Path) -> Iterator[None]:
        """Write a file that the match can do without; report what fails, once for each name."""
        try:
            yield
        except OSError as error:
            message = say(
                "{file} cannot be written: {why}. The match continues without it.",
                file=path.name,
                why=files.why(error),
            )
            self._ends[path.name] = message
            self._log(path.name, message)
            self._report()
        else:
            if self._ends.pop(path.name, None):
                self._report()

    def save_table(self, text: str) -> None:
        """Write where the pieces lie."""
        with self._beside(self.table):
            files.put(self.table, text.encode())

    def take(self, event: Event, frame: Frame | None) -> None:
        """Record an event. A recording begins with `frame`, the latest one, as soon as the pieces
        are set up; None until then.
        """
        events = [event]
        if self._recordings is None:
            if frame is None or self._header is None:
                return
            self._recordings = []
            for wanted in (self._state / RECORDING, self._record):
                if wanted is not None:
                    with self._beside(wanted):
                        self._recordings.append(RecordingFile(wanted, self._header))
            events = [frame] if event is frame else [frame, event]
        for each in list(self._recordings):
            with self._beside(each.path):
                try:
                    for one in events:
                        each.take(one)
                except OSError:
                    each.close()
                    self._recordings.remove(each)
                    raise

    def recording(self) -> Iterator[bytes]:
        """Return the recording of this match so far, in chunks; nothing before the pieces are set
        up, or if none can be written.
        """
        for each in self._recordings or ():
            with contextlib.suppress(OSError):
                return each.chunks()
        return iter(())


def saved_journals(state: Path) -> list[Path]:
    """Return the journals of earlier matches, the latest first."""
    found: list[tuple[float, Path]] = []
    try:
        for path in state.glob("match-*.jsonl"):
            found.append((path.lstat().st_mtime, path))
    except OSError:  # a match that cannot be looked at cannot be resumed
        return []
    return [path for _, path in sorted(found, key=itemgetter(0), reverse=True)]


def saved_matches(state: Path) -> tuple[SavedMatch, ...]:
    """Return the latest matches that can be read."""
    found: list[SavedMatch] = []
    for path in saved_journals(state):
        try:
            text, played = Text(path), path.lstat().st_mtime
        except (JournalError, OSError):
            continue
        at = time.strftime("%Y-%m-%d %H:%M", time.localtime(played))
        plies = sum(entry.kind == "move" for entry in text.record())
        found.append(SavedMatch(path.name, text.head.game.title, at, plies))
        if len(found) == MOST_LISTED:
            break
    return tuple(found)


def _named_later(player: Player, now: Player) -> Player:
    """Return the player of a match that is over, with the name of who sits there now if a person
    had none.
    """
    person = player.kind == now.kind == PERSON.text
    return player._replace(name=now.name) if person and not player.name else player


def _unsafe(error: OSError, path: Path) -> Message:
    return warn(
        "The match cannot be saved: {why} ({file}). You can play on, but new moves are "
        "not safe yet.",
        why=files.why(error),
        file=path.name,
    )


def _little(state: Path) -> Message:
    return warn(
        "Less than {n} MB are left in {directory}: free some space, or soon nothing can be saved.",
        n=LITTLE_BYTES // 10**6,
        directory=str(state),
    )


def _damaged(saved: Resumed, whole: Path) -> Iterator[Message]:
    """Say what is damaged in a match and what became of it; all of it stays in the file `whole`."""
    if saved.repaired:
        yield say(
            "Line {line} of {file} had one wrong byte; it is repaired, and no move is lost.",
            line=saved.repaired,
            file=saved.path.name,
        )
    if saved.headless:
        yield say(
            "Line 1 of {file} is damaged: game and rules are guessed from the rest of it "
            "and from the moves. The whole file is kept as {kept}.",
            file=saved.path.name,
            kept=whole.name,
        )
    if saved.damaged:
        yield count(
            "Line {line} of {file} is damaged: the match continues after its first {n} "
            "move. The whole file is kept as {kept}.",
            "Line {line} of {file} is damaged: the match continues after its first {n} "
            "moves. The whole file is kept as {kept}.",
            sum(entry.kind == "move" for entry in saved.record),
            line=saved.damaged,
            file=saved.path.name,
            kept=whole.name,
        )


def _in_common(journal: Journal) -> int:
    """Return how many entries of the record are on the disk."""
    pairs = zip(journal.saved, journal.record, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
