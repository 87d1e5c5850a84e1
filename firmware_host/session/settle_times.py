"""Patience: how long a verdict must stand before it is acted on, and what is done meanwhile.

All times are in seconds after the places came to rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from engine.reading.verdict import Ambiguous, Astray, Settled, Still, Underway, Verdict
from firmware_host.session.confidence import is_half_seen

AT_ONCE: Final = 0.02  # nothing else can follow
RIVALS: Final = 0.28  # the hand may go on to another move
LATE: Final = 1.5  # a man on its way to a tray may still tell
PATIENT: Final = 1.2  # a sensor may be failing, or something was too quick to be seen
REST: Final = 0.3  # all men stand still, or two lines explain it alike
AGAIN: Final = 0.25  # a hand that has not moved since has rather finished
REFUSED: Final = 0.35  # no move does that
GUIDED: Final = 1.0  # the board must be put right
HELD: Final = 5.0  # a man is missing, or may still come, or what was held back explains all
LONG: Final = 4.0  # something would be undone by a lift alone
UNTOLD: Final = 6.0  # it is asked what the next move would have told
GAP: Final = 1.0  # a place was not looked at: a hand may have made a move there
AWAY: Final = 30.0  # a man is missing: he may have taken another unseen, or lies under the table

ALARMS: Final[Mapping[type[Verdict], Mapping[str, float]]] = MappingProxyType(
    {
        Still: {"rest": REST, "stand": LONG},
        Underway: {
            "again": AGAIN,
            "patient": PATIENT,
            "held": HELD,
            "missing": AWAY,
            "guide": AWAY,
        },
        Astray: {"again": AGAIN, "refuse": REFUSED, "guide": GUIDED, "patient": PATIENT},
    }
)
"""What is done after a verdict, and when, if nothing else happens meanwhile."""
LASTING: Final = "ask"
"""What is done though the verdict changes."""

SLACK: Final = 1e-9  # sums of times are not exact


def patience(verdict: Settled | Ambiguous, doubted: float) -> float:
    """Return how long a verdict must stand, if the verdicts have been doubtful for that time."""
    if verdict.bare:
        return LONG
    if is_half_seen(verdict):
        return HELD
    if isinstance(verdict, Ambiguous):
        if verdict.sure:
            return LATE if verdict.late else REST
        return max(LATE if verdict.late else AT_ONCE, PATIENT - doubted)
    if not verdict.sure:
        return max(AT_ONCE, PATIENT - doubted)
    if verdict.rivals or verdict.plies > 1:
        return RIVALS * max(1, verdict.plies - 1)
    return AT_ONCE


class SettleTimes:
    """The verdict that stands, the time at which it is acted on, and the alarms set meanwhile."""

    def __init__(self) -> None:
        self.verdict: Verdict = Still()
        self.since = 0.0
        """When what the verdict explains came to rest."""
        self.pending: Settled | Ambiguous | None = None
        """The verdict that waits to be acted on."""
        self.alarms: dict[str, float] = {}
        """What is done next, and when, if nothing else happens: `act` on the verdict …"""
        self._doubted = float("inf")  # since when the verdicts have been doubtful

    def again(self, verdict: Verdict, since: float, now: float) -> bool:
        """Whether a verdict reads what the one reads that waits; then it may have to wait less."""
        waits = self.pending
        if (
            waits is None
            or not isinstance(verdict, Settled | Ambiguous)
            or not isinstance(verdict, type(waits))
            or verdict.lines != waits.lines
        ):
            return False
        sooner = since + patience(verdict, now - self._doubted)
        self.alarms["act"] = min(self.alarms.get("act", sooner), sooner)
        self.verdict = self.pending = verdict
        return True

    def begin(self, verdict: Verdict, since: float, now: float) -> None:
        """Let a verdict stand from now on; what it explains has been at rest `since` that time."""
        self.verdict = verdict
        self.since = since
        self.pending = None
        if isinstance(verdict, Still) or (isinstance(verdict, Settled) and verdict.sure):
            self._doubted = float("inf")
        else:
            self._doubted = min(self._doubted, now)
        self.alarms = {name: at for name, at in self.alarms.items() if name == LASTING}
        if isinstance(verdict, Settled | Ambiguous):
            self.pending = verdict
            until = self.alarms["act"] = since + patience(verdict, now - self._doubted)
            if isinstance(verdict, Ambiguous):  # a man that is still away when it is due tells, too
                self.alarms["again"] = max(now, until - AT_ONCE)
        for name, delay in ALARMS.get(type(verdict), {}).items():
            self.alarms[name] = now + delay

    def drop(self) -> None:
        """Forget the verdict."""
        self.verdict, self.pending = Still(), None

    def due(self) -> float | None:
        """Return when something is to be done next."""
        return min(self.alarms.values(), default=None)

    def ring(self, now: float) -> str | None:
        """Take back the first alarm whose time has come, and return it; None if there is none."""
        name, at = min(self.alarms.items(), key=lambda item: item[1], default=("", now + 1.0))
        if at > now + SLACK:
            return None
        del self.alarms[name]
        return name


PAUSE: Final = 0.000025  # seconds between two steps of a search: less than one takes on a PC


class Search:
    """Follows one search at a time, step by step, so that nobody waits for it. A search may begin
    the next one as it ends.
    """

    def __init__(self) -> None:
        self.due: float | None = None
        """When the search goes on; None if it has come to its end, or is not wanted any more."""
        self._search: Iterator[None] = iter(())

    def begin(self, search: Iterator[None], now: float) -> None:
        """Follow a search from now on; drop the one before."""
        self._search, self.due = search, now

    def go_on(self, now: float) -> None:
        """Follow the search for a step, if it is due."""
        if self.due is None or self.due > now + SLACK:
            return
        search, self.due = self._search, now + PAUSE
        ended = next(search, search) is search
        if ended and self._search is search:  # else it has begun another one
            self.due = None
