"""How much of a hint is wanted: each press of the button asks for more of it."""

from __future__ import annotations

from typing import Final

from firmware_host.session.record import Record

STEPS: Final = 4
"""Of the button: which man, where to, why, and none."""
LASTS: Final = 20.0
"""Seconds after which a hint goes out by itself."""


class Hints:
    """What was asked for last, and when."""

    def __init__(self) -> None:
        self.ends = float("-inf")
        """When the hint goes out by itself."""
        self._step = 0
        self._about: Record = ()

    def press(self, now: float, record: Record) -> None:
        """Ask for more of it; after all of it for none."""
        self._step = (self.step(now, record) + 1) % STEPS
        self._about, self.ends = record, now + LASTS

    def asked(self, record: Record) -> int:
        """Return how much was asked for, if nothing was played since."""
        return self._step if record == self._about else 0

    def step(self, now: float, record: Record) -> int:
        """Return how much is wanted: 0 nothing, 1 which man, 2 where to, 3 why. Once anything was
        played it is nothing.
        """
        return self.asked(record) if now < self.ends else 0
