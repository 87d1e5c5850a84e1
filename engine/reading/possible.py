"""The moves that are possible at the end of a line of play, found by what they leave."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from engine.game import CHANCE, Pass, Place
from engine.match import AnyMove, Match
from engine.reading.evidence import DIFFERENCES_KEPT
from engine.reading.footprints import Difference, Footprint, Reading, Sight, footprint_of

Trace: TypeAlias = tuple[Difference, Place | None, frozenset[Place]]
"""What a move shows: on cells, the tray from which a man comes, the trays that read otherwise."""

MOVES_A_STEP = 8


@dataclass(slots=True)
class _Through:
    """The moves that change or pass a cell and stay within some."""

    moves: list[Footprint]
    lifted_together: list[Footprint] | None = None
    """Those of several men that need only be seen to be lifted, from that cell first of all; None
    if nobody has asked yet."""


class Possible:
    """The footprints of the moves that a hand can make after a line, where the sensors read what is
    `expected`. What was found is remembered; a search that may be long goes step by step.

    Iterating yields those of all moves; where there are many thousands, of some of them, at least
    one for every cell where a man may come to stand.
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
        self._leaving: dict[Difference, list[Footprint]] = {}
        self._touching: dict[frozenset[Place], list[Footprint]] = {}
        self._bringing: dict[tuple[Place, frozenset[Place]], _Through] = {}
        self._lifted_only: dict[Place, list[Footprint]] = {}
        self._in_tray: dict[Place, list[Footprint]] = {}
        self._is_used: dict[Place, bool] = {}
        self._goes_on: dict[tuple[frozenset[Place], ...], tuple[bool, bool]] = {}

    def __iter__(self) -> Iterator[Footprint]:
        return self._some()

    @property
    def remembered(self) -> int:
        """How many footprints it remembers."""
        return len(self._made)

    def of(self, move: AnyMove) -> Footprint:
        """Return what a legal move leaves."""
        found = self._made.get(move)
        return found or footprint_of(
            move, self.match.position, self.sight, self.masked, self.expected
        )

    def forget(self) -> bool:
        """Give back the memory of what was found; return whether there was anything."""
        if not (self._made or self._leaving or self._touching or self._bringing):
            return False
        self.__dict__.pop("silent", None)
        self._made.clear()
        self._leaving.clear()
        self._touching.clear()
        self._bringing.clear()
        self._lifted_only.clear()
        self._in_tray.clear()
        self._goes_on.clear()
        return True

    def leaving(self, differs: Difference) -> list[Footprint]:
        """Return the footprints of the moves that leave just this difference."""
        found = self._leaving.get(differs)
        if found is None:
            if len(self._leaving) == DIFFERENCES_KEPT:
                self._leaving.clear()
            places = frozenset([place for place, _ in differs])
            found = [
                each
                for each in self._some(places, (places | self.masked) & self.sight.cells)
                if each.differs == differs
            ]
            self._leaving[differs] = found
        return found

    def within(self, places: AbstractSet[Place]) -> Iterator[Footprint]:
        """Yield the footprints of the moves after which no cell but `places` reads otherwise."""
        inside = (places | self.masked) & self.sight.cells
        for each in self._some(within=inside):
            if all(place in places for place, _ in each.differs):
                yield each

    def touching(self, cells: AbstractSet[Place]) -> list[Footprint]:
        """Return the footprints of the moves that change or pass all of these cells."""
        key = frozenset(cells)
        found = self._touching.get(key)
        if found is None:
            for _ in self.look_around(key):
                pass
            found = self._touching[key]
        return found

    def look_around(self, cells: frozenset[Place]) -> Iterator[None]:
        """Find out step by step what `touching` tells of these cells."""
        if cells in self._touching:
            return
        found = []
        for number, each in enumerate(self._some(cells), 1):
            if each.around >= cells:
                found.append(each)
            if not number % MOVES_A_STEP:
                yield
        if len(self._touching) == DIFFERENCES_KEPT:
            self._touching.clear()
        self._touching[cells] = found

    def goes_on(
        self,
        cells: frozenset[Place],
        lifted: frozenset[Place],
        taken: frozenset[Place] = frozenset(),
    ) -> Generator[None, None, tuple[bool, bool]]:
        """Return, after a search that goes step by step, whether any move changes or passes all of
        these cells, empties one from which a man is `lifted`, and takes one of the men that may be
        `taken`, if there are any; and whether it carries any of the men that are lifted to another
        place, or only takes them off.
        """
        key = cells, lifted, taken
        if (known := self._goes_on.get(key)) is not None:
            return known
        found = carries = False
        men = None
        for number, each in enumerate(self._touching.get(cells) or self._some(cells), 1):
            if (
                each.around >= cells
                and not lifted.isdisjoint(each.leaves)
                and not (taken and taken.isdisjoint(each.swaps))
            ):
                found = True
                if len(each.leaves) > 1:
                    men = men or self.match.game.pieces(self.match.position)
                    come = [each.after[place] for place, _ in each.arrivals]
                    carries = any(men.get(place) in come for place in lifted & set(each.leaves))
                else:
                    carries = True
                if carries:
                    break
            if not number % MOVES_A_STEP:
                yield
        if len(self._goes_on) == DIFFERENCES_KEPT:
            self._goes_on.clear()
        self._goes_on[key] = found, carries
        return found, carries

    def bringing(
        self, place: Place, reading: Reading, within: AbstractSet[Place]
    ) -> list[Footprint]:
        """Return the footprints of the moves that may have been finished when `place` came to read
        this, if no cell but those `within` was touched: a man comes to stand there, of a row or
        not, or one of several is taken away.
        """
        if not reading:
            return [
                each
                for each in self._through(place, within).moves
                if place in each.leaves and len(each.leaves) > 1
            ]
        stands = self.expected.get(place, 0) == reading
        return [
            each
            for each in self._through(place, within).moves
            if (place, reading) in each.arrivals
            or (stands and each.train and place not in each.cells)
        ]

    def _through(self, place: Place, within: AbstractSet[Place]) -> _Through:
        """Return the footprints of the moves that change or pass a cell and stay within some."""
        inside = _with(place, within)
        found = self._bringing.get((place, inside))
        if found is None:
            for _ in self.look_into(place, inside):
                pass
            found = self._bringing[place, inside]
        return found

    def look_into(self, place: Place, within: AbstractSet[Place]) -> Iterator[None]:
        """Find out step by step what `bringing` tells of a place."""
        inside = _with(place, within)
        if (place, inside) in self._bringing:
            return
        moves = self._some(frozenset({place}), (inside | self.masked) & self.sight.cells)
        found = []
        for number, each in enumerate(moves, 1):
            if place in each.around:
                found.append(each)
            if not number % MOVES_A_STEP:
                yield
        if len(self._bringing) == DIFFERENCES_KEPT:
            self._bringing.clear()
        self._bringing[place, inside] = _Through(found)

    def lifting(self, place: Place) -> list[Footprint]:
        """Return the footprints of the moves after which `place` is empty."""
        return [each for each in self.touching({place}) if place in each.leaves]

    def lifted_only(
        self, place: Place, lifted: AbstractSet[Place], within: AbstractSet[Place]
    ) -> Generator[None, None, list[Footprint]]:
        """Return, after a search that goes step by step, the footprints of the moves of which no
        more need be seen than that men are `lifted`, from `place` first of all: one goes where no
        sensor is believed, or takes others that read alike.
        """
        found = self._lifted_only.get(place)
        if found is None:
            yield from self.look_into(place, frozenset())
        if len(lifted) > 1:
            yield from self.look_into(place, within)
        if found is None:
            found = self._lifted_only[place] = [
                each
                for each in self._through(place, frozenset()).moves
                if each.leaves == (place,) and each.may_only_be_lifted
            ]
        if len(lifted) == 1:
            return found
        through = self._through(place, within)
        if through.lifted_together is None:
            through.lifted_together = [
                each
                for each in through.moves
                if len(each.leaves) > 1 and place == min(each.leaves) and each.may_only_be_lifted
            ]
        together = [each for each in through.lifted_together if lifted >= {*each.leaves}]
        return found + together if together else found

    def in_tray(self, tray: Place) -> list[Footprint]:
        """Return the footprints of the moves that no cell but this tray shows."""
        found = self._in_tray.get(tray)
        if found is None:
            nowhere = self.masked & self.sight.cells
            found = self._in_tray[tray] = [
                each
                for each in self._some(frozenset({tray}), nowhere)
                if tray in each.trays and not each.cells
            ]
        return found

    def is_used(self, tray: Place) -> Generator[None, None, bool]:
        """Return, after a search that goes step by step, whether there is any of the moves that
        `using` yields.
        """
        found = self._is_used.get(tray)
        if found is None:
            found = False
            for number, each in enumerate(self._some(frozenset({tray})), 1):
                if each.uses(tray):
                    found = True
                    break
                if not number % MOVES_A_STEP:
                    yield
            self._is_used[tray] = found
        return found

    def using(self, tray: Place) -> Iterator[Footprint]:
        """Yield the footprints of the moves that take a man from a tray, or that no cell but this
        tray shows.
        """
        for each in self._some(frozenset({tray})):
            if each.uses(tray):
                yield each

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

    @cached_property
    def silent(self) -> list[Footprint]:
        """The moves of which no sensor shows anything."""
        return [each for each in self.leaving(frozenset()) if not each.swaps and not each.trays]

    def traces(self) -> Generator[None, None, list[Trace]]:
        """Return, after a search that goes step by step, what each move that is possible now would
        show.
        """
        found = []
        for number, each in enumerate(self, 1):
            found.append((each.differs, each.tray, each.trays))
            if not number % MOVES_A_STEP:
                yield
        return found


def _with(place: Place, places: AbstractSet[Place]) -> frozenset[Place]:
    """Return some places and another one, be it one of them: then nothing is made anew."""
    return frozenset(places) if place in places else frozenset({place, *places})
