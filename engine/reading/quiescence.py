"""Rests: all hypotheses at the time when all pieces last rested.

Later edges are processed again when a throw is reported late or the masked sensors change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from engine.reading.history import History
from engine.reading.hypothesis import Hypothesis
from engine.reading.observations import Edges


@dataclass(frozen=True, slots=True)
class Rest:
    """All hypotheses when all pieces rested."""

    hypotheses: list[Hypothesis]
    at: float
    """The time up to which edges are processed: when pieces rested, or later."""
    stood: float
    """The time when all pieces rested."""
    cost: tuple[float, int]
    """The cost and the plies of the likeliest history that the pieces stood as."""

    @classmethod
    def of(cls, hypotheses: list[Hypothesis], at: float, still: Collection[Hypothesis]) -> Rest:
        """Return a rest with these hypotheses; the pieces stood as in those in `still`."""
        best = min(still, key=lambda each: each.cost + each.pauses)
        return cls(hypotheses, at, at, (best.cost + best.pauses, best.line.match.plies))

    def continued(self, hypotheses: list[Hypothesis], at: float) -> Rest:
        """Return this rest with the hypotheses of a later time."""
        return replace(self, hypotheses=hypotheses, at=at)

    def with_lines(self, line: Callable[[History], History], edges: Edges) -> Rest:
        """Return this rest with replaced histories, which may mask other sensors.

        A place that is no longer masked and differs from the history becomes open.
        """
        hypotheses = []
        for each in self.hypotheses:
            other = line(each.line)
            off = {
                place
                for place in (each.line.masked - other.masked) & other.sight.cells
                if edges.value(place, self.at) != other.expected.get(place, 0)
            }
            hypotheses.append(each.copy(line=other, open=(each.open | off) - other.masked))
        return replace(self, hypotheses=hypotheses)
