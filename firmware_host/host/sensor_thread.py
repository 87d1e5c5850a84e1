"""A thread that reads the board: whatever the wires do, the rest of the program goes on.

A bus that hangs holds up only this thread, and is reported after a second. Frames wait in a short
queue. If the host is busy until the queue is full, its newest two frames are merged. No change is
lost by that: a place that changed and changed back between them counts as latched by a chip, and a
button that went down in the first is still down in the second. Only times become less exact.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from firmware_host.controller.polling import AWAKE_S, Polling, is_news
from hardware.machine import SensorFrame

MOST_FRAMES: Final = 64
"""The longest queue: for a Hall board more than a second of unceasing change."""
OVERDUE_S: Final = 1.0
"""A look that has not ended after this time is reported."""
STOP_WAIT_S: Final = 1.0
"""The end of the program waits this long for a look that hangs."""


class SensorThread:
    """Looks at a board in a thread of its own."""

    def __init__(
        self, polling: Polling, now: Callable[[], float], notify: Callable[[], None]
    ) -> None:
        """`notify` is called in that thread when there is something to take."""
        self.looks = 0
        """How many looks have found the board answering; only ever grows."""
        self._polling = polling
        self._now = now
        self._notify = notify
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
        # A daemon: a read that hangs for ever must not stop the program from ending.
        self._thread = threading.Thread(target=self._run, name="sensors", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> bool:
        """Stop looking; return whether no look is under way any more."""
        self._ended = True
        self._bell.set()
        if self._thread.is_alive():
            self._thread.join(STOP_WAIT_S)
        return not self._thread.is_alive()

    def call(self) -> None:
        """Look at once; any thread may call."""
        self._called = True
        self._bell.set()

    def look_by(self, at: float | None) -> None:
        """Look at that time at the latest, and return a frame even if nothing is new then. None: no
        such look is wanted.
        """
        if at != self._by:
            self._by = at
            if at is not None:
                self._bell.set()

    def again(self) -> None:
        """Queue the newest frame again, for a match that has not seen it."""
        with self._lock:
            if not self._waiting and self._newest is not None:
                again = replace(self._newest, pulsed=frozenset(), thrown=(), gap=False)
                self._waiting.append(again)

    def take(self) -> list[SensorFrame]:
        """Return the frames since the last call, the oldest first. Each says something new, if only
        that a look is overdue. An exception that ended the thread is raised here.
        """
        with self._lock:
            if self._error is not None:
                raise self._error
            self._report_overdue()
            frames = list(self._waiting)
            self._waiting.clear()
        return frames

    def _report_overdue(self) -> None:
        since, last = self._looking, self._newest
        if since is None or last is None or self._waiting or self._now() < since + OVERDUE_S:
            return
        if not any(fault.kind == "hung" for fault in last.faults):
            self._newest = self._polling.unanswered(last)
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
                frame = self._polling.look(now, called or asked)
                self._looking = None
                if asked and self._by == by:
                    self._by = None
                if frame is not None and self._keep(frame, asked):
                    self._notify()
                due = min(self._polling.due, math.inf if self._by is None else self._by)
                self._bell.wait(min(AWAKE_S, max(0.0, due - self._now())))
        except BaseException as error:
            with self._lock:
                self._error = error
            self._notify()

    def _keep(self, frame: SensorFrame, asked: bool) -> bool:
        """Put a frame into the queue if it says anything new, was asked for, or shows by its time
        how long a switch is held; return whether it was.
        """
        with self._lock:
            if self._polling.answers(frame):
                self.looks += 1
            if not (asked or frame.pressed or is_news(frame, self._newest)):
                return False
            if len(self._waiting) == MOST_FRAMES and self._newest is not None:
                frame = merged(self._before, self._newest, frame)
                self._waiting[-1] = frame
            else:
                self._waiting.append(frame)
                self._before = self._newest
            self._newest = frame
            return True


def merged(before: SensorFrame | None, first: SensorFrame, second: SensorFrame) -> SensorFrame:
    """Return two frames as one that holds all changes since the frame `before` them."""
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
