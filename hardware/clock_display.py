"""Displays on serial ports: what they are sent, and when.

A display counts down by itself. It gets a message when the clock is another one or a period may
begin, and one a second, because a message may be lost. If the line is slow, a message is dropped:
the next one has the times of its own moment.
"""

from __future__ import annotations

from typing import Final, Protocol

from drivers.coprocessor import MOST_LATER, MOST_LEFT_MS, Show, SideTime

AGAIN_S: Final = 1.0
"""A display that shows the right times gets them again after this time."""
NO_CLOCK: Final = Show()


class ClockShown(Protocol):
    """The clock that people see, an immutable value. Times are in seconds, sides count from 0."""

    @property
    def running(self) -> int | None:
        """Whose time runs."""

    @property
    def is_paused(self) -> bool:
        """Whether people have paused it."""

    def left(self, now: float) -> tuple[float, ...]:
        """Return what each side has left."""

    def periods_left(self, now: float) -> tuple[int, ...] | None:
        """Return the whole periods that each side has after that; None without periods."""


class DisplayLink(Protocol):
    """The line to a device that may be a display."""

    @property
    def sides(self) -> int | None:
        """How many sides it has; None if it is no display, or not there."""

    def offer(self, message: Show, now: float) -> bool:
        """Send a message if the line takes it at once; return whether it did."""


class ClockDisplay:
    """A display, if the device behind a link is one."""

    def __init__(self, link: DisplayLink) -> None:
        self._link = link
        self._clock: ClockShown | None = None  # the one that was sent last
        self._due = 0.0  # when to send it again

    def show(self, clock: ClockShown | None, now: float) -> None:
        """Send what a clock says now, None for no clock, if it is time. A display with fewer sides
        than the clock stays dark.
        """
        sides = self._link.sides
        if sides is None:
            self._due = now  # at once when it is there
            return
        if now < self._due and clock == self._clock:
            return
        shown = NO_CLOCK if clock is None else message(clock, now)
        if len(shown.sides) > sides:
            shown = NO_CLOCK
        if self._link.offer(shown, now):
            self._clock = clock
            self._due = now + (seconds_to_0(shown) or AGAIN_S)


def seconds_to_0(shown: Show) -> float:
    """Return when the time of the side that runs is over, AGAIN_S at most; 0 if it is."""
    if not shown.running:
        return AGAIN_S
    return min(shown.sides[shown.running - 1].left_ms / 1000, AGAIN_S)


def message(clock: ClockShown, now: float) -> Show:
    """Return the message that makes a display show a clock as it is now."""
    left = clock.left(now)
    later = clock.periods_left(now) or (0,) * len(left)
    sides = tuple(
        SideTime(min(round(seconds * 1000), MOST_LEFT_MS), min(periods, MOST_LATER))
        for seconds, periods in zip(left, later, strict=True)
    )
    running = 0 if clock.running is None else clock.running + 1
    return Show(running, clock.is_paused and not running, sides)
