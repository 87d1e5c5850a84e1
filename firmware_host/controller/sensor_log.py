"""What the sensors of a board have reported: edges, levels at rest, buttons, with their times."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from firmware_host.session.debounce import Debounce
from hardware.machine import SensorFrame

MOST_ENTRIES: Final = 5000
"""The number of entries that the log keeps, the newest ones."""

EntryKind: TypeAlias = Literal["edge", "rest", "pulse", "pressed", "released", "unknown", "known"]


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One change of a sensor or a button."""

    number: int
    """Counted from 0 since the program started."""
    at: float
    """In seconds, as events carry it."""
    kind: EntryKind
    """`edge`: a raw reading changed · `rest`: it has held long enough to count · `pulse`: it
    changed and changed back between two looks · `pressed`, `released`: a button · `unknown`: the
    place cannot be read · `known`: it can again.
    """
    name: str
    """The place of the board, or the button."""
    reading: int = 0
    """Of an edge and of a level at rest, as in SensorFrame."""


class SensorLog:
    """The log of all frames of a board; bounded."""

    def __init__(self) -> None:
        self._entries: deque[LogEntry] = deque(maxlen=MOST_ENTRIES)
        self.count = 0
        """The number of all entries so far, and of the next one."""
        self._debounce = Debounce()
        self._rested: dict[str, int] = {}
        self._last: SensorFrame | None = None

    def raw(self, place: str) -> int | None:
        """Return the newest reading of a place; None if it is unknown."""
        last = self._last
        return None if last is None or place in last.blind else last.readings.get(place, 0)

    def rested(self, place: str, now: float) -> int | None:
        """Return the reading that counts for a place; None if it is unknown."""
        self._settle(now)
        return None if self.raw(place) is None else self._rested.get(place, 0)

    def since(self, number: int, now: float) -> Iterator[LogEntry]:
        """Yield the kept entries from that number on, the oldest first."""
        self._settle(now)
        skipped = max(0, len(self._entries) - max(0, self.count - number))
        yield from list(self._entries)[skipped:]

    def take(self, frame: SensorFrame) -> None:
        """Note the changes in a frame."""
        self._settle(frame.at)
        last = self._last
        blind = frozenset() if last is None else last.blind
        pressed = frozenset() if last is None else last.pressed
        for name in sorted(frame.blind - blind):
            self._note(frame.at, "unknown", name)
        for name in sorted(blind - frame.blind):
            self._note(frame.at, "known", name)
        for name in sorted(frame.pulsed):
            self._note(frame.at, "pulse", name)
        for name, reading in self._debounce.feed(frame.at, frame.readings):
            self._note(frame.at, "edge", name, reading)
        for name in sorted(frame.pressed - pressed):
            self._note(frame.at, "pressed", name)
        for name in sorted(pressed - frame.pressed):
            self._note(frame.at, "released", name)
        self._last = frame

    def _settle(self, now: float) -> None:
        """Note the levels that have come to rest; each at the time at which it counts."""
        while (due := self._debounce.deadline) is not None and due <= now:
            for name, reading in self._debounce.rested(due):
                if reading != self._rested.get(name, 0):
                    self._rested[name] = reading
                    self._note(due, "rest", name, reading)

    def _note(self, at: float, kind: EntryKind, name: str, reading: int = 0) -> None:
        self._entries.append(LogEntry(self.count, at, kind, name, reading))
        self.count += 1
