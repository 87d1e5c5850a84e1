"""Play matches on faulty wires: `python -m tests.faults`.

Does a fault on the wires end a match, put a wrong move on the record, or get a wrong report?
Simulated hands play on simulated boards, under the program's own loop, in the time of the wires.
Faults are drawn by seed: a chip that does not acknowledge, is missing, silent or was reset; a
contact that bounces; a bus line that is held; a transfer that hangs or arrives with bits flipped;
an INT wire that is cut or held; a cut wire of a Hall sensor that floats or not; all chips without
supply; a chain of lights that is cut or gets no data. The runs:

`each`: all kinds, one after the other; each fault and its end must be reported once;
`transient`: faults that are over soon, a number of them on each board;
`many`: missing, silent and reset chips and held lines, several at a time, for long;
`unseen` (only if named): rows and pieces that seem to be lifted, as `each`;
`gaps`: the bus hangs for 1, 2, 3 and 5 seconds while hands play on unseen;
`hangs`: the same in real time, with the real sensor thread and server, and a page that asks.

People answer questions, and name their move if it is not read in time. If that does not help, they
put the pieces back and make another move. A move on the record that was not played is *wrong* if it
stands at the end or for three seconds, while nothing is asked, nobody is told to correct the board,
and no chip is reported out of reach. It is *misread*, and not counted as wrong, if the same hands
and events leave it wrong on whole wires, too. A match is *stopped* if play cannot go on, unless it
stopped at a misread move.
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
from firmware_host.host.process import collect_rarely
from tests.faults import wires
from tests.faults.faulty_match import (
    Costs,
    FaultyMatch,
    Scene,
    misread_without_faults,
    no_faults,
    run,
)
from tests.faults.tally import Tally, failed, report
from tests.faults.unseen import HANGS_S, UnseenMatch, play_in_real_time

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
"""The number of long faults at the same time."""
CLEARED_WITHIN_S: Final = 8.0
"""The end of a fault is reported within this time: a chip that refuses six times is tried for six
seconds."""
PROVEN_WITHIN_S: Final = 60.0
"""The same for a wire that is proven only when the next chip calls."""
HANG: Final = "bus hangs 1-5 s"
REPORTED_FROM_S: Final = 2.2
"""A hang of this length must be reported: it is overdue after one second, and the loop wakes once a
second."""
UNHEARD: Final[wires.Report] = ("unheard", None)


# ---- what happens to the wires


class OneByOne:
    """Breaks one thing after the other, and checks how each is reported."""

    def __init__(self, tally: Tally, name: str, kinds: Sequence[wires.Begin], most: int) -> None:
        self._tally, self._name, self._most = tally, name, most
        self._kinds = kinds
        self._int_at = -PROVEN_WITHIN_S  # when something was wrong with INT last

    async def __call__(self, faulty: FaultyMatch, rng: Random) -> None:
        """Go on until the tally has enough faults, or until cancelled."""
        await asyncio.sleep(3.0)  # the pieces stand, and INT has had its first call
        kinds = _fitting(self._kinds, faulty)
        while self._tally.injected.total() < self._most:
            await asyncio.sleep(rng.expovariate(2.0))
            await self._one(rng.choice(kinds), faulty, rng)
        faulty.over = True

    async def _one(self, begin: wires.Begin, faulty: FaultyMatch, rng: Random) -> None:
        before = Counter(faulty.reported.begun)
        fault = begin(faulty.wires, rng, _seconds(rng))
        faulty.fault_log.append(f"{faulty.wires.seconds:.2f} {fault.kind} {fault.seconds:.2f} s")
        await _last(fault, self._tally)
        needs_a_call = fault.kind.startswith("INT")
        if needs_a_call:
            self._int_at = faulty.host.now()
        await asyncio.sleep(wires.POLLED_WITHIN_S)
        waited = faulty.host.now()
        while faulty.reported.on or faulty.wires.hangs_s:
            # A wire is proven again by the next chip that calls.
            unproven = needs_a_call or UNHEARD in faulty.reported.on
            if faulty.host.now() > waited + (PROVEN_WITHIN_S if unproven else CLEARED_WITHIN_S):
                break
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.05)
        self._judge(fault, faulty, faulty.reported.begun - before)

    def _judge(
        self, fault: wires.WireFault, faulty: FaultyMatch, reported: Counter[object]
    ) -> None:
        tally, kind, on = self._tally, fault.kind, faulty.reported.on
        tally.reported[kind] += reported.total()
        tally.cleared[kind] += reported.total() - len(on)
        if self._int_at > faulty.host.now() - PROVEN_WITHIN_S:
            reported.pop(UNHEARD, None)  # missed calls are reported with the next call
        amiss = ""
        if reported.total() < fault.least:
            amiss = "never reported"
        elif len(reported) > fault.most or any(times > 1 for times in reported.values()):
            amiss = "reported more than once"
        elif not reported.keys() <= fault.reports:
            amiss = "reported as something else"
        elif on or faulty.session.view.faults:
            amiss = "its end never reported"
        if amiss:
            tally.amiss.append(
                f"{self._name} at {faulty.wires.seconds:.1f}: {kind} for {fault.seconds:.2f} s: "
                f"{amiss}: {dict(reported)} {on or ''}"
            )


class Together:
    """Breaks several things at a time, and mends them."""

    def __init__(self, tally: Tally, kinds: Sequence[wires.Begin], frames: int) -> None:
        self._tally, self._kinds, self._frames = tally, kinds, frames

    async def __call__(self, faulty: FaultyMatch, rng: Random) -> None:
        """Go on until there were enough frames, or until cancelled; leave the wires whole."""
        try:
            await asyncio.gather(*(self._break_and_mend(faulty, rng) for _ in range(AT_ONCE)))
        finally:
            begun = faulty.reported.begun
            self._tally.reported.update(str(kind) for kind, _ in begun.elements())  # type: ignore[misc]

    async def _break_and_mend(self, faulty: FaultyMatch, rng: Random) -> None:
        kinds = _fitting(self._kinds, faulty)
        while self._tally.frames + faulty.costs.frames < self._frames:
            await asyncio.sleep(rng.expovariate(0.2))
            fault = rng.choice(kinds)(faulty.wires, rng, rng.choice((0.1, 1.0, 5.0, 20.0)))
            await _last(fault, self._tally)
        faulty.over = True


async def _last(fault: wires.WireFault, tally: Tally) -> None:
    """Count a fault, let it last, and end it."""
    tally.injected[fault.kind] += 1
    try:
        await asyncio.sleep(fault.seconds)
    finally:
        if fault.end is not None:
            fault.end()


def _fitting(kinds: Iterable[wires.Begin], faulty: FaultyMatch) -> list[wires.Begin]:
    hall = bool(faulty.host.layout.multiplexers)
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
    tally: Tally | None = None,
) -> Tally:
    """Inject all kinds, one after the other, until the tally has this many faults."""
    return _matches(
        boards,
        seed,
        lambda tally, name: OneByOne(tally, name, kinds, faults),
        lambda tally: tally.injected.total() >= faults,
        tally,
    )


def transient(faults: int, seed: int, boards: Sequence[tuple[str, str]] = BOARDS) -> Tally:
    """Inject faults that are over soon, this many on each of the boards."""
    whole = Tally()
    for board in boards:
        each(whole.injected.total() + faults, seed, [board], wires.TRANSIENT, whole)
    return whole


def many(frames: int, seed: int, boards: Sequence[tuple[str, str]] = BOARDS) -> Tally:
    """Inject long faults, several at a time."""
    return _matches(
        boards,
        seed,
        lambda tally, name: Together(tally, wires.LONG, frames),
        lambda tally: tally.frames >= frames,
        clock=process_time,
    )


def gaps(number: int, seed: int, boards: Sequence[tuple[str, str]] = BOARDS) -> Tally:
    """Let the bus hang `number` times, once a match, while hands play on."""
    tally, began = Tally(), process_time()
    for which in range(number):
        game, layout = boards[which % len(boards)]
        seconds = HANGS_S[which // len(boards) % len(HANGS_S)]
        kind = partial(UnseenMatch, [seconds])
        seeded = f"{seed}.{which}"
        played = run(game, layout, seeded, no_faults, Costs(perf_counter), kind=kind)
        misread = misread_without_faults(game, layout, played) if played.wrong else ()
        tally.add(f"{game} {layout} {seeded} {seconds} s", played, misread)
        tally.injected[HANG] += 1
        _collect(tally)
    tally.cpu = process_time() - began
    return tally


def hangs(number: int, seed: int, boards: Sequence[tuple[str, str]] = BOARDS) -> Tally:
    """Let the bus hang in real time, while hands play on."""
    tally, began, games = Tally(), process_time(), 0
    times = [HANGS_S[which % len(HANGS_S)] for which in range(number)]
    each_board = -(-number // len(boards))
    while times:
        game, layout = boards[games % len(boards)]
        name = f"{game} {layout} {seed}.{games}"
        played, page, hung = play_in_real_time(game, layout, name, times[:each_board])
        games += 1
        tally.add(name, played)
        reported = played.reported.begun.total()
        tally.injected[HANG] += hung
        tally.reported[HANG] += reported
        tally.cleared[HANG] += reported - len(played.reported.on)
        long = sum(seconds > REPORTED_FROM_S for seconds in times[:hung])
        if not long <= reported <= hung or played.reported.on:
            tally.amiss.append(f"{name}: {hung} hangs, reported: {dict(played.reported.begun)}")
        del times[:hung]
        tally.answers += page.answers
        tally.crashed += [f"{name}: page: {page.error}"] if page.error else []
        _collect(tally)
    tally.cpu = process_time() - began
    return tally


MOST_CRASHES: Final = 10
"""A run ends when this many matches have crashed."""


def _matches(
    boards: Sequence[tuple[str, str]],
    seed: int,
    scene: Callable[[Tally, str], Scene],
    is_enough: Callable[[Tally], bool],
    tally: Tally | None = None,
    clock: Callable[[], float] = perf_counter,
) -> Tally:
    """Play matches on the boards in turn until it is enough, or until Ctrl-C."""
    tally = Tally() if tally is None else tally
    tally.in_cpu = clock is process_time
    began, number = process_time(), 0
    while not is_enough(tally) and len(tally.crashed) < MOST_CRASHES:
        game, layout = boards[number % len(boards)]
        seeded = f"{seed}.{number}"
        name = f"{game} {layout} {seeded}"
        try:
            played = run(game, layout, seeded, scene(tally, name), Costs(clock))
            misread = misread_without_faults(game, layout, played) if played.wrong else ()
            tally.add(name, played, misread)
        except KeyboardInterrupt:
            break
        except Exception as error:  # a crash is what this looks for
            tally.crashed.append(f"{name}: {type(error).__name__}: {error}")
            tally.games += 1
        _collect(tally)
        number += 1
    tally.cpu += process_time() - began
    return tally


def _collect(tally: Tally) -> None:
    """Collect garbage, as a board does when a new match begins, and note the peak memory."""
    gc.collect()
    tally.memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the results of the runs; return 1 if anything happened that must not."""
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
    print(made_by("tests.faults"))
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
        for line in report(name, tally):
            print(line, flush=True)
    return int(bad)
