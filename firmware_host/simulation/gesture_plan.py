"""Handwork: what a move asks of the hands, told from what stands where before and after it.

Only `pieces`, `path` and `legal` of a game are asked; no game is known here. Pieces that disappear
from one place are matched with pieces that appear on another: first with the same piece (it was
carried), then with one of the same owner (it was promoted), then a piece of the board with a tray
(it was captured) and a tray with the board (it was dropped). What is left over goes off the table
or comes from there. Pieces that stand on the path of a move and stay what they were are a row that
is pushed along.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Any, TypeAlias

from engine.game import CHANCE, Game, Pass, Piece, Place, Throw
from firmware_host.simulation.actions import Carry, HandActions
from firmware_host.simulation.tabletop import Sense, Tabletop

AnyGame: TypeAlias = Game[Any, Any]
AnyMove: TypeAlias = Any

TRIES = 40
"""How many other legal moves are looked at for those that come to mind with the piece in hand."""


@lru_cache(maxsize=16)
def neighbours(game: AnyGame) -> Mapping[Place, tuple[Place, ...]]:
    """Return the neighbours of each cell, by the cells' names."""
    cells = game.cells()
    return {
        cell: tuple(other for other in cells if game.distance(cell, other) == 1) for cell in cells
    }


@dataclass(frozen=True, slots=True)
class _Lot:
    """One piece that has gone from a place, or has come to it."""

    place: Place
    piece: Piece


class Planner:
    """Turns moves of one game into work for hands.

    What lies in trays without sensors (`unsensed` prefixes, and those the game itself names) is
    off the table: nobody watches it there.
    """

    def __init__(self, game: AnyGame, unsensed: Sequence[str] = ()) -> None:
        self.game = game
        self.unsensed = (*unsensed, *sorted(game.unsensed))
        self.cells = frozenset(game.cells())
        self.near = neighbours(game)
        most = max(len(around) for around in self.near.values())
        self._rim = frozenset(cell for cell, around in self.near.items() if len(around) < most)
        self._sees = Sense(unsensed=self.unsensed).sees

    def tabletop(self, position: object) -> Tabletop:
        """Return a table with the pieces of `position`."""
        return Tabletop(
            {
                place: [piece.pole] * piece.count
                for place, piece in self.game.pieces(position).items()
                if self._sees(place)
            },
            self.game.trays(),
        )

    def work(self, position: object, move: AnyMove, rng: Random) -> HandActions:
        """Return what a legal move, or a claim that changes the board, asks of the hands.

        `rng` decides which other moves come to the mover's mind.
        """
        game = self.game
        before = game.pieces(position)
        following = game.play(position, move)
        path = frozenset() if isinstance(move, Throw | Pass) else game.path(position, move)
        work = self.between(before, game.pieces(following), path)
        if work.carried:  # what the text names first is thought of first
            text = game.move_text(position, move)
            order = {e: text.find(e.start or "") % (len(text) + 1) for e in work.carried}
            first, *rest = sorted(work.carried, key=order.__getitem__)
            if all(cell in text for cell in first.via):
                first = replace(first, via=tuple(sorted(first.via, key=text.find)))
            work = replace(work, carried=(first, *rest))
        mover = game.turn(position)
        idle = {p: piece for p, piece in before.items() if p in self.cells - work.touched()}
        return replace(
            work,
            own=tuple(place for place, piece in idle.items() if piece.owner == mover),
            others=tuple(place for place, piece in idle.items() if piece.owner != mover),
            instead=lambda: self._instead(position, work, rng),
            aside=lambda: self._aside(position, following),
        )

    def between(
        self,
        before: Mapping[Place, Piece],
        after: Mapping[Place, Piece],
        path: Collection[Place] = (),
    ) -> HandActions:
        """Return the work that turns the one set of pieces into the other."""
        row = self._row(before, after, path)
        if row is not None:
            return row
        carried: list[Carry] = []
        taken: list[Carry] = []
        brought: list[Carry] = []
        passed: list[Carry] = []
        loose: set[Place] = set()
        for gone, come in self._pairs(before, after):
            errand = self._errand(gone, come)
            from_cell = gone is not None and gone.place in self.cells
            to_cell = come is not None and come.place in self.cells
            if from_cell and to_cell:
                carried.append(errand)
            elif from_cell:
                taken.append(errand)
                if gone is not None and gone.piece.owner is None:
                    loose.add(gone.place)
            elif to_cell:
                brought.append(errand)
            else:
                passed.append(errand)  # which takes its time, though nobody may watch it
        if len(carried) == 1:
            carried[0] = replace(carried[0], via=self._way(carried[0], before, after, path, loose))
        return HandActions(
            tuple(carried), tuple(taken), tuple(brought), tuple(passed), near=self.near
        )

    def _errand(self, gone: _Lot | None, come: _Lot | None) -> Carry:
        """Return the errand of a piece that went from one place and came to another."""
        lies = gone.piece.pole if gone else come.piece.pole if come else 1
        pole = come.piece.pole if come else lies
        onto_board = come is not None and come.place in self.cells
        if not onto_board or gone is None or gone.place not in self.cells:
            lies = pole = come.piece.pole if come and onto_board else lies  # turned on the way
        return Carry(
            gone.place if gone and self._sees(gone.place) else None,
            come.place if come and self._sees(come.place) else None,
            lies,
            pole,
            swapped=bool(gone and come and gone.piece.kind != come.piece.kind and lies == pole)
            and onto_board,
        )

    def _pairs(
        self, before: Mapping[Place, Piece], after: Mapping[Place, Piece]
    ) -> Iterable[tuple[_Lot | None, _Lot | None]]:
        """Yield each piece that moved: where it was, and where (as what) it is now."""
        gone = list(self._lots(before, after))
        come = list(self._lots(after, before))
        ranks = [
            (*rank, i, j)
            for i, lot in enumerate(gone)
            for j, other in enumerate(come)
            if (rank := self._rank(lot, other)) is not None
        ]
        left, right = set(range(len(gone))), set(range(len(come)))
        for *_, i, j in sorted(ranks):
            if i in left and j in right:
                left.discard(i)
                right.discard(j)
                yield gone[i], come[j]
        for i in sorted(left):
            yield gone[i], None
        for j in sorted(right):
            yield None, come[j]

    def _lots(self, here: Mapping[Place, Piece], there: Mapping[Place, Piece]) -> Iterable[_Lot]:
        """Yield every piece that is here and not there, those of a heap one by one."""
        for place, piece in here.items():
            other = there.get(place)
            if other != piece:
                same = other is not None and (other.owner, other.kind) == (piece.owner, piece.kind)
                heap = other.count if other is not None and same and place not in self.cells else 0
                for _ in range(piece.count - heap):
                    yield _Lot(place, piece)

    def _rank(self, gone: _Lot, come: _Lot) -> tuple[int, int] | None:
        """Return how naturally this piece became that one, lowest first; None if it cannot have."""
        same_kind = gone.piece.kind == come.piece.kind
        on_board = (gone.place in self.cells) + (come.place in self.cells)
        if on_board == 2:
            if gone.piece.owner != come.piece.owner:
                return None
            return (0 if same_kind else 1), self.game.distance(gone.place, come.place)
        return (3 - on_board), (0 if same_kind else 1)

    def _row(
        self,
        before: Mapping[Place, Piece],
        after: Mapping[Place, Piece],
        path: Collection[Place],
    ) -> HandActions | None:
        """Return the work of pushing a row along, if pieces stand on the path and stay what they
        are.

        Each piece of the row moves on by one cell; the foremost may be pushed off.
        """
        standing = {cell for cell in path if cell in before and before[cell] == after.get(cell)}
        if not standing:
            return None
        changed = {cell for cell in self.cells if before.get(cell) != after.get(cell)}
        row = sorted(standing | changed, key=self.game.coordinates)
        ways = [self.game.coordinates(cell) for cell in row]
        steps = {(c - a, d - b) for (a, b), (c, d) in pairwise(ways)}
        if len(steps) != 1 or any(max(map(abs, step)) != 1 for step in steps):
            return None
        if row[0] in after:
            row.reverse()
        if any(before.get(a) != after.get(b) for a, b in pairwise(row)) or row[0] in after:
            return None
        errands = [Carry(a, b, before[a].pole, before[a].pole) for a, b in pairwise(row)]
        taken: list[Carry] = []
        if row[-1] in before:
            piece = before[row[-1]]
            tray = next((lot for lot in self._lots(after, before) if lot.place not in row), None)
            taken.append(self._errand(_Lot(row[-1], piece), tray))
        return HandActions(taken=tuple(taken), row=tuple(errands), near=self.near)

    def _way(
        self,
        errand: Carry,
        before: Mapping[Place, Piece],
        after: Mapping[Place, Piece],
        path: Collection[Place],
        loose: Collection[Place],
    ) -> tuple[Place, ...]:
        """Return the cells that a sliding piece crosses, in order: empty ones, and those of pieces
        that belong to nobody and are taken on the way. Nothing if they make no unbroken way.
        """
        assert errand.start is not None
        assert errand.end is not None
        free = {
            cell for cell in path if cell in self.cells and not (cell in before or cell in after)
        }
        todo = (free | set(loose)) - {errand.start, errand.end}
        way = [errand.start]
        distance = self.game.distance
        while todo:
            cell = min(todo, key=lambda c: (distance(way[-1], c), -distance(c, errand.end or c), c))
            todo.discard(cell)
            way.append(cell)
        way.append(errand.end)
        unbroken = all(distance(a, b) == 1 for a, b in pairwise(way))
        return tuple(way[1:-1]) if unbroken else ()

    def _instead(
        self, position: object, work: HandActions, rng: Random
    ) -> Sequence[tuple[Place, Place]]:
        """Return some other legal moves as from where to where, those of the same piece if any."""
        leading = next((e.start for e in (*work.carried, *work.brought)), None)
        legal = self.game.legal(position)
        before = self.game.pieces(position)
        same: list[tuple[Place, Place]] = []
        other: list[tuple[Place, Place]] = []
        ends = {e.end for e in (*work.carried, *work.brought)}
        for move in rng.sample(legal, min(TRIES, len(legal))):
            if isinstance(move, Throw | Pass):
                continue
            alike = self.between(before, self.game.pieces(self.game.play(position, move)))
            for errand in (*alike.carried, *alike.brought)[:1]:
                if errand.start and errand.end and errand.end not in ends:
                    pairs = same if errand.start == leading else other
                    pairs.append((errand.start, errand.end))
        return same or other

    def _aside(self, position: object, following: object) -> Sequence[Place]:
        """Return empty cells, at the rim if possible, where no move of this or the next turn could
        end: a piece that is parked there is parked and nothing else.
        """
        taken = set(self.game.pieces(position)) | set(self.game.pieces(following))
        lands = self._lands(position) | self._lands(following)
        free = sorted(self.cells - taken - lands)
        return [cell for cell in free if cell in self._rim] or free

    def _lands(self, position: object) -> set[Place]:
        """Return every cell that a legal move changes; whatever the dice say."""
        game = self.game
        if game.turn(position) == CHANCE:
            throws = game.legal(position)
            return set().union(*(self._lands(game.play(position, throw)) for throw in throws))
        moves = [move for move in game.legal(position) if not isinstance(move, Pass)]
        return set().union(*(game.changes(position, move) for move in moves))
