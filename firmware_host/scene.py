"""Lights as layers: which place shows which word in which pattern, the strongest layer winning."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]


class Word(Enum):
    """The five colours, each with one meaning everywhere; intended RGB before gamma."""

    WHITE = (255, 255, 255)  # from here; put the piece back here
    BLUE = (0, 0, 235)  # you may put it here
    RED = (235, 0, 0)  # take off what stands here
    YELLOW = (255, 235, 0)  # attention; choose
    TEAL = (0, 190, 170)  # advice; accepted


class Pattern(Enum):
    """How a word is shown over time; nothing above 2 Hz."""

    STEADY = "steady"
    BREATHE = "breathe"  # 0.5 Hz, 40-100 %
    PULSE = "pulse"  # 1 Hz
    HEARTBEAT = "heartbeat"  # two short dips per 1.2 s, always with RED
    BLINK = "blink"  # 2 Hz, half on


@dataclass(frozen=True, slots=True)
class Light:
    """One word on one place."""

    word: Word
    pattern: Pattern = Pattern.STEADY
    level: float = 1.0
    """Share of the full brightness, 0 to 1."""
