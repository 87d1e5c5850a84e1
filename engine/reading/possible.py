"""The moves that are possible at the end of a line of play, found by what they leave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import TypeAlias, TypeVar, cast

from engine.game import CHANCE, Pass, Place
from engine.match import AnyMove, Match
from engine.reading.evidence import ANSWERS_KEPT
from engine.reading.footprints import Difference, Footprint, Reading, Sight, footprint_of

Trace: TypeAlias = tuple[Difference, Place | None, frozenset[Place]]
"""What a move shows: on cells, the tray from which a piece comes, the trays that read otherwise."""

Answer = TypeVar("Answer")


class FootprintIndex:
    """The footprints of the moves that a hand can make after a line, where the sensors read what is
    `expected`. The last answers are remembered.

    Iterating yields those of all moves; where there are many thousands, of some of them, at least
    one for every cell where a piece may come to stand.
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
        """Return the answer to a question, found when it is asked first."""
        if question not in self._answers:
            if len(self._answers) >= ANSWERS_KEPT:
                self._answers.clear()
            self._answers[question] = find()
        return cast("Answer", self._answers[question])

    def of(self, move: AnyMove) -> Footprint:
        """Return what a legal move leaves."""
        found = self._made.get(move)
        return found or footprint_of(
            move, self.match.position, self.sight, self.masked, self.expected
        )

    def forget(self) -> bool:
        """Give back the memory of what was found; return whether there was anything."""
        if not (self._made or self._answers):
            return False
        self._made.clear()
        self._answers.clear()
        return True

    def leaving(self, differs: Difference) -> list[Footprint]:
        """Return the footprints of the moves that leave just this difference."""
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
        """Yield the footprints of the moves after which no cell but `places` reads otherwise."""
        inside = (places | self.masked) & self.sight.cells
        for each in self._some(within=inside):
            if all(place in places for place, _ in each.differs):
                yield each

    def touching(self, cells: AbstractSet[Place]) -> list[Footprint]:
        """Return the footprints of the moves that change or pass all of these cells."""
        around = frozenset(cells)
        return self._once(
            ("touching", around), lambda: [e for e in self._some(around) if e.around >= around]
        )

    def goes_on(self, cells: frozenset[Place], lifted: frozenset[Place]) -> bool:
        """Return whether any move changes or passes all of these cells and empties one from which a
        piece is `lifted`.
        """
        return self._once(
            ("goes on", cells, lifted),
            lambda: any(
                each.around >= cells and not lifted.isdisjoint(each.leaves)
                for each in self._some(cells)
            ),
        )

    def bringing(
        self, place: Place, reading: Reading, within: AbstractSet[Place]
    ) -> list[Footprint]:
        """Return the footprints of the moves that may have been finished when `place` came to read
        this, if no cell but those `within` was touched: a piece comes to stand there, of a row or
        not, or one of several is taken away.
        """
        through = self._through(place, within)
        if not reading:
            return [each for each in through if place in each.leaves and len(each.leaves) > 1]
        stands = self.expected.get(place, 0) == reading
        return [
            each
            for each in through
            if (place, reading) in each.arrivals
            or (stands and each.train and place not in each.cells)
        ]

    def _through(self, place: Place, within: AbstractSet[Place]) -> list[Footprint]:
        """Return the footprints of the moves that change or pass a cell and stay within some."""
        inside = frozenset({place, *within})
        return self._once(
            ("through", place, inside),
            lambda: [
                each
                for each in self._some(
                    frozenset({place}), (inside | self.masked) & self.sight.cells
                )
                if place in each.around
            ],
        )

    def lifted_only(
        self, place: Place, lifted: AbstractSet[Place], within: AbstractSet[Place]
    ) -> list[Footprint]:
        """Return the footprints of the moves of which no more need be seen than that pieces are
        `lifted`, from `place` first of all: one goes where no sensor is believed, or takes others
        that read alike.
        """
        found = self._once(
            ("lifted only", place),
            lambda: [
                each
                for each in self._through(place, frozenset())
                if each.leaves == (place,) and each.may_only_be_lifted
            ],
        )
        if len(lifted) == 1:
            return found
        together = self._once(
            ("lifted together", place, frozenset(within)),
            lambda: [
                each
                for each in self._through(place, within)
                if len(each.leaves) > 1 and place == min(each.leaves) and each.may_only_be_lifted
            ],
        )
        return found + [each for each in together if lifted >= {*each.leaves}]

    def in_tray(self, tray: Place) -> list[Footprint]:
        """Return the footprints of the moves that no cell but this tray shows."""
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
        """Return whether there is any of the moves that `using` yields."""
        return self._once(("used", tray), lambda: any(True for _ in self.using(tray)))

    def using(self, tray: Place) -> Iterator[Footprint]:
        """Yield the footprints of the moves that take a piece from a tray, or that no cell but this
        tray shows.
        """
        for each in self._some(frozenset({tray})):
            if each.uses(tray):
                yield each

    @property
    def silent(self) -> list[Footprint]:
        """The moves of which no sensor shows anything."""
        return [each for each in self.leaving(frozenset()) if not each.swaps and not each.trays]

    def traces(self) -> list[Trace]:
        """Return what each move that is possible now would show."""
        return [(each.differs, each.tray, each.trays) for each in self]

    def _some(
        self, touched: AbstractSet[Place] = frozenset(), within: AbstractSet[Place] | None = None
    ) -> Iterator[Footprint]:
        """Yield the footprints of the moves that the game says may touch and stay within."""
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
