"""What hands must do for a move, found from the pieces before and after it.

This works for any game. Pieces that disappear from one place are paired with pieces that appear on
another: first the same piece (it was carried), then one of the same owner (it was promoted), then a
piece of the board with one in a tray (it was captured) and a piece in a tray with one on the board
(it was dropped). Pieces without a partner go off the table or come from there. Pieces that stand on
the path of a move and do not change are a row that is pushed along.
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
"""The most legal moves that are searched for others that the mover may think of."""


@lru_cache(maxsize=16)
def neighbours(game: AnyGame) -> Mapping[Place, tuple[Place, ...]]:
    """Return the neighbours of each cell."""
    cells = game.cells()
    return {
        cell: tuple(other for other in cells if game.distance(cell, other) == 1) for cell in cells
    }


@dataclass(frozen=True, slots=True)
class _Located:
    """One piece that left a place, or appeared on it."""

    place: Place
    piece: Piece


class Planner:
    """Turns moves of one game into hand actions.

    Trays without sensors (the `unsensed` prefixes, and those that the game names) count as off the
    table.
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

    def actions(self, position: object, move: AnyMove, rng: Random) -> HandActions:
        """Return what a legal move, or a claim that changes the board, asks of the hands.

        `rng` selects the other moves that the mover thinks of.
        """
        game = self.game
        before = game.pieces(position)
        following = game.play(position, move)
        path = frozenset() if isinstance(move, Throw | Pass) else game.path(position, move)
        actions = self.between(before, game.pieces(following), path)
        if actions.carried:  # people begin with what the text names first
            text = game.move_text(position, move)
            order = {e: text.find(e.start or "") % (len(text) + 1) for e in actions.carried}
            first, *rest = sorted(actions.carried, key=order.__getitem__)
            if all(cell in text for cell in first.via):
                first = replace(first, via=tuple(sorted(first.via, key=text.find)))
            actions = replace(actions, carried=(first, *rest))
        mover = game.turn(position)
        idle = {p: piece for p, piece in before.items() if p in self.cells - actions.touched()}
        return replace(
            actions,
            own=tuple(place for place, piece in idle.items() if piece.owner == mover),
            others=tuple(place for place, piece in idle.items() if piece.owner != mover),
            instead=lambda: self._instead(position, actions, rng),
            aside=lambda: self._aside(position, following),
        )

    def between(
        self,
        before: Mapping[Place, Piece],
        after: Mapping[Place, Piece],
        path: Collection[Place] = (),
    ) -> HandActions:
        """Return the actions that turn the one set of pieces into the other."""
        row = self._row(before, after, path)
        if row is not None:
            return row
        carried: list[Carry] = []
        taken: list[Carry] = []
        brought: list[Carry] = []
        passed: list[Carry] = []
        loose: set[Place] = set()
        for gone, come in self._pairs(before, after):
            carry = self._carry(gone, come)
            from_cell = gone is not None and gone.place in self.cells
            to_cell = come is not None and come.place in self.cells
            if from_cell and to_cell:
                carried.append(carry)
            elif from_cell:
                taken.append(carry)
                if gone is not None and gone.piece.owner is None:
                    loose.add(gone.place)
            elif to_cell:
                brought.append(carry)
            else:
                passed.append(carry)  # it takes time even if no sensor sees it
        if len(carried) == 1:
            carried[0] = replace(carried[0], via=self._way(carried[0], before, after, path, loose))
        return HandActions(
            tuple(carried), tuple(taken), tuple(brought), tuple(passed), near=self.near
        )

    def _carry(self, gone: _Located | None, come: _Located | None) -> Carry:
        """Return the carry of a piece that left one place and appeared on another."""
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
    ) -> Iterable[tuple[_Located | None, _Located | None]]:
        """Yield each piece that moved: what and where it was, and what and where it is now."""
        gone = list(self._missing(before, after))
        come = list(self._missing(after, before))
        ranks = [
            (*rank, i, j)
            for i, lost in enumerate(gone)
            for j, other in enumerate(come)
            if (rank := self._rank(lost, other)) is not None
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

    def _missing(
        self, here: Mapping[Place, Piece], there: Mapping[Place, Piece]
    ) -> Iterable[_Located]:
        """Yield every piece that is `here` but not `there`, those of a heap one by one."""
        for place, piece in here.items():
            other = there.get(place)
            if other != piece:
                same = other is not None and (other.owner, other.kind) == (piece.owner, piece.kind)
                heap = other.count if other is not None and same and place not in self.cells else 0
                for _ in range(piece.count - heap):
                    yield _Located(place, piece)

    def _rank(self, gone: _Located, come: _Located) -> tuple[int, int] | None:
        """Return how unlikely it is that this piece became that one; None if it is impossible."""
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
        """Return the push of a row; None unless unchanged pieces stand on the path.

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
        carries = [Carry(a, b, before[a].pole, before[a].pole) for a, b in pairwise(row)]
        taken: list[Carry] = []
        if row[-1] in before:
            piece = before[row[-1]]
            tray = next(
                (lost for lost in self._missing(after, before) if lost.place not in row), None
            )
            taken.append(self._carry(_Located(row[-1], piece), tray))
        return HandActions(taken=tuple(taken), row=tuple(carries), near=self.near)

    def _way(
        self,
        carry: Carry,
        before: Mapping[Place, Piece],
        after: Mapping[Place, Piece],
        path: Collection[Place],
        loose: Collection[Place],
    ) -> tuple[Place, ...]:
        """Return the cells that a sliding piece crosses, in order: empty cells, and cells of tokens
        without an owner that are taken on the way. Empty if the cells do not connect.
        """
        assert carry.start is not None
        assert carry.end is not None
        free = {
            cell for cell in path if cell in self.cells and not (cell in before or cell in after)
        }
        todo = (free | set(loose)) - {carry.start, carry.end}
        way = [carry.start]
        distance = self.game.distance
        while todo:
            cell = min(todo, key=lambda c: (distance(way[-1], c), -distance(c, carry.end or c), c))
            todo.discard(cell)
            way.append(cell)
        way.append(carry.end)
        unbroken = all(distance(a, b) == 1 for a, b in pairwise(way))
        return tuple(way[1:-1]) if unbroken else ()

    def _instead(
        self, position: object, actions: HandActions, rng: Random
    ) -> Sequence[tuple[Place, Place]]:
        """Return some other legal moves as (from, to): those of the same piece, if it has any."""
        leading = next((e.start for e in (*actions.carried, *actions.brought)), None)
        legal = self.game.legal(position)
        before = self.game.pieces(position)
        same: list[tuple[Place, Place]] = []
        other: list[tuple[Place, Place]] = []
        ends = {e.end for e in (*actions.carried, *actions.brought)}
        for move in rng.sample(legal, min(TRIES, len(legal))):
            if isinstance(move, Throw | Pass):
                continue
            alike = self.between(before, self.game.pieces(self.game.play(position, move)))
            for carry in (*alike.carried, *alike.brought)[:1]:
                if carry.start and carry.end and carry.end not in ends:
                    pairs = same if carry.start == leading else other
                    pairs.append((carry.start, carry.end))
        return same or other

    def _aside(self, position: object, following: object) -> Sequence[Place]:
        """Return empty cells, at the rim if possible, that no legal move of this or the next turn
        changes: a piece parked there cannot look like a move.
        """
        taken = set(self.game.pieces(position)) | set(self.game.pieces(following))
        lands = self._lands(position) | self._lands(following)
        free = sorted(self.cells - taken - lands)
        return [cell for cell in free if cell in self._rim] or free

    def _lands(self, position: object) -> set[Place]:
        """Return every cell that a legal move changes, for any throw of the dice."""
        game = self.game
        if game.turn(position) == CHANCE:
            throws = game.legal(position)
            return set().union(*(self._lands(game.play(position, throw)) for throw in throws))
        moves = [move for move in game.legal(position) if not isinstance(move, Pass)]
        return set().union(*(game.changes(position, move) for move in moves))
