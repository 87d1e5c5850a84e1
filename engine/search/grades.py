"""Winning chances and what people are told of a move: best, fine, doubtful, losing."""

from __future__ import annotations

from math import exp, log
from typing import Final

WIN: Final = 1_000_000
"""What a won game is worth, less one for each move until then."""
FORCED: Final = WIN - 1_000
"""From here on a worth is a forced win, from its negative down a forced loss."""

NEAR: Final = 15
"""People are told of an end that a book knows if it is no more plies away."""

LOSING: Final = 0.25
"""A chance below this loses, if it is as much below the best one, too."""
FINE: Final = 0.01
"""A move that gives away no more is fine. In hard positions of Robot Duel, where true values are
known, one in twenty moves that are so close after 12,000 positions gives the game away."""


def chance(score: float, scale: float) -> float:
    """Return the winning chance of a worth: 1 and 0 where it is forced."""
    if abs(score) >= FORCED:
        return float(score > 0)
    return 1 / (1 + exp(-max(-30.0, min(30.0, score / scale))))


def score_of(chance: float, scale: float) -> float:
    """Return the worth of a winning chance between 0 and 1."""
    return scale * log(chance / (1 - chance))


def losing_bound(best: float, scale: float) -> float:
    """Return the worth below which a move is losing anyway, whatever it is worth."""
    least = min(LOSING, chance(best, scale) - LOSING)
    return -WIN if least <= 0 else score_of(least, scale)


def grade(chance: float, best: float, is_best: bool, fine: float = FINE) -> str:
    """Return best, fine, doubtful or losing for a move, given the chance of the best one. It is
    fine if it gives away no more than `fine`.
    """
    if is_best:
        return "best"
    if chance == 0 or (chance < LOSING and best - chance >= LOSING):
        return "losing"
    return "fine" if best - chance <= fine else "doubtful"
