"""Measure how soon the analysis process stops and answers, and its memory:
`python -m benchmarks analysis`.

* Stops: the processor time from the arrival of another message until the task is given up, so that
  other processes do not count. The message arrives at a random time.
* Lifted pieces: the number of moves with a grade after one second; they are shown at once.
* At the board, in real time: how soon the moves of a lifted piece show their grades, and how late
  the sensors are polled meanwhile. The board has stood for more than a second before each lift. The
  position is from the middle of a game. `--busy 1` keeps another core busy.
* Memory: the most that the process holds, for each game.
* With the table of Robot Duel (`--state`): the time of the first answer, which has the outcome of
  every move.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, process_time, sleep
from typing import Any, Final

from benchmarks.search import positions
from engine.games import NAMES, make
from engine.match import Match
from engine.reading.verdict import Underway
from engine.search import search
from engine.search.opponents import LEVELS
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.lights.threats import ALL_DANGERS
from firmware_host.opponents.protocol import task, write
from firmware_host.opponents.worker import Inbox, Worker
from firmware_host.session.events import Assist
from firmware_host.storage.tablebase import book_of
from hardware.machine import SensorFrame

POSITIONS: Final = 4
LATEST_STOP_S: Final = 0.1
"""A stop comes within this time."""
LATE_S: Final = 0.02
LAYOUTS: Final = {"robotory": "hex-reed", "abalone": "hex-reed"}
USUAL_LAYOUT: Final = "square-reed"
STOOD_S: Final = 1.2
"""The board stands for this time before a piece is lifted."""
HELD_S: Final = 0.7
"""The piece is in the hand for this time."""


class TimedInbox(Inbox):
    """An inbox in which another message waits from some processor time on."""

    def __init__(self) -> None:
        super().__init__(-1)
        self.when = float("inf")

    @property
    def waiting(self) -> bool:
        """Whether that time has come."""
        return process_time() >= self.when


def spread(times: Sequence[float]) -> str:
    """Return the median, the 95th percentile and the maximum, in milliseconds."""
    ordered = sorted(times)
    middle, most = median(ordered) * 1e3, ordered[-1] * 1e3
    late = sum(time > LATE_S for time in times)
    return (
        f"median {middle:.1f}, 95 % {_percentile_95(ordered):.1f}, most {most:.1f} ms"
        f"; {late} of {len(times)} over {LATE_S * 1e3:.0f} ms"
    )


def _percentile_95(ordered: Sequence[float]) -> float:
    return ordered[int(0.95 * (len(ordered) - 1))] * 1e3


def stops(name: str, matches: Sequence[Match], count: int, level: str) -> None:
    """Print how soon the process stops."""
    chance, late = Random(5), []
    inbox = TimedInbox()
    worker = Worker(inbox)
    for number in range(count):
        wanted = task(number, matches[number % len(matches)], level=level, seed=number)
        inbox.when = process_time() + chance.uniform(0.0, LATEST_STOP_S)
        for _ in worker.answers(wanted):
            if process_time() >= inbox.when:
                break
        # a task that was done before the message arrived has no delay
        if (now := process_time()) >= inbox.when:
            late.append(now - inbox.when)
    what = level or "judging"
    delays = spread(late) if late else "each task was done before"
    print(f"{name:11} {what:11} {len(late)} stops: {delays}", flush=True)


def graded(name: str, matches: Sequence[Match]) -> None:
    """Print the number of moves with a grade after a second."""
    known = every = 0
    for match in matches:
        inbox = TimedInbox()
        inbox.when = process_time() + 1.0
        answers = list(Worker(inbox).answers(task(1, match)))
        every += len(match.legal)
        known += len(answers[-1].moves) if answers else 0
    print(f"{name:11} graded after 1 s: {known} of {every} moves", flush=True)


def memory(name: str, match: Match) -> None:
    """Print the most memory that an analysis process holds."""
    command = [sys.executable, "-m", "firmware_host.opponents.worker"]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(write(task(1, match)) + b"\n")
    child.stdin.flush()
    sleep(8)
    status = Path(f"/proc/{child.pid}/status").read_text()
    words = status.replace(":", "").split()
    peak, data = (int(words[words.index(key) + 1]) / 1024 for key in ("VmHWM", "VmData"))
    print(f"{name:11} held {peak:.0f} MB at most, data {data:.0f} MB")
    child.stdin.close()
    child.wait()


def with_table(state: str, count: int) -> None:
    """Print the time until the outcome of every move is known."""
    game, times = make("robot-duel"), []
    book = book_of(game, Path(state))
    for match in positions(game, count):
        began = process_time()
        result = search(game, match.position, stop=lambda: True, book=book)
        times.append(process_time() - began)
        if any(each.plies is None for each in result.moves):
            print(f"not all known: {game.position_text(match.position)}")
    print(f"robot-duel  outcome of all moves, {len(times)} positions: {spread(times)}")


# ---- at the board


class TimedHost:
    """A host that notes when it polls its board, and when grades are to be seen."""

    def __init__(self, name: str, match: Match, state: Path) -> None:
        self.host = SimulatedHost(state)
        self.host.open(Start(name, {}, LAYOUTS.get(name, USUAL_LAYOUT)))
        self.host.assemble(match.game, self.host.layout, [match], as_it_lies=False)
        self.late: list[float] = []
        self.felt: float | None = None
        """When the reader knew of the lift."""
        self.graded: float | None = None
        backend, opponents = self.host._backend, self.host.opponents
        frames, look = backend.frames, opponents.look

        def timed_frames(now: float, called: bool) -> Iterable[SensorFrame]:
            due = backend.due
            if not called and due and now >= due:
                self.late.append(now - due)
            return frames(now, called)

        def timed_look(board: object, now: float) -> float | None:
            if self.felt is None and isinstance(
                self.host.controller.session.view.verdict, Underway
            ):
                self.felt = monotonic()
            due = look(self.host.controller, now)
            if self.graded is None and self.host.controller.advice.grades:
                self.graded = monotonic()
            return due

        backend.frames = timed_frames  # type: ignore[method-assign]
        opponents.look = timed_look  # type: ignore[method-assign]

    async def lifts(self, count: int) -> list[tuple[float, float]]:
        """Lift pieces, one after the other; return the delays of their grades.

        They count from the lift, and from when the lift was felt.
        """
        host, chance, times = self.host, Random(3), list[tuple[float, float]]()
        running = asyncio.create_task(host.run())
        await asyncio.sleep(0.5)
        host.post(Assist(host.now(), ALL_DANGERS, host.controller.session.view.match.turn))
        await asyncio.sleep(2.0)  # the analysis process starts
        match = host.controller.session.view.match
        starts = sorted({place for move in match.legal for place in _lifted_from(match, move)})
        self.late.clear()
        for _ in range(count):
            await asyncio.sleep(STOOD_S)
            place = host.table.place(chance.choice(starts))
            piece = host.table.at(place)[-1]
            self.felt, self.graded, began = None, None, monotonic()
            held = host.table.lift(piece.number, "hand")
            await asyncio.sleep(HELD_S)
            seen = self.graded or float("inf")
            times.append((seen - began, seen - (self.felt or began)))
            host.table.put(held.number, place, "hand")
        running.cancel()
        host.close()
        return times


def _lifted_from(match: Match, move: Any) -> list[str]:
    """Return the cells from which a move carries pieces to other cells."""
    pieces = match.game.pieces(match.position)
    changed = match.game.changes(match.position, move)
    return [
        place
        for place in match.game.cells()
        if place in pieces
        and changed.get(place, pieces[place]) is None
        and pieces[place] in changed.values()
    ]


def at_the_board(name: str, match: Match, count: int) -> None:
    """Print how soon lifted pieces show their grades, and how late the board is polled."""
    with TemporaryDirectory() as state:
        timed = TimedHost(name, match, Path(state))
        times = asyncio.run(timed.lifts(count))
        late = sorted(timed.late)
    after_lift, after_felt = (sorted(time[which] for time in times) for which in (0, 1))
    for what, found in ("after the lift", after_lift), ("after it was felt", after_felt):
        print(
            f"{name:11} grades of {count} lifted pieces {what}: median {median(found) * 1e3:.0f} ms"
            f", 95 % {_percentile_95(found):.0f}, most {found[-1] * 1e3:.0f}"
        )
    print(
        f"{name:11} {len(late)} polls meanwhile, late by {median(late) * 1e3:.1f} ms (median), "
        f"95 % {_percentile_95(late):.1f}",
        flush=True,
    )


@contextmanager
def busy_cores(count: int) -> Iterator[None]:
    """Keep cores busy with processes that do nothing useful."""
    command = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for each in others:
            each.kill()
            each.wait()


def main(arguments: Sequence[str]) -> int:
    """Print all figures."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks analysis",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", choices=NAMES, action="append", help="only this one")
    parser.add_argument("--stops", type=int, default=200, metavar="N", help="a game (200)")
    parser.add_argument("--lifts", type=int, default=20, metavar="N", help="a game (20)")
    parser.add_argument("--busy", type=int, default=0, metavar="N", help="N cores are busy (0)")
    parser.add_argument("--only-lifts", action="store_true", help="measure only lifted pieces")
    parser.add_argument("--state", metavar="DIR", help="only with the table of Robot Duel there")
    chosen = parser.parse_args(arguments)
    if chosen.state:
        with_table(chosen.state, chosen.stops)
        return 0
    with busy_cores(chosen.busy):
        for name in chosen.game or NAMES:
            measure(name, chosen)
    return 0


def measure(name: str, chosen: argparse.Namespace) -> None:
    """Print the figures of one game."""
    matches = list(positions(make(name), POSITIONS))
    if not chosen.only_lifts:
        for level in ("", LEVELS[-1].name):
            stops(name, matches, chosen.stops, level)
        graded(name, matches)
        memory(name, matches[0])
    at_the_board(name, matches[-1], chosen.lifts)
