"""The clock that people see: that of the match, or one beside the board."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Seat
from firmware_host.session.chess_clock import ChessClock
from firmware_host.session.match_clock import MatchClock
from firmware_host.session.match_timer import ClockStop


@dataclass(frozen=True, slots=True)
class ShownClock:
    """A clock, and why it is stopped. Times are in seconds, on the clock of events."""

    source: MatchClock | ChessClock
    control: str = ""
    """The text of the time control; empty for a clock beside the board."""
    stopped: ClockStop | None = None
    """Why the clock of the match is stopped; None if it runs."""
    is_paused: bool = False

    @property
    def is_beside(self) -> bool:
        """Whether it is a clock beside the board."""
        return isinstance(self.source, ChessClock)

    @property
    def running(self) -> Seat | None:
        """The seat whose time runs."""
        return self.source.running

    def left(self, now: float) -> tuple[float, ...]:
        """Return the seconds that each seat has left."""
        return self.source.left(now)

    def periods_left(self, now: float) -> tuple[int, ...] | None:
        """Return the whole periods that each seat has after that; None without periods."""
        return None if isinstance(self.source, ChessClock) else self.source.periods_left(now)

    def fallen(self, now: float) -> frozenset[Seat]:
        """Return the seats whose flag has fallen."""
        return self.source.fallen(now)

    def short(self, now: float) -> frozenset[Seat]:
        """Return the seats that are to move and have little time."""
        return self.source.short(now)

    def changes_at(self, now: float) -> float | None:
        """Return when a flag falls or time gets short; None if neither comes."""
        times = self.source.falls, self.source.shortens
        return min((at for at in times if at is not None and at > now), default=None)
