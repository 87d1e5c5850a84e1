"""A stick die: a bar with four faces that falls into a groove with a switch for each.

It tumbles over several switches and bounces; only what it rests on counts, and only if somebody had
taken it up: who bumps into the table has not thrown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hardware.layout import PanelButton

REST: Final = 0.4
"""Seconds for which one switch alone is closed when the die has come to rest."""
UP: Final = 0.3
"""Seconds for which a die is away at least when it is thrown and falls as it lay before."""


class StickDie:
    """Tells throws from what the switches under a die say, in the time of the caller."""

    def __init__(self, faces: Mapping[int, PanelButton]) -> None:
        self._faces = {reed.name: face for face, reed in faces.items()}
        self._shows: int | None = None
        self._since = float("-inf")  # it shows that since then
        self._rests: int | None = None  # the number that it rested on last
        self._left = 0.0  # when it was seen to rest last
        self._begun = False

    def look(self, closed: frozenset[str], at: float) -> int | None:
        """Return the number that was thrown, once for each throw, when it has come to rest;
        `closed` are the names of all switches that are.
        """
        if not self._faces:
            return None
        faces = [self._faces[name] for name in closed if name in self._faces]
        shows = faces[0] if len(faces) == 1 else None
        if not self._begun:  # how it lies at the beginning is no throw
            self._begun, self._shows, self._rests = True, shows, shows
        if shows != self._shows:
            self._shows, self._since = shows, at
        if shows is None or at < self._since + REST:
            return None
        thrown = shows != self._rests or self._since - self._left >= UP
        self._rests, self._left = shows, at
        return shows if thrown else None
