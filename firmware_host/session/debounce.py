"""Debouncing: a place is at rest when its reading has not changed for a while."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from engine.game import Place

HOLD_S = 0.045
"""A reading must last for this time; contacts chatter for up to 40 ms."""

FLICKER_EDGES = 40
"""A place with this number of edges within FLICKER_WINDOW_S flickers: no hand is that quick."""
FLICKER_WINDOW_S = 4.0


class Debounce:
    """Turns raw readings into levels; time comes with the readings."""

    def __init__(self, hold_s: float = HOLD_S) -> None:
        self.hold_s = hold_s
        self.raw: dict[Place, int] = {}
        self._due: dict[Place, float] = {}  # by restless place: when it will be at rest
        self._recent: dict[Place, deque[float]] = {}
        self._restless: set[Place] = set()  # places that have had FLICKER_EDGES edges

    def begin(self, readings: Mapping[Place, int]) -> None:
        """Take `readings` as they are, all at rest."""
        self.raw = {place: reading for place, reading in readings.items() if reading}
        self._due.clear()

    def feed(self, at: float, readings: Mapping[Place, int]) -> list[tuple[Place, int]]:
        """Take all readings at a time; return the places that changed, with their readings."""
        raw = self.raw
        if readings == raw:
            return []
        edges = [
            (place, reading)
            for place, reading in readings.items()
            if raw.get(place) != reading and (reading or place in raw)
        ]
        edges += [(place, 0) for place in raw if place not in readings]
        for place, reading in edges:
            if reading:
                raw[place] = reading
            else:
                raw.pop(place, None)
            self._due[place] = at + self.hold_s
            recent = self._recent.setdefault(place, deque(maxlen=FLICKER_EDGES))
            recent.append(at)
            if len(recent) == FLICKER_EDGES:
                self._restless.add(place)
        return edges

    def rested(self, at: float) -> list[tuple[Place, int]]:
        """Return the places that have come to rest by `at`, with their levels."""
        if not self._due:
            return []
        done = [place for place, due in self._due.items() if due <= at + 1e-9]
        for place in done:
            del self._due[place]
        return [(place, self.raw.get(place, 0)) for place in done]

    @property
    def deadline(self) -> float | None:
        """When the next place comes to rest, if it does not change before."""
        return min(self._due.values()) if self._due else None

    def is_at_rest(self, but: AbstractSet[Place]) -> bool:
        """Whether all places but those of `but` are at rest."""
        return self._due.keys() <= but

    def flickering(self, at: float) -> list[Place]:
        """Return the places whose sensor flickers by itself."""
        return [place for place in self._restless if self._recent[place][0] > at - FLICKER_WINDOW_S]
