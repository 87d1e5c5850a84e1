"""A clock beside the board, with the times of its last message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import Seat
from firmware_host.players.time_control import LEAST_LITTLE_S

if TYPE_CHECKING:  # a board without serial devices does without their packages
    from drivers.coprocessor import ClockState


@dataclass(frozen=True, slots=True)
class ChessClock:
    """The time of each seat. Times are in seconds, on the clock of events."""

    running: Seat | None
    """The seat whose time runs."""
    told: tuple[float, ...]
    """By seat: the time left at that moment."""
    at: float

    def left(self, now: float) -> tuple[float, ...]:
        """Return the time left by seat, at least 0."""
        gone = max(0.0, now - self.at)
        return tuple(
            max(0.0, left - gone if seat == self.running else left)
            for seat, left in enumerate(self.told)
        )

    def fallen(self, now: float) -> frozenset[Seat]:
        """Return the seats whose flag has fallen."""
        return frozenset(seat for seat, left in enumerate(self.left(now)) if left == 0)

    def short(self, now: float) -> frozenset[Seat]:
        """Return the seat whose time runs, if it has little left."""
        if self.running is None or self.left(now)[self.running] > LEAST_LITTLE_S:
            return frozenset()
        return frozenset({self.running})

    @property
    def shortens(self) -> float | None:
        """When the running time becomes little; None if no time runs."""
        return None if self.falls is None else self.falls - LEAST_LITTLE_S

    @property
    def falls(self) -> float | None:
        """When the next flag falls, or fell; None if no time runs."""
        return None if self.running is None else self.at + self.told[self.running]


def clock_of(states: Sequence[ClockState], seats: int, at: float) -> ChessClock | None:
    """Return the first clock that has a side for each seat, its sides in the order of the seats."""
    for state in states:
        if len(state.left_ms) == seats and state.running <= seats:
            running = state.running - 1 if state.running else None
            return ChessClock(running, tuple(left / 1000 for left in state.left_ms), at)
    return None
