"""What the tests of Chaturaji share."""

from __future__ import annotations

from typing import Any, Final

from engine.games.chaturaji import Chaturaji, ChaturajiPosition
from tests.support import rules

S, W, N, E = range(4)
RAJAS: Final = "sKd1,wKa5,nKe8,eKh4,"
"""The rajas on their thrones, as the beginning of a list of pieces."""


def team_game(**options: Any) -> Chaturaji:
    return Chaturaji({"teams": True} | options)


def at(game: Chaturaji, pieces: str, rest: str = "S - 0,0,0,0 -") -> ChaturajiPosition:
    return game.parse_position(f"{pieces} {rest}")


def after(game: Chaturaji, position: ChaturajiPosition, texts: str) -> ChaturajiPosition:
    """Return the position after moves, throws and claims, separated by semicolons."""
    found: ChaturajiPosition = rules.after(game, position, *filter(None, texts.split(";")))
    return found


def ended(game: Chaturaji, position: ChaturajiPosition) -> str:
    """Return who won, by their letters, how, and the scores: `SN last-army 5,9,2,1`."""
    outcome = game.outcome(position)
    assert outcome is not None
    assert not game.legal(position)
    winners = "".join("SWNE"[seat] for seat in sorted(outcome.winners)) or "-"
    return f"{winners} {outcome.reason} {','.join(map(str, outcome.points))}"


def claimed(game: Chaturaji, position: ChaturajiPosition, seat: int) -> set[str]:
    """Return what a seat may claim beside resigning and agreeing."""
    return {claim.text for claim in game.claims(position, seat)} - {"resign", "flag", "agree"}
