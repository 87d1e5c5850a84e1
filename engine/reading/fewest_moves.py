"""Mending: the fewest movements of a hand that bring a board to what it should hold.

A hand lifts one man, perhaps turns it over, and puts it down: that is one movement, whether from
place to place, to or from a tray, or to or from beside the board. Every man that is wrong must be
lifted and every place that lacks one must be filled, so the plan with the fewest movements is the
one in which most men go from a wrong place straight to a right one: a matching. Where men only
exchange their places in a ring, one of them must be laid aside first; rings are broken up by
exchanging targets as long as that costs nothing. Of plans of the same length the one is taken that
makes most use of the trays, turns the fewest men over and carries them the shortest way.

Which man may stand where is known as far as the sensors tell: by the pole that is up, by the tray
in which it lies, and by what stood there when the board was last right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.game import Piece, Place
from engine.reading.footprints import Reading, Sight

FACE_DOWN = "+"
"""Begins the letter of a kind that is the other face of a man."""

# What a pair of places is worth; each outweighs any number of the next.
STRAIGHT = 10**12  # it saves a movement
LIKELY = 10**10  # it is probably the very man
TRAY = 10**8  # it needs no movement less, but says where the man is or goes
TURN = 10**6  # the man must be turned over for it (worth less)


@dataclass(frozen=True, slots=True)
class Movement:
    """One movement of a hand."""

    start: Place | None
    """Where a man is lifted; None: it comes from beside the board, or is in the hand already."""
    end: Place | None
    """Where it is put down; None: beside the board. Where it was lifted: it is turned over."""
    piece: Piece | None
    """What then stands at the end; if nobody needs it, what is taken away, where that is known."""
    turned: bool = False
    """Whether the man is turned over on the way."""

    @property
    def carries(self) -> bool:
        """Whether a man is carried from one place to another."""
        return self.start is not None and self.end is not None and self.start != self.end


@dataclass(frozen=True, slots=True)
class _MisplacedPiece:
    """A man that may be moved: one that stands wrong, or one too many in a tray."""

    place: Place
    on_cell: bool
    reading: Reading
    """The pole that is up; 0 in a tray."""
    known: Piece | None
    likely: Piece | None = None


@dataclass(frozen=True, slots=True)
class _Gap:
    """A place that lacks a man."""

    place: Place
    on_cell: bool
    reading: Reading
    piece: Piece


@dataclass(slots=True)
class _Route:
    """A man and where it goes; None stands for beside the board."""

    misplaced: _MisplacedPiece | None
    gap: _Gap | None

    @property
    def leads(self) -> bool:
        """Whether it goes from one cell to another."""
        misplaced, gap = self.misplaced, self.gap
        return bool(
            misplaced and gap and misplaced.on_cell and gap.on_cell and misplaced.place != gap.place
        )

    @property
    def turns(self) -> bool:
        """Whether a man is only turned over where it stands."""
        return self.leads_to(self)

    def leads_to(self, other: _Route) -> bool:
        """Whether a man comes to where the man of another way stands."""
        return bool(self.gap and other.misplaced and self.gap.place == other.misplaced.place)


def movements(
    sight: Sight,
    wanted: Mapping[Place, Piece],
    levels: Mapping[Place, Reading],
    masked: Collection[Place] = (),
    *,
    known: Mapping[Place, Piece] | None = None,
    likely: Mapping[Place, Piece] | None = None,
    held: Collection[Place] = (),
    far: Callable[[Place, Place], int] = lambda start, end: 1,
    trays: bool = False,
) -> tuple[Movement, ...]:
    """Return the fewest movements that make all cells but the `masked` ones read what they do when
    `wanted` stands there, in an order in which a hand can make them; none if they do.

    `levels` is what every sensed place reads that is not empty. `known` is what stands where, as
    far as that is certain: such a man is moved though its sensor cannot tell it from the right one.
    `likely` is what probably stands where; it decides between plans of the same length. `held` are
    cells for which a man is in the hand already: they come first, and no other man is sent there.
    `far` tells how far apart two cells are, less than a million in all. With `trays` what lies in a
    wrong tray goes to one that lacks it, after all else; one man too many or too few may be left.
    """
    plan = [*_Plan(sight, wanted, levels, masked, known or {}, likely or {}, far).ordered(held)]
    if trays:
        plan += _between_trays(sight, wanted, levels, masked, plan)
    return tuple(plan)


def _between_trays(
    sight: Sight,
    wanted: Mapping[Place, Piece],
    levels: Mapping[Place, Reading],
    masked: Collection[Place],
    before: Sequence[Movement],
) -> Iterator[Movement]:
    """Yield the movements that bring men from trays that read too many to trays that read too few,
    once those `before` have been made; a man of the right kind first, as far as the sensors tell.
    """
    more: list[Place] = []
    less: list[tuple[Place, Piece]] = []
    for tray in sight.game.trays():
        if tray in sight.trays and tray not in masked:
            piece, reads = wanted.get(tray), levels.get(tray, 0)
            reads += sum((step.end == tray) - (step.start == tray) for step in before)
            target = sight.reading(tray, piece)
            more += [tray] * (reads - target)
            if piece is not None:
                less += [(tray, piece)] * (target - reads)
    pairs = [(start, *gap) for start in more for gap in less]
    pairs.sort(key=lambda pair: not pair[0].endswith(f".{_front(pair[2].kind)}"))
    for start, end, piece in pairs:
        if start in more and (end, piece) in less:
            more.remove(start)
            less.remove((end, piece))
            yield Movement(start, end, piece)


class _Plan:
    """The men that are wrong, the gaps they leave, and what goes where."""

    def __init__(
        self,
        sight: Sight,
        wanted: Mapping[Place, Piece],
        levels: Mapping[Place, Reading],
        masked: Collection[Place],
        known: Mapping[Place, Piece],
        likely: Mapping[Place, Piece],
        far: Callable[[Place, Place], int],
    ) -> None:
        self.sight = sight
        self.wanted = wanted
        self.known = known
        self.likely = likely
        self.far = far
        self.turnable = any(kind.startswith(FACE_DOWN) for kind in sight.game.kinds)
        self.misplaced: list[_MisplacedPiece] = []
        self.gaps: list[_Gap] = []
        self.occupied = {place for place in sight.cells if levels.get(place, 0)}
        for place in sight.game.cells():
            if place not in masked:
                self._compare_cell(place, levels.get(place, 0))
        for tray in sight.game.trays():
            if tray in sight.trays and tray not in masked:
                self._compare_tray(tray, levels.get(tray, 0))

    def _compare_cell(self, place: Place, reads: Reading) -> None:
        piece = self.wanted.get(place)
        target = self.sight.reading(place, piece)
        known = self.known.get(place) if reads else None
        if known is not None and self.sight.reading(place, known) != reads:
            known = None
        if reads == target and (known is None or known == piece):
            return
        if reads:
            likely = self.likely.get(place)  # what reads otherwise was at most turned over
            fits = self.turnable or self.sight.reading(place, likely) == reads
            self.misplaced.append(
                _MisplacedPiece(place, True, reads, known, known or (likely if fits else None))
            )
        if piece is not None:
            self.gaps.append(_Gap(place, True, target, piece))

    def _compare_tray(self, tray: Place, reads: Reading) -> None:
        piece, known = self.wanted.get(tray), self.known.get(tray)
        count = piece.count if piece else 0
        target = self.sight.reading(tray, piece)
        more = reads - target
        if known is not None and self.sight.reading(tray, known) == reads:
            more = known.count - count
        some = piece or known
        self.misplaced += [_MisplacedPiece(tray, False, 0, some)] * max(0, more)
        if piece is not None:
            self.gaps += [_Gap(tray, False, 0, piece)] * max(0, -more)

    # ---- who may go where

    def _turned(self, misplaced: _MisplacedPiece, gap: _Gap) -> bool | None:
        """Return whether a man must be turned over to fill a gap; None if it cannot fill it."""
        if not (misplaced.on_cell or gap.on_cell):
            return None  # that is done when the board is right
        if not misplaced.on_cell:
            if _front(gap.piece.kind) not in self._kept(misplaced):
                return None
            return gap.piece.kind.startswith(FACE_DOWN)
        if misplaced.known is not None:
            if _front(misplaced.known.kind) != _front(gap.piece.kind):
                return None
            if gap.on_cell and misplaced.known.owner != gap.piece.owner:
                return None
            return misplaced.known.kind != gap.piece.kind
        if self.sight.sensing == "presence" or misplaced.reading == gap.piece.pole:
            return False
        return True if self.turnable else None

    def _kept(self, misplaced: _MisplacedPiece) -> Collection[str]:
        """Return the kinds that may lie in the tray of a man: what is known to, or else what its
        name says, `hand.A.C` or `out.black`.
        """
        if misplaced.known is not None:
            return (_front(misplaced.known.kind),)
        game = self.sight.game
        _, *parts = misplaced.place.split(".")
        if parts and parts[-1] in game.kinds:
            return (parts[-1],)
        theirs = {game.seats.index(part) for part in parts if part in game.seats}
        start = game.pieces(game.start()).values()
        return {piece.kind for piece in start if piece.owner in theirs}

    def _worth(self, misplaced: _MisplacedPiece | None, gap: _Gap | None) -> int | None:
        """Return what it is worth to send a man into a gap, at least 0; None if it cannot be."""
        if misplaced is None or gap is None:
            return 0
        turned = self._turned(misplaced, gap)
        if turned is None:
            return None
        same = misplaced.likely is not None and _front(misplaced.likely.kind) == _front(
            gap.piece.kind
        )
        worth = LIKELY * same - TURN * turned
        if not (misplaced.on_cell and gap.on_cell):
            return worth + TRAY
        return worth + STRAIGHT - self.far(misplaced.place, gap.place)

    # ---- the plan

    def ordered(self, held: Collection[Place]) -> Iterator[Movement]:
        """Yield the movements, each possible after those before it."""
        first = [gap for gap in self.gaps if gap.place in held and gap.place not in self.occupied]
        yield from (Movement(None, gap.place, gap.piece) for gap in first if gap.on_cell)
        self.gaps = [gap for gap in self.gaps if gap not in first]
        routes = self._matched()
        while self._ring_less(routes):
            pass
        for ring in list(_rings(routes)):  # all wait for one another: the first makes room
            routes.append(_Route(ring[0].misplaced, None))
            ring[0].misplaced = None
        routes.sort(key=self._rank)
        while routes:
            route = next(route for route in routes if route.turns or not self._is_taken(route.gap))
            routes.remove(route)
            yield self._movement(route)
            if route.misplaced is not None and route.misplaced.on_cell:
                self.occupied.discard(route.misplaced.place)
            if route.gap is not None and route.gap.on_cell:
                self.occupied.add(route.gap.place)

    def _movement(self, route: _Route) -> Movement:
        misplaced, gap = route.misplaced, route.gap
        turned = bool(self._turned(misplaced, gap)) if misplaced and gap else False
        piece = gap.piece if gap else misplaced.likely if misplaced else None
        return Movement(
            misplaced.place if misplaced else None, gap.place if gap else None, piece, turned
        )

    def _is_taken(self, gap: _Gap | None) -> bool:
        """Whether another man stands where one goes."""
        return gap is not None and gap.on_cell and gap.place in self.occupied

    def _rank(self, route: _Route) -> tuple[bool, int]:
        """Return what a hand does first: move men, take off, turn over, bring. What no sensor
        sees comes before the rest: once all sensors are content, nobody is guided any more.
        """
        if route.misplaced is None or not route.misplaced.on_cell:
            return True, 3
        place = route.misplaced.place
        seen = route.misplaced.reading != self.sight.reading(place, self.wanted.get(place))
        return seen, 0 if route.leads else 2 if route.turns else 1

    def _matched(self) -> list[_Route]:
        """Return the ways that are worth most, each man and each gap in one of them; but for men
        that may stay in their tray and gaps in trays that may stay.
        """
        worth = [
            [self._worth(misplaced, gap) or 0 for gap in self.gaps] for misplaced in self.misplaced
        ]
        chosen = _assignment(worth)
        routes = []
        filled = set()
        for number, misplaced in enumerate(self.misplaced):
            index = chosen[number]
            if index is not None and worth[number][index] > 0:
                filled.add(index)
                routes.append(_Route(misplaced, self.gaps[index]))
            elif misplaced.on_cell:
                routes.append(_Route(misplaced, None))
        for index, gap in enumerate(self.gaps):
            if index not in filled and gap.on_cell:
                routes.append(_Route(None, gap))
        return routes

    def _ring_less(self, routes: Sequence[_Route]) -> bool:
        """Open a ring of men that only exchange their places, join it to another or turn one of
        its men over instead, by exchanging the ends of two ways, if that costs no movement; return
        whether there was such a ring.
        """
        for ring in _rings(routes):
            best: tuple[int, _Route, _Route] | None = None
            for route in ring:
                for other in routes:
                    if other.turns or (
                        other in ring and (route is other or not route.leads_to(other))
                    ):
                        continue
                    there = self._worth(route.misplaced, other.gap)
                    here = self._worth(other.misplaced, route.gap)
                    if there is None or here is None:
                        continue
                    before = (
                        self._worth(route.misplaced, route.gap),
                        self._worth(other.misplaced, other.gap),
                    )
                    loss = sum(each or 0 for each in before) - there - here
                    if loss < STRAIGHT // 2 and (best is None or loss < best[0]):
                        best = loss, route, other
            if best is not None:
                _, route, other = best
                route.gap, other.gap = other.gap, route.gap
                return True
        return False


def _front(kind: str) -> str:
    """Return the kind whose face a man shows at first."""
    return kind.removeprefix(FACE_DOWN)


def _rings(routes: Sequence[_Route]) -> Iterator[list[_Route]]:
    """Yield the ways that form a ring, ring by ring."""
    by_start = {route.misplaced.place: route for route in routes if route.leads and route.misplaced}
    seen: set[Place] = set()
    for begin in by_start:
        ring: list[_Route] = []
        place = begin
        while place in by_start and place not in seen:
            seen.add(place)
            route = by_start[place]
            ring.append(route)
            assert route.gap is not None
            place = route.gap.place
        if ring and place == begin:
            yield ring


def _assignment(worth: Sequence[Sequence[int]]) -> list[int | None]:
    """Return, for each row, the column that it is given, each to one row at most, so that the sum
    of what they are worth is greatest (Kuhn 1955, with potentials).
    """
    rows, columns = len(worth), len(worth[0]) if worth else 0
    size = max(rows, columns)
    row_price, column_price = [0] * (rows + 1), [0] * (size + 1)
    owner = [0] * (size + 1)  # of each column, from 1; 0 is where a new row starts
    for row in range(1, rows + 1):  # which finds the cheapest way to make room
        owner[0], column = row, 0
        least: list[float] = [float("inf")] * (size + 1)
        came_from = [0] * (size + 1)
        free = set(range(1, size + 1))
        while current := owner[column]:
            for j in free:
                value = worth[current - 1][j - 1] if j <= columns else 0
                reduced = -value - row_price[current] - column_price[j]
                if reduced < least[j]:
                    least[j], came_from[j] = reduced, column
            column = min(sorted(free), key=lambda j: least[j])
            step = int(least[column])
            for j in range(size + 1):
                if j in free:
                    least[j] -= step
                else:
                    row_price[owner[j]] += step
                    column_price[j] -= step
            free.remove(column)
        while column:
            owner[column] = owner[came_from[column]]
            column = came_from[column]
    given = {row: column - 1 for column, row in enumerate(owner[: columns + 1]) if column}
    return [given.get(row) for row in range(1, rows + 1)]
