"""Settle times: how long a verdict must stand before it is shown, and what happens meanwhile.

All times are in seconds after the places came to rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from engine.reading.verdict import Ambiguous, Astray, Settled, Still, Underway, Verdict
from firmware_host.session.confidence import is_half_seen

AT_ONCE_S: Final = 0.02  # the move cannot go on
RIVALS_S: Final = 0.28  # the hand may go on to another move
LATE_S: Final = 1.5  # a piece on its way to a tray may still decide the question
PATIENT_S: Final = 1.2  # a sensor may be failing, or a movement was too quick to be seen
REST_S: Final = 0.3  # all pieces stand still, or two histories are equally likely
AGAIN_S: Final = 0.25  # a hand that has not moved since has probably finished
REFUSE_S: Final = 0.35  # no move fits
GUIDE_S: Final = 1.0  # the board must be put right
HELD_S: Final = 5.0  # a piece is missing or may still come
LONG_S: Final = 4.0  # a lift alone would take a move back
ASK_UNDECIDED_S: Final = 6.0  # the next move has not decided between histories
GAP_S: Final = 1.0  # a place was not read: a hand may have made a move there
MISSING_S: Final = 30.0  # a missing piece may have captured another one, or lies on the floor

ALARMS: Final[Mapping[type[Verdict], Mapping[str, float]]] = MappingProxyType(
    {
        Still: {"rest": REST_S, "stand": LONG_S},
        Underway: {
            "again": AGAIN_S,
            "patient": PATIENT_S,
            "held": HELD_S,
            "missing": MISSING_S,
            "guide": MISSING_S,
        },
        Astray: {"again": AGAIN_S, "refuse": REFUSE_S, "guide": GUIDE_S, "patient": PATIENT_S},
    }
)
"""The alarms of a verdict, with their delays; any new verdict replaces them."""
LASTING: Final = "ask"
"""The alarm that stays set when the verdict changes."""

SLACK_S: Final = 1e-9  # rounding of sums of times


def settle_time(verdict: Settled | Ambiguous, doubted_s: float) -> float:
    """Return how long a verdict must stand if the verdicts have been doubtful for `doubted_s`."""
    if verdict.bare:
        return LONG_S
    if is_half_seen(verdict):
        return HELD_S
    if isinstance(verdict, Ambiguous):
        if verdict.sure:
            return LATE_S if verdict.late else REST_S
        return max(LATE_S if verdict.late else AT_ONCE_S, PATIENT_S - doubted_s)
    if not verdict.sure:
        return max(AT_ONCE_S, PATIENT_S - doubted_s)
    if verdict.rivals or verdict.plies > 1:
        return RIVALS_S * max(1, verdict.plies - 1)
    return AT_ONCE_S


class SettleTimes:
    """The current verdict, the time when it is shown, and the alarms."""

    def __init__(self) -> None:
        self.verdict: Verdict = Still()
        self.since = 0.0
        """When the places that the verdict explains came to rest."""
        self.pending: Settled | Ambiguous | None = None
        """The verdict that waits to be shown."""
        self.alarms: dict[str, float] = {}
        """The alarms with their times; `act` is for the pending verdict."""
        self._doubted_since = float("inf")  # since when the verdicts have been doubtful

    def again(self, verdict: Verdict, since: float, now: float) -> bool:
        """Return whether a verdict has the same histories as the pending one; it may shorten the
        wait.
        """
        waits = self.pending
        if (
            waits is None
            or not isinstance(verdict, Settled | Ambiguous)
            or not isinstance(verdict, type(waits))
            or verdict.lines != waits.lines
        ):
            return False
        sooner = since + settle_time(verdict, now - self._doubted_since)
        self.alarms["act"] = min(self.alarms.get("act", sooner), sooner)
        self.verdict = self.pending = verdict
        return True

    def begin(self, verdict: Verdict, since: float, now: float) -> None:
        """Take a new verdict; the places that it explains have been at rest since `since`."""
        self.verdict = verdict
        self.since = since
        self.pending = None
        if isinstance(verdict, Still) or (isinstance(verdict, Settled) and verdict.sure):
            self._doubted_since = float("inf")
        else:
            self._doubted_since = min(self._doubted_since, now)
        self.alarms = {name: at for name, at in self.alarms.items() if name == LASTING}
        if isinstance(verdict, Settled | Ambiguous):
            self.pending = verdict
            until = self.alarms["act"] = since + settle_time(verdict, now - self._doubted_since)
            if isinstance(
                verdict, Ambiguous
            ):  # a piece that is still missing then is evidence, too
                self.alarms["again"] = max(now, until - AT_ONCE_S)
        for name, delay in ALARMS.get(type(verdict), {}).items():
            self.alarms[name] = now + delay

    def drop(self) -> None:
        """Forget the verdict."""
        self.verdict, self.pending = Still(), None

    def due(self) -> float | None:
        """Return when the next alarm rings."""
        return min(self.alarms.values(), default=None)

    def ring(self, now: float) -> str | None:
        """Remove the first alarm whose time has come and return it; None if there is none."""
        name, at = min(self.alarms.items(), key=lambda item: item[1], default=("", now + 1.0))
        if at > now + SLACK_S:
            return None
        del self.alarms[name]
        return name


PAUSE_S: Final = 0.000025  # between two steps of a search; a step takes longer on a PC


class Search:
    """Runs one search at a time, step by step, so that nothing waits for it. A search may begin the
    next one as it ends.
    """

    def __init__(self) -> None:
        self.due: float | None = None
        """When the next step is due; None if no search is running."""
        self._search: Iterator[None] = iter(())

    def begin(self, search: Iterator[None], now: float) -> None:
        """Begin a search; drop the one before."""
        self._search, self.due = search, now

    def step(self, now: float) -> None:
        """Do one step of the search, if it is due."""
        if self.due is None or self.due > now + SLACK_S:
            return
        search, self.due = self._search, now + PAUSE_S
        ended = next(search, search) is search
        if ended and self._search is search:  # else it has begun another one
            self.due = None
