"""A thread that looks at the board: whatever the wires do, the rest of the program goes on.

A bus that hangs holds up only this thread, and is told after a second. What the thread sees waits
in a short queue. If the host is busy for so long that the queue is full, its newest two frames
become one, and nothing that was felt is lost by that: what moved and moved back between them counts
as latched by a chip, and a button that went down in the first is still down in the second. Only
times are told less finely.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from firmware_host.controller.polling import AWAKE, Polling, is_news
from hardware.machine import SensorFrame

MOST: Final = 64
"""So many frames wait at most: of a Hall board more than a second of unceasing change."""
OVERDUE: Final = 1.0
"""After so many seconds it is told that a look has not come to its end."""
PATIENCE: Final = 1.0
"""Seconds that the end waits for a look that hangs."""


class SensorThread:
    """Looks at a board in a thread of its own."""

    def __init__(
        self, lookout: Polling, now: Callable[[], float], told: Callable[[], None]
    ) -> None:
        """`told` is called in that thread when there is something to take."""
        self.looks = 0
        """How many looks have found the board answering; only ever grows."""
        self._lookout = lookout
        self._now = now
        self._told = told
        self._waiting: deque[SensorFrame] = deque()
        self._newest: SensorFrame | None = None
        self._before: SensorFrame | None = None  # the frame ahead of the newest
        self._lock = threading.Lock()
        self._bell = threading.Event()
        self._called = False
        self._by: float | None = None
        self._looking: float | None = None  # since when, if a look is under way
        self._ended = False
        self._error: BaseException | None = None
        # A daemon: a look that hangs for good must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> bool:
        """Look no more; return whether no look is under way any longer."""
        self._ended = True
        self._bell.set()
        if self._thread.is_alive():
            self._thread.join(PATIENCE)
        return not self._thread.is_alive()

    def call(self) -> None:
        """Look at once; any thread may call."""
        self._called = True
        self._bell.set()

    def look_by(self, at: float | None) -> None:
        """Look at that time at the latest, and tell also if nothing is new then; None: unless there
        is anything new.
        """
        if at != self._by:
            self._by = at
            if at is not None:
                self._bell.set()

    def again(self) -> None:
        """Have the newest frame taken once more: who takes it now has not seen it."""
        with self._lock:
            if not self._waiting and self._newest is not None:
                again = replace(self._newest, pulsed=frozenset(), thrown=(), gap=False)
                self._waiting.append(again)

    def take(self) -> list[SensorFrame]:
        """Return what was seen since the last call, the oldest first; each frame says something
        new, if only that a look is overdue. What ended the thread ends whoever calls this.
        """
        with self._lock:
            if self._error is not None:
                raise self._error
            self._tell_overdue()
            frames = list(self._waiting)
            self._waiting.clear()
        return frames

    def _tell_overdue(self) -> None:
        since, last = self._looking, self._newest
        if since is None or last is None or self._waiting or self._now() < since + OVERDUE:
            return
        if not any(fault.kind == "hung" for fault in last.faults):
            self._newest = self._lookout.unanswered(last)
            self._waiting.append(self._newest)

    # ---- in the thread

    def _run(self) -> None:
        try:
            while not self._ended:
                self._bell.clear()
                called, self._called = self._called, False
                now, by = self._now(), self._by
                asked = by is not None and now >= by
                self._looking = now
                frame = self._lookout.look(now, called or asked)
                self._looking = None
                if asked and self._by == by:
                    self._by = None
                if frame is not None and self._keep(frame, asked):
                    self._told()
                due = min(self._lookout.due, math.inf if self._by is None else self._by)
                self._bell.wait(min(AWAKE, max(0.0, due - self._now())))
        except BaseException as error:
            with self._lock:
                self._error = error
            self._told()

    def _keep(self, frame: SensorFrame, asked: bool) -> bool:
        """Let a frame wait to be taken, if it says anything new, was asked for, or may tell by its
        time alone how long a switch is held; return whether it does.
        """
        with self._lock:
            if self._lookout.answers(frame):
                self.looks += 1
            if not (asked or frame.pressed or is_news(frame, self._newest)):
                return False
            if len(self._waiting) == MOST and self._newest is not None:
                frame = merged(self._before, self._newest, frame)
                self._waiting[-1] = frame
            else:
                self._waiting.append(frame)
                self._before = self._newest
            self._newest = frame
            return True


def merged(before: SensorFrame | None, first: SensorFrame, second: SensorFrame) -> SensorFrame:
    """Return two frames as one, in which nothing is missing that was felt since the one before."""
    was = {} if before is None else before.readings
    back = {
        place
        for place in was.keys() | first.readings.keys()
        if was.get(place, 0) != first.readings.get(place, 0)
        and was.get(place, 0) == second.readings.get(place, 0)
    }
    pulsed = (first.pulsed | second.pulsed | back) - second.blind
    held = frozenset() if before is None else before.pressed
    pressed = second.pressed | (first.pressed - held)
    return replace(
        second,
        pulsed=pulsed,
        pressed=pressed,
        thrown=first.thrown + second.thrown,
        gap=first.gap or second.gap,
    )
