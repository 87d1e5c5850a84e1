"""Events at a board: plain values with their times, in seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from engine.game import Place, Seat
from firmware_host.i18n.messages import Message


@dataclass(frozen=True, slots=True)
class Frame:
    """All readings at one moment, in the game's own places; raw, before debounce."""

    at: float
    readings: Mapping[Place, int]
    """Every place that reads other than 0."""
    blind: frozenset[Place] = frozenset()
    """Places that cannot be read now, because their chip does not answer."""
    faults: tuple[Message, ...] = ()
    """The faults, a sentence each; a lasting fault is in every frame."""
    gap: bool = False
    """Whether the board was not read for a while before, so that hands may have played on."""


@dataclass(frozen=True, slots=True)
class Dice:
    """A throw of the dice, by button, page or serial die."""

    at: float
    dice: tuple[int, ...]
    instead: bool = False
    """Whether this corrects the last throw, which was reported wrongly."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button: `yes`, `no`, `hint`, `back`, `wrong`, or a seat's by the seat's name."""

    at: float
    button: str


@dataclass(frozen=True, slots=True)
class Choose:
    """The name of a move: the answer to an open question that has it as a candidate, else a move
    that was just made.
    """

    at: float
    move: str
    number: int | None = None
    """The index in the record of the question that it may answer; None for any."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim by a seat: `resign`, `declare`, `promote a8=B` …"""

    at: float
    claim: str
    seat: Seat


@dataclass(frozen=True, slots=True)
class Assist:
    """A seat chooses its help level, 0 to 4."""

    at: float
    level: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class NewMatch:
    """People want a new match of the same game; the current one is closed."""

    at: float


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passes, and nothing else happens."""

    at: float


Event: TypeAlias = Frame | Dice | Press | Choose | Claimed | Assist | NewMatch | Tick
