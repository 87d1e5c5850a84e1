"""A board on which men are lifted while the adviser thinks, by the clock on the wall.

The board has stood for more than a second when a man is lifted. It is measured how soon the light
of the man's moves says how good they are, and how much later than they were due the board's sensors
are looked at meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Final

from engine.match import Match
from engine.reading.verdict import Underway
from firmware_host.host.simulated import SimulatedHost
from firmware_host.lights.threats import ALL_DANGERS
from firmware_host.session.events import Assist
from hardware.machine import SensorFrame

LAYOUTS: Final = {"robotory": "hex-reed", "abalone": "hex-reed"}
USUAL: Final = "square-reed"
STOOD: Final = 1.2
"""Seconds for which the board stands before a man is lifted."""
HELD: Final = 0.7
"""Seconds for which he is in the hand."""


class Watched:
    """A host, when it looked at its board, and when grades were to be seen."""

    def __init__(self, name: str, state: Path) -> None:
        self.host = SimulatedHost(state)
        self.host.open(name, {}, LAYOUTS.get(name, USUAL))
        self.late: list[float] = []
        self.felt: float | None = None
        """When the reading of hands knew of the lift."""
        self.graded: float | None = None
        ground, company = self.host._ground, self.host.company
        frames, look = ground.frames, company.look

        def looked_at(now: float, called: bool) -> Iterable[SensorFrame]:
            due = ground.due
            if not called and due and now >= due:
                self.late.append(now - due)
            return frames(now, called)

        def advised(board: object, now: float) -> float | None:
            if self.felt is None and isinstance(self.host.sitting.session.view.verdict, Underway):
                self.felt = monotonic()
            found = look(self.host.sitting, now)
            if self.graded is None and self.host.sitting.advice.grades:
                self.graded = monotonic()
            return found

        ground.frames = looked_at  # type: ignore[method-assign]
        company.look = advised  # type: ignore[method-assign]

    async def lifts(self, count: int) -> list[tuple[float, float]]:
        """Lift men, one after the other; return how soon there were grades, after the lift and
        after it was felt.
        """
        host, chance, times = self.host, Random(3), list[tuple[float, float]]()
        running = asyncio.create_task(host.run())
        await asyncio.sleep(0.5)
        host.post(Assist(host.now(), ALL_DANGERS, 0))
        await asyncio.sleep(2.0)  # the adviser's process begins
        match = host.sitting.session.view.match
        starts = sorted({place for move in match.legal for place in _leaves(match, move)})
        count *= bool(starts)  # Robotory begins with what comes from the trays
        self.late.clear()
        for _ in range(count):
            await asyncio.sleep(STOOD)
            place = host.table.place(chance.choice(starts))
            man = host.table.at(place)[-1]
            self.felt, self.graded, began = None, None, monotonic()
            held = host.table.lift(man.number, "hand")
            await asyncio.sleep(HELD)
            graded = self.graded or float("inf")
            times.append((graded - began, graded - (self.felt or began)))
            host.table.put(held.number, place, "hand")
        running.cancel()
        host.close()
        return times


def _leaves(match: Match, move: Any) -> list[str]:
    """Return where the men stood whom a move takes from their cells."""
    men = match.game.pieces(match.position)
    changed = match.game.changes(match.position, move)
    return [place for place in changed if place in men and changed[place] is None]


def measure(name: str, count: int) -> None:
    """Print both figures of a game."""
    with TemporaryDirectory() as state:
        watched = Watched(name, Path(state))
        times = asyncio.run(watched.lifts(count))
        late = sorted(watched.late)
    if not times:
        print(f"{name:11} nothing is lifted at first, so nothing is measured at the board")
        return
    whole, since = ([time[which] * 1e3 for time in times] for which in (0, 1))
    print(
        f"{name:11} grades of {count} lifted men: {median(whole):.0f} ms after the lift (median), "
        f"{max(whole):.0f} at most; {median(since):.0f} and {max(since):.0f} ms after it was felt\n"
        f"{name:11} {len(late)} looks meanwhile, late by {median(late) * 1e3:.1f} ms (median), "
        f"95 % {late[int(0.95 * (len(late) - 1))] * 1e3:.1f}",
        flush=True,
    )
