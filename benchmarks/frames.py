"""Measure the CPU time of reading one changed frame: `python -m benchmarks frames`.

Hands play random games, with takebacks, and some moves from positions with more moves than any game
will show. People answer questions after 0.9 s by what was played, so that each move is right or
wrong in the end. Restless hands lift pieces and put them down anywhere, which no play explains. The
session is called as the loop calls it: with every frame, and at every deadline. The cost of a frame
*in all* is its own call and all calls until the next frame; *one call* is how long lights and
people wait. Every call is made twice, in two sessions with the same events, and the smaller CPU
time counts. Nothing is drawn; `python -m benchmarks path` measures the whole path.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Final

from benchmarks.pages import made_by, written
from benchmarks.play_cost import (
    FATES,
    LONGEST_CALL_S,
    Cost,
    Ledger,
    TimedSessions,
    played,
    share_of,
)
from benchmarks.reading_games import TAKEBACK_SHARE, BenchmarkBoard
from benchmarks.reading_judge import percent
from benchmarks.timing import si
from engine.game import Place
from engine.games import NAMES, make
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.host.process import collect_rarely
from firmware_host.session.events import Event, Frame, Tick
from firmware_host.session.session import Session
from tests.support.random_games import play_random

SENSINGS: Final = ("polarity", "presence")
GAMES: Final = 20
PLIES: Final = 60
HEAVY: Final = {
    "shogi, 593 moves": ("shogi", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"),
    "robotory, full board": ("robotory", "wbwbwbWbwbwbBwbwbRwbwbwb/1w1b:0w1b 1w1b l"),
}
ROWS: Final = (*NAMES, *HEAVY)
HEAVY_GAMES: Final = 6
HEAVY_PLIES: Final = 6
RESTLESS: Final = 200
"""The number of times that restless hands lift or put down something."""
RESTS_S: Final = 10.0
"""The time for which everything rests after them."""


def fumbled(game: Any, position: Any, sensing: str, rng: Random) -> Cost:
    """Return the cost of restless hands."""
    sight, ledger = Sight(game, sensing), Ledger()
    two = [Session(game, sight, [Match.begin(game, position)]) for _ in range(2)]
    sessions = TimedSessions(two, ledger)
    for event in restless(game, sight.readings(position), rng):
        _pass_time(sessions, event.at)
        sessions.handle(event)
    _pass_time(sessions, sessions.session.now + RESTS_S)
    return ledger.cost


def _pass_time(sessions: TimedSessions, until: float) -> None:
    while (due := sessions.deadline) is not None and due < until:
        sessions.handle(Tick(due))


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


def rows(names: Sequence[str], games: int) -> Iterator[tuple[str, str, str, Cost]]:
    """Yield game, sensing, hands and cost of every row."""
    ordinary = [(name, make(name), None) for name in NAMES]
    heavy = []
    for row, (name, text) in HEAVY.items():
        game = make(name)
        heavy.append((row, game, game.parse_position(text)))
    for row, game, position in (*ordinary, *heavy):
        for sensing in SENSINGS if row in names else ():
            yield row, sensing, "play", _played(game, sensing, position, games)
            start = game.start() if position is None else position
            yield row, sensing, "restless", fumbled(game, start, sensing, Random(game.name))


def _played(game: Any, sensing: str, position: Any, games: int) -> Cost:
    """Return the cost of random games, or of a few plies from a position."""
    spent, sight = Cost(), Sight(game, sensing)
    period = BenchmarkBoard(game.name, sensing, trays=True).look()
    for seed in range(games if position is None else HEAVY_GAMES):
        recorded = play_random(
            game,
            Random(seed),
            sensing,
            plies=PLIES if position is None else HEAVY_PLIES,
            position=position,
            takebacks=TAKEBACK_SHARE,
            answers=None,
            period=period,
        )
        spent += played(recorded, game, sight, game.start() if position is None else position)
    return spent


HEADINGS: Final = (
    "game", "sensing", "hands", "right", "wrong", "open", "frames", "in all: mean", "99 %", "worst",
    "calls", "within 5 ms, %", "one call: 99 %", "worst",
)  # fmt: skip


def table(names: Sequence[str], games: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"| {' | '.join(HEADINGS)} |"
    yield "|---|---|---|" + "---:|" * (len(HEADINGS) - 3)
    for game, sensing, hands, spent in rows(names, games):
        gc.collect()
        fates = [*map(str, spent.fates.values())] if hands == "play" else ["–"] * len(FATES)
        frames, calls = [each.in_all for each in spent.frames], spent.calls
        short = sum(each <= LONGEST_CALL_S for each in calls)
        cells = [game, sensing, hands, *fates, si(len(frames)), _us(fmean(frames))]
        cells += [*(_us(share_of(frames, share)) for share in (0.99, 1.0)), si(len(calls))]
        cells += [percent(short, len(calls))]
        cells += [_us(share_of(calls, share)) for share in (0.99, 1.0)]
        yield f"| {' | '.join(cells)} |"


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.0f}"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table, or write it into a page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks frames", description=__doc__)
    parser.add_argument(
        "--games", type=int, default=GAMES, metavar="N", help=f"random games of each kind ({GAMES})"
    )
    parser.add_argument("--rows", nargs="+", default=ROWS, choices=ROWS, help="only these games")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="into this page's marked part")
    arguments = parser.parse_args(argv)
    collect_rarely()
    given = f" --games {arguments.games}" if arguments.games != GAMES else ""
    lines = [made_by(f"benchmarks frames{given}") + "\n"]
    print(lines[0])
    for line in table(arguments.rows, arguments.games):
        print(line, flush=True)
        lines.append(line)
    if arguments.write:
        page = arguments.write.read_text(encoding="utf-8")
        text = "\n".join(lines) + "\n"
        arguments.write.write_text(written(page, "cpu", text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
