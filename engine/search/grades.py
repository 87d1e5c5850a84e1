"""Winning chances, and the grades of moves: best, fine, doubtful, losing."""

from __future__ import annotations

from math import exp, log
from typing import Final

WIN: Final = 1_000_000
"""The score of a win, less one for each ply until the end."""
FORCED: Final = WIN - 1_000
"""Scores from here up are forced wins, from its negative down forced losses."""

NEAR: Final = 15
"""An end that the book knows is shown to people only if it is at most this many plies away."""

LOSING: Final = 0.25
"""A move loses if its chance is below this and also this much below the best chance."""
FINE: Final = 0.01
"""A move is fine if it gives away at most this much of the chance.

In hard positions of Robot Duel with known true values, one in twenty moves this close after 12,000
positions gives the game away."""


def chance(score: float, scale: float) -> float:
    """Return the winning chance of a score; it is 1 or 0 for a forced end."""
    if abs(score) >= FORCED:
        return float(score > 0)
    return 1 / (1 + exp(-max(-30.0, min(30.0, score / scale))))


def score_of(chance: float, scale: float) -> float:
    """Return the score of a winning chance between 0 and 1."""
    return scale * log(chance / (1 - chance))


def losing_bound(best: float, scale: float) -> float:
    """Return the score below which a move is graded as losing."""
    least = min(LOSING, chance(best, scale) - LOSING)
    return -WIN if least <= 0 else score_of(least, scale)


def grade(chance: float, best: float, is_best: bool, fine: float = FINE) -> str:
    """Return the grade of a move from its chance and that of the best move.

    A move is fine if it gives away at most `fine`.
    """
    if is_best:
        return "best"
    if chance == 0 or (chance < LOSING and best - chance >= LOSING):
        return "losing"
    return "fine" if best - chance <= fine else "doubtful"
