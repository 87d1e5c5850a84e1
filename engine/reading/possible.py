"""The possible moves at the end of a history, indexed by their footprints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import TypeAlias, TypeVar, cast

from engine.game import CHANCE, Pass, Place
from engine.match import AnyMove, Match
from engine.reading.evidence import ANSWERS_KEPT, LIFTED_AT_ONCE
from engine.reading.footprints import Difference, Footprint, Reading, Sight, footprint_of

Trace: TypeAlias = tuple[Difference, Place | None, frozenset[Place]]
"""What a move shows: on cells, the tray a piece comes from, the trays with a new reading."""

Answer = TypeVar("Answer")


class FootprintIndex:
    """The footprints of the possible moves after a history with the `expected` readings.

    The latest answers are cached. Iterating yields the footprints of all moves. Of many thousands
    it yields some, at least one for each cell where a piece may end.
    """

    def __init__(
        self,
        match: Match,
        sight: Sight,
        masked: frozenset[Place],
        expected: Mapping[Place, Reading],
    ) -> None:
        self.match = match
        self.sight = sight
        self.masked = masked
        self.expected = expected
        self._made: dict[AnyMove, Footprint] = {}
        self._answers: dict[object, object] = {}

    def __iter__(self) -> Iterator[Footprint]:
        return self._some()

    def _once(self, question: object, find: Callable[[], Answer]) -> Answer:
        """Return the cached answer to a question."""
        if question not in self._answers:
            if len(self._answers) >= ANSWERS_KEPT:
                self._answers.clear()
            self._answers[question] = find()
        return cast("Answer", self._answers[question])

    def of(self, move: AnyMove) -> Footprint:
        """Return the footprint of a legal move."""
        found = self._made.get(move)
        return found or footprint_of(
            move, self.match.position, self.sight, self.masked, self.expected
        )

    def forget(self) -> bool:
        """Drop the cache; return whether it held anything."""
        if not (self._made or self._answers):
            return False
        self._made.clear()
        self._answers.clear()
        return True

    def leaving(self, differs: Difference) -> list[Footprint]:
        """Return the footprints of the moves that leave exactly this difference."""
        places = frozenset([place for place, _ in differs])
        return self._once(
            ("leaving", differs),
            lambda: [
                each
                for each in self._some(places, (places | self.masked) & self.sight.cells)
                if each.differs == differs
            ],
        )

    def within(self, places: AbstractSet[Place]) -> Iterator[Footprint]:
        """Yield the footprints of the moves that change readings only on `places`."""
        inside = (places | self.masked) & self.sight.cells
        for each in self._some(within=inside):
            if all(place in places for place, _ in each.differs):
                yield each

    def touching(self, cells: AbstractSet[Place]) -> list[Footprint]:
        """Return the footprints of the moves that change or pass all these cells."""
        around = frozenset(cells)
        return self._once(
            ("touching", around), lambda: [e for e in self._some(around) if e.around >= around]
        )

    def goes_on(self, cells: frozenset[Place], lifted: frozenset[Place]) -> bool:
        """Return whether a move changes or passes all these cells and empties a `lifted` one."""
        return self._once(
            ("goes on", cells, lifted),
            lambda: any(
                each.around >= cells and not lifted.isdisjoint(each.leaves)
                for each in self._some(cells)
            ),
        )

    def bringing(
        self,
        place: Place,
        reading: Reading,
        within: AbstractSet[Place],
        lifted: AbstractSet[Place],
    ) -> list[Footprint]:
        """Return the footprints of the moves that may end when `place` gets this reading.

        Other cells than those `within` were not touched. A piece, also of a row, ends on the place,
        or one of several pieces is taken away. A move of several pieces explains nearly all that
        are `lifted`.
        """
        through = self._through(place, within, lifted)
        if not reading:
            return [each for each in through if place in each.leaves and len(each.leaves) > 1]
        stands = self.expected.get(place, 0) == reading
        return [
            each
            for each in through
            if (place, reading) in each.arrivals
            or (stands and each.train and place not in each.cells)
        ]

    def _through(
        self, place: Place, within: AbstractSet[Place], lifted: AbstractSet[Place]
    ) -> list[Footprint]:
        """Return the footprints of the moves that change or pass a cell and stay within others.

        A move of several pieces explains all `lifted` ones but LIFTED_AT_ONCE: one that explains
        fewer was found when fewer had been lifted.
        """
        inside = frozenset({place, *within})
        away = frozenset(lifted)
        return self._once(
            ("through", place, inside, away),
            lambda: [
                each
                for each in self._some(
                    frozenset({place}), (inside | self.masked) & self.sight.cells
                )
                if place in each.around and _explains(each, away)
            ],
        )

    def lifted_only(self, lifted: frozenset[Place]) -> list[Footprint]:
        """Return the footprints of the moves that may show only some of these `lifted` pieces.

        The piece ends on a masked cell, or captures pieces with the same reading.
        """
        if len(lifted) == 1:
            return self._lifted_alone(*lifted)
        return self._once(
            ("lifted only", lifted),
            lambda: [
                *(each for place in sorted(lifted) for each in self._lifted_alone(place)),
                *(
                    each
                    for each in self._some(within=lifted | (self.masked & self.sight.cells))
                    if len(each.leaves) > 1
                    and lifted.issuperset(each.leaves)
                    and each.may_only_be_lifted
                    and _explains(each, lifted)
                ),
            ],
        )

    def _lifted_alone(self, place: Place) -> list[Footprint]:
        """Return the footprints of the moves that may show only a lift from a place."""
        return self._once(
            ("lifted alone", place),
            lambda: [
                each
                for each in self._through(place, frozenset(), frozenset())
                if each.leaves == (place,) and each.may_only_be_lifted
            ],
        )

    def in_tray(self, tray: Place) -> list[Footprint]:
        """Return the footprints of the moves that show only in this tray."""
        nowhere = self.masked & self.sight.cells
        return self._once(
            ("in tray", tray),
            lambda: [
                each
                for each in self._some(frozenset({tray}), nowhere)
                if tray in each.trays and not each.cells
            ],
        )

    def is_used(self, tray: Place) -> bool:
        """Return whether `using` yields any move."""
        return self._once(("used", tray), lambda: any(True for _ in self.using(tray)))

    def using(self, tray: Place) -> Iterator[Footprint]:
        """Yield the footprints of the moves that take a piece from a tray or show only in it."""
        for each in self._some(frozenset({tray})):
            if each.uses(tray):
                yield each

    @property
    def silent(self) -> list[Footprint]:
        """The moves that no sensor shows."""
        return [each for each in self.leaving(frozenset()) if not each.swaps and not each.trays]

    def traces(self) -> list[Trace]:
        """Return the trace of each possible move."""
        return [(each.differs, each.tray, each.trays) for each in self]

    def _some(
        self, touched: AbstractSet[Place] = frozenset(), within: AbstractSet[Place] | None = None
    ) -> Iterator[Footprint]:
        """Yield the footprints of the game's candidates."""
        if self.match.turn == CHANCE:
            return
        made = self._made
        for move in self.match.candidates(touched, within):
            footprint = made.get(move)
            if footprint is None:
                if isinstance(move, Pass):
                    continue
                footprint = made[move] = footprint_of(
                    move, self.match.position, self.sight, self.masked, self.expected
                )
            yield footprint


def _explains(ply: Footprint, lifted: frozenset[Place]) -> bool:
    """Return whether a move of several pieces explains nearly all lifted pieces.

    True for a move of one piece: hands may have knocked others over.
    """
    return len(ply.leaves) < 2 or len(lifted - ply.around) <= LIFTED_AT_ONCE
