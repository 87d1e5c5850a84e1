"""Whether anything piles up: `python -m benchmarks soak`.

A session for each game hears a million frames in all: hands that dither, a man that is nudged for
ever while another is held, and game after game, half of them with questions that nobody answers.
At every twentieth of the way all boards are played on until the men stand ready for a new match,
and hands rest for a minute. Then it is counted how many objects there are that Python's collector
knows of, how many blocks of memory these and all others need, how many lines of play are alive,
and how much memory the process holds, now and at most. The rules' memos, which empty themselves
when they are full, are counted and emptied before: the objects are those besides. It is flat if the
second half of the way needed no more than the first, a few hundredths aside.
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
from firmware_host.host.host import collect_rarely
from firmware_host.session.events import Event, Frame, NewMatch, Tick
from firmware_host.session.session import Session
from firmware_host.storage import recording
from tests.support.random_games import play_random

FRAMES: Final = 1_000_000
READ: Final = 20
"""So often it is counted on the way."""
SLACK: Final = 0.05
"""By what share the second half may need more than the first."""
PLIES: Final = 120
DITHERS: Final = 40
"""So many times hands lift a man or put it down, between two games."""
NUDGES: Final = 1000
RESTS: Final = 60.0
"""Seconds for which hands rest before it is counted."""


@dataclass(frozen=True)
class Kept:
    """What there is after so many frames."""

    frames: int
    objects: int
    """But for those that are remembered."""
    blocks: int
    """Of memory, for these and for what Python's collector does not know of."""
    lines: int
    """Of play, alive."""
    remembered: int
    """By the memos of the rules."""
    rss: int
    """What the process holds, in bytes."""
    peak: int
    """The most that it held so far."""


class Evening:
    """One session and the hands at its board."""

    def __init__(self, name: str) -> None:
        self._rng = Random(name)
        self.game: Any = make(name)
        self.sight = Sight(self.game, "presence")
        self.session = Session(self.game, self.sight, [Match.begin(self.game)])
        self._now = 0.0

    def frames(self) -> Iterator[bool]:
        """Let hands do one thing after the other for ever; yield after every frame, and whether all
        men stand ready for a new match.
        """
        while True:
            for answers in (0.6, 2.0), None:
                for events in self._dithering(), self._nudging(), self._playing(answers):
                    for event in chain(self._begun(), events):
                        self._now = event.at
                        self.session.handle(event)
                        if isinstance(event, Frame | NewMatch):
                            yield isinstance(event, NewMatch)

    def rest(self) -> None:
        """Let nothing happen until everything that waits has happened."""
        self._now += RESTS
        self.session.handle(Tick(self._now))

    def _begun(self) -> Iterator[Event]:
        """The men are set up for a new match."""
        yield Frame(self._now + 3.0, self.sight.readings(self.game.start()))
        yield NewMatch(self._now + 6.0)

    def _dithering(self) -> Iterator[Event]:
        """Men are lifted and put down anywhere."""
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
        """While one man is held, another is lifted and put back, on and on."""
        at, readings = self._now + 9.0, self.sight.readings(self.game.start())
        men = sorted(place for place in readings if place in self.sight.cells)
        held, nudged = self._rng.sample(men, 2)
        del readings[held]
        away: dict[Place, int] = {p: value for p, value in readings.items() if p != nudged}
        for number in range(NUDGES):
            at += self._rng.choice((0.02, 0.1, 0.4))
            yield Frame(at, dict(away if number % 2 else readings))

    def _playing(self, answers: tuple[float, float] | None) -> Iterator[Event]:
        """A random game is played."""
        recorded = play_random(self.game, self._rng, plies=PLIES, takebacks=0.05, answers=answers)
        lines = (recorded.header, *recorded.lines)
        data = "".join(json.dumps(line) + "\n" for line in lines).encode()
        began = self._now + 9.0
        for event in recording.parse(data).events():
            yield replace(event, at=began + event.at)


def soak(frames: int, names: Sequence[str] = NAMES) -> Iterator[Kept]:
    """Yield what there is at every twentieth of the way."""
    evenings = list(map(Evening, names))
    hands = [evening.frames() for evening in evenings]
    done = 0
    for reading in range(1, READ + 1):
        while done < frames * reading // READ:
            next(hands[done % len(hands)])
            done += 1
        for evening, way in zip(evenings, hands, strict=True):
            done += 1
            while not next(way):
                done += 1
            evening.rest()
        yield _counted(done)


def _counted(frames: int) -> Kept:
    rooms = [each for each in gc.get_objects() if isinstance(each, BoundedCache)]
    remembered = sum(map(len, rooms))
    for room in rooms:
        room.clear()
    gc.collect()
    objects = gc.get_objects()
    lines = sum(isinstance(each, History) for each in objects)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    known = len(objects)
    del rooms, objects
    blocks = sys.getallocatedblocks()
    return Kept(frames, known, blocks, lines, remembered, _held() or peak, peak)


def _held() -> int:
    """Return the bytes that the process holds; 0 where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_text().split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def is_flat(kept: Sequence[Kept]) -> bool:
    """Whether the second half of the way needed no more than the first. How many objects there are
    depends a little on the games just played: of the last quarter of the counts and of those of the
    first half the middle ones are compared, and so are the blocks.
    """
    half, last = len(kept) // 2, -(len(kept) // 4)

    def usual(part: Sequence[Kept]) -> tuple[float, ...]:
        return median(each.objects for each in part), median(each.blocks for each in part)

    def most(part: Sequence[Kept]) -> tuple[int, ...]:
        return (
            max(each.lines for each in part),
            max(each.rss for each in part),
            max(each.peak for each in part),
        )

    first = (*usual(kept[:half]), *most(kept[:half]))
    second = (*usual(kept[last:]), *most(kept[half:]))
    return all(later <= sooner * (1 + SLACK) for sooner, later in zip(first, second, strict=True))


def main(argv: Sequence[str] | None = None) -> int:
    """Print what is kept on the way; 1 if it grows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks soak", description=__doc__)
    parser.add_argument(
        "--frames", type=int, default=FRAMES, metavar="N", help=f"in all ({FRAMES})"
    )
    frames = parser.parse_args(argv).frames
    collect_rarely()
    began, kept = monotonic(), []
    print("   frames     objects      blocks  lines of play  remembered    memory    at most")
    for each in soak(frames):
        kept.append(each)
        print(
            f"{each.frames:9}  {si(each.objects):>10}  {si(each.blocks):>10}  {each.lines:>13}"
            f"  {si(each.remembered):>10}  {each.rss / 1e6:5.1f} MB  {each.peak / 1e6:6.1f} MB",
            flush=True,
        )
    flat = is_flat(kept)
    print(f"{'flat' if flat else 'GROWS'}; {monotonic() - began:.0f} s")
    return int(not flat)


if __name__ == "__main__":
    sys.exit(main())
