"""What the tests of Chaturaji share."""

from __future__ import annotations

from typing import Any, Final

from engine.game import Outcome
from engine.games.chaturaji import Chaturaji, ChaturajiPosition

S, W, N, E = range(4)
RAJAS: Final = "sKd1,wKa5,nKe8,eKh4,"
"""The rajas on their thrones, as the beginning of a list of pieces."""


def team_game(**options: Any) -> Chaturaji:
    return Chaturaji({"teams": True} | options)


def at(game: Chaturaji, pieces: str, rest: str = "S - 0,0,0,0 -") -> ChaturajiPosition:
    return game.parse_position(f"{pieces} {rest}")


def after(game: Chaturaji, position: ChaturajiPosition, texts: str) -> ChaturajiPosition:
    """Return the position after moves, throws and claims, separated by semicolons."""
    return [position, *game.replay(position, [text for text in texts.split(";") if text])][-1]


def moves(game: Chaturaji, position: ChaturajiPosition) -> set[str]:
    return {game.move_text(position, move) for move in game.legal(position)}


def ended(game: Chaturaji, position: ChaturajiPosition) -> Outcome:
    outcome = game.outcome(position)
    assert outcome is not None
    assert not game.legal(position)
    return outcome
