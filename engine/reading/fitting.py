"""Fitting: how each line of play fits what the sensors read at the present moment.

That is asked again and again while nothing changes, for different lines, and by and by what waits
costs more; so what was found out is kept as long as it holds.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass

from engine.game import Place
from engine.reading.beam import GUESSED_A_STEP, Beam
from engine.reading.evidence import WORTH_A_LOOK
from engine.reading.footprints import Reading
from engine.reading.lines import Line
from engine.reading.tracks import End, Track


@dataclass(slots=True)
class _Fit:
    """How lines fit, as long as nothing changes."""

    tracks: list[Track]
    version: int
    """Of the edges."""
    levels: Mapping[Place, Reading]
    guesses: dict[Track, float]
    ends: dict[Track, list[End]]
    """Of each track that was worth a look, with those that half of a ply's marks lead to."""
    now: float

    def holds(self, tracks: list[Track], version: int, levels: Mapping[Place, Reading]) -> bool:
        """Whether it is still so, but for what costs more the longer it waits."""
        return self.tracks is tracks and self.version == version and self.levels == levels


class Fitting:
    """Finds out how the lines of a beam fit, the likely ones first."""

    def __init__(self, beam: Beam) -> None:
        self._beam = beam
        self._weigh = beam.weigh
        self._fit: _Fit | None = None

    def ends(
        self,
        tracks: list[Track],
        version: int,
        now: float,
        levels: Mapping[Place, Reading],
        past: bool,
    ) -> Generator[None, None, list[End]]:
        """Return, after a search that goes step by step, how each line of the tracks fits
        `levels`, the best first. The `version` is that of the edges; at a moment that
        is `past` what came later does not matter.
        """
        fit = yield from self._known(tracks, version, now, levels, past)
        ranked = sorted(fit.guesses.items(), key=lambda pair: pair[1])
        limit = ranked[0][1] + WORTH_A_LOOK if ranked else 0.0
        best: dict[Line, End] = {}
        least = float("inf")
        for number, (each, guess) in enumerate(ranked, 1):
            if guess > max(limit, least):
                break
            if not number % GUESSED_A_STEP:
                yield
            ends = fit.ends.get(each)
            if ends is None:
                yield
                ends = fit.ends[each] = yield from self._ends_of(each, now, levels)
            for end in ends:
                least = min(least, end.cost)
                if end.line not in best or best[end.line].cost > end.cost:
                    best[end.line] = end
        return sorted(best.values(), key=lambda end: end.cost)

    def _known(
        self,
        tracks: list[Track],
        version: int,
        now: float,
        levels: Mapping[Place, Reading],
        past: bool,
    ) -> Generator[None, None, _Fit]:
        """Return what is known of how lines fit; what may have changed is found out anew."""
        fit = self._fit
        if past and fit is not None and fit.tracks is tracks and fit.now == now:
            return fit
        if fit is None or not fit.holds(tracks, version, levels):
            guesses = yield from self._beam.guessed(tracks, now)
            if fit is not None:
                self._give_up(fit)
            fit = self._fit = _Fit(tracks, version, dict(levels), guesses, {}, now)
        elif fit.now != now:
            for known in fit.ends.values():
                for number, end in enumerate(known):
                    if end.waiting:
                        known[number] = yield from self._weigh.end(end.track, now, levels)
                        yield
            fit.now = now
        return fit

    def _ends_of(
        self, each: Track, now: float, levels: Mapping[Place, Reading]
    ) -> Generator[None, None, list[End]]:
        """Return how a line fits, and what may have become of it by now."""
        ends = []
        off = self._beam.is_off(each, now)
        for track in (each,) if off else self._beam.up_to(each, now):
            if track is not None:
                ends.append((yield from self._weigh.end(track, now, levels)))
            yield
        return ends

    def forget(self) -> None:
        """Find out all anew."""
        if self._fit is not None:
            self._give_up(self._fit)
        self._fit = None

    def _give_up(self, fit: _Fit) -> None:
        looked_at = ([end.track for end in ends] for ends in fit.ends.values())
        self._beam.spent.give_up_tracks(fit.guesses, *looked_at)
