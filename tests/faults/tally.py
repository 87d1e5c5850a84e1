"""What came of games with faults, counted and printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from tests.faults.play import FaultyTable

PAGE: Final = 0.2
"""Seconds within which a page has its answer, on a machine that does nothing else."""


@dataclass
class Tally:
    """What came of some games with faults."""

    games: int = 0
    done: Counter[str] = field(default_factory=Counter)
    injected: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)
    """How often each kind was told."""
    over: Counter[str] = field(default_factory=Counter)
    """How often it was told that it is over."""
    amiss: list[str] = field(default_factory=list)
    """What was told twice, never, without cause, or never to be over."""
    stopped: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    misread: list[str] = field(default_factory=list)
    """What is as wrong without faults."""
    crashed: list[str] = field(default_factory=list)
    longest_wrong: float = 0.0
    frames: int = 0
    in_cpu: bool = False
    """Whether the two times below are CPU time."""
    longest_frame: float = 0.0
    longest_call: float = 0.0
    seconds: float = 0.0
    cpu: float = 0.0
    answers: list[tuple[float, bool]] = field(default_factory=list)
    """Seconds after which a page had its answer, and whether the bus hung."""
    memory: list[int] = field(default_factory=list)
    """The most held so far, in bytes, after each game."""

    def add(self, name: str, table: FaultyTable, misread: Collection[int] = ()) -> None:
        """Count a game, of whose wrong moves some are `misread` without any fault, too; a game that
        stopped at one of those was not stopped by a fault.
        """
        self.games += 1
        self.done += table.done
        for number, each in table.wrong.items():
            found = self.misread if number in misread else self.wrong
            found.append(f"{name}: {each}")
        if table.stopped and table.stopped_at not in misread:
            self.stopped.append(f"{name}: {table.stopped}")
        self.longest_wrong = max(self.longest_wrong, table.longest_wrong)
        costs = table.costs
        self.frames += costs.frames
        self.longest_frame = max(self.longest_frame, costs.longest_frame)
        self.longest_call = max(self.longest_call, costs.longest_call)
        self.seconds += table.host.now()

    @property
    def moves(self) -> int:
        """How many moves stand."""
        return self.done["read"] + self.done["asked"]


def table(name: str, tally: Tally) -> Iterable[str]:
    """Yield what came of a run."""
    half = tally.memory[len(tally.memory) // 2]
    done = tally.done
    yield f"\n### {name}\n"
    yield (
        "| games | faults | moves | asked | said | made again | wrong | misread | stopped | "
        "crashed |"
    )
    yield "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    figures: tuple[object, ...] = (
        tally.games, tally.injected.total(), tally.moves, done["asked"], done["said"],
        done["made again"], len(tally.wrong), len(tally.misread), len(tally.stopped),
        len(tally.crashed),
    )  # fmt: skip
    yield f"| {' | '.join(map(str, figures))} |"
    if known := [f"{number} {way[4:]}" for way, number in done.items() if way.startswith("gap ")]:
        yield f"\nWhat was played while the bus hung ({done['unseen']} plies): {', '.join(known)};"
        yield f"{done['answers']} answers, {done['answers no']} of them *no*."
    yield f"\n{tally.frames} looks in {tally.seconds:.0f} s of play, {tally.cpu:.0f} s of CPU."
    yield f"Memory at most {tally.memory[-1] / 1e6:.1f} MB, {half / 1e6:.1f} at half of the way."
    yield f"Unasked and wrong for {tally.longest_wrong:.1f} s at most."
    if tally.in_cpu:
        yield (
            f"CPU time of a look and what is made of it at once {tally.longest_frame * 1e3:.1f} ms "
            f"at most, of one call {tally.longest_call * 1e3:.1f} ms."
        )
    for hanging in (True, False) if tally.answers else ():
        times = sorted(seconds for seconds, hung in tally.answers if hung is hanging)
        late = sum(seconds > PAGE for seconds in times)
        yield (
            f"While the bus {'hung' if hanging else 'worked'} a page had {len(times)} answers, the "
            f"median after {median(times) * 1e3:.0f} ms, the slowest after {times[-1] * 1e3:.0f} "
            f"ms, {late} later than {PAGE} s."
        )
    if tally.over:
        yield "\n| fault | injected | told | told to be over |"
        yield "|---|---:|---:|---:|"
        for kind, number in sorted(tally.injected.items()):
            yield f"| {kind} | {number} | {tally.told[kind]} | {tally.over[kind]} |"
    for what in ("wrong", "misread", "stopped", "crashed", "amiss"):
        found = getattr(tally, what)
        yield f"\n{what}: {len(found)}"
        yield from found[:20]


def failed(tally: Tally) -> bool:
    """Whether anything happened that must not."""
    return bool(tally.wrong or tally.crashed or tally.amiss)
