"""The grade of each target of the piece in hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from firmware_host.lights.signals import Light, Signal

GRADES: Final = ("best", "fine", "doubtful", "losing")
"""From good to bad."""
DOUBTFUL: Final = 0.5
LOSING: Final = 0.15
"""The brightness of a target that is not good."""


def best_of(grades: Iterable[str | None]) -> str:
    """Return the best grade of several moves to a place; empty if the grade of one is unknown."""
    found = list(grades)
    if not found or None in found:
        return ""
    return min((grade for grade in found if grade), key=GRADES.index)


def with_grade(light: Light, grade: str) -> Light:
    """Return the light of a target with its grade.

    The best target alternates with teal, and bad ones are darker. A choice still alternates with
    yellow.
    """
    match grade:
        case "best":
            return replace(light, second=light.second or Signal.TEAL, grade=grade)
        case "doubtful":
            return replace(light, level=light.level * DOUBTFUL, grade=grade)
        case "losing":
            return replace(light, level=light.level * LOSING, grade=grade)
        case _:
            return replace(light, grade=grade)
