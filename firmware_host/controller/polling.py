"""When a board is read: at once if it calls, often after a change, otherwise seldom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from firmware_host.session.settle_times import GAP_S
from hardware.machine import Machine, SensorFrame
from hardware.sensing import Fault

POLL_S: Final = 0.25
"""The board is read after this time even if it does not call: an interrupt may be missed."""
QUIET_POLL_S: Final = 4.0
"""The same once a board with a working interrupt line has not changed for QUIET_S. Only a chip that
dies or a wire that breaks is found this late.
"""
QUIET_S: Final = 60.0
IDLE_SCAN_S: Final = 0.06
"""The time between two scans of a board without an interrupt line: it cannot call when a piece is
lifted, and hands lift pieces for 80 ms at least.
"""
SCAN_S: Final = 0.02
"""The same for BUSY_S after a change."""
ASLEEP_SCAN_S: Final = 0.2
"""The same once nothing has changed for ASLEEP_S: only the first change then is seen this late."""
ASLEEP_S: Final = 600.0
BUSY_S: Final = 1.0
"""The board is read often for this time after a change."""
AWAKE_S: Final = 0.5
"""The interrupt line of a board that is read seldom is checked at least this often; a longer time
between two checks shows that the program was delayed.
"""


def is_news(frame: SensorFrame, before: SensorFrame | None) -> bool:
    """Return whether a frame has news compared with the one before it."""
    return (
        before is None
        or frame.readings is not before.readings
        or bool(frame.pulsed or frame.thrown or frame.gap)
        or (frame.blind, frame.faults, frame.pressed, frame.clocks)
        != (before.blind, before.faults, before.pressed, before.clocks)
    )


class Polling:
    """Reads a machine when it is time; only one thread may use it."""

    def __init__(self, machine: Machine, interrupt: Callable[[], bool]) -> None:
        """`interrupt` says whether the interrupt line is low now."""
        self.due = 0.0
        """When to read the board again even if it does not call."""
        self._machine = machine
        self._interrupt = interrupt
        self._sensed = frozenset(machine.layout.sensed)
        self._news_at = -BUSY_S
        self._seen: SensorFrame | None = None
        self._known_at: float | None = None  # up to then no change was missed

    def look(self, now: float, called: bool) -> SensorFrame | None:
        """Return a frame of the sensors, if it is time to read them or the board `called`."""
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
        """Return the seconds until the next reading; nothing has changed for `quiet` seconds."""
        if self._machine.needs_polling:
            if quiet < BUSY_S:
                return SCAN_S
            return IDLE_SCAN_S if quiet < ASLEEP_S else ASLEEP_SCAN_S
        is_quiet = quiet > QUIET_S and not frame.faults
        return QUIET_POLL_S if self._machine.interrupts_suffice and is_quiet else POLL_S

    def unanswered(self, last: SensorFrame) -> SensorFrame:
        """Return the last frame with the fault that the wires hang, because a reading has not
        ended. It keeps its time.
        """
        hung = Fault("hung", None, "a look at the board has not ended", tuple(sorted(self._sensed)))
        faults = (*last.faults, hung)
        return replace(last, faults=faults, pulsed=frozenset(), thrown=(), gap=False)

    def answers(self, frame: SensorFrame) -> bool:
        """Return whether any sensor of the board was read for a frame."""
        return not frame.blind >= self._sensed
