"""Fitting: how each hypothesis fits the current readings.

Callers ask often while nothing changes, so results are cached as long as they hold.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace

from engine.game import Place
from engine.reading.beam import Beam
from engine.reading.evidence import LOOK_MARGIN, WAITED, WAITING
from engine.reading.footprints import Reading
from engine.reading.history import History
from engine.reading.hypothesis import End, Hypothesis


class Fitting:
    """Finds how hypotheses fit, the likely ones first."""

    def __init__(self, beam: Beam) -> None:
        self._beam = beam
        self._of: tuple[list[Hypothesis], int, dict[Place, Reading]] = [], -1, {}
        self._guesses: dict[Hypothesis, float] = {}
        self._ends: dict[Hypothesis, list[End]] = {}
        """By hypothesis that was examined: its end and those of its half-seen successors."""

    def ends(
        self,
        hypotheses: list[Hypothesis],
        version: int,
        now: float,
        levels: Mapping[Place, Reading],
    ) -> Generator[None, None, list[End]]:
        """Return how each history fits `levels`, the best first; one hypothesis per step.

        Of equally good ones the shorter comes first.
        `version` is that of the edges.
        """
        known, of, read = self._of
        if known is not hypotheses or of != version or read != levels:
            self._of = hypotheses, version, dict(levels)
            self._guesses, self._ends = self._beam.lower_bounds(hypotheses, now), {}
        found = self._ends
        yield
        ranked = sorted(self._guesses.items(), key=lambda pair: pair[1])
        limit = ranked[0][1] + LOOK_MARGIN if ranked else 0.0
        best: dict[History, End] = {}
        least = float("inf")
        for each, guess in ranked:
            if guess > max(limit, least):
                break
            if each not in found:
                yield
                found[each] = self._ends_of(each, now, levels)
            for end in found[each]:
                least = min(least, end.cost)
                if end.line not in best or best[end.line].cost > end.cost:
                    best[end.line] = end
        waited = WAITING * min(max(0.0, now - self._beam.edges.last(now)), WAITED)
        ends = [e if e.exact else replace(e, cost=e.cost + waited) for e in best.values()]
        return sorted(ends, key=lambda end: (end.cost, end.line.match.plies))

    def _ends_of(self, each: Hypothesis, now: float, levels: Mapping[Place, Reading]) -> list[End]:
        """Return the ends of a hypothesis and of its half-seen successors."""
        alone = self._beam.is_disturbed(each, now)
        return [
            self._beam.weigh.end(hypothesis, now, levels)
            for hypothesis in ((each,) if alone else self._beam.up_to(each, now))
        ]

    def forget(self) -> None:
        """Drop the cache."""
        self._of = [], -1, {}
