"""What can happen at a board: plain data with the time it happened, in seconds."""

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
    """What does not work, a sentence each; a fault that lasts is repeated in every frame."""
    gap: bool = False
    """Whether the board was not read for a while before: hands may have played on."""


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
    """The name of a move: the answer to an open question if it is one of its candidates, else a
    move that has just been made.
    """

    at: float
    move: str
    number: int | None = None
    """The index in the record of the question that it answers; it answers no other one."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim by a seat: `resign`, `declare`, `promote a8=B` …"""

    at: float
    claim: str
    seat: Seat


@dataclass(frozen=True, slots=True)
class Assist:
    """A seat chooses how much the lights tell it: 0 to 4."""

    at: float
    level: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A new match of the same game is asked for; the one in play is closed."""

    at: float


@dataclass(frozen=True, slots=True)
class Tick:
    """Nothing but time going by."""

    at: float


Event: TypeAlias = Frame | Dice | Press | Choose | Claimed | Assist | NewMatch | Tick
