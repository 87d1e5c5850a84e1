"""A stick die: a bar with four faces that falls into a groove with a switch for each.

It tumbles over several switches and bounces. A throw is the face on which it comes to rest, and
only if the die was lifted before: a bump against the table is no throw.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hardware.layout import PanelButton

REST_S: Final = 0.4
"""A die is at rest when one switch alone has been closed for this time."""
UP_S: Final = 0.3
"""A die that falls on the same face again was thrown if it was away for this time at least."""


class StickDie:
    """Finds throws in the readings of the switches under a die. The caller gives the times."""

    def __init__(self, faces: Mapping[int, PanelButton]) -> None:
        self._faces = {reed.name: face for face, reed in faces.items()}
        self._shows: int | None = None
        self._since = float("-inf")  # since when it shows that
        self._rested_on: int | None = None  # the last face that it rested on
        self._rested_at = 0.0  # when it was last seen at rest
        self._has_looked = False

    def look(self, closed: frozenset[str], at: float) -> int | None:
        """Return the number that was thrown, once per throw, when the die has come to rest;
        `closed` are the names of the closed switches.
        """
        if not self._faces:
            return None
        faces = [self._faces[name] for name in closed if name in self._faces]
        shows = faces[0] if len(faces) == 1 else None
        if not self._has_looked:  # its position at the start is no throw
            self._has_looked, self._shows, self._rested_on = True, shows, shows
        if shows != self._shows:
            self._shows, self._since = shows, at
        if shows is None or at < self._since + REST_S:
            return None
        thrown = shows != self._rested_on or self._since - self._rested_at >= UP_S
        self._rested_on, self._rested_at = shows, at
        return shows if thrown else None
