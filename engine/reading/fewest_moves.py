"""The fewest movements of a hand that bring a board to its wanted state.

In one movement a hand lifts a piece, perhaps turns it over, and puts it down: between places, to or
from a tray, or to or from beside the board. Every misplaced piece must be lifted and every gap must
be filled. So the shortest plan sends most pieces from a wrong place straight to a right one: a
matching. If pieces only exchange their places in a ring, one of them must be laid aside first;
rings are broken by exchanging targets as long as that costs nothing. Among plans of the same length
the best one makes most use of the trays, turns the fewest pieces over and carries them the shortest
way.

The sensors limit which piece may stand where: by the upper pole, by the tray of the piece, and by
the piece that stood there when the board was last right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.game import Piece, Place
from engine.reading.footprints import Reading, Sight

FACE_DOWN = "+"
"""The prefix of the kind that is the other face of a piece."""

# The values of a route; each outweighs any number of the next.
STRAIGHT = 10**12  # it saves a movement
LIKELY = 10**10  # it is probably the same piece
TRAY = 10**8  # it saves no movement, but says where the piece is or goes
TURN = 10**6  # the piece must be turned over (a deduction)


@dataclass(frozen=True, slots=True)
class Movement:
    """One movement of a hand."""

    start: Place | None
    """Where the piece is lifted; None: beside the board, or already in the hand."""
    end: Place | None
    """Where it is put down; None: beside the board. Same as `start`: it is turned over."""
    piece: Piece | None
    """The piece at the end; for a removed piece what it is, if known."""
    turned: bool = False
    """Whether the piece is turned over on the way."""

    @property
    def carries(self) -> bool:
        """Whether a piece is carried from one place to another."""
        return self.start is not None and self.end is not None and self.start != self.end


@dataclass(frozen=True, slots=True)
class _MisplacedPiece:
    """A piece to move: misplaced on a cell, or surplus in a tray."""

    place: Place
    on_cell: bool
    reading: Reading
    """The upper pole; 0 in a tray."""
    known: Piece | None
    likely: Piece | None = None


@dataclass(frozen=True, slots=True)
class _Gap:
    """A place that lacks a piece."""

    place: Place
    on_cell: bool
    reading: Reading
    piece: Piece


@dataclass(slots=True)
class _Route:
    """A piece and its target; None stands for beside the board."""

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
        """Whether the piece is only turned over on its place."""
        return self.leads_to(self)

    def leads_to(self, other: _Route) -> bool:
        """Return whether this route ends where another one starts."""
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
    """Return the fewest movements that give all cells but the `masked` ones their wanted readings.

    A hand can make them in this order.

    - `levels`: the readings of all sensed places that are not empty.
    - `known`: the pieces that are certain; such a piece moves even if its sensor cannot distinguish
      it from the right one.
    - `likely`: the probable pieces; they decide between plans of the same length.
    - `held`: cells whose piece is already in the hand; they come first and get no other piece.
    - `far`: the distance of two cells, less than a million in all.
    - `trays`: pieces in wrong trays go last to trays that lack them; one surplus or missing piece
      may remain.
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
    """Yield the movements from trays with too many pieces to trays with too few, after `before`.

    Pieces of the right kind come first, as far as the sensors show it.
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
    """The misplaced pieces, the gaps, and the routes between them."""

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
            likely = self.likely.get(place)  # a piece with another reading was at most turned over
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

    # ---- possible routes

    def _turned(self, misplaced: _MisplacedPiece, gap: _Gap) -> bool | None:
        """Return whether a piece must be turned over to fill a gap; None if it cannot fill it."""
        if not (misplaced.on_cell or gap.on_cell):
            return None  # the trays follow when the board is right
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
        """Return the kinds that a tray may hold: the known one, or those of its name.

        Names are like `hand.A.C` or `out.black`.
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

    def _value(self, misplaced: _MisplacedPiece | None, gap: _Gap | None) -> int | None:
        """Return the value of sending a piece into a gap, at least 0; None if impossible."""
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
        while self._break_ring(routes):
            pass
        for ring in list(_rings(routes)):  # they wait for each other: the first piece makes room
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
        """Return whether another piece stands in a gap."""
        return gap is not None and gap.on_cell and gap.place in self.occupied

    def _rank(self, route: _Route) -> tuple[bool, int]:
        """Return the order of movements: move pieces, remove, turn over, bring.

        Movements that no sensor sees come first, because guidance ends when all readings fit.
        """
        if route.misplaced is None or not route.misplaced.on_cell:
            return True, 3
        place = route.misplaced.place
        seen = route.misplaced.reading != self.sight.reading(place, self.wanted.get(place))
        return seen, 0 if route.leads else 2 if route.turns else 1

    def _matched(self) -> list[_Route]:
        """Return the most valuable routes; each piece and each gap is in one of them.

        Pieces that may stay in their tray and gaps in trays that may stay are left out.
        """
        worth = [
            [self._value(misplaced, gap) or 0 for gap in self.gaps] for misplaced in self.misplaced
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

    def _break_ring(self, routes: Sequence[_Route]) -> bool:
        """Break a ring by exchanging the targets of two routes, if that costs no movement.

        The ring opens, joins another one, or turns a piece over instead. Return whether there was
        such a ring.
        """
        for ring in _rings(routes):
            best: tuple[int, _Route, _Route] | None = None
            for route in ring:
                for other in routes:
                    if other.turns or (
                        other in ring and (route is other or not route.leads_to(other))
                    ):
                        continue
                    there = self._value(route.misplaced, other.gap)
                    here = self._value(other.misplaced, route.gap)
                    if there is None or here is None:
                        continue
                    before = (
                        self._value(route.misplaced, route.gap),
                        self._value(other.misplaced, other.gap),
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
    """Return the kind of the front face."""
    return kind.removeprefix(FACE_DOWN)


def _rings(routes: Sequence[_Route]) -> Iterator[list[_Route]]:
    """Yield the routes of each ring."""
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
    """Return the column of each row, each column once at most, with the greatest total value.

    The method is Kuhn's (1955) with potentials.
    """
    rows, columns = len(worth), len(worth[0]) if worth else 0
    size = max(rows, columns)
    row_price, column_price = [0] * (rows + 1), [0] * (size + 1)
    owner = [0] * (size + 1)  # by column from 1: its row; 0 is where a new row starts
    for row in range(1, rows + 1):  # find the cheapest way to make room for it
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
