"""The times of a match in its journal: what was confirmed is there again, however it breaks off."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games import make
from firmware_host.session.match_clock import SeatTime
from firmware_host.session.match_timer import TimeSheet
from firmware_host.storage.journal import Head, Journal, JournalError, Resumed
from firmware_host.storage.times import plain_times, read_times
from tests.storage.test_journal import HEAD, LINE, record, sealed

DUEL = make("robot-duel")
TIMES = st.builds(SeatTime, st.integers(0, 10**8), st.integers(0, 99))


def sheet(count: int, now: int = 0) -> TimeSheet:
    """Times that differ at each entry."""
    played = tuple((SeatTime(300_000 - each), SeatTime(200_000, each)) for each in range(count))
    return TimeSheet(played, (SeatTime(100_000 - now), SeatTime(5)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


def begin(path: Path, clock: str = "5m+3s") -> Journal:
    journal = Journal(path, Head(DUEL, "square-reed", None, clock=clock))
    journal.save()
    return journal


@given(st.lists(TIMES, min_size=2, max_size=4))
def test_times_are_read_as_they_are_written(times: list[SeatTime]) -> None:
    plain = json.loads(json.dumps(plain_times(tuple(times))))
    assert read_times(plain, len(times)) == tuple(times)
    assert read_times(plain, len(times) + 1) is None


@pytest.mark.parametrize(
    "value", [None, 5, [5], [5, -1], [5, True], [5, 1.5], [5, [1]], [5, [1, 100]], [5, [1, 2, 3]]]
)
def test_other_values_are_no_times(value: object) -> None:
    assert read_times(value, 2) is None


def test_times_are_resumed_as_they_stood(path: Path) -> None:
    journal = begin(path)
    for count in range(1, len(LINE) + 1):
        journal.write(record(*LINE[:count]), sheet(count))
        resumed = Resumed(path)
        assert (resumed.head.clock, resumed.times) == ("5m+3s", sheet(count))
    journal.write(record(*LINE), sheet(len(LINE), now=700))
    assert Resumed(path).times == sheet(len(LINE), now=700)
    size = path.stat().st_size
    journal.write(record(*LINE), sheet(len(LINE), now=700))
    assert path.stat().st_size == size
    journal.write(record(*LINE[:1]), sheet(1))  # taken back
    assert (Resumed(path).times, len(Resumed(path).record)) == (sheet(1), 1)
    journal.close()


def test_wherever_it_breaks_off_the_times_are_those_of_the_lines_before(path: Path) -> None:
    journal = begin(path)
    whole = [(path.stat().st_size, None)]
    for count in range(1, len(LINE) + 1):
        for now in (0, 5000):
            journal.write(record(*LINE[:count]), sheet(count, now))
            whole.append((path.stat().st_size, sheet(count, now)))
    journal.close()
    data = path.read_bytes()
    for cut in range(whole[0][0], len(data) + 1):
        path.write_bytes(data[:cut])
        resumed = Resumed(path)
        (*_, kept) = [times for size, times in whole if size <= cut]
        assert resumed.times == kept
        assert len(resumed.record) == (0 if kept is None else len(kept.played))
        going_on = resumed.reopen()
        going_on.write(record(*LINE), sheet(len(LINE), 9))
        going_on.close()
        assert Resumed(path).times == sheet(len(LINE), 9)


def test_a_match_that_is_moved_keeps_its_times(path: Path, tmp_path: Path) -> None:
    journal = begin(path)
    journal.write(record(*LINE), sheet(len(LINE)))
    journal.close()
    moved = Resumed(path).reopen(tmp_path / "other.jsonl")
    moved.save()
    moved.close()
    again = Resumed(tmp_path / "other.jsonl")
    assert (again.head.clock, again.times) == ("5m+3s", sheet(len(LINE)))


def test_a_journal_without_a_clock_is_as_it_always_was(path: Path) -> None:
    journal = begin(path, "")
    journal.write(record("C4C3"))
    journal.write(record("C4C3", "A1A2"))
    journal.close()
    head = HEAD | {"id": journal.head.id, "options": dict(DUEL.options)}
    lines = [
        json.dumps(head, separators=(",", ":")).encode(),
        b'{"keep":0,"add":[["move",0,"C4C3"]]}',
        b'{"keep":1,"add":[["move",1,"A1A2"]]}',
    ]
    assert path.read_bytes() == sealed(*lines)
    assert Resumed(path).times is None


def test_the_clock_is_chosen_before_anything_is_played(path: Path) -> None:
    journal = begin(path, "")
    name = journal.head.id
    journal.set_clock("30s/move")
    journal.save()
    resumed = Resumed(path)
    assert (resumed.head.clock, resumed.head.id) == ("30s/move", name)
    journal.set_clock("")
    journal.save()
    journal.close()
    assert "clock" not in json.loads(path.read_bytes().splitlines()[0])
    assert not list(path.parent.glob("match-*"))


def test_times_that_are_none_lose_no_move(path: Path) -> None:
    head = json.dumps(HEAD | {"version": 3, "clock": "10m"}).encode()
    path.write_bytes(
        sealed(
            head,
            b'{"keep": 0, "add": [["move", 0, "C4C3"]], "times": [[1, 2]], "clock": [1, 2]}',
            b'{"keep": 1, "add": [["move", 1, "A1A2"]], "times": [[1]], "clock": [1, 2]}',
        )
    )
    resumed = Resumed(path)
    assert (resumed.damaged, len(resumed.record), resumed.times) == (0, 2, None)


@pytest.mark.parametrize("clock", ["soon", 5, None])
def test_a_head_with_another_clock_is_refused(path: Path, clock: object) -> None:
    path.write_bytes(sealed(json.dumps(HEAD | {"version": 3, "clock": clock}).encode()))
    with pytest.raises(JournalError, match="line 1"):
        Resumed(path)


# ---- kill -9

PLAYER = """
import random, sys
from pathlib import Path
from engine.games import make
from engine.match import Match
from firmware_host.session.match_clock import SeatTime
from firmware_host.session.match_timer import TimeSheet
from firmware_host.session.record import entry_of
from firmware_host.storage.journal import Head, Journal, resume

path, rng = Path(sys.argv[1]), random.Random(sys.argv[2])
kept = resume(path)
game = make("robot-duel", {"try_rule": "none"})
journal = kept.reopen() if kept else Journal(path, Head(game, "square-reed", None, clock="9m"))
match = kept.matches[0] if kept else Match.begin(game)
now = kept.times.now[0].left if kept and kept.times else 540_000
print(len(match.steps()), now, flush=True)
played = list(kept.times.played) if kept and kept.times else []
while True:
    if rng.random() < 0.5:
        match = match.play(rng.choice(match.legal)) if match.legal else match.back(9)
        del played[len(match.steps()) :]
        played += [(SeatTime(now), SeatTime(7))] * (len(match.steps()) - len(played))
    now -= 1
    record = tuple(entry_of(step) for step in match.steps())
    journal.write(record, TimeSheet(tuple(played), (SeatTime(now), SeatTime(7))))
    print(len(record), now, flush=True)
"""


def test_what_was_confirmed_survives_kill_9(path: Path) -> None:
    confirmed = 540_000
    for seed in range(5):
        player = subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(path), str(seed)], stdout=subprocess.PIPE, text=True
        )
        assert player.stdout is not None
        resumed_at = int(player.stdout.readline().split()[1])
        # What was written but not yet confirmed may stand as well: one line at most.
        assert confirmed - 1 <= resumed_at <= confirmed
        said = [player.stdout.readline().split() for _ in range(7 + 6 * seed)]
        os.kill(player.pid, signal.SIGKILL)
        said += [line.split() for line in player.stdout.read().split("\n")[:-1]]
        assert player.wait() == -signal.SIGKILL
        player.stdout.close()
        confirmed = int(said[-1][1])
