"""Hypotheses: possible histories, each with the evidence that it does not explain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from engine.game import Place
from engine.reading.history import History


@dataclass(slots=True, eq=False)  # not frozen: there are very many, and freezing costs time
class Hypothesis:
    """A possible history and the evidence that it does not explain; it never changes."""

    line: History
    at: float
    """The time when its last ply was finished."""
    seen: float
    """Edges up to this time are accounted for, except those of `open`."""
    cost: float
    missing_in_tray: Mapping[Place, int]
    """By tray: the number of pieces that it lacked at the start."""
    open: frozenset[Place] = frozenset()
    """Touched places that it does not explain."""
    last_ply_places: frozenset[Place] = frozenset()
    last_ply_rocks_until: float = 0.0
    """The places of its last ply, and the time until which their pieces may rock."""
    last_ply_cost: float = 0.0
    """The cost of its last ply."""
    past: tuple[float, float] = (float("-inf"), float("-inf"))
    """Its costs before each of the last two plies."""
    bare: bool = False
    """Whether only a lift shows its last ply or takeback."""
    back: bool = False
    """Whether its last event is a takeback."""
    taken_back: int = 0
    """The number of plies taken back in all."""
    hand_started_at: float = 0.0
    """The time when the hand of its last ply started."""
    paused: frozenset[Place] = frozenset()
    pauses: float = 0.0
    """The places that differed when all pieces rested, and the cost unless a hand continues there.
    """
    refundable: float = 0.0
    """The part of the cost of its last ply that is refunded when another ply follows."""

    def copy(self, **changes: Any) -> Hypothesis:
        """Return a copy with changed fields; `dataclasses.replace` takes five times as long."""
        values = list(_VALUES(self))
        for field, value in changes.items():
            values[_NUMBERS[field]] = value
        return Hypothesis(*values)

    def pause_cost(self, around: frozenset[Place], lifted: Iterable[Place]) -> float:
        """Return the cost of its pauses if a hand continued `around` these places.

        The cost is 0 if the same hand paused: it had `lifted` pieces from some of the places.
        """
        paused = self.paused
        return 0.0 if paused <= around and not paused.isdisjoint(lifted) else self.pauses

    @property
    def made(self) -> int:
        """The number of plies made, with those taken back."""
        return self.line.match.plies + self.taken_back

    def settled(self, place: Place) -> float:
        """Return the time after which a piece of its last ply no longer rocks on a place."""
        return max(self.at, self.last_ply_rocks_until) if place in self.last_ply_places else self.at


_NUMBERS = {field.name: number for number, field in enumerate(fields(Hypothesis))}
_VALUES = attrgetter(*_NUMBERS)


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """A hypothesis compared with the current readings."""

    hypothesis: Hypothesis
    cost: float
    lifted: frozenset[Place]
    """The places where pieces are missing."""
    extra: frozenset[Place]
    """The places with pieces that should not be there."""
    held: bool
    """Whether the player to act may hold everything that is missing."""
    late: float
    """The part of its cost for pieces that are still on their way to trays."""

    @property
    def line(self) -> History:
        """The history of the hypothesis."""
        return self.hypothesis.line

    @property
    def exact(self) -> bool:
        """Whether all pieces are where the history has them."""
        return not (self.lifted or self.extra)
