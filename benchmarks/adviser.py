"""How soon the adviser stops and answers, and what it holds: `python -m benchmarks adviser`.

Stops: from the moment when another line waits until the task is given up, in processor time of the
process that searches, so that others on the machine do not count; the moment is chosen by chance.
Lifted men: how many moves are graded by what is known after a second, which is shown at once. At
the board, by the clock on the wall: how soon a lifted man's moves show their grades, and how late
the sensors are looked at meanwhile. Memory: the most that the adviser's own process held of each
game. With a table of Robot Duel (`--state`), how long the first answer takes, which says the
outcome of every move.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median
from time import process_time, sleep
from typing import Final

from benchmarks import at_the_board
from benchmarks.search import positions
from engine.games import NAMES, make
from engine.match import Match
from engine.search import search
from engine.search.opponents import LEVELS
from firmware_host.opponents.protocol import task, write
from firmware_host.opponents.worker import Inbox, Worker
from firmware_host.storage.tablebase import book_of

POSITIONS: Final = 4
LONGEST: Final = 0.1
"""Stops come within so many seconds."""


class Told(Inbox):
    """An inbox in which another line waits from some moment of processor time on."""

    def __init__(self) -> None:
        super().__init__(-1)
        self.when = float("inf")

    @property
    def waiting(self) -> bool:
        """Whether it is that late."""
        return process_time() >= self.when


def spread(times: Sequence[float]) -> str:
    """Return the median, 95 % and the most, in milliseconds."""
    ordered = sorted(times)
    most = ordered[-1], ordered[int(0.95 * (len(ordered) - 1))], median(ordered)
    late = sum(time > 0.02 for time in times)
    return f"median {most[2] * 1e3:.1f}, 95 % {most[1] * 1e3:.1f}, most {most[0] * 1e3:.1f} ms" + (
        f"; {late} of {len(times)} over 20 ms"
    )


def stops(name: str, matches: Sequence[Match], count: int, level: str) -> None:
    """Print how soon the process stops."""
    chance, late = Random(5), []
    inbox = Told()
    worker = Worker(inbox)
    for number in range(count):
        wanted = task(number, matches[number % len(matches)], level=level, seed=number)
        inbox.when = process_time() + chance.uniform(0.0, LONGEST)
        for _ in worker.answers(wanted):
            if process_time() >= inbox.when:
                break
        # what was done before the moment came is no delay
        if (now := process_time()) >= inbox.when:
            late.append(now - inbox.when)
    what = level or "judging"
    told = spread(late) if late else "it was done before"
    print(f"{name:11} {what:11} {len(late)} stops: {told}", flush=True)


def lifted(name: str, matches: Sequence[Match]) -> None:
    """Print of how many moves a grade is known after a second."""
    known = every = 0
    for match in matches:
        inbox = Told()
        inbox.when = process_time() + 1.0
        answers = list(Worker(inbox).answers(task(1, match)))
        every += len(match.legal)
        known += len(answers[-1].moves) if answers else 0
    print(f"{name:11} graded after 1 s: {known} of {every} moves", flush=True)


def memory(name: str, match: Match) -> None:
    """Print the most that a process of its own holds after all its rounds."""
    command = [sys.executable, "-m", "firmware_host.opponents.worker"]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(write(task(1, match)) + b"\n")
    child.stdin.flush()
    status = Path(f"/proc/{child.pid}/status")
    sleep(8)
    text = status.read_text().split("VmHWM:")[1].split()[0]
    data = status.read_text().split("VmData:")[1].split()[0]
    print(f"{name:11} held {int(text) / 1024:.0f} MB at most, data {int(data) / 1024:.0f} MB")
    child.stdin.close()
    child.wait()


def with_table(state: str, count: int) -> None:
    """Print how long it takes until the outcome of every move is known."""
    game, times = make("robot-duel"), []
    book = book_of(game, Path(state))
    for match in positions(game, count):
        began = process_time()
        result = search(game, match.position, stop=lambda: True, book=book)
        times.append(process_time() - began)
        if any(each.plies is None for each in result.moves):
            print(f"not all known: {game.position_text(match.position)}")
    print(f"robot-duel  outcome of all moves, {len(times)} positions: {spread(times)}")


def main(arguments: Sequence[str]) -> int:
    """Print all figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks adviser", description=__doc__)
    parser.add_argument("--game", choices=NAMES, action="append", help="this one only")
    parser.add_argument("--stops", type=int, default=200, metavar="N", help="a game (200)")
    parser.add_argument("--lifts", type=int, default=20, metavar="N", help="a game (20)")
    parser.add_argument("--state", metavar="DIR", help="with the table of Robot Duel there, only")
    chosen = parser.parse_args(arguments)
    if chosen.state:
        with_table(chosen.state, chosen.stops)
        return 0
    for name in chosen.game or NAMES:
        matches = list(positions(make(name), POSITIONS))
        for level in ("", LEVELS[-1].name):
            stops(name, matches, chosen.stops, level)
        lifted(name, matches)
        if len(make(name).seats) == 2:  # dice are to be thrown first elsewhere
            at_the_board.measure(name, chosen.lifts)
        memory(name, matches[0])
    return 0
