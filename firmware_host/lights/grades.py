"""What the moves of the man in the hand are worth, on top of where he may go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from firmware_host.lights.signals import Light, Signal

GRADES: Final = ("best", "fine", "doubtful", "losing")
"""From good to bad."""
DOUBTFUL: Final = 0.5
LOSING: Final = 0.15
"""How bright a target stands that is no good."""


def best_of(grades: Iterable[str | None]) -> str:
    """Return the best grade of several ways to a place; empty if one of them is not known."""
    found = list(grades)
    if not found or None in found:
        return ""
    return min((grade for grade in found if grade), key=GRADES.index)


def with_worth(light: Light, grade: str) -> Light:
    """Return the light of a target with what going there is worth: the best one takes turns with
    teal, the worse ones are darker. What is to be chosen there is shown all the same.
    """
    match grade:
        case "best":
            return replace(light, then=light.then or Signal.TEAL, grade=grade)
        case "doubtful":
            return replace(light, level=light.level * DOUBTFUL, grade=grade)
        case "losing":
            return replace(light, level=light.level * LOSING, grade=grade)
        case _:
            return replace(light, grade=grade)
