"""Rests: all lines of play as they were whenever all men stood still.

What hands have done since then may turn out to be something else, when a sensor is believed no
more: then it is gone through once more. That begins where it is known how every man stood, so firm
rests are remembered for a while. One is firm if all men stood where they belong, or if the last
firm one is so long ago that edges since then are forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from engine.reading.evidence import FIRM_KEPT, REMEMBERED
from engine.reading.lines import Line
from engine.reading.observations import Edges
from engine.reading.tracks import Track


@dataclass(frozen=True, slots=True)
class Rest:
    """All lines when all men stood still."""

    tracks: list[Track]
    at: float
    cost: tuple[float, int]
    """What the likeliest of the lines had cost that men stood as, and how many plies it had."""
    line: Line
    """That line."""

    @classmethod
    def of(cls, tracks: list[Track], at: float, still: Collection[Track]) -> Rest:
        """Return a rest with these tracks, of which men stood as in those that are `still`."""
        best = min(still, key=lambda each: each.cost + each.pauses)
        return cls(tracks, at, (best.cost + best.pauses, best.line.match.plies), best.line)

    def with_lines(self, line: Callable[[Line], Line]) -> Rest:
        """Return the same with another line in the place of each."""
        tracks = [each.but(line=line(each.line)) for each in self.tracks]
        return replace(self, tracks=tracks, line=line(self.line))


class Rests:
    """When all men stood still last, and the firm rests up to then. There are none before it
    begins.
    """

    last: Rest

    def __init__(self, edges: Edges) -> None:
        self._edges = edges
        self._firm: list[Rest] = []

    def begin(self, first: Rest, afresh: bool = True) -> None:
        """Begin with a rest that is firm; unless `afresh`, those before are not forgotten."""
        self.last = first
        self._firm = [first] if afresh else [*self._firm[1 - FIRM_KEPT :], first]

    def add(self, rest: Rest, right: bool) -> None:
        """Note that all men stand still, and whether it is `right` how they stand: all are where
        they belong. Firm rests are forgotten with the edges that came after them.
        """
        self.last = rest
        since = rest.at - REMEMBERED  # what was done before is forgotten
        if not right and self._firm[-1].at >= since:
            return
        kept = []
        for each in self._firm[1 - FIRM_KEPT :]:
            edges = self._edges.between(each.at)
            if not edges or edges[0][0] > since:
                kept.append(replace(each, at=max(each.at, since)))
        self._firm = [*kept, rest]

    @property
    def last_is_firm(self) -> bool:
        """Whether the last one is firm."""
        return self.last.at == self._firm[-1].at

    @property
    def firm_lines(self) -> list[Line]:
        """The lines as which all men stood at firm rests, be it that they went back."""
        return [each.line for each in self._firm]

    def firm(self) -> Rest:
        """Return the last firm one."""
        return self._firm[-1]

    def replace(self, line: Callable[[Line], Line]) -> None:
        """Put another line in the place of each."""
        self.last = self.last.with_lines(line)
        self._firm = [each.with_lines(line) for each in self._firm]

    def again(self, line: Callable[[Line], Line]) -> Rests:
        """Return the same with other lines, which may believe other sensors."""
        other = Rests(self._edges)
        other.last = self._reread(self.last, line)
        other._firm = [self._reread(each, line) for each in self._firm]
        return other

    def anew(self, line: Callable[[Line], Line]) -> Rests:
        """Return the same with other lines, which may believe other sensors, and as if nothing had
        happened since the last firm one.
        """
        firm, other = self.firm(), Rests(self._edges)
        tracks = [each.with_past(line) for each in firm.tracks]
        other.begin(self._reread(replace(firm, tracks=tracks), line))
        return other

    def _reread(self, rest: Rest, line: Callable[[Line], Line]) -> Rest:
        """Return a rest with other lines: where a sensor is believed again that reads otherwise
        than one of them has it, that is open in it.
        """
        tracks = []
        for each in rest.tracks:
            other = line(each.line)
            off = {
                place
                for place in each.line.masked - other.masked
                if place in other.sight.cells
                and self._edges.value(place, rest.at) != other.expected.get(place, 0)
            }
            tracks.append(each.but(line=other, open=(each.open | off) - other.masked))
        return replace(rest, tracks=tracks, line=line(rest.line))
