"""When a board is looked at: at once if it calls, often while something goes on, else seldom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from firmware_host.session.settle_times import GAP_S
from hardware.machine import Machine, SensorFrame
from hardware.sensing import Fault

POLL: Final = 0.25
"""Seconds after which the board is looked at though nothing called: an interrupt may be missed."""
REST: Final = 4.0
"""The same once a board that is sure to call has said nothing new for QUIET: only a chip that dies,
or a wire that breaks, is found so late then."""
QUIET: Final = 60.0
IDLE_SCAN: Final = 0.06
"""Seconds between two scans of a board without an interrupt line: nobody calls when a piece is
lifted, and hands lift pieces for 80 ms at least."""
SCAN: Final = 0.02
"""The same while something goes on."""
SLEEPY_SCAN: Final = 0.2
"""The same once nothing has been new for ASLEEP seconds: what begins then is seen so late at most,
and what follows at full pace."""
ASLEEP: Final = 600.0
BUSY: Final = 1.0
"""Something goes on for so many seconds after a change."""
AWAKE: Final = 0.5
"""Seconds after which it is asked at least whether a board calls that is looked at seldom: else
nobody knows whether the program was held up meanwhile."""


def is_news(frame: SensorFrame, before: SensorFrame | None) -> bool:
    """Whether a frame says anything that the one before it has not said."""
    return (
        before is None
        or frame.readings is not before.readings
        or bool(frame.pulsed or frame.thrown or frame.gap)
        or (frame.blind, frame.faults, frame.pressed, frame.clocks)
        != (before.blind, before.faults, before.pressed, before.clocks)
    )


class Polling:
    """Looks at a machine when it is time; only one thread may use it."""

    def __init__(self, machine: Machine, interrupt: Callable[[], bool]) -> None:
        """`interrupt` says whether the interrupt line is low now."""
        self.due = 0.0
        """When to look again though nobody calls."""
        self._machine = machine
        self._interrupt = interrupt
        places = machine.layout.places.values()
        self._sensed = frozenset(place.name for place in places if place.sensors)
        self._news_at = -BUSY
        self._seen: SensorFrame | None = None
        self._known_at: float | None = None  # up to then nothing has been missed

    def look(self, now: float, called: bool) -> SensorFrame | None:
        """Return what the sensors say, if it is time to look or somebody `called`."""
        known_at = self._known_at
        if not (called or now >= self.due or self._interrupt()):
            if self._machine.calls:
                self._known_at = now
            return None
        frame = self._machine.read(now)
        self._known_at = frame.at
        if is_news(frame, self._seen):
            self._news_at = now
        self._seen = frame
        self.due = now + self._pause(frame, now - self._news_at)
        missed = known_at is not None and frame.at > known_at + GAP_S
        return replace(frame, gap=True) if missed else frame

    def _pause(self, frame: SensorFrame, quiet: float) -> float:
        """Return the seconds until the next look; nothing has been new for `quiet` seconds."""
        if self._machine.needs_polling:
            if quiet < BUSY:
                return SCAN
            return IDLE_SCAN if quiet < ASLEEP else SLEEPY_SCAN
        return REST if self._machine.calls and quiet > QUIET and not frame.faults else POLL

    def unanswered(self, last: SensorFrame) -> SensorFrame:
        """Return the last frame again with the fault that the wires hang: a look since then has
        not come to its end. It is of the old time: nothing new is known.
        """
        hung = Fault("hung", None, "a look at the board has not ended", tuple(sorted(self._sensed)))
        faults = (*last.faults, hung)
        return replace(last, faults=faults, pulsed=frozenset(), thrown=(), gap=False)

    def answers(self, frame: SensorFrame) -> bool:
        """Whether any sensor of the board was read for a frame."""
        return not frame.blind >= self._sensed
