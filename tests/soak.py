"""Check that memory does not grow: `python -m tests.soak`.

A session of each game takes a million frames in all: hands that dither, a piece that is nudged
again and again while another is held, and game after game, half of them with questions that nobody
answers. Twenty times on the way all boards are played until the pieces stand ready for a new match,
and hands rest for a minute. Then the run counts the objects that Python's collector knows, the
blocks of memory of all objects, the histories alive, and the memory that the process holds, now and
at most. The caches of the rules, which empty themselves when they are full, are counted and emptied
first. The result is flat if the second half needed no more than the first, within a few percent.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic
from typing import Any, Final

from benchmarks.timing import si
from engine.cache import BoundedCache
from engine.game import Place
from engine.games import NAMES, make
from engine.match import Match
from engine.reading.footprints import Sight
from engine.reading.history import History
from firmware_host.host.process import collect_rarely
from firmware_host.session.events import Event, Frame, NewMatch, Tick
from firmware_host.session.session import Session
from firmware_host.storage import recording
from tests.support.random_games import play_random

FRAMES: Final = 1_000_000
COUNTS: Final = 20
SLACK: Final = 0.05
"""The share by which the second half may need more than the first."""
PLIES: Final = 120
DITHERS: Final = 40
"""The number of times that hands lift or put down a piece between two games."""
NUDGES: Final = 1000
REST_S: Final = 60.0
"""Hands rest for this time before each count."""


@dataclass(frozen=True)
class MemoryCount:
    """What is alive after a number of frames."""

    frames: int
    objects: int
    """The objects that Python's collector knows, without the cached ones."""
    blocks: int
    """The blocks of memory of all objects."""
    histories: int
    cached: int
    """The entries in the caches of the rules."""
    rss: int
    """The bytes that the process holds."""
    peak: int
    """The most bytes that it has held so far."""


class SoakBoard:
    """One session and the hands at its board."""

    def __init__(self, name: str) -> None:
        self._rng = Random(name)
        self.game: Any = make(name)
        self.sight = Sight(self.game, "presence")
        self.session = Session(self.game, self.sight, [Match.begin(self.game)])
        self._now = 0.0

    def frames(self) -> Iterator[bool]:
        """Let hands do one thing after the other for ever.

        Yield after every frame whether all pieces stand ready for a new match.
        """
        while True:
            for answers in (0.6, 2.0), None:
                for events in self._dithering(), self._nudging(), self._playing(answers):
                    for event in chain(self._set_up(), events):
                        self._now = event.at
                        self.session.handle(event)
                        if isinstance(event, Frame | NewMatch):
                            yield isinstance(event, NewMatch)

    def rest(self) -> None:
        """Let time pass until everything that was due has happened."""
        self._now += REST_S
        self.session.handle(Tick(self._now))

    def _set_up(self) -> Iterator[Event]:
        """Set the pieces up for a new match."""
        yield Frame(self._now + 3.0, self.sight.readings(self.game.start()))
        yield NewMatch(self._now + 6.0)

    def _dithering(self) -> Iterator[Event]:
        """Lift pieces and put them down anywhere."""
        at, readings = self._now + 9.0, self.sight.readings(self.game.start())
        held: list[int] = []
        for _ in range(DITHERS):
            at += self._rng.choice((0.01, 0.06, 0.3, 2.0))
            place = self._rng.choice(self.game.cells())
            if place in readings and len(held) < 4:
                held.append(readings.pop(place))
            elif place not in readings and held:
                readings[place] = held.pop()
            yield Frame(at, dict(readings))

    def _nudging(self) -> Iterator[Event]:
        """Hold one piece, and lift and put back another again and again."""
        at, readings = self._now + 9.0, self.sight.readings(self.game.start())
        occupied = sorted(place for place in readings if place in self.sight.cells)
        held, nudged = self._rng.sample(occupied, 2)
        del readings[held]
        away: dict[Place, int] = {p: value for p, value in readings.items() if p != nudged}
        for number in range(NUDGES):
            at += self._rng.choice((0.02, 0.1, 0.4))
            yield Frame(at, dict(away if number % 2 else readings))

    def _playing(self, answers: tuple[float, float] | None) -> Iterator[Event]:
        """Play a random game."""
        recorded = play_random(self.game, self._rng, plies=PLIES, takebacks=0.05, answers=answers)
        lines = (recorded.header, *recorded.lines)
        data = "".join(json.dumps(line) + "\n" for line in lines).encode()
        began = self._now + 9.0
        for event in recording.parse(data).events():
            yield replace(event, at=began + event.at)


def soak(frames: int, names: Sequence[str] = NAMES) -> Iterator[MemoryCount]:
    """Yield the counts on the way."""
    boards = list(map(SoakBoard, names))
    hands = [board.frames() for board in boards]
    done = 0
    for count in range(1, COUNTS + 1):
        while done < frames * count // COUNTS:
            next(hands[done % len(hands)])
            done += 1
        for board, playing in zip(boards, hands, strict=True):
            done += 1
            while not next(playing):
                done += 1
            board.rest()
        yield _count(done)


def _count(frames: int) -> MemoryCount:
    caches = [each for each in gc.get_objects() if isinstance(each, BoundedCache)]
    cached = sum(map(len, caches))
    for cache in caches:
        cache.clear()
    gc.collect()
    objects = gc.get_objects()
    histories = sum(isinstance(each, History) for each in objects)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    known = len(objects)
    del caches, objects
    blocks = sys.getallocatedblocks()
    return MemoryCount(frames, known, blocks, histories, cached, _rss() or peak, peak)


def _rss() -> int:
    """Return the bytes that the process holds; 0 where the system does not say."""
    try:
        pages = Path("/proc/self/statm").read_text().split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def is_flat(counts: Sequence[MemoryCount]) -> bool:
    """Whether the second half needed no more than the first.

    The numbers of objects and blocks depend a little on the games just played, so the medians of
    the first half and of the last quarter are compared.
    """
    half, last = len(counts) // 2, -(len(counts) // 4)

    def usual(part: Sequence[MemoryCount]) -> tuple[float, ...]:
        return median(each.objects for each in part), median(each.blocks for each in part)

    def most(part: Sequence[MemoryCount]) -> tuple[int, ...]:
        return (
            max(each.histories for each in part),
            max(each.rss for each in part),
            max(each.peak for each in part),
        )

    first = (*usual(counts[:half]), *most(counts[:half]))
    second = (*usual(counts[last:]), *most(counts[half:]))
    return all(later <= sooner * (1 + SLACK) for sooner, later in zip(first, second, strict=True))


def main(argv: Sequence[str] | None = None) -> int:
    """Print the counts on the way; return 1 if memory grows."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument(
        "--frames", type=int, default=FRAMES, metavar="N", help=f"in all ({FRAMES})"
    )
    frames = parser.parse_args(argv).frames
    collect_rarely()
    began, counts = monotonic(), list[MemoryCount]()
    print("   frames     objects      blocks  histories      cached    memory    at most")
    for each in soak(frames):
        counts.append(each)
        print(
            f"{each.frames:9}  {si(each.objects):>10}  {si(each.blocks):>10}  {each.histories:>9}"
            f"  {si(each.cached):>10}  {each.rss / 1e6:5.1f} MB  {each.peak / 1e6:6.1f} MB",
            flush=True,
        )
    flat = is_flat(counts)
    print(f"{'flat' if flat else 'GROWS'}; {monotonic() - began:.0f} s")
    return int(not flat)


if __name__ == "__main__":
    sys.exit(main())
