"""Whether hands have left a board alone, so that a program may act."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.reading.verdict import Still
from firmware_host.session.hand_progress import refill_underway
from firmware_host.session.pending_actions import ActionKind
from firmware_host.session.view import SessionView

HANDS_OFF_S: Final = 0.6
"""A program acts once nobody has touched the board for this long …"""
CAPTIVE_S: Final = 10.0
"""… or for this long while a captured piece is not in its tray: it may be in a hand."""


class HandsOff:
    """The time for which a board has been in order and untouched."""

    def __init__(self, hold: Callable[[], bool]) -> None:
        """`hold` says whether a hand is known to hold a piece."""
        self.since = 0.0
        """Since when nobody has touched the board."""
        self._hold = hold
        self._key: object = None  # what the board has shown since then

    def lasts(self, view: SessionView, now: float) -> bool:
        """Return whether the board is in order, and nobody has touched it or held a piece for a
        while: longer while a captured piece or the rest of a refill is not in place.
        """
        quiet = (
            not self._hold()
            and isinstance(view.verdict, Still)
            and not view.thinking
            and not view.repair.guiding
            and not view.question.open
        )
        key = view.match.plies, view.match.position, view.levels
        if not quiet or self._key != key:
            self._key, self.since = (key if quiet else None), now
        pending = quiet and (_lacks_captive(view) or refill_underway(view) is not None)
        return quiet and now >= self.since + (CAPTIVE_S if pending else HANDS_OFF_S)


def _lacks_captive(view: SessionView) -> bool:
    """Return whether a sensed tray still lacks a captured piece."""
    sensed = view.sight.trays - view.masked
    return any(each.action is ActionKind.PUT_AWAY and each.place in sensed for each in view.pending)
