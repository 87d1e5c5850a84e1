"""Edges: every change of every sensor in order of time, with queries."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from engine.game import Place
from engine.reading.evidence import ANSWERS_KEPT, AT_ONCE, BURST, CHATTERED, ROCKED, SLACK, STAYED
from engine.reading.footprints import Reading


@dataclass(frozen=True, slots=True)
class Placement:
    """A piece was put down, or taken away (reading 0)."""

    at: float
    place: Place
    reading: Reading
    until: float
    """The time when it stopped rocking."""


class Edges:
    """The recent raw edges, and the reading of each place before them."""

    def __init__(self) -> None:
        self.order: list[tuple[float, Place]] = []
        self.version = 0
        """Grows with every change of the recorded past."""
        self._at: list[float] = []  # the times of `order`
        self._first: dict[Place, Reading] = {}
        self._times: dict[Place, list[float]] = {}
        self._values: dict[Place, list[Reading]] = {}
        self._places: dict[tuple[float, float], frozenset[Place]] = {}  # in spans of time

    def add(self, at: float, place: Place, reading: Reading) -> None:
        """Record that `place` has the reading from `at` on, however briefly."""
        self.version += 1
        self._places.clear()
        self.order.append((at, place))
        self._at.append(at)
        self._times.setdefault(place, []).append(at)
        self._values.setdefault(place, []).append(reading)

    def forget(self, until: float) -> None:
        """Drop all edges up to a time, but keep the reading of each place then."""
        number = bisect_right(self._at, until)
        if not number:
            return
        self.version += 1
        self._places.clear()
        for place in {place for _, place in self.order[:number]}:
            times, values = self._times[place], self._values[place]
            count = bisect_right(times, until)
            self._first[place] = values[count - 1]
            if count == len(times):
                del self._times[place], self._values[place]
            else:
                del times[:count], values[:count]
        del self.order[:number], self._at[:number]

    def restart(self, levels: Mapping[Place, Reading], now: float) -> float:
        """Take `levels` as the readings, drop all edges, and return the time of the new start.

        Edges of places that do not rest yet stay: they may begin a ply.
        """
        restless = self._restless(levels)
        since = self.calm_since(levels, now)
        self.forget(since)
        self._first = self._first | dict.fromkeys(self._first, 0) | dict(levels)
        self.version += 1
        self._places.clear()
        self.order = [edge for edge in self.order if edge[1] in restless]
        self._at = [at for at, _ in self.order]
        self._times = {place: self._times[place] for place in restless & self._times.keys()}
        self._values = {place: self._values[place] for place in restless & self._values.keys()}
        return since

    def calm_since(self, levels: Mapping[Place, Reading], now: float) -> float:
        """Return the time since which only places that do not rest yet have changed."""
        return now - SLACK if self._restless(levels) else now

    def _restless(self, levels: Mapping[Place, Reading]) -> set[Place]:
        return {p for p, values in self._values.items() if values[-1] != levels.get(p, 0)}

    # ---- when

    def between(self, after: float, until: float = float("inf")) -> list[tuple[float, Place]]:
        """Return the time and place of each edge after a time and up to another, in order."""
        return self.order[bisect_right(self._at, after) : bisect_right(self._at, until)]

    def places(self, after: float, until: float) -> frozenset[Place]:
        """Return the places with edges after a time and up to another."""
        span = after, until
        found = self._places.get(span)
        if found is None:
            if len(self._places) == ANSWERS_KEPT:
                self._places.clear()
            found = frozenset([place for _, place in self.between(after, until)])
            self._places[span] = found
        return found

    def times(self, place: Place, after: float, until: float) -> list[float]:
        """Return the times of a place's edges after a time and up to another, in order."""
        times = self._times.get(place, [])
        return times[bisect_right(times, after) : bisect_right(times, until)]

    def last(self, until: float) -> float:
        """Return the time of the last edge up to a time; that time if there is none."""
        number = bisect_right(self._at, until)
        return self._at[number - 1] if number else until

    def changed(self, place: Place, until: float = float("inf")) -> float:
        """Return the time of a place's last edge up to a time."""
        times = self._times.get(place, [])
        number = bisect_right(times, until)
        return times[number - 1] if number else float("-inf")

    def came(self, place: Place, until: float) -> float:
        """Return the time of a place's last edge before a time: when its piece came."""
        times = self._times.get(place, [])
        number = bisect_left(times, until)
        return times[number - 1] if number else float("-inf")

    def touched(self, place: Place, after: float, until: float) -> bool:
        """Return whether a place had an edge in a time span."""
        times = self._times.get(place)
        if times is None:
            return False
        number = bisect_right(times, until)
        return bool(number) and times[number - 1] > after

    def spans(self, place: Place) -> Iterator[tuple[float, float, Reading]]:
        """Yield start, end and value of each past reading of a place."""
        times, values = self._times.get(place, ()), self._values.get(place, ())
        for (at, left), value in zip(pairwise(times), values, strict=False):
            yield at, left, value

    def stood(self, place: Place, reading: Reading, after: float, until: float) -> bool:
        """Return whether a piece with that reading came, stayed and left within a time span."""
        return any(
            value == reading and came > after and left <= until and left - came >= STAYED
            for came, left, value in self.spans(place)
        )

    def stands_since(self, place: Place, at: float, away: float) -> float:
        """Return since when a piece has stood on a place at a time; absences shorter than `away` do
        not count.
        """
        times, values = self._times.get(place, ()), self._values.get(place, ())
        since = until = at
        for number in range(bisect_right(times, at) - 1, -1, -1):
            if values[number]:
                since = times[number]
            elif until - times[number] >= away:
                break
            until = times[number]
        return since

    def rested(self, place: Place, after: float, until: float) -> float:
        """Return the longest stay of a piece that came to a place in a time span and left it."""
        spans = self.spans(place)
        return max(
            (left - came for came, left, v in spans if v and after < came <= until), default=0.0
        )

    def gave(self, tray: Place, after: float, until: float) -> bool:
        """Return whether the reading of a tray fell in a time span."""
        times, values = self._times.get(tray, ()), self._values.get(tray, ())
        before = (self._first.get(tray, 0), *values)
        return any(
            after < at <= until and less < more
            for at, less, more in zip(times, values, before, strict=False)
        )

    def was_away(self, place: Place, after: float, until: float, put: float) -> bool:
        """Return whether a piece put down at `put` was lifted in a time span and came back.

        Rocking does not count.
        """
        lifted_at, back = float("inf"), put
        for came, left, value in self.spans(place):
            if not value and after < came <= until:
                lifted_at = came if came - back >= BURST else lifted_at
                back = left
        return back > lifted_at

    # ---- what

    def value(self, place: Place, at: float) -> Reading:
        """Return the reading of a place at a time."""
        times = self._times.get(place)
        if times is None:
            return self._first.get(place, 0)
        if at >= times[-1]:  # mostly
            return self._values[place][-1]
        number = bisect_right(times, at)
        return self._values[place][number - 1] if number else self._first.get(place, 0)

    def was(self, place: Place, reading: Reading, at: float) -> bool:
        """Return whether a place had this reading at about that time."""
        return (
            self.value(place, at) == reading
            or self.value(place, at + SLACK) == reading
            or self.value(place, at - AT_ONCE) == reading
        )

    def placements(
        self, after: float, until: float, now: float, levels: Mapping[Place, Reading]
    ) -> list[Placement]:
        """Return the placements in a time span, in order of time, as known by `now`.

        `levels` holds the current readings.
        """
        found = []
        for place in sorted({place for _, place in self.between(after, until)}):
            times, values = self._times[place], self._values[place]
            put_at: float | None = None
            absence: float | None = None  # the longest gap since a piece left the place
            first = max(0, bisect_right(times, after - CHATTERED))
            for number in range(first, len(times)):
                at, value = times[number], values[number]
                if at > until:
                    break
                if not value:
                    if number == 0 or at - times[number - 1] >= BURST:
                        absence = 0.0
                    away = times[number + 1] - at if number + 1 < len(times) else now - at
                    if at > after and (away >= STAYED or self._has_been_replaced(place, number)):
                        found.append(Placement(at, place, 0, at))
                    continue
                rocked = (
                    put_at is not None
                    and values[number - 2] == value
                    and not values[number - 1]
                    and at - times[number - 2] < BURST
                )
                if (
                    absence is not None and number
                ):  # a leaving piece may chatter before the next one comes
                    away = at - times[number - 1]
                    rocked = rocked and away <= absence
                    absence = max(absence, away)
                if not rocked:
                    put_at = at
                if number + 1 < len(times):
                    left_at = times[number + 1]
                    stayed = left_at - at >= STAYED or (
                        left_at - (put_at or at) >= ROCKED and self._left(place, number + 1, now)
                    )
                else:
                    stayed = now - at >= STAYED or levels.get(place, 0) == value
                if stayed:
                    if at > after:
                        assert put_at is not None
                        found.append(Placement(put_at, place, value, at))
                    put_at = absence = None
        found.sort(key=lambda put: put.at)
        return found

    def calm(self, until: float, now: float) -> float:
        """Return the time when the first piece that still rocks at `until` began, or `until`."""
        since = until
        for place in {place for _, place in self.between(until - BURST, until)}:
            times, values = self._times[place], self._values[place]
            number = bisect_right(times, until) - 1
            left = times[number + 1] if number + 1 < len(times) else now
            while number >= 0 and left - times[number] < (STAYED if values[number] else BURST):
                left = times[number]
                if values[number]:
                    since = min(since, left)
                number -= 1
        return since

    def _has_been_replaced(self, place: Place, number: int) -> bool:
        """Return whether a piece with another pole came after the one that left at an edge.

        Then the first piece has not only rocked, however late the sensor released it.
        """
        values = self._values[place]
        return 0 < number < len(values) - 1 and values[number + 1] != values[number - 1]

    def _left(self, place: Place, number: int, now: float) -> bool:
        """Return whether a piece has surely left at an edge, and does not only rock."""
        times, values = self._times[place], self._values[place]
        if number + 1 == len(times):
            return now - times[number] >= BURST
        return (
            times[number + 1] - times[number] >= BURST or values[number + 1] != values[number - 1]
        )
