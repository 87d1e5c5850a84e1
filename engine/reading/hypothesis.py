"""Hypotheses: lines of play that are still possible, each with what it has not explained so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from engine.game import Place
from engine.reading.history import History


@dataclass(slots=True, eq=False)  # not frozen: so many are made that it would be felt
class Hypothesis:
    """A line of play that is still possible, and what it has not explained so far; it is never
    changed.
    """

    line: History
    at: float
    """When its last ply was finished."""
    seen: float
    """Edges up to then are accounted for, but those of `open`."""
    cost: float
    owed: Mapping[Place, int]
    """How many pieces each tray lacked from the beginning."""
    open: frozenset[Place] = frozenset()
    """Places that were touched, and it has not explained it."""
    own: frozenset[Place] = frozenset()
    own_until: float = 0.0
    """The places of its last ply may rock until then."""
    weak: float = 0.0
    """What its last ply cost."""
    past: tuple[float, float] = (float("-inf"), float("-inf"))
    """What it had cost before its last two plies."""
    bare: bool = False
    """Whether nothing but a lift tells of its last ply, or that this was taken back."""
    back: bool = False
    """Whether something was taken back last."""
    taken_back: int = 0
    """How many plies were taken back in all."""
    begun: float = 0.0
    """When the hand of its last ply began."""
    paused: frozenset[Place] = frozenset()
    pauses: float = 0.0
    """Where pieces stood otherwise when all was still, and what that costs unless the hand went on
    from there."""
    pledge: float = 0.0
    """How much of what its last ply cost is given back when another follows."""

    def but(self, **changes: Any) -> Hypothesis:
        """Return the same but for some fields; `dataclasses.replace` takes five times as long."""
        values = list(_VALUES(self))
        for field, value in changes.items():
            values[_NUMBERS[field]] = value
        return Hypothesis(*values)

    def stopped(self, around: frozenset[Place], lifted: Iterable[Place]) -> float:
        """Return what its pauses cost, if a hand went on `around` these places which had `lifted`
        pieces from some of them: nothing, if it was that hand which paused.
        """
        paused = self.paused
        return 0.0 if paused <= around and not paused.isdisjoint(lifted) else self.pauses

    @property
    def made(self) -> int:
        """How many plies were made, be it that they were taken back."""
        return self.line.match.plies + self.taken_back

    def settled(self, place: Place) -> float:
        """Return since when a piece of its last ply does not rock on a place any more."""
        return max(self.at, self.own_until) if place in self.own else self.at


_NUMBERS = {field.name: number for number, field in enumerate(fields(Hypothesis))}
_VALUES = attrgetter(*_NUMBERS)


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """A hypothesis at the present moment."""

    hypothesis: Hypothesis
    cost: float
    lifted: frozenset[Place]
    """Where pieces are missing."""
    extra: frozenset[Place]
    """Where pieces are that should not be there."""
    held: bool
    """Whether all that is missing may be in the hand of who is to act."""
    late: float
    """What of its cost is for pieces that have still to reach their trays; 0.0 if there are none.
    """

    @property
    def line(self) -> History:
        """The line of the hypothesis."""
        return self.hypothesis.line

    @property
    def exact(self) -> bool:
        """Whether all pieces are where the line has them."""
        return not (self.lifted or self.extra)
