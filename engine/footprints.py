"""Footprints: what each legal move does to the sensors; lines of play, and what they leave."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias
from weakref import ref

from engine.game import CHANCE, Claim, Pass, Piece, Place, Throw
from engine.match import AnyGame, AnyMove, Match

Reading: TypeAlias = int
Difference: TypeAlias = frozenset[tuple[Place, Reading]]

Trace: TypeAlias = tuple[Difference, Place | None, frozenset[Place]]
"""What a move shows: on cells, the tray from which a man comes, the trays that read otherwise."""

MOVES_A_STEP = 8
DIFFERENCES_KEPT = 64  # with the moves that leave them, per line: hands may dither for long


class Sight:
    """What the sensors of a board can see of a game.

    `sensing` is `presence` (a cell reads 0 or 1) or `polarity` (0, +1, -1); a tray reads how many
    lie in it, up to its `pockets` (1 where only presence is sensed). `unsensed` names trays
    without sensors by their prefixes.
    """

    def __init__(
        self,
        game: AnyGame,
        sensing: str = "presence",
        unsensed: Collection[str] = (),
        pockets: Mapping[Place, int] | None = None,
    ) -> None:
        self.game = game
        self.sensing = sensing
        self.cells = frozenset(game.cells())
        blind = tuple(unsensed)
        self.trays = frozenset(
            tray
            for tray in game.trays()
            if tray not in game.unsensed and not (blind and tray.startswith(blind))
        )
        self.places = self.cells | self.trays
        default = 1 if sensing == "presence" else 4
        self.pockets = {tray: (pockets or {}).get(tray, default) for tray in self.trays}

    def reading(self, place: Place, piece: Piece | None) -> Reading:
        """Return what the sensor of `place` reads of `piece`."""
        if piece is None:
            return 0
        if place in self.trays:
            return min(piece.count, self.pockets[place])
        return piece.pole if self.sensing == "polarity" else 1

    def readings(self, position: object) -> dict[Place, Reading]:
        """Return what every sensed place that is not empty reads in `position`."""
        pieces = self.game.pieces(position)
        return {
            place: self.reading(place, piece)
            for place, piece in pieces.items()
            if place in self.places
        }


@dataclass(slots=True, eq=False)  # not frozen: so many are made that it would be felt
class Footprint:
    """What one legal move leaves, as far as believed sensors see it."""

    move: AnyMove
    after: Mapping[Place, Piece | None]
    """All changed places, trays and unseen ones included."""
    cells: frozenset[Place]
    """The seen cells whose piece changes."""
    differs: Difference
    """Those of them that read otherwise afterwards, with that reading."""
    swaps: tuple[Place, ...]
    """The others: they read the same before and after, only a touch shows the change."""
    arrivals: tuple[tuple[Place, Reading], ...]
    """Seen cells where a man comes to stand, with what they read then."""
    leaves: tuple[Place, ...]
    """Seen cells that are empty afterwards."""
    trays: frozenset[Place]
    """The trays whose reading changes."""
    tray: Place | None
    """The sensed tray from which a man comes, if its reading shows it."""
    unseen: int
    """How many men arrive where no sensor is believed."""
    around: frozenset[Place]
    """The cells and all places that may be disturbed on the way."""
    train: bool
    """Whether other men stand on the way, to be moved along (a row of marbles)."""

    @property
    def is_seen(self) -> bool:
        """Whether any sensor shows anything of it."""
        return bool(self.cells or self.trays)

    def uses(self, tray: Place) -> bool:
        """Whether a man is taken from a tray, or no cell but this tray shows it."""
        return self.tray == tray or (tray in self.trays and not self.cells)

    @property
    def may_only_be_lifted(self) -> bool:
        """Whether no man of it may be seen to come to stand."""
        if self.arrivals:
            return len(self.arrivals) <= len(self.swaps)
        return bool(self.unseen) and not self.train


class Line:
    """A match with what the sensors should read at its end."""

    def __init__(
        self,
        match: Match,
        sight: Sight,
        masked: frozenset[Place],
        expected: dict[Place, Reading],
        before: Line | None = None,
        footprint: Footprint | None = None,
    ) -> None:
        self.match = match
        self.sight = sight
        self.masked = masked
        self.trays: frozenset[Place] = sight.trays - masked if masked else sight.trays
        """The trays that are sensed and believed."""
        self.expected = expected
        self.before = before
        self.footprint = footprint
        """Of the move that led here; None after a throw, a pass or a claim."""
        self.throws: int = before.throws if before else 0
        """How many throws are in it."""
        if isinstance(match.move, Throw):
            self.throws += 1
        self.passed: object = None
        """The answers that do not rule it out."""
        self.read = 0
        """Which verdict read it first, counted from 1; 0 before any did."""
        self._next: dict[AnyMove, ref[Line]] = {}
        self._made: dict[AnyMove, Footprint] = {}
        self._leaving: dict[Difference, list[Footprint]] = {}
        self._touching: dict[frozenset[Place], list[Footprint]] = {}
        self._bringing: dict[tuple[Place, frozenset[Place]], list[Footprint]] = {}
        self._lifted_only: dict[Place, list[Footprint]] = {}
        self._in_tray: dict[Place, list[Footprint]] = {}
        self._is_used: dict[Place, bool] = {}
        self._goes_on: dict[tuple[frozenset[Place], ...], tuple[bool, bool]] = {}

    @classmethod
    def of(cls, match: Match, sight: Sight, masked: frozenset[Place] = frozenset()) -> Line:
        """Return the line of a whole match."""
        steps = match.line()
        begin = steps[0].before if steps else match
        assert begin is not None
        line = cls(begin, sight, masked, sight.readings(begin.position))
        return line.along(match)

    def along(self, match: Match) -> Line:
        """Return the line of another match that began as this one's did."""
        line: Line = self
        while line.before is not None:
            line = line.before
        for step in match.line():
            line = line.step(step.move)
        return line

    def step(
        self, move: AnyMove, footprint: Footprint | None = None, match: Match | None = None
    ) -> Line:
        """Return the line after one more move, throw or claim; the same object as long as anybody
        keeps it. Its footprint and the match after it need not be found out if they are known.
        """
        if (found := self._next.get(move)) is not None and (known := found()) is not None:
            return known
        if match is None:
            match = self.match.play(move)
        expected = self.expected
        if isinstance(move, Claim):
            expected = self.sight.readings(match.position)
        elif not isinstance(move, Throw | Pass):
            footprint = footprint or self._made.get(move) or self.footprint_of(move)
            expected = dict(expected)
            for place, piece in footprint.after.items():
                if place in self.sight.places:
                    reading = self.sight.reading(place, piece)
                    if reading:
                        expected[place] = reading
                    else:
                        expected.pop(place, None)
        line = Line(match, self.sight, self.masked, expected, self, footprint)
        self._next[move] = ref(line)
        return line

    @property
    def remembered(self) -> int:
        """How many footprints it remembers."""
        return len(self._made)

    @property
    def footprints(self) -> list[Footprint]:
        """The footprint of every move that a hand can make now; where there are many thousands,
        of some of them, at least one for every cell where a man may come to stand.
        """
        return list(self._footprints())

    def leaving(self, differs: Difference) -> list[Footprint]:
        """Return the footprints of the moves that leave just this difference."""
        found = self._leaving.get(differs)
        if found is None:
            if len(self._leaving) == DIFFERENCES_KEPT:
                self._leaving.clear()
            places = frozenset([place for place, _ in differs])
            found = [
                each
                for each in self._footprints(places, (places | self.masked) & self.sight.cells)
                if each.differs == differs
            ]
            self._leaving[differs] = found
        return found

    def within(self, places: AbstractSet[Place]) -> Iterator[Footprint]:
        """Yield the footprints of the moves after which no cell but `places` reads otherwise."""
        inside = (places | self.masked) & self.sight.cells
        for each in self._footprints(within=inside):
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
        for number, each in enumerate(self._footprints(cells), 1):
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
        for number, each in enumerate(self._touching.get(cells) or self._footprints(cells), 1):
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
                for each in self._through(place, within)
                if place in each.leaves and len(each.leaves) > 1
            ]
        stands = self.expected.get(place, 0) == reading
        return [
            each
            for each in self._through(place, within)
            if (place, reading) in each.arrivals
            or (stands and each.train and place not in each.cells)
        ]

    def _through(self, place: Place, within: Iterable[Place]) -> list[Footprint]:
        """Return the footprints of the moves that change or pass a cell and stay within some."""
        inside = frozenset({place, *within})
        found = self._bringing.get((place, inside))
        if found is None:
            for _ in self.look_into(place, inside):
                pass
            found = self._bringing[place, inside]
        return found

    def look_into(self, place: Place, within: Iterable[Place]) -> Iterator[None]:
        """Find out step by step what `bringing` tells of a place."""
        inside = frozenset({place, *within})
        if (place, inside) in self._bringing:
            return
        moves = self._footprints(frozenset({place}), (inside | self.masked) & self.sight.cells)
        found = []
        for number, each in enumerate(moves, 1):
            if place in each.around:
                found.append(each)
            if not number % MOVES_A_STEP:
                yield
        if len(self._bringing) == DIFFERENCES_KEPT:
            self._bringing.clear()
        self._bringing[place, inside] = found

    def lifting(self, place: Place) -> list[Footprint]:
        """Return the footprints of the moves after which `place` is empty."""
        return [each for each in self.touching({place}) if place in each.leaves]

    def look_at_lift(
        self, place: Place, lifted: AbstractSet[Place], within: AbstractSet[Place]
    ) -> Iterator[None]:
        """Find out step by step what `lifted_only` tells of these places."""
        if place not in self._lifted_only:
            yield from self.look_into(place, ())
        if len(lifted) > 1:
            yield from self.look_into(place, within)

    def lifted_only(
        self, place: Place, lifted: AbstractSet[Place], within: AbstractSet[Place]
    ) -> list[Footprint]:
        """Return the footprints of the moves of which no more need be seen than that men are
        `lifted`, from `place` first of all: one goes where no sensor is believed, or takes others
        that read alike.
        """
        found = self._lifted_only.get(place)
        if found is None:
            found = self._lifted_only[place] = [
                each
                for each in self._through(place, ())
                if each.leaves == (place,) and each.may_only_be_lifted
            ]
        if len(lifted) == 1:
            return found
        gone = frozenset(lifted)
        return found + [
            each
            for each in self._through(place, within)
            if len(each.leaves) > 1
            and gone.issuperset(each.leaves)
            and place == min(each.leaves)
            and each.may_only_be_lifted
        ]

    def in_tray(self, tray: Place) -> list[Footprint]:
        """Return the footprints of the moves that no cell but this tray shows."""
        found = self._in_tray.get(tray)
        if found is None:
            nowhere = self.masked & self.sight.cells
            found = self._in_tray[tray] = [
                each
                for each in self._footprints(frozenset({tray}), nowhere)
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
            for number, each in enumerate(self._footprints(frozenset({tray})), 1):
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
        for each in self._footprints(frozenset({tray})):
            if each.uses(tray):
                yield each

    def _footprints(
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
                footprint = made[move] = self.footprint_of(move)
            yield footprint

    @cached_property
    def silent(self) -> list[Footprint]:
        """The moves of which no sensor shows anything."""
        return [each for each in self.leaving(frozenset()) if not each.swaps and not each.trays]

    def footprint_of(self, move: AnyMove) -> Footprint:
        """Return what a legal move leaves."""
        game, sight, expected = self.match.game, self.sight, self.expected
        after = game.changes(self.match.position, move)
        cells, differs, swaps, arrivals, leaves = [], [], [], [], []
        trays, tray, unseen = [], None, 0
        for place, piece in after.items():
            if place in sight.cells:
                if place in self.masked:
                    unseen += piece is not None
                    continue
                reading = sight.reading(place, piece)
                cells.append(place)
                if reading != expected.get(place, 0):
                    differs.append((place, reading))
                else:
                    swaps.append(place)
                if reading:
                    arrivals.append((place, reading))
                else:
                    leaves.append(place)
            elif place in sight.trays and place not in self.masked:
                reading = sight.reading(place, piece)
                if reading != expected.get(place, 0):
                    trays.append(place)
                if reading < expected.get(place, 0):
                    tray = place
        path = game.path(self.match.position, move)
        changed = frozenset(cells)
        return Footprint(
            move,
            after,
            changed,
            frozenset(differs),
            tuple(swaps),
            tuple(arrivals),
            tuple(leaves),
            frozenset(trays),
            tray,
            unseen,
            changed | path if path else changed,
            any(place in expected for place in path),
        )

    @cached_property
    def cells_read(self) -> Difference:
        """What the believed cells read at its end, as a key."""
        cells, masked = self.sight.cells, self.masked
        return frozenset(
            [item for item in self.expected.items() if item[0] in cells and item[0] not in masked]
        )

    def traces(self) -> Generator[None, None, list[Trace]]:
        """Return, after a search that goes step by step, what each move that is possible now would
        show.
        """
        found = []
        for number, each in enumerate(self._footprints(), 1):
            found.append((each.differs, each.tray, each.trays))
            if not number % MOVES_A_STEP:
                yield
        return found

    def head(self) -> Line:
        """Return the line before the last ply that a hand made; itself if there is none."""
        if self.footprint is not None and self.before is not None:
            return self.before
        line: Line | None = self
        while line is not None and line.footprint is None:
            line = line.before
        return line.before if line is not None and line.before is not None else self

    def last_ply(self) -> tuple[Footprint, ...]:
        """Return the footprint of the last ply that a hand made, in a tuple; () if none was."""
        line: Line | None = self
        while line is not None and line.footprint is None:
            line = line.before
        return (line.footprint,) if line is not None and line.footprint is not None else ()

    def last_on_cells(self) -> Line | None:
        """Return the line up to the last ply that any cell shows; None if none does."""
        line: Line | None = self
        while line is not None and (line.footprint is None or not line.footprint.cells):
            line = line.before
        return line

    def takes_over(self, ply: Footprint, place: Place) -> bool:
        """Whether a ply moves on from `place` the man that the last one has put there, be it that
        it is promoted now.
        """
        for last in self.last_ply():
            man = last.after.get(place)
            ends = [ply.after[end] for end, _ in ply.arrivals]
            if man is None or man.owner is None:
                return man is not None and man in ends
            return any(each is not None and each.owner == man.owner for each in ends)
        return False

    def takes_with(self, ply: Footprint) -> bool:
        """Whether a ply after this line takes a man where it ends."""
        return any(place in self.expected for place, _ in ply.arrivals)

    def since(self, base: Line) -> list[Line] | None:
        """Return the lines after `base` up to this one, oldest first; None if it is not in it."""
        steps = []
        line: Line = self
        least = base.match.plies
        while line is not base:
            steps.append(line)
            if line.before is None or line.match.plies < least:
                return None
            line = line.before
        steps.reverse()
        return steps

    def latest(self) -> Iterator[Line]:
        """Yield the lines after each move, throw and claim so far, latest first."""
        line: Line = self
        while line.before is not None:
            yield line
            line = line.before

    def steps(self) -> list[Line]:
        """Return the lines after each move, throw and claim so far, oldest first."""
        steps = []
        line: Line = self
        while line.before is not None:
            steps.append(line)
            line = line.before
        steps.reverse()
        return steps

    def forget(self) -> None:
        """Give back the memory of what could have been played here and before."""
        line: Line | None = self
        while line is not None and (
            line._made or line._leaving or line._touching or line._bringing
        ):
            line.__dict__.pop("silent", None)
            line._made.clear()
            line._leaving.clear()
            line._touching.clear()
            line._bringing.clear()
            line._lifted_only.clear()
            line._in_tray.clear()
            line._goes_on.clear()
            line._next = {move: step for move, step in line._next.items() if step() is not None}
            line = line.before
