"""Edges: every change of every sensor, in order of time, and what can be asked of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from engine.game import Place
from engine.reading.evidence import (
    AT_ONCE,
    BURST,
    ROCKED,
    SLACK,
    SPANS_KEPT,
    STAYED,
)
from engine.reading.footprints import Reading

# Times, in seconds.


@dataclass(frozen=True, slots=True)
class Placement:
    """A piece came to stand, or was taken away (reading 0)."""

    at: float
    place: Place
    reading: Reading
    until: float
    """When it had stopped rocking."""


class Edges:
    """The raw edges of the last while; before them, what each place read."""

    def __init__(self) -> None:
        self.order: list[tuple[float, Place]] = []
        self.version = 0
        """Grows whenever what is known of the past changes."""
        self._at: list[float] = []  # the times of `order`
        self._first: dict[Place, Reading] = {}
        self._times: dict[Place, list[float]] = {}
        self._values: dict[Place, list[Reading]] = {}
        self._places: dict[tuple[float, float], frozenset[Place]] = {}  # in spans of time

    def add(self, at: float, place: Place, reading: Reading) -> None:
        """Note that `place` read `reading` from `at` on, however briefly."""
        self.version += 1
        self._places.clear()
        self.order.append((at, place))
        self._at.append(at)
        self._times.setdefault(place, []).append(at)
        self._values.setdefault(place, []).append(reading)

    def forget(self, until: float) -> None:
        """Forget all edges up to a time; what each place read then is still known."""
        number = bisect_right(self._at, until)
        if not number:
            return
        self.version += 1
        self._places.clear()
        for place in {place for _, place in self.order[:number]}:
            times, values = self._times[place], self._values[place]
            gone = bisect_right(times, until)
            self._first[place] = values[gone - 1]
            if gone == len(times):
                del self._times[place], self._values[place]
            else:
                del times[:gone], values[:gone]
        del self.order[:number], self._at[:number]

    def restart(self, levels: Mapping[Place, Reading], now: float) -> float:
        """Take `levels` as what the sensors read, and forget all edges; return since when. But
        what has not come to rest yet may be the beginning of a ply, and is kept.
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
        """Return since when nothing has been done by `now` but what has not come to rest yet, while
        the sensors read `levels`.
        """
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
            if len(self._places) == SPANS_KEPT:
                self._places.clear()
            found = frozenset([place for _, place in self.between(after, until)])
            self._places[span] = found
        return found

    def times(self, place: Place, after: float, until: float) -> list[float]:
        """Return when a place changed after a time and up to another, in order."""
        times = self._times.get(place, [])
        return times[bisect_right(times, after) : bisect_right(times, until)]

    def last(self, until: float) -> float:
        """Return when anything changed last before a time; that time if nothing did."""
        number = bisect_right(self._at, until)
        return self._at[number - 1] if number else until

    def changed(self, place: Place, until: float = float("inf")) -> float:
        """Return when a place changed last before a time."""
        times = self._times.get(place, [])
        number = bisect_right(times, until)
        return times[number - 1] if number else float("-inf")

    def came(self, place: Place, until: float) -> float:
        """Return when the piece came that stood on a place before a time."""
        times = self._times.get(place, [])
        number = bisect_left(times, until)
        return times[number - 1] if number else float("-inf")

    def touched(self, place: Place, after: float, until: float) -> bool:
        """Whether a place had an edge in a span of time."""
        times = self._times.get(place)
        if times is None:
            return False
        number = bisect_right(times, until)
        return bool(number) and times[number - 1] > after

    def spans(self, place: Place) -> Iterator[tuple[float, float, Reading]]:
        """Yield from when to when a place read what, but for what it reads still."""
        times, values = self._times.get(place, ()), self._values.get(place, ())
        for (at, left), value in zip(pairwise(times), values, strict=False):
            yield at, left, value

    def stood(self, place: Place, reading: Reading, after: float, until: float) -> bool:
        """Whether a piece of that reading came to a place, stayed and left within a time span."""
        return any(
            value == reading and came > after and left <= until and left - came >= STAYED
            for came, left, value in self.spans(place)
        )

    def rested(self, place: Place, after: float, until: float) -> float:
        """Return for how long a piece stood at most who came to a place in a span of time and left
        it.
        """
        spans = self.spans(place)
        return max(
            (left - came for came, left, v in spans if v and after < came <= until), default=0.0
        )

    def gave(self, tray: Place, after: float, until: float) -> bool:
        """Whether a tray came to read less in a span of time."""
        times, values = self._times.get(tray, ()), self._values.get(tray, ())
        before = (self._first.get(tray, 0), *values)
        return any(
            after < at <= until and less < more
            for at, less, more in zip(times, values, before, strict=False)
        )

    def was_away(self, place: Place, after: float, until: float, put: float) -> bool:
        """Whether a piece who was `put` on a place was lifted in a span of time and has come back,
        but for what he rocked.
        """
        gone, back = float("inf"), put
        for came, left, value in self.spans(place):
            if not value and after < came <= until:
                gone = came if came - back >= BURST else gone
                back = left
        return back > gone

    # ---- what

    def value(self, place: Place, at: float) -> Reading:
        """Return what a place read at a time."""
        times = self._times.get(place)
        if times is None:
            return self._first.get(place, 0)
        if at >= times[-1]:  # mostly
            return self._values[place][-1]
        number = bisect_right(times, at)
        return self._values[place][number - 1] if number else self._first.get(place, 0)

    def was(self, place: Place, reading: Reading, at: float) -> bool:
        """Whether a place read this at a time, give or take what sensors disagree by."""
        return (
            self.value(place, at) == reading
            or self.value(place, at + SLACK) == reading
            or self.value(place, at - AT_ONCE) == reading
        )

    def puts(
        self, after: float, until: float, now: float, levels: Mapping[Place, Reading]
    ) -> list[Placement]:
        """Return where pieces came to stand or were taken away, in order of time, if it was known
        within a span of time and as it is known by `now`; the sensors read `levels`.
        """
        found = []
        for place in sorted({place for _, place in self.between(after, until)}):
            times, values = self._times[place], self._values[place]
            begun: float | None = None
            absence: float | None = None  # the longest one since a piece left that stood there
            first = max(0, bisect_right(times, after - 1.0))
            for number in range(first, len(times)):
                at, value = times[number], values[number]
                if at > until:
                    break
                if not value:
                    if number == 0 or at - times[number - 1] >= BURST:
                        absence = 0.0
                    gone = times[number + 1] - at if number + 1 < len(times) else now - at
                    if at > after and (gone >= STAYED or self._has_been_replaced(place, number)):
                        found.append(Placement(at, place, 0, at))
                    continue
                rocked = (
                    begun is not None
                    and values[number - 2] == value
                    and not values[number - 1]
                    and at - times[number - 2] < BURST
                )
                if absence is not None and number:  # who left may chatter before the next one comes
                    away = at - times[number - 1]
                    rocked = rocked and away <= absence
                    absence = max(absence, away)
                if not rocked:
                    begun = at
                if number + 1 < len(times):
                    gone = times[number + 1]
                    stayed = gone - at >= STAYED or (
                        gone - (begun or at) >= ROCKED and self._left(place, number + 1, now)
                    )
                else:
                    stayed = now - at >= STAYED or levels.get(place, 0) == value
                if stayed:
                    if at > after:
                        assert begun is not None
                        found.append(Placement(begun, place, value, at))
                    begun = absence = None
        found.sort(key=lambda put: put.at)
        return found

    def calm(self, until: float, now: float) -> float:
        """Return that time, or when the first of the pieces began to rock that still rock then."""
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
        """Whether another piece came, with another pole, to where one had left at an edge: that one
        has not only rocked, however late the sensor let go of him.
        """
        values = self._values[place]
        return 0 < number < len(values) - 1 and values[number + 1] != values[number - 1]

    def _left(self, place: Place, number: int, now: float) -> bool:
        """Whether a piece is surely away since an edge, and does not only rock."""
        times, values = self._times[place], self._values[place]
        if number + 1 == len(times):
            return now - times[number] >= BURST
        return (
            times[number + 1] - times[number] >= BURST or values[number + 1] != values[number - 1]
        )
