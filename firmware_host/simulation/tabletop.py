"""A table with pieces, the acts of hands on it, and what the sensors report of them.

No game is known here: a place is a name, a piece is the magnet pole that lies up. `Tabletop` is the
truth (what lies where), an `Act` is one lift or put, an `Edge` is one change of a raw reading, and
`report` turns acts into edges with the faults of real contacts.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

Place: TypeAlias = str
Span: TypeAlias = tuple[float, float]
"""A range in seconds, from which `draw` draws."""

POCKETS: Final[Mapping[str, int]] = MappingProxyType({"presence": 1, "polarity": 4})
"""By sensing: the pockets with a sensor that a tray slot usually has."""
STEP: Final = 0.0005
"""The least time between two changes of one sensor."""


class HandsError(ValueError):
    """The hands cannot do this: lift from an empty place, or put a second piece on a cell."""


def draw(rng: Random, span: Span) -> float:
    """Return seconds from `span`: log-triangular, because hands are more often quick than slow."""
    low, high = span
    if low <= 0.0:
        return low + (high - low) * rng.triangular(0.0, 1.0, 0.3)
    return float(low * math.exp(math.log(high / low) * rng.triangular(0.0, 1.0, 0.5)))


@dataclass(frozen=True, slots=True)
class Act:
    """A hand lifts what lies on a place (`pole` None) or puts a piece there, that pole up."""

    at: float
    place: Place
    pole: int | None
    shake: tuple[float, ...] = ()
    """Seconds after `at` when the contact flips because the piece rocks or rolls; an even count."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A raw reading changed: from this moment on `place` reads `value`."""

    at: float
    place: Place
    value: int


@dataclass(frozen=True, slots=True)
class Sense:
    """What a board's sensors can see."""

    sensing: str = "presence"
    """`presence` (reed, digital Hall) or `polarity` (linear Hall)."""
    slots: frozenset[Place] = frozenset()
    """The slots of trays, where pieces lie in a heap or in pockets."""
    unsensed: tuple[str, ...] = ()
    """Prefixes of places that have no sensors: `graveyard`, `hand`, `hand.gote` …"""
    pockets: Mapping[Place, int] = field(default_factory=dict)
    """The pockets with a sensor of slots that have more or fewer than usual."""

    def pockets_of(self, slot: Place) -> int:
        """Return how many pockets with a sensor a slot has."""
        return self.pockets.get(slot, POCKETS[self.sensing])

    def sees(self, place: Place) -> bool:
        """Return whether `place` has a sensor."""
        return not (self.unsensed and place.startswith(self.unsensed))

    def reading(self, place: Place, pieces: Sequence[int]) -> int:
        """Return what `place` reads with these pieces on it (their poles, the last on top)."""
        if not pieces:
            return 0
        if place in self.slots:
            return min(len(pieces), self.pockets_of(place))
        return 1 if self.sensing == "presence" else pieces[-1]


@dataclass(frozen=True, slots=True)
class Contacts:
    """How untidy the sensors are."""

    chatter: float = 0.0
    """Share of edges that flutter. Reeds bounce for 0.5-1 ms, and for as long as the magnet wavers
    at the threshold: tens of milliseconds with a slow hand."""
    flutter: Span = (0.001, 0.040)
    flips: tuple[float, ...] = ()
    """Seconds after every edge at which it always flips; an even count."""
    late: float = 0.0
    """Share of edges that are reported late: hysteresis, a scan just missed, a retry."""
    lag: float = 0.040
    heap: float = 0.25
    """How often a heap on a presence slot flickers when a piece is taken from it or added to it."""


class Tabletop:
    """What lies where: one piece to a cell, any number in a slot."""

    def __init__(self, lying: Mapping[Place, Sequence[int]], slots: Collection[Place] = ()) -> None:
        self.slots = frozenset(slots)
        self._pieces: dict[Place, list[int]] = {
            place: list(pieces) for place, pieces in lying.items() if pieces
        }

    def copy(self) -> Tabletop:
        """Return another table with the same pieces on it."""
        return Tabletop(self._pieces, self.slots)

    def count(self, place: Place) -> int:
        """Return how many pieces lie on `place`."""
        return len(self._pieces.get(place, ()))

    def top(self, place: Place) -> int:
        """Return the pole of the uppermost piece on `place`, 0 if none lies there."""
        pieces = self._pieces.get(place)
        return pieces[-1] if pieces else 0

    def places(self) -> list[Place]:
        """Return every place on which something lies."""
        return [place for place, pieces in self._pieces.items() if pieces]

    def lift(self, place: Place) -> int:
        """Take the uppermost piece away and return its pole."""
        pieces = self._pieces.get(place)
        if not pieces:
            raise HandsError(f"nothing lies on {place} that could be lifted")
        return pieces.pop()

    def put(self, place: Place, pole: int) -> None:
        """Lay a piece on `place`, with that pole up."""
        pieces = self._pieces.setdefault(place, [])
        if pieces and place not in self.slots:
            raise HandsError(f"a piece lies on {place} already")
        pieces.append(pole)

    def do(self, act: Act) -> None:
        """Do an act."""
        if act.pole is None:
            self.lift(act.place)
        else:
            self.put(act.place, act.pole)

    def readings(self, sense: Sense) -> dict[Place, int]:
        """Return every sensed place that reads other than 0."""
        return {
            place: value
            for place, pieces in self._pieces.items()
            if sense.sees(place) and (value := sense.reading(place, pieces))
        }

    def reading(self, place: Place, sense: Sense) -> int:
        """Return what `place` reads, sensed or not."""
        return sense.reading(place, self._pieces.get(place, ()))


def report(
    acts: Iterable[Act], table: Tabletop, sense: Sense, contacts: Contacts, rng: Random
) -> list[Edge]:
    """Do the acts on `table` in order of time and return the raw edges in order of time.

    Two acts on one place must be at least `STEP` apart. An edge never passes the next act on its
    place, so every place ends as the table has it, however late or fluttering the edges are.
    """
    ordered = sorted(acts, key=lambda act: act.at)
    following: dict[Place, float] = {}
    until: list[float] = []
    for act in reversed(ordered):
        until.append(following.get(act.place, math.inf) - STEP)
        following[act.place] = act.at
    until.reverse()
    edges: list[Edge] = []
    for act, limit in zip(ordered, until, strict=True):
        before = table.reading(act.place, sense)
        table.do(act)
        if sense.sees(act.place):
            after = table.reading(act.place, sense)
            edges += _edges(act, before, after, limit, sense, contacts, rng)
    edges.sort(key=lambda edge: edge.at)
    return edges


def _edges(
    act: Act,
    before: int,
    after: int,
    limit: float,
    sense: Sense,
    contacts: Contacts,
    rng: Random,
) -> list[Edge]:
    """Return the edges of one act, none later than `limit`."""
    at = act.at
    if before == after:  # a presence sensor cannot count a heap
        if sense.sensing == "presence" and rng.random() < contacts.heap:
            back = min(at + rng.uniform(0.02, 0.1), limit)
            return [Edge(at, act.place, 0), Edge(back, act.place, after)] if back > at else []
        return []
    if rng.random() < contacts.late:
        at = max(at, min(at + rng.uniform(0.0, contacts.lag), limit))
    flips = [at + offset for offset in (*act.shake, *contacts.flips)]
    if rng.random() < contacts.chatter:
        span = draw(rng, contacts.flutter)
        flips += [at + span * rng.random() for _ in range(2 * rng.randint(1, 3))]
    flips.sort()
    edges = [Edge(at, act.place, after)]
    for away, back in zip(flips[::2], flips[1::2], strict=True):
        away = max(away, edges[-1].at + STEP)
        back = max(back, away + STEP)
        if back > limit:
            break
        edges += [Edge(away, act.place, before), Edge(back, act.place, after)]
    return edges
