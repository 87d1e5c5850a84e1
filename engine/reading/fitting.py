"""Fitting: how each line of play fits what the sensors read at the present moment.

That is asked again and again while nothing changes, for different lines, and by and by what waits
costs more; so what was found out is kept as long as it holds.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass

from engine.game import Place
from engine.reading.beam import Beam
from engine.reading.evidence import WORTH_A_LOOK
from engine.reading.footprints import Reading
from engine.reading.hypothesis import End, Hypothesis
from engine.reading.lines import Line


@dataclass(slots=True)
class _Fit:
    """How lines fit, as long as nothing changes."""

    hypotheses: list[Hypothesis]
    version: int
    """Of the edges."""
    levels: Mapping[Place, Reading]
    guesses: dict[Hypothesis, float]
    ends: dict[Hypothesis, list[End]]
    """Of each hypothesis that was worth a look, with those that half of a ply's marks lead to."""
    now: float

    def holds(
        self, hypotheses: list[Hypothesis], version: int, levels: Mapping[Place, Reading]
    ) -> bool:
        """Whether it is still so, but for what costs more the longer it waits."""
        return self.hypotheses is hypotheses and self.version == version and self.levels == levels


class Fitting:
    """Finds out how the lines of a beam fit, the likely ones first."""

    def __init__(self, beam: Beam) -> None:
        self._beam = beam
        self._weigh = beam.weigh
        self._fit: _Fit | None = None

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
        fit = self._known(hypotheses, version, now, levels)
        yield
        ranked = sorted(fit.guesses.items(), key=lambda pair: pair[1])
        limit = ranked[0][1] + WORTH_A_LOOK if ranked else 0.0
        best: dict[Line, End] = {}
        least = float("inf")
        for each, guess in ranked:
            if guess > max(limit, least):
                break
            ends = fit.ends.get(each)
            if ends is None:
                yield
                ends = fit.ends[each] = self._ends_of(each, now, levels)
            for end in ends:
                least = min(least, end.cost)
                if end.line not in best or best[end.line].cost > end.cost:
                    best[end.line] = end
        return sorted(best.values(), key=lambda end: end.cost)

    def _known(
        self,
        hypotheses: list[Hypothesis],
        version: int,
        now: float,
        levels: Mapping[Place, Reading],
    ) -> _Fit:
        """Return what is known of how lines fit; what may have changed is found out anew."""
        fit = self._fit
        if fit is None or not fit.holds(hypotheses, version, levels):
            guesses = self._beam.guessed(hypotheses, now)
            fit = self._fit = _Fit(hypotheses, version, dict(levels), guesses, {}, now)
        elif fit.now != now:
            for known in fit.ends.values():
                for number, end in enumerate(known):
                    if end.waiting:
                        known[number] = self._weigh.end(end.hypothesis, now, levels)
            fit.now = now
        return fit

    def _ends_of(self, each: Hypothesis, now: float, levels: Mapping[Place, Reading]) -> list[End]:
        """Return how a line fits, and what may have become of it by now."""
        off = self._beam.is_off(each, now)
        return [
            self._weigh.end(hypothesis, now, levels)
            for hypothesis in ((each,) if off else self._beam.up_to(each, now))
        ]

    def forget(self) -> None:
        """Find out all anew."""
        self._fit = None
