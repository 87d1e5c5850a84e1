"""When a board is looked at: at once if it calls, often while something goes on, else seldom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from firmware_host.session.settle_times import GAP_S
from hardware.machine import Machine, SensorFrame
from hardware.sensing import Fault

POLL_S: Final = 0.25
"""The board is looked at after this time though nothing called: an interrupt may be missed."""
QUIET_POLL_S: Final = 4.0
"""The same once a board that is sure to call has said nothing new for QUIET_S: only a chip that
dies, or a wire that breaks, is found so late then.
"""
QUIET_S: Final = 60.0
IDLE_SCAN_S: Final = 0.06
"""The time between two scans of a board without an interrupt line: it cannot call when a piece is
lifted, and hands lift pieces for 80 ms at least.
"""
SCAN_S: Final = 0.02
"""The same while something goes on."""
ASLEEP_SCAN_S: Final = 0.2
"""The same once nothing has been new for ASLEEP_S: what begins then is seen this late at most, and
what follows at full pace.
"""
ASLEEP_S: Final = 600.0
BUSY_S: Final = 1.0
"""Something goes on for this time after a change."""
AWAKE_S: Final = 0.5
"""A board that is looked at seldom is asked at least this often whether it calls: else nobody knows
whether the program was held up meanwhile.
"""


def is_news(frame: SensorFrame, before: SensorFrame | None) -> bool:
    """Whether a frame says anything that the one before it does not."""
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
        """When to look again though the board does not call."""
        self._machine = machine
        self._interrupt = interrupt
        self._sensed = frozenset(machine.layout.sensed)
        self._news_at = -BUSY_S
        self._seen: SensorFrame | None = None
        self._known_at: float | None = None  # nothing was missed up to then

    def look(self, now: float, called: bool) -> SensorFrame | None:
        """Return what the sensors say, if it is time to look or the board `called`."""
        known_at = self._known_at
        if not (called or now >= self.due or self._interrupt()):
            if self._machine.interrupts_suffice:
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
            if quiet < BUSY_S:
                return SCAN_S
            return IDLE_SCAN_S if quiet < ASLEEP_S else ASLEEP_SCAN_S
        is_quiet = quiet > QUIET_S and not frame.faults
        return QUIET_POLL_S if self._machine.interrupts_suffice and is_quiet else POLL_S

    def unanswered(self, last: SensorFrame) -> SensorFrame:
        """Return the last frame again with the fault that the wires hang: a look since then has not
        ended. It keeps its time, for nothing new is known.
        """
        hung = Fault("hung", None, "a look at the board has not ended", tuple(sorted(self._sensed)))
        faults = (*last.faults, hung)
        return replace(last, faults=faults, pulsed=frozenset(), thrown=(), gap=False)

    def answers(self, frame: SensorFrame) -> bool:
        """Whether any sensor of the board was read for a frame."""
        return not frame.blind >= self._sensed
