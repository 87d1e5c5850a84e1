"""Hypotheses: possible histories, each with the evidence that it does not explain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from operator import attrgetter
from typing import Any, TypeAlias

from engine.game import Place
from engine.reading.evidence import BURST
from engine.reading.history import History

Paid: TypeAlias = dict[str, float]
"""Costs by name: `missed`, `nudged` … as `evidence` names them, in lower case.

Beside them a hypothesis is charged `said` (people said something else) and `masked` (a sensor that
spoke against it is masked now), and a `refund` below 0.
"""


def pay(paid: Paid, name: str, cost: float) -> None:
    """Add a cost to what is paid, unless it is 0."""
    if cost:
        paid[name] = paid.get(name, 0.0) + cost


class Way(Enum):
    """How a ply or a takeback ended: what shows it."""

    START = "nothing happened yet", False
    ARRIVED = "a piece was put down", False
    REMOVED = "a piece was taken away", False
    RELEASED = "a piece arrived, and its start was released late", False
    LIFTED = "only a lift shows it", False
    IN_TRAYS = "only trays show it", False
    SAID = "people said so", False
    PUT_BACK = "taken back: a piece was put back", True
    TRAYED_BACK = "taken back: a tray has the piece again", True
    LIFTED_BACK = "taken back: only a lift shows it", True

    def __init__(self, words: str, is_takeback: bool) -> None:
        self.words = words
        self.is_takeback = is_takeback


@dataclass(slots=True, eq=False)  # not frozen: there are very many, and freezing costs time
class Hand:
    """Where and when a hand made a ply on cells."""

    places: frozenset[Place] = frozenset()
    """The places of the ply, where its pieces may rock."""
    done_at: float = 0.0
    """The time when its last piece was put down, or was lifted for good."""
    started_at: float = 0.0
    """The time when the hand started; 0 if it put pieces back."""
    rocks_until: float = field(init=False)
    """The time until which its pieces may rock."""

    def __post_init__(self) -> None:
        self.rocks_until = self.done_at + BURST


@dataclass(slots=True, eq=False)
class PlyRecord:
    """A ply or takeback of a hypothesis: how it ended, and what it paid.

    All hypotheses that continue it share it.
    """

    way: Way
    at: float
    """The time when it was finished."""
    line: History | None = None
    """The history that it made, or took back; None at the start."""
    paid: Paid = field(default_factory=dict)
    """What it cost. The reader waits before it accepts a ply that costs much.

    A pause before it is a part of this only if a placement shows it. Otherwise the hypothesis is
    charged for the pause.
    """
    hand: Hand = field(default_factory=Hand)
    """The hand that made it, or put its pieces back.

    A ply that changes no cell and a takeback by a lift have the one of the record before.
    """
    refundable: float = 0.0
    """The part of its cost that is refunded when another ply follows."""
    taken_back: int = 0
    """The number of plies taken back in all."""
    before: PlyRecord | None = None
    """The ply or takeback before it; None if that is forgotten."""
    past: tuple[float, float] = (float("-inf"), float("-inf"))
    """The costs of the hypothesis before the ply before it, and before it.

    If little was added since the first, two plies in a row fit, and play has surely gone on.
    """
    charged_before: Paid = field(default_factory=dict)
    """What the hypothesis was charged from the ply before until this one."""

    @classmethod
    def of(
        cls,
        each: Hypothesis,
        way: Way,
        at: float,
        line: History,
        paid: Paid,
        hand: Hand | None = None,
        refundable: float = 0.0,
        takes_back: int = 0,
    ) -> PlyRecord:
        """Return the next ply of a hypothesis, or the takeback of `takes_back` of its plies."""
        last, past = each.ply, (each.ply.past[1], each.cost)
        hand, taken_back = hand or last.hand, last.taken_back + takes_back
        return cls(way, at, line, paid, hand, refundable, taken_back, last, past, each.charged)

    @property
    def cost(self) -> float:
        """Its cost."""
        return sum(self.paid.values())

    def latest(self) -> Iterator[PlyRecord]:
        """Yield this ply and those before it that are remembered, latest first."""
        ply: PlyRecord | None = self
        while ply is not None:
            yield ply
            ply = ply.before

    def forget(self, until: float) -> None:
        """Forget what was before the last ply up to a time."""
        for ply in self.latest():
            if ply.at <= until:
                ply.before = None


@dataclass(slots=True, eq=False)
class Hypothesis:
    """A possible history and the evidence that it does not explain.

    Its fields are never changed. The records before its last ply are forgotten with time.
    """

    line: History
    ply: PlyRecord
    """Its last ply or takeback."""
    seen: float
    """Edges up to this time are accounted for, except those of `open`."""
    cost: float
    missing_in_tray: Mapping[Place, int]
    """By tray: the number of pieces that it lacked at the start; below 0 if it had too many."""
    open: frozenset[Place] = frozenset()
    """Touched places that it does not explain."""
    charged: Paid = field(default_factory=dict)
    """What it was charged with its last ply and since then, beside what that ply `paid`: for
    touches, trays, pauses, what people say, and sensors that are masked now.
    """
    paused: frozenset[Place] = frozenset()
    pauses: float = 0.0
    """The places that differed when all pieces rested, and what that costs unless a hand continues
    there. `cost` does not contain it.
    """

    def copy(self, **changes: Any) -> Hypothesis:
        """Return a copy with changed fields; `dataclasses.replace` takes five times as long."""
        values = list(_VALUES(self))
        for name, value in changes.items():
            values[_NUMBERS[name]] = value
        return Hypothesis(*values)

    def charge(self, costs: Paid, refund: float = 0.0) -> Hypothesis:
        """Return a copy that is charged these costs, too, less a refund."""
        charged = dict(self.charged)
        for name, cost in costs.items():
            pay(charged, name, cost)
        pay(charged, "refund", -refund)
        return self.copy(cost=self.cost + sum(costs.values()) - refund, charged=charged)

    def after(
        self,
        line: History,
        ply: PlyRecord,
        charged: Paid,
        opened: frozenset[Place],
        seen: float,
    ) -> Hypothesis:
        """Return the hypothesis after one more ply or takeback, which leads to `line`.

        It is `charged` for what the ply does not explain, and leaves the places `opened`.
        Its pauses end without a cost: the caller pays or charges them, or copies them.
        """
        refund = 0.0 if ply.way.is_takeback else self.ply.refundable
        cost = self.cost - refund + (sum(ply.paid.values()) + sum(charged.values()))
        return Hypothesis(line, ply, seen, cost, self.missing_in_tray, opened, charged)

    def pause_cost(self, around: frozenset[Place], lifted: Iterable[Place]) -> float:
        """Return the cost of its pauses if a hand continued `around` these places.

        The cost is 0 if the same hand paused: it had `lifted` pieces from some of the places.
        """
        paused = self.paused
        return 0.0 if paused <= around and not paused.isdisjoint(lifted) else self.pauses

    @property
    def at(self) -> float:
        """The time when its last ply was finished."""
        return self.ply.at

    @property
    def is_takeback(self) -> bool:
        """Whether its last record is a takeback."""
        return self.ply.way.is_takeback

    @property
    def only_lifted(self) -> bool:
        """Whether it ends with a takeback that only a lift shows."""
        return self.ply.way is Way.LIFTED_BACK

    @property
    def plies_made(self) -> int:
        """The number of plies that hands have made, with those taken back."""
        return self.line.match.plies + self.ply.taken_back

    def rocked_until(self, place: Place) -> float:
        """Return the time after which a piece of its last ply no longer rocks on a place."""
        at, hand = self.at, self.ply.hand
        return max(at, hand.rocks_until) if place in hand.places else at


_NUMBERS = {each.name: number for number, each in enumerate(fields(Hypothesis))}
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
