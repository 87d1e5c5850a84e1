"""The clock at a board: the timer of the match, or a clock that is plugged in beside it."""

from __future__ import annotations

from typing import Final

from engine.game import Seat
from firmware_host.session.chess_clock import ChessClock
from firmware_host.session.match_clock import MatchClock
from firmware_host.session.match_timer import MatchTimer, TimeSheet
from firmware_host.session.shown_clock import ShownClock
from firmware_host.session.view import SessionView

STALL_S: Final = 5.0
"""The program looks at the clock more often. After a longer time the computer was suspended, and
that time counts for nobody.
"""
KEEP_S: Final = 5.0
"""The times are written this often while they run: no more is lost when the program is killed."""


class BoardClock:
    """The clocks at one board."""

    def __init__(self) -> None:
        self.timer: MatchTimer | None = None
        """The clock of the match; None without one."""
        self.beside: ChessClock | None = None
        """The clock beside the board; None if there is none that fits the game."""
        self._alive = float("-inf")
        self._kept: TimeSheet | None = None
        self._kept_clock: MatchClock | None = None
        self._keep_at = float("-inf")

    @property
    def shown(self) -> ShownClock | None:
        """The clock that people see: that of the match if there is one."""
        if (timer := self.timer) is not None:
            return ShownClock(timer.clock, timer.control.text, timer.stopped, timer.is_paused)
        return None if self.beside is None else ShownClock(self.beside)

    def notice(self, now: float) -> None:
        """Note that the program is alive; pause the clock if it was not for a while."""
        if self.timer is not None and now > self._alive + STALL_S and self._alive >= 0:
            self.timer.pause_since(self._alive)
        self._alive = max(self._alive, now)

    def follow(self, view: SessionView, now: float, *, by_hand: bool) -> bool:
        """Follow a session, as `MatchTimer.follow`; return whether anything but the time has
        changed.
        """
        if self.timer is None:
            return False
        before = self.shown
        self.timer.follow(view, now, by_hand=by_hand)
        return self.shown != before

    def flag(self, view: SessionView, now: float) -> Seat | None:
        """Return a seat whose flag has fallen, once."""
        return None if self.timer is None else self.timer.flag(view, now)

    def sheet(self, now: float) -> TimeSheet | None:
        """Return the times for the journal: the latest after any change of the clock, else new ones
        every few seconds.
        """
        if (timer := self.timer) is None:
            return None
        is_due = timer.clock.is_running and now >= self._keep_at
        if timer.clock is not self._kept_clock or is_due:
            self._kept, self._kept_clock = timer.sheet(now), timer.clock
            self._keep_at = now + KEEP_S
        return self._kept
