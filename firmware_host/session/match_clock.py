"""The clock of a match: an immutable value; each event returns a new one.

Times of events are in seconds. The clock counts in whole milliseconds, so rounding never changes
the sum of the times, however often it is stopped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.game import Seat
from firmware_host.players.time_control import TimeControl


@dataclass(frozen=True, slots=True)
class SeatTime:
    """The time of one seat."""

    left: int
    """The milliseconds left of the main time or of the current period."""
    later: int = 0
    """The number of periods after that."""

    def total(self, control: TimeControl) -> int:
        """Return all milliseconds left, including later periods."""
        return self.left + self.later * control.period * 1000

    def spent(self, gone: int, control: TimeControl) -> SeatTime:
        """Return the time after `gone` milliseconds."""
        left, later = self.left - gone, self.later
        if left <= 0 and later:
            used = min(later, 1 + -left // (control.period * 1000))
            left, later = left + used * control.period * 1000, later - used
        return SeatTime(max(0, left), later)

    def whole_period(self, control: TimeControl) -> SeatTime:
        """Return it with the current period full again; main time stays as it is."""
        if self.later < control.periods and self.total(control):
            return replace(self, left=control.period * 1000)
        return self

    def after_turn(self, control: TimeControl) -> SeatTime:
        """Return it at the end of a turn: with the increment, or with a full period."""
        if not self.total(control):
            return self  # the flag has fallen
        return replace(self, left=self.left + control.increment * 1000).whole_period(control)


@dataclass(frozen=True, slots=True)
class MatchClock:
    """The time of all seats at a moment, and the seat to move."""

    control: TimeControl
    times: tuple[SeatTime, ...]
    seat: Seat
    """The seat to move."""
    is_running: bool = False
    """Whether the time of that seat runs."""
    at: int = 0
    """The time of `times`, in milliseconds."""

    @classmethod
    def begin(cls, control: TimeControl, seats: int, seat: Seat, at: float) -> MatchClock:
        """Return a stopped clock with the full time for each seat."""
        whole = SeatTime(control.main * 1000, control.periods).spent(0, control)
        return cls(control, (whole,) * seats, seat, at=_ms(at))

    # ---- what happens

    def press(self, at: float, seat: Seat) -> MatchClock:
        """Return the clock after a ply that was finished at a time; `seat` is to move now. If the
        turn goes on, as with another die to play, nothing is pressed.
        """
        now = self.until(at)
        if seat == self.seat:
            return now
        ended = now.times[self.seat].after_turn(self.control)
        return replace(now, times=_with(now.times, self.seat, ended), seat=seat)

    def stop(self, at: float) -> MatchClock:
        """Return the clock stopped at a time."""
        return replace(self.until(at), is_running=False)

    def start(self, at: float) -> MatchClock:
        """Return the clock running from a time on."""
        return replace(self.until(at), is_running=True)

    def until(self, at: float) -> MatchClock:
        """Return the clock with the times at a moment. Time never goes back."""
        now = max(self.at, _ms(at))
        if not self.is_running:
            return replace(self, at=now)
        left = self.times[self.seat].spent(now - self.at, self.control)
        return replace(self, times=_with(self.times, self.seat, left), at=now)

    # ---- what it says

    @property
    def running(self) -> Seat | None:
        """The seat whose time runs."""
        return self.seat if self.is_running else None

    def left(self, now: float) -> tuple[float, ...]:
        """Return the seconds left of each seat's main time or current period."""
        return tuple(time.left / 1000 for time in self.until(now).times)

    def periods_left(self, now: float) -> tuple[int, ...] | None:
        """Return how many whole periods each seat has after that; None without periods."""
        if not self.control.periods:
            return None
        return tuple(time.later for time in self.until(now).times)

    def fallen(self, now: float) -> frozenset[Seat]:
        """Return the seats whose flag has fallen."""
        times = enumerate(self.until(now).times)
        return frozenset(seat for seat, time in times if not time.total(self.control))

    def short(self, now: float) -> frozenset[Seat]:
        """Return the seat to move if it has little time left."""
        left = self.until(now).times[self.seat].total(self.control)
        return frozenset({self.seat} if left <= self.control.little * 1000 else ())

    @property
    def falls(self) -> float | None:
        """When the flag of the seat to move falls, or fell; None if no time runs."""
        return self._left_at(0)

    @property
    def shortens(self) -> float | None:
        """When the time of the seat to move becomes little; None if no time runs."""
        return self._left_at(self.control.little * 1000)

    def _left_at(self, left: int) -> float | None:
        if not self.is_running:
            return None
        return (self.at + self.times[self.seat].total(self.control) - left) / 1000


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _with(times: tuple[SeatTime, ...], seat: Seat, time: SeatTime) -> tuple[SeatTime, ...]:
    return (*times[:seat], time, *times[seat + 1 :])
