"""A disk that fails, fills up or is left in the middle: nothing that was confirmed is lost."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.session.events import Frame
from firmware_host.session.match_clock import SeatTime
from firmware_host.session.match_timer import TimeSheet
from firmware_host.session.record import Record, entry_of
from firmware_host.storage import files as journal_files
from firmware_host.storage.journal import resume
from firmware_host.storage.match_files import MatchFiles
from firmware_host.storage.recording import RecordingHeader

CALLS = ("open", "write", "ftruncate", "fdatasync", "fsync", "replace", "unlink")
FAILURES = ("short", errno.ENOSPC, errno.EIO, errno.EMFILE)
GAMES = ("robot-duel", "shogi", "chaturaji", "robotory", "abalone")


class Disk:
    """Counts what is asked of the disk, and lets some of it fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls = 0
        self.fails: Callable[[int], bool] = lambda call: False
        self.how: int | str = errno.ENOSPC
        self.off = False
        for name in CALLS:
            monkeypatch.setattr(os, name, self._failing(name, getattr(os, name)))

    def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            if self.off:
                return real(*arguments, **named)
            self.calls += 1
            if not self.fails(self.calls):
                return real(*arguments, **named)
            if self.how != "short":
                raise OSError(int(self.how), os.strerror(int(self.how)))
            if name != "write":
                return real(*arguments, **named)
            return real(arguments[0], arguments[1][: len(arguments[1]) // 2])

        return call


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    disk = Disk(monkeypatch)
    yield disk
    disk.off = True


def records_of(name: str, plies: int, seed: int = 1) -> list[Record]:
    """The records of a match, one after the other, a move taken back in between."""
    match, rng = Match.begin(make(name)), Random(seed)
    while match.plies < plies and match.legal:
        match = match.play(rng.choice(match.legal))
    entries = tuple(entry_of(step) for step in match.steps())
    records = [entries[:number] for number in range(1, len(entries) + 1)]
    return [*records[:3], *records[1:]]


def times_of(record: Record, seats: int, later: int = 0) -> TimeSheet:
    """The times of a match with that record."""
    others = (SeatTime(0),) * (seats - 1)
    played = [(SeatTime(300_000 - number), *others) for number in range(len(record))]
    return TimeSheet(tuple(played), (SeatTime(200_000 - later), *others))


class TwoMatches:
    """Two matches of different games, one after the other, and what was confirmed of them. The
    second one has a clock.
    """

    def __init__(self, state: Path, games: tuple[str, str] = ("robot-duel", "shogi")) -> None:
        self.state = state
        self.games = games
        self.records = [records_of(games[0], 8), records_of(games[1], 5)]
        self.confirmed = [-1, -1]
        """The number of the last record that was confirmed, of each match."""
        self.now = 0.0

    def begin(self, files: MatchFiles, number: int) -> None:
        game = make(self.games[number])
        header = RecordingHeader(game, "presence", game.start(), ())
        files.begin(game, "square-reed", header, clock="5m+3s" if number else "")

    def play(self, told: Callable[[int, int], object] = lambda match, index: None) -> None:
        """Play it; what is confirmed is told at once: which match, which of its records."""
        files = MatchFiles(self.state)
        for number, records in enumerate(self.records):
            self.begin(files, number)
            game = make(self.games[number])
            frame = Frame(self.now, Sight(game).readings(game.start()))
            for index, record in enumerate(records):
                self.now += 0.4
                files.take(frame, frame)
                files.save_table(json.dumps([len(record)]))
                files.write(record, self.now, times_of(record, len(game.seats)) if number else None)
                for _ in range(20 if record is records[-1] else 1):
                    self.now += 0.4
                    files.save_due(self.now)
                    if files.status.safe is None:
                        self.confirmed[number] = index
                        told(number, index)
                if number:  # time goes by
                    files.write(record, self.now, times_of(record, len(game.seats), later=1000))
        for journal in files._journals:  # the program dies: it does not even close its files
            journal.close()
        for recording in files._recordings or ():
            recording.close()

    def check(self, told: str) -> None:
        """Whether all that was confirmed is there, and the right game goes on."""
        files = MatchFiles(self.state)
        kept = files.last_match()
        assert not files.asks, told
        if kept is None:
            assert self.confirmed == [-1, -1], told
            return
        assert not kept.damaged, told
        assert kept.game.name == self.games[1] or self.confirmed[1] == -1, told
        if kept.head.clock and kept.record:
            seats = len(kept.game.seats)
            assert kept.times in [times_of(kept.record, seats, later) for later in (0, 1000)], told
        else:
            assert kept.times is None, told
        # A name that was taken for the match before may be empty: the program died in between.
        named = [path for path in self.state.glob("match-*.jsonl") if path.stat().st_size]
        found = [kept, *(each for each in map(resume, named) if each)]
        assert len({each.head.id for each in found}) == len(found), told
        there = [each.record for each in found]
        for records, confirmed in zip(self.records, self.confirmed, strict=True):
            if confirmed >= 0:
                assert any(record in there for record in records[confirmed:]), told


def test_the_file_of_a_match_is_never_put_aside_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fails once, when the file of the match before has got its new name."""
    matches = TwoMatches(tmp_path)
    real, failures = journal_files.sync_directory, [0]

    def failing(directory: Path) -> None:
        kept = list(directory.glob("match-*.jsonl"))
        if kept and not failures[0]:
            failures[0] += 1
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(directory)

    monkeypatch.setattr(journal_files, "sync_directory", failing)
    matches.play()
    assert failures == [1]
    assert len(list(tmp_path.glob("match*.jsonl"))) == 2
    matches.check("")


def failing_everywhere(disk: Disk, tmp_path: Path, step: int) -> None:
    """Let every call to the disk fail in turn: once, a few times, from then on."""
    TwoMatches(tmp_path / "counted").play()
    total, disk.calls = disk.calls, 0
    assert total > 100
    for how in FAILURES:
        for length in (1, 7, total):
            for first in range(1, total + 1, step):
                state = tmp_path / f"{how}-{length}-{first}"
                state.mkdir()
                matches = TwoMatches(state)
                disk.calls, disk.how, disk.off = 0, how, False
                disk.fails = lambda call, first=first, n=length: first <= call < first + n
                matches.play()
                disk.off = True
                matches.check(state.name)
                if length < 8:
                    assert matches.confirmed[1] == len(matches.records[1]) - 1, state.name


def test_the_disk_fails_here_and_there(disk: Disk, tmp_path: Path) -> None:
    (tmp_path / "counted").mkdir()
    failing_everywhere(disk, tmp_path, 17)


@pytest.mark.deep
def test_the_disk_fails_everywhere(disk: Disk, tmp_path: Path) -> None:
    (tmp_path / "counted").mkdir()
    failing_everywhere(disk, tmp_path, 1)


# ---- in programs of their own: killed, or with files that may not grow


@pytest.fixture
def forked(tmp_path: Path) -> Callable[..., None]:
    """Play two matches in programs of their own, one for each way to prepare it."""

    def forked(script: str, *arguments: str) -> None:
        here = Path(__file__).parents[1]
        done = subprocess.run(
            [sys.executable, "-c", FORKED + script, str(here), str(tmp_path), *arguments],
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr

    return forked


FORKED = """
import os, resource, sys, traceback
from pathlib import Path
here, state, *arguments = sys.argv[1:]
sys.path.insert(0, here)
import logging
logging.disable()
from tests.storage.test_failing_disk import CALLS, GAMES, TwoMatches

os.fsync = os.fdatasync = lambda descriptor: None  # nobody pulls the plug here

def prepared(name, games, prepare):
    '''Play two matches in a child that is prepared somehow, and check what it leaves.'''
    matches = TwoMatches(Path(state) / name, games)
    matches.state.mkdir()
    hear, tell = os.pipe()
    child = os.fork()
    if not child:
        code = 1
        try:
            write = os.write
            prepare()
            def told(match, index):
                write(tell, f"{match} {index}\\n".encode())
            matches.play(told)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(tell)
    with open(hear) as heard:
        for line in heard:
            match, index = map(int, line.split())
            matches.confirmed[match] = index
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    matches.check(name)
    return code

def die_at(last, after):
    '''Die at that call to the disk, before it or in its midst.'''
    calls = 0
    def dying(name, real):
        def call(*given, **named):
            nonlocal calls
            calls += 1
            if calls == last:
                try:
                    if after and name == "write":
                        real(given[0], given[1][: len(given[1]) // 2])
                    elif after:
                        real(*given, **named)
                finally:
                    os._exit(137)
            return real(*given, **named)
        return call
    for name in CALLS:
        setattr(os, name, dying(name, getattr(os, name)))
"""

KILLS = """
for number, first in enumerate(GAMES):
    games = first, GAMES[(number + 1) % len(GAMES)]
    for after in (False, True):
        killed, last = 0, 1
        while prepared(f"{first}-{last}-{after}", games, lambda: die_at(last, after)) == 137:
            killed, last = killed + 1, last + int(arguments[0])
        assert killed * int(arguments[0]) > 90, killed
"""

LIMITS = """
for size in range(0, 2600, int(arguments[0])):
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    assert prepared(f"at most {size}", GAMES[:2], limit) == 0
"""


def test_killed_here_and_there(forked: Any) -> None:
    forked(KILLS, "31")


@pytest.mark.deep
def test_killed_at_every_call_to_the_disk(forked: Any) -> None:
    forked(KILLS, "1")


def test_files_that_may_not_grow(forked: Any) -> None:
    forked(LIMITS, "211")


@pytest.mark.deep
def test_files_that_may_not_grow_at_any_size(forked: Any) -> None:
    forked(LIMITS, "1")
