"""Fitting: how each line of play fits what the sensors read at the present moment.

That is asked again and again while nothing changes, so what was found out is kept as long as it
holds.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace

from engine.game import Place
from engine.reading.beam import Beam
from engine.reading.evidence import WAITED, WAITING, WORTH_A_LOOK
from engine.reading.footprints import Reading
from engine.reading.history import History
from engine.reading.hypothesis import End, Hypothesis


class Fitting:
    """Finds how lines of play fit, the likely ones first."""

    def __init__(self, beam: Beam) -> None:
        self._beam = beam
        self._of: tuple[list[Hypothesis], int, dict[Place, Reading]] = [], -1, {}
        self._guesses: dict[Hypothesis, float] = {}
        self._ends: dict[Hypothesis, list[End]] = {}
        """Of each hypothesis that was worth a look, with those that half of a ply's marks lead to.
        """

    def ends(
        self,
        hypotheses: list[Hypothesis],
        version: int,
        now: float,
        levels: Mapping[Place, Reading],
    ) -> Generator[None, None, list[End]]:
        """Return how each line of the hypotheses fits `levels`, the best first; one of them a step.
        The `version` is that of the edges.
        """
        known, of, read = self._of
        if known is not hypotheses or of != version or read != levels:
            self._of = hypotheses, version, dict(levels)
            self._guesses, self._ends = self._beam.guessed(hypotheses, now), {}
        found = self._ends
        yield
        ranked = sorted(self._guesses.items(), key=lambda pair: pair[1])
        limit = ranked[0][1] + WORTH_A_LOOK if ranked else 0.0
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
        return sorted(ends, key=lambda end: end.cost)

    def _ends_of(self, each: Hypothesis, now: float, levels: Mapping[Place, Reading]) -> list[End]:
        """Return how a line fits, and what may have become of it by now."""
        alone = self._beam.is_off(each, now)
        return [
            self._beam.weigh.end(hypothesis, now, levels)
            for hypothesis in ((each,) if alone else self._beam.up_to(each, now))
        ]

    def forget(self) -> None:
        """Find out all anew."""
        self._of = [], -1, {}
