"""Measure the CPU time of reading one changed frame: `python -m benchmarks frames`.

Hands play random games, and some moves from positions with more moves than any game will show.
Restless hands lift pieces and put them down anywhere, which no play explains. The session is called
as the loop calls it: with every frame, and at every deadline. The cost of a frame *in all* is its
own call and all calls until the next frame; *one call* is how long lights and people wait. Every
call is made twice, in two sessions with the same events, and the smaller CPU time counts.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final

from benchmarks.pages import made_by, written
from benchmarks.timing import si
from engine.game import Place
from engine.games import NAMES, make
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.host.host import collect_rarely
from firmware_host.session.events import Event, Frame, Tick
from firmware_host.session.session import Session
from firmware_host.storage import recording
from tests.support.random_games import play_random

SENSINGS: Final = ("polarity", "presence")
GAMES: Final = 20
PLIES: Final = 60
HEAVY: Final = {
    "shogi, 593 moves": ("shogi", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"),
    "robotory, full board": ("robotory", "wbwbwbWbwbwbBwbwbRwbwbwb/1w1b:0w1b 1w1b l"),
}
HEAVY_GAMES: Final = 6
HEAVY_PLIES: Final = 6
RESTLESS: Final = 200
"""The number of times that restless hands lift or put down something."""


@dataclass
class Cost:
    """CPU seconds."""

    frames: list[float] = field(default_factory=list)
    """Each frame in all."""
    calls: list[float] = field(default_factory=list)

    def __iadd__(self, other: Cost) -> Cost:
        self.frames += other.frames
        self.calls += other.calls
        return self


def cost(sessions: Sequence[Session], events: Iterable[Event]) -> Cost:
    """Feed the events to equal sessions; return the cost in one of them."""
    spent = Cost()

    def call(event: Event) -> None:
        times = []
        for session in sessions:
            began = process_time()
            session.handle(event)
            times.append(process_time() - began)
        if isinstance(event, Frame):
            spent.frames.append(0.0)
        spent.calls.append(min(times))
        if spent.frames:
            spent.frames[-1] += min(times)

    first = sessions[0]
    for event in events:
        while (due := first.deadline) is not None and due < event.at:
            call(Tick(due))
        call(event)
    end = first.now + 10.0
    while (due := first.deadline) is not None and due < end:
        call(Tick(due))
    return spent


def played(recorded: Any) -> Cost:
    """Return the cost of a recording."""
    lines = (recorded.header, *recorded.lines)
    heard = recording.parse("".join(json.dumps(line) + "\n" for line in lines).encode())
    game, position = heard.header.game, heard.header.position
    two = [Session(game, heard.header.sight(), [Match.begin(game, position)]) for _ in range(2)]
    return cost(two, heard.events())


def fumbled(game: Any, position: Any, sensing: str, rng: Random) -> Cost:
    """Return the cost of restless hands."""
    sight = Sight(game, sensing)
    two = [Session(game, sight, [Match.begin(game, position)]) for _ in range(2)]
    return cost(two, restless(game, sight.readings(position), rng))


def restless(
    game: Any, readings: dict[Place, int], rng: Random, times: int = RESTLESS
) -> Iterator[Event]:
    """Yield the frames of hands that lift pieces and put them down anywhere."""
    at, held = 0.0, list[int]()
    yield Frame(at, dict(readings))
    cells = game.cells()
    for _ in range(times):
        at += rng.choice((0.01, 0.06, 0.12, 0.3, 0.5, 2.0))
        place = rng.choice(cells)
        if place in readings and len(held) < 6:
            held.append(readings.pop(place))
        elif place not in readings and held:
            readings[place] = held.pop(rng.randrange(len(held)))
        yield Frame(at, dict(readings))


def rows(games: int) -> Iterator[tuple[str, str, str, Cost]]:
    """Yield game, sensing, hands and cost of every row."""
    for name in NAMES:
        game = make(name)
        for sensing in SENSINGS:
            spent = Cost()
            for seed in range(games):
                spent += played(play_random(game, Random(seed), sensing, plies=PLIES))
            yield name, sensing, "play", spent
            yield name, sensing, "restless", fumbled(game, game.start(), sensing, Random(name))
    for row, (name, text) in HEAVY.items():
        game = make(name)
        position = game.parse_position(text)
        for sensing in SENSINGS:
            spent = Cost()
            for seed in range(HEAVY_GAMES):
                recorded = play_random(
                    game, Random(seed), sensing, plies=HEAVY_PLIES, position=position
                )
                spent += played(recorded)
            yield row, sensing, "play", spent
            yield row, sensing, "restless", fumbled(game, position, sensing, Random(name))


def table(games: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield (
        "| game | sensing | hands | frames | in all: median | 99 % | worst "
        "| calls | one call: 99 % | worst |"
    )
    yield "|---|---|---|---:|---:|---:|---:|---:|---:|---:|"
    for game, sensing, hands, spent in rows(games):
        gc.collect()
        frames, calls = sorted(spent.frames), sorted(spent.calls)
        cells = [game, sensing, hands, si(len(frames))]
        cells += [_us(_share(frames, share)) for share in (0.5, 0.99, 1.0)]
        cells += [si(len(calls)), *(_us(_share(calls, share)) for share in (0.99, 1.0))]
        yield f"| {' | '.join(cells)} |"


def _share(times: Sequence[float], share: float) -> float:
    return times[int(share * (len(times) - 1))]


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.0f}"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table, or write it into a page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks frames", description=__doc__)
    parser.add_argument(
        "--games", type=int, default=GAMES, metavar="N", help=f"random games of each kind ({GAMES})"
    )
    parser.add_argument("--write", type=Path, metavar="PAGE", help="into this page's marked part")
    arguments = parser.parse_args(argv)
    collect_rarely()
    given = f" --games {arguments.games}" if arguments.games != GAMES else ""
    lines = [made_by(f"benchmarks frames{given}") + "\n"]
    print(lines[0])
    for line in table(arguments.games):
        print(line, flush=True)
        lines.append(line)
    if arguments.write:
        page = arguments.write.read_text(encoding="utf-8")
        text = "\n".join(lines) + "\n"
        arguments.write.write_text(written(page, "cpu", text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
