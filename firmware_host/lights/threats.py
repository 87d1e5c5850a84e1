"""The dangers that a seat is warned of, and where they come from."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.game import Place, Threat
from engine.match import Match

if TYPE_CHECKING:
    from firmware_host.session.view import SessionView

CHECKS: Final = 2
"""From this help level on, a seat is warned of checks …"""
ALL_DANGERS: Final = 3
"""… and from this one, of all dangers and where they come from."""
OTHERS: Final = ("undefended", "edge", "reach")


@lru_cache(1)
def threats(match: Match) -> tuple[Threat, ...]:
    """Return the dangers to the seat to act."""
    return match.game.threats(match.position)


def warned(view: SessionView) -> list[Threat]:
    """Return the dangers that the seat to act is warned of, checks first."""
    level = view.assist[view.acting]
    if level < CHECKS or view.outcome is not None:
        return []
    kinds = ("check", *OTHERS) if level >= ALL_DANGERS else ("check",)
    told = [threat for threat in threats(view.match) if threat.kind in kinds]
    return sorted(told, key=lambda threat: threat.kind != "check")


def attackers(threat: Threat) -> tuple[Place, ...]:
    """Return the places of the pieces that threaten a piece."""
    return () if threat.kind == "reach" else threat.by
