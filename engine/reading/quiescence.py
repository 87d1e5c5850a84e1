"""Rests: all lines of play as they were when all pieces stood still last.

What hands have done since then is gone through once more when dice are told late, or when other
sensors are believed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from engine.reading.history import History
from engine.reading.hypothesis import Hypothesis
from engine.reading.observations import Edges


@dataclass(frozen=True, slots=True)
class Rest:
    """All lines when all pieces stood still."""

    hypotheses: list[Hypothesis]
    at: float
    """Up to when they have gone through what hands did: until pieces stood still, or later."""
    stood: float
    """When all pieces stood still."""
    cost: tuple[float, int]
    """What the likeliest of the lines had cost that pieces stood as, and how many plies it had."""

    @classmethod
    def of(cls, hypotheses: list[Hypothesis], at: float, still: Collection[Hypothesis]) -> Rest:
        """Return a rest with these hypotheses; the pieces stood as in those in `still`."""
        best = min(still, key=lambda each: each.cost + each.pauses)
        return cls(hypotheses, at, at, (best.cost + best.pauses, best.line.match.plies))

    def gone_on(self, hypotheses: list[Hypothesis], at: float) -> Rest:
        """Return the same with what has become of the hypotheses by a later time."""
        return replace(self, hypotheses=hypotheses, at=at)

    def with_lines(self, line: Callable[[History], History], edges: Edges) -> Rest:
        """Return the same with other lines, which may believe other sensors: where one is believed
        again that reads otherwise than a line has it, that is open in it.
        """
        hypotheses = []
        for each in self.hypotheses:
            other = line(each.line)
            off = {
                place
                for place in (each.line.masked - other.masked) & other.sight.cells
                if edges.value(place, self.at) != other.expected.get(place, 0)
            }
            hypotheses.append(each.but(line=other, open=(each.open | off) - other.masked))
        return replace(self, hypotheses=hypotheses)
