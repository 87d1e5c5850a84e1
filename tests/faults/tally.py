"""The results of matches with faults, counted and printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from tests.faults.faulty_match import FaultyMatch

PAGE_S: Final = 0.2
"""A page has its answer within this time, on a machine that does nothing else."""


@dataclass
class Tally:
    """The results of some matches with faults."""

    games: int = 0
    done: Counter[str] = field(default_factory=Counter)
    injected: Counter[str] = field(default_factory=Counter)
    reported: Counter[str] = field(default_factory=Counter)
    """How often each kind was reported."""
    cleared: Counter[str] = field(default_factory=Counter)
    """How often the end of each kind was reported."""
    amiss: list[str] = field(default_factory=list)
    """Faults that were reported twice, never, without cause, or without an end."""
    stopped: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    misread: list[str] = field(default_factory=list)
    """Wrong moves that are as wrong without faults."""
    crashed: list[str] = field(default_factory=list)
    longest_wrong_s: float = 0.0
    frames: int = 0
    in_cpu: bool = False
    """Whether the next two times are CPU time."""
    longest_frame: float = 0.0
    longest_call: float = 0.0
    seconds: float = 0.0
    cpu: float = 0.0
    answers: list[tuple[float, bool]] = field(default_factory=list)
    """Seconds until a page had its answer, and whether the bus hung."""
    memory: list[int] = field(default_factory=list)
    """The peak memory so far in bytes, after each match."""

    def add(self, name: str, faulty: FaultyMatch, misread: Collection[int] = ()) -> None:
        """Count a match.

        Its moves with numbers in `misread` are wrong without any fault, too; a match that stopped
        at one of them was not stopped by a fault.
        """
        self.games += 1
        self.done += faulty.done
        for number, each in faulty.wrong.items():
            found = self.misread if number in misread else self.wrong
            found.append(f"{name}: {each}")
        if faulty.stopped and faulty.stopped_at not in misread:
            self.stopped.append(f"{name}: {faulty.stopped}")
        self.longest_wrong_s = max(self.longest_wrong_s, faulty.longest_wrong_s)
        costs = faulty.costs
        self.frames += costs.frames
        self.longest_frame = max(self.longest_frame, costs.longest_frame)
        self.longest_call = max(self.longest_call, costs.longest_call)
        self.seconds += faulty.host.now()

    @property
    def moves(self) -> int:
        """The number of moves that got on the record."""
        return self.done["read"] + self.done["asked"]


def report(name: str, tally: Tally) -> Iterable[str]:
    """Yield the results of a run as lines of Markdown."""
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
        yield f"\nPlies played while the bus hung: {done['unseen']}; {', '.join(known)};"
        yield f"{done['answers']} answers, {done['answers no']} of them *no*."
    yield f"\n{tally.frames} polls in {tally.seconds:.0f} s of play, {tally.cpu:.0f} s of CPU."
    yield f"Memory at most {tally.memory[-1] / 1e6:.1f} MB, {half / 1e6:.1f} after half of the run."
    yield f"Wrong without a question for {tally.longest_wrong_s:.1f} s at most."
    if tally.in_cpu:
        yield (
            f"CPU time of a poll and all that follows from it {tally.longest_frame * 1e3:.1f} ms "
            f"at most, of one call {tally.longest_call * 1e3:.1f} ms."
        )
    for hanging in (True, False) if tally.answers else ():
        times = sorted(seconds for seconds, hung in tally.answers if hung is hanging)
        late = sum(seconds > PAGE_S for seconds in times)
        yield (
            f"While the bus {'hung' if hanging else 'worked'} a page had {len(times)} answers, the "
            f"median after {median(times) * 1e3:.0f} ms, the slowest after {times[-1] * 1e3:.0f} "
            f"ms, {late} later than {PAGE_S} s."
        )
    if tally.cleared:
        yield "\n| fault | injected | reported | end reported |"
        yield "|---|---:|---:|---:|"
        for kind, number in sorted(tally.injected.items()):
            yield f"| {kind} | {number} | {tally.reported[kind]} | {tally.cleared[kind]} |"
    for what in ("wrong", "misread", "stopped", "crashed", "amiss"):
        found = getattr(tally, what)
        yield f"\n{what}: {len(found)}"
        yield from found[:20]


def failed(tally: Tally) -> bool:
    """Whether anything happened that must not."""
    return bool(tally.wrong or tally.crashed or tally.amiss)
