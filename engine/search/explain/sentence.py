"""Why a move is good or bad, as data for a sentence in anybody's language."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Place


@dataclass(frozen=True, slots=True)
class MoveReason:
    """A code, and what the sentence of it speaks of."""

    code: str
    """One of `CODES` of `engine.search.explain`."""
    places: tuple[Place, ...] = ()
    """Where; the piece first that is spoken of."""
    kinds: tuple[str, ...] = ()
    """What stands on each of the places; keys of `Game.kinds`."""
    ending: str = ""
    """How the game ends by it, a key of `Game.endings`; empty if it does not."""
    n: int = 0
    of: int = 0
    """By how many throws of how many."""
    then: int = 0
    """By how many of them after the move."""
