"""Counters of a board since the program began."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import Final

BOUNDS_S: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""The classes of `ReadingTimes`: up to these seconds; longer times are in one more class."""


class ReadingTimes:
    """The times from the last touch of a move until the move was read."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS_S) + 1)
        """The number of times by class."""
        self.total = 0.0
        """The sum in seconds."""

    def add(self, seconds: float) -> None:
        """Count a time."""
        seconds = max(0.0, seconds)
        self.counts[bisect_left(BOUNDS_S, seconds)] += 1
        self.total += seconds


class BoardCounters:
    """The counters of one board, over all its matches; they only grow."""

    def __init__(self) -> None:
        self.frames = 0
        """The frames of sensors that were taken."""
        self.events: Counter[str] = Counter()
        """By name: `move`, `ask`, `takeback` and all else that a session reports."""
        self.faults: Counter[str] = Counter()
        """By kind: the parts that began to fail."""
        self.readings = ReadingTimes()
