"""Whether faults on the wires end a game, put a wrong move on the record, or are told wrongly:
`python -m tests.faults`.

Simulated hands play games on simulated boards, under the program's own loop, in the time of the
wires, and faults are drawn by seed: a chip that does not acknowledge, or is missing, or silent, or
was reset, a contact that bounces, a line of the bus that is held, a transfer that hangs or arrives
with bits flipped, an INT wire that is cut or held, a cut wire of a Hall sensor that floats or not,
all chips that lose their supply, a chain of lights that is cut or cannot be sent to. Runs:

`each`: all of them, one after the other, and each must be told once, and once that it is over;
`transient`: those that are over soon, so many on each board;
`many`: chips that are missing, silent or reset and lines that are held, some at a time, for long;
`unseen` (only if asked for): rows and men that seem to be lifted, as `each`;
`gaps`: the bus hangs for 1, 2, 3 and 5 seconds while hands play on, which nobody sees;
`hangs`: the same in real time, with the real thread and the real server, and a page that asks how
things are.

People answer what they are asked, and say which move they made if it is not read in time; if that
is of no use they put the men back and make another. A move is *wrong* that was not played, if it is
on the record at the end or for three seconds, and nothing is asked, nobody is told that men stand
wrong, and all places are seen: no chip is said to be out of reach. It is *misread*, and not counted
as wrong, if the same hands and the same words leave it wrong on whole wires, too. A game is
*stopped* if play cannot go on, unless it is at a misread move.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import resource
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random
from time import perf_counter, process_time
from typing import Final

from benchmarks.pages import made_by
from firmware_host.host.host import collect_rarely
from tests.faults import hangs as faults_hangs
from tests.faults import wires
from tests.faults.again import misread_anyway
from tests.faults.backend import Costs
from tests.faults.gaps import HANGS as HANGS_S
from tests.faults.gaps import PlaysOn, nothing_else
from tests.faults.play import FaultyTable, run
from tests.faults.tally import Tally, failed, table

BOARDS: Final = (
    ("robot-duel", "square-reed"),
    ("shogi", "square-hall"),
    ("chaturaji", "square-reed"),
    ("abalone", "hex-hall"),
    ("robot-duel", "square-hall"),
    ("shogi", "square-reed"),
    ("abalone", "hex-reed"),
    ("chaturaji", "square-hall"),
    ("robotory", "hex-hall"),
    ("robotory", "hex-reed"),
)
FAULTS: Final = 10_000
EACH_TRANSIENT: Final = 2_000
FRAMES: Final = 200_000
GAPS: Final = 200
HANGS: Final = 40
RUNS: Final = ("each", "transient", "many", "gaps", "hangs")
MORE: Final = ("unseen",)
AT_ONCE: Final = 3
"""So many faults at a time, of those that last long."""
TOLD_BY: Final = 8.0
"""Seconds within which it is told that a fault is over: a chip that refuses six times is tried for
six."""
HANG: Final = "bus hangs 1-5 s"
TOLD_FROM: Final = 2.2
"""A hang of so many seconds must be told: it is overdue after one, and the loop wakes every one."""
UNHEARD: Final[wires.Said] = ("unheard", None)
PROVEN_BY: Final = 60.0
"""The same for a wire that is proven only when the next chip calls."""


# ---- what happens to the wires


class OneByOne:
    """Breaks one thing after the other, and sees how each is told."""

    def __init__(self, tally: Tally, name: str, kinds: Sequence[wires.Begin], most: int) -> None:
        self._tally, self._name, self._most = tally, name, most
        self._kinds = kinds
        self._int_at = -PROVEN_BY  # when something was wrong with INT last

    async def __call__(self, table: FaultyTable, rng: Random) -> None:
        """Go on until there were so many, or cancelled."""
        await asyncio.sleep(3.0)  # the men stand, and INT has had its first call
        kinds = _fitting(self._kinds, table)
        while self._tally.injected.total() < self._most:
            await asyncio.sleep(rng.expovariate(2.0))
            await self._one(rng.choice(kinds), table, rng)
        table.over = True

    async def _one(self, begin: wires.Begin, table: FaultyTable, rng: Random) -> None:
        before = Counter(table.told.begun)
        fault = begin(table.wires, rng, _seconds(rng))
        table.troubles.append(f"{table.wires.seconds:.2f} {fault.kind} {fault.seconds:.2f} s")
        self._tally.injected[fault.kind] += 1
        try:
            await asyncio.sleep(fault.seconds)
        finally:
            if fault.end is not None:
                fault.end()
        needs_a_call = fault.kind.startswith("INT")
        if needs_a_call:
            self._int_at = table.host.now()
        await asyncio.sleep(wires.LOOKED)
        waited = table.host.now()
        while table.told.on or table.wires.hangs_s:
            # A wire is proven again by the next chip that calls.
            most = PROVEN_BY if needs_a_call or UNHEARD in table.told.on else TOLD_BY
            if table.host.now() > waited + most:
                break
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.05)
        self._judge(fault, table, table.told.begun - before)

    def _judge(self, fault: wires.WireFault, table: FaultyTable, told: Counter[object]) -> None:
        tally, kind = self._tally, fault.kind
        tally.told[kind] += told.total()
        tally.over[kind] += told.total() - len(table.told.on)
        if self._int_at > table.host.now() - PROVEN_BY:
            told.pop(UNHEARD, None)  # it has missed calls, and is told with the next one
        amiss = ""
        if told.total() < fault.least:
            amiss = "never told"
        elif len(told) > fault.most or any(times > 1 for times in told.values()):
            amiss = "told more than once"
        elif not told.keys() <= fault.said:
            amiss = "told as something else"
        elif table.told.on or table.session.view.faults:
            amiss = "never told to be over"
        if amiss:
            tally.amiss.append(
                f"{self._name} at {table.wires.seconds:.1f}: {kind} for {fault.seconds:.2f} s: "
                f"{amiss}: {dict(told)} {table.told.on or ''}"
            )


class Together:
    """Breaks several things at a time, and mends them."""

    def __init__(self, tally: Tally, kinds: Sequence[wires.Begin], frames: int) -> None:
        self._tally, self._kinds, self._frames = tally, kinds, frames

    async def __call__(self, table: FaultyTable, rng: Random) -> None:
        """Go on until there were so many looks, or cancelled; then all is whole."""
        try:
            await asyncio.gather(*(self._go_on(table, rng) for _ in range(AT_ONCE)))
        finally:
            self._tally.told.update(str(kind) for kind, _ in table.told.begun.elements())  # type: ignore[misc]

    async def _go_on(self, table: FaultyTable, rng: Random) -> None:
        kinds = _fitting(self._kinds, table)
        while self._tally.frames + table.costs.frames < self._frames:
            await asyncio.sleep(rng.expovariate(0.2))
            fault = rng.choice(kinds)(table.wires, rng, rng.choice((0.1, 1.0, 5.0, 20.0)))
            self._tally.injected[fault.kind] += 1
            try:
                await asyncio.sleep(fault.seconds)
            finally:
                if fault.end is not None:
                    fault.end()
        table.over = True


def _fitting(kinds: Iterable[wires.Begin], table: FaultyTable) -> list[wires.Begin]:
    hall = bool(table.host.layout.multiplexers)
    unfit = wires.ONLY_REED if hall else wires.ONLY_HALL
    return [kind for kind in kinds if kind not in unfit]


def _seconds(rng: Random) -> float:
    """Return how long a fault lasts: often a moment, sometimes ten seconds."""
    return rng.uniform(*rng.choice(((0.02, 0.3), (0.02, 0.3), (0.3, 2.0), (2.0, 10.0))))


# ---- the runs


def each(
    faults: int,
    seed: int,
    boards: Sequence[tuple[str, str]] = BOARDS,
    kinds: Sequence[wires.Begin] = wires.ALL,
) -> Tally:
    """All kinds, one after the other."""
    return _games(
        boards,
        seed,
        lambda tally, name: OneByOne(tally, name, kinds, faults),
        lambda tally: tally.injected.total() >= faults,
    )


def transient(faults: int, seed: int, boards: Sequence[tuple[str, str]] = BOARDS) -> Tally:
    """What is over soon: so many on each of the boards."""
    whole = Tally()
    for board in boards:
        upto = whole.injected.total() + faults

        def scene(tally: Tally, name: str, upto: int = upto) -> OneByOne:
            return OneByOne(tally, name, wires.TRANSIENT, upto)

        def enough(tally: Tally, upto: int = upto) -> bool:
            return tally.injected.total() >= upto

        _games([board], seed, scene, enough, whole)
    return whole


def many(frames: int, seed: int, boards: Sequence[tuple[str, str]] = BOARDS) -> Tally:
    """Chips missing, silent, reset and lines held, several at a time."""
    return _games(
        boards,
        seed,
        lambda tally, name: Together(tally, wires.LONG, frames),
        lambda tally: tally.frames >= frames,
        clock=process_time,
    )


def gaps(number: int, seed: int, boards: Sequence[tuple[str, str]] = BOARDS) -> Tally:
    """The bus hangs `number` times, once a game, and hands play on."""
    tally, began = Tally(), process_time()
    for which in range(number):
        game, layout = boards[which % len(boards)]
        seconds = HANGS_S[which // len(boards) % len(HANGS_S)]
        name, seat = f"{game} {layout} {seed}.{which}", partial(PlaysOn, [seconds])
        played = run(game, layout, f"{seed}.{which}", nothing_else, Costs(perf_counter), seat=seat)
        misread = misread_anyway(game, layout, played) if played.wrong else ()
        tally.add(f"{name} {seconds} s", played, misread)
        tally.injected[HANG] += 1
        gc.collect()  # as when a board begins a new match
        tally.memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    tally.cpu = process_time() - began
    return tally


def hangs(number: int, seed: int, boards: Sequence[tuple[str, str]] = BOARDS) -> Tally:
    """The bus hangs in real time, and hands play on."""
    tally, began, games = Tally(), process_time(), 0
    times = [HANGS_S[which % len(HANGS_S)] for which in range(number)]
    each = -(-number // len(boards))
    while times:
        game, layout = boards[games % len(boards)]
        name = f"{game} {layout} {seed}.{games}"
        played, page, hung = faults_hangs.play(game, layout, name, times[:each])
        games += 1
        tally.add(name, played)
        told = played.told.begun.total()
        tally.injected[HANG] += hung
        tally.told[HANG] += told
        tally.over[HANG] += told - len(played.told.on)
        long = sum(seconds > TOLD_FROM for seconds in times[:hung])
        if not long <= told <= hung or played.told.on:
            tally.amiss.append(f"{name}: {hung} hangs, told: {dict(played.told.begun)}")
        del times[:hung]
        tally.answers += page.answers
        tally.crashed += [f"{name}: page: {page.error}"] if page.error else []
        tally.memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    tally.cpu = process_time() - began
    return tally


def _game(tally: Tally, name: str, scene: OneByOne | Together, clock: Callable[[], float]) -> None:
    """Play a game of that name, which says its board and its seed, and count it."""
    game, layout, seed = name.split()
    played = run(game, layout, seed, scene, Costs(clock))
    tally.add(name, played, misread_anyway(game, layout, played) if played.wrong else ())


def _games(
    boards: Sequence[tuple[str, str]],
    seed: int,
    scene: Callable[[Tally, str], OneByOne | Together],
    enough: Callable[[Tally], bool],
    tally: Tally | None = None,
    clock: Callable[[], float] = perf_counter,
) -> Tally:
    """Play games in turn until it is enough, or somebody interrupts it."""
    tally = Tally() if tally is None else tally
    tally.in_cpu = clock is process_time
    began, number = process_time(), 0
    while not enough(tally):
        game, layout = boards[number % len(boards)]
        name = f"{game} {layout} {seed}.{number}"
        try:
            _game(tally, name, scene(tally, name), clock)
        except KeyboardInterrupt:
            break
        except Exception as error:  # it is what this is to find
            tally.crashed.append(f"{name}: {type(error).__name__}: {error}")
            tally.games += 1
        gc.collect()  # as when a board begins a new match
        tally.memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
        number += 1
    tally.cpu += process_time() - began
    return tally


def main(argv: Sequence[str] | None = None) -> int:
    """Print what came of the runs; 1 if anything happened that must not."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--only",
        nargs="+",
        default=[*RUNS],
        choices=(*RUNS, *MORE),
        metavar="RUN",
        help=", ".join((*RUNS, *MORE)),
    )
    parser.add_argument("--faults", type=int, default=FAULTS, help=f"of `each` ({FAULTS})")
    parser.add_argument(
        "--transient", type=int, default=EACH_TRANSIENT, help=f"on each board ({EACH_TRANSIENT})"
    )
    parser.add_argument("--frames", type=int, default=FRAMES, help=f"of `many` ({FRAMES})")
    parser.add_argument("--gaps", type=int, default=GAPS, help=f"({GAPS})")
    parser.add_argument("--hangs", type=int, default=HANGS, help=f"({HANGS})")
    parser.add_argument("--seed", type=int, default=1)
    every = [":".join(board) for board in BOARDS]
    parser.add_argument(
        "--boards",
        nargs="+",
        default=every,
        choices=every,
        metavar="GAME:LAYOUT",
        help=", ".join(every),
    )
    given = parser.parse_args(argv)
    collect_rarely()
    print(made_by("faults"))
    boards = [board for board in BOARDS if ":".join(board) in given.boards]
    runs: dict[str, Callable[[], Tally]] = {
        "each": lambda: each(given.faults, given.seed, boards),
        "transient": lambda: transient(given.transient, given.seed, boards),
        "many": lambda: many(given.frames, given.seed, boards),
        "unseen": lambda: each(given.faults, given.seed, boards, wires.UNSEEN),
        "gaps": lambda: gaps(given.gaps, given.seed, boards),
        "hangs": lambda: hangs(given.hangs, given.seed, boards),
    }
    bad = False
    for name in given.only:
        tally = runs[name]()
        bad = bad or failed(tally)
        for line in table(name, tally):
            print(line, flush=True)
    return int(bad)
