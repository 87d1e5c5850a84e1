"""Patience: how long a verdict must stand before it is acted on.

All times are in seconds after the places came to rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.verdicts import Ambiguous, Astray, Settled, Still, Underway, Verdict

AT_ONCE: Final = 0.02  # nothing else can follow
RIVALS: Final = 0.28  # the hand may go on to another move
BARE: Final = 4.0  # something would be undone by a lift alone
ASKED: Final = 0.3  # two lines explain it alike
LATE: Final = 1.5  # … and a man on its way to a tray may still tell
PATIENT: Final = 1.2  # a sensor may be failing, or something was too quick to be seen
REST: Final = 0.3  # all men stand still
AGAIN: Final = 0.25  # a hand that has not moved since has rather finished
REFUSED: Final = 0.35  # no move does that
GUIDED: Final = 1.0  # the board must be put right
HELD: Final = 5.0  # a man is missing, and may have taken another unseen
AWAY: Final = 30.0  # … or lies under the table

ALARMS: Final[Mapping[type[Verdict], Mapping[str, float]]] = MappingProxyType(
    {
        Still: {"rest": REST},
        Underway: {"again": AGAIN, "patient": PATIENT, "held": HELD, "guide": AWAY},
        Astray: {"again": AGAIN, "refuse": REFUSED, "guide": GUIDED, "patient": PATIENT},
    }
)
"""What is done after a verdict, and when, if nothing else happens meanwhile."""


def patience(verdict: Settled | Ambiguous, doubted: float, suspected: bool) -> float:
    """Return how long a verdict must stand, if the verdicts have been doubtful for that time and
    sensors are `suspected` since the board was set up or not.
    """
    if suspected:
        return PATIENT
    if isinstance(verdict, Ambiguous) and verdict.sure:
        return BARE if verdict.bare else LATE if verdict.late else ASKED
    if verdict.bare:
        return BARE
    if isinstance(verdict, Ambiguous) or not verdict.sure:
        return max(AT_ONCE, PATIENT - doubted)
    if verdict.late:
        return LATE
    if verdict.rivals or verdict.plies > 1:
        return RIVALS * max(1, verdict.plies - 1)
    return AT_ONCE
