"""Lit places: how people answer on the board.

Each candidate of what is asked has a lit man, who is lifted and put back twice in a row. That must
be easy to do, and hard to do by accident: men are straightened and knocked all the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.game import Place
from engine.reading.reader import Reader
from engine.reading.standing import difference

TWICE = 2.0  # seconds within which a lit place is pressed for the second time
KNOCK = 0.1  # … and for less than that a man is gone that was only knocked
ASKED_ANEW = 0.5  # seconds within which nobody has seen yet that something is asked


class LitPlaces:
    """The places that are lit while something is asked, and what hands do there."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._chosen: dict[Place, str] = {}
        self._since: dict[Place, tuple[object, float]] = {}  # lit for what, and since when
        self._lifted: tuple[Place, float] | None = None  # to be put back as an answer
        self._pressed: tuple[Place, float] | None = None

    def choices(self, candidates: Sequence[str]) -> dict[str, Place]:
        """Return the place that chooses each candidate: a man that none of them touches, the
        nearest named first.
        """
        line = self._reader.shown[0]
        own = {
            place
            for shown in self._reader.shown
            for step in shown.since(shown.head()) or []
            if step.footprint
            for place in step.footprint.around
        }
        standing = [
            place
            for place in line.match.game.cells()
            if place in line.expected and place not in own and place not in line.masked
        ]
        return dict(zip(candidates, standing, strict=False))

    def light(self, asked: object, choices: Mapping[str, Place], now: float) -> None:
        """Note which places are lit now for what is `asked`: nobody answers before that can be
        seen.
        """
        before, self._since = self._since, {}
        self._chosen = {place: text for text, place in choices.items()}
        for place, text in self._chosen.items():
            what = asked, text
            known, since = before.get(place, (None, now))
            self._since[place] = what, since if known == what else now

    def pressed(self, now: float) -> Place | None:
        """Return the place that was pressed once and waits for the second time."""
        if self._pressed is None:
            return None
        place, at = self._pressed
        lit = place in self._since and self._since[place][1] <= at  # for the same since then
        return place if lit and now < at + TWICE - 1e-9 else None

    def touched(self, now: float, place: Place, reading: int) -> str | None:
        """Note that a place has come to rest; return the move that it chooses: a lit place that
        is lifted and put back once may be a slip, twice in a row it is an answer, if nothing else
        was touched meanwhile. Who was lifted before people can have seen the light, for no longer
        than a man is that is knocked, or for so long that somebody thought of moving him, answers
        nothing.
        """
        pressed, self._pressed = self._pressed if self.pressed(now) == place else None, None
        lifted, self._lifted = self._lifted, None
        if place not in self._chosen or not self._all_but(place):
            return None  # play goes on
        if not reading:
            self._lifted, self._pressed = (place, now), pressed
        elif lifted is not None and self._is_deliberate(lifted, place, now):
            if pressed is not None:
                return self._chosen[place]
            self._pressed = place, now
        return None

    def _is_deliberate(self, lifted: tuple[Place, float], place: Place, now: float) -> bool:
        """Whether a lit place that is put back now was lifted to answer."""
        lit, (where, at) = self._since[place][1], lifted
        return where == place and at >= lit + ASKED_ANEW and KNOCK <= now - at < TWICE

    def _all_but(self, place: Place) -> bool:
        """Whether all men stand as they are shown, but for one at most."""
        return any(
            all(other == place for other, _ in difference(line, self._reader.levels))
            for line in self._reader.shown
        )
