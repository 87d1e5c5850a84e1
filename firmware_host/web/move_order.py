"""Movements of hands that bring men to where they should stand, in an order that can be made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.game import Place


@dataclass(frozen=True, slots=True)
class MoveStep:
    """One movement of a hand: lift this man and put it there, that face up."""

    man: int
    place: Place
    front_up: bool


def in_order(
    steps: Mapping[int, MoveStep], standing: Mapping[Place, int], aside: Mapping[int, MoveStep]
) -> list[MoveStep]:
    """Return steps by man so that what is in the way goes first; `standing` says which man is on
    each cell now, `aside` how a man makes room beside the board where all wait for one another.
    """
    steps, standing = dict(steps), dict(standing)
    ordered: list[MoveStep] = []
    while steps:
        step = next(
            (
                each
                for each in steps.values()
                if standing.get(each.place, each.man) not in steps.keys() - {each.man}
            ),
            None,
        )
        if step is None:
            step = aside[next(iter(steps))]
        else:
            del steps[step.man]
        ordered.append(step)
        standing = {place: man for place, man in standing.items() if man != step.man}
    return ordered
