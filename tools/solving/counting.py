"""The first byte of each position of Robot Duel: decided, or the number of its moves.

Pieces go one step and nothing blocks them. So the attacks of a side are a union of sets that depend
on its pairs of pieces alone, and moves are counted without a list.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from engine.search.solved import numbering
from engine.search.solved.numbering import LIONS, SIZE
from tools.solving.backwards import Backwards
from tools.solving.pairs import CHICKS, ELEPHANTS, GIRAFFES, LION_STEPS, Array, PieceSort

OVER: Final = 255
"""The side to move takes the lion: a known result, and the search does not go back from it."""
DECIDED: Final = 64
"""This plus the plies is a win or a loss; lower bytes count moves."""
_FAR: Final = 0b111


class _Reach:
    """The attacks of a pair of pieces by id."""

    def __init__(self, sort: PieceSort) -> None:
        sides: list[list[tuple[int, int]]] = [[], []]
        for placement in sort.placements:
            steps = [[0], [0]]
            for cell, kind in placement.standing:
                side = kind // len(sort.pieces)
                steps[side].append(sum(1 << target for target in sort.steps(kind, cell)))
            for side, found in enumerate(steps):
                first, second, *_ = [*found[1:], 0, 0]
                sides[side].append((first, second))
        self.mine = np.array(sides[0], np.uint16).T
        """The cells that each piece attacks; 0 for a piece off the board."""
        theirs = np.array(sides[1], np.uint16).T
        self.theirs = theirs[0] | theirs[1]
        self.drops = (sort.mine_held > 0).astype(np.uint8)

    @staticmethod
    def attackers(sort: PieceSort, lion: int) -> Array:
        """Return by id the cells of enemy pieces that attack the lion on that cell."""
        half = len(sort.pieces)
        return np.array(
            [
                sum(
                    1 << cell
                    for cell, kind in placement.standing
                    if kind >= half and lion in sort.steps(kind, cell)
                )
                for placement in sort.placements
            ],
            np.uint16,
        )


_GIRAFFES, _ELEPHANTS, _CHICKS = map(_Reach, (GIRAFFES, ELEPHANTS, CHICKS))


def beginnings(backwards: Backwards, pair: int) -> Array:
    """Return the first byte of all positions of one pair of lions."""
    filled = np.empty(SIZE, np.uint8)
    for numbers, values in _groups(backwards, pair):
        filled[numbers] = values
    return filled


def _groups(backwards: Backwards, pair: int) -> Iterator[tuple[Array, Array]]:
    """Yield numbers, a row for each block, with their first bytes.

    Each item holds the blocks with the same free cells.
    """
    tables, known = backwards.tables, backwards.pairs[pair]
    order = np.argsort(known.rows, kind="stable")
    rows = known.rows[order]
    bounds = np.flatnonzero(np.diff(rows, prepend=-1, append=-1))
    begins = tables.blocks.begins
    counting = _Counting(pair)
    for begin, end in pairwise(bounds):
        blocks = order[begin:end]
        free = tables.sets[rows[begin]]
        chicks = tables.ids[rows[begin]][: numbering.CHICKS[int(free).bit_count()]]
        values = counting.values(known.giraffes[blocks], known.elephants[blocks], free, chicks)
        yield begins[blocks][:, None] + np.arange(len(chicks), dtype=np.int32), values


class _Counting:
    def __init__(self, pair: int) -> None:
        self._mine, self._theirs = LIONS[pair]
        self._lion_steps, their_steps = (
            np.uint16(sum(1 << target for target in LION_STEPS[cell])) for cell in LIONS[pair]
        )
        self._their_steps = their_steps
        self._attackers = [
            _Reach.attackers(sort, self._mine) for sort in (GIRAFFES, ELEPHANTS, CHICKS)
        ]

    def values(self, giraffes: Array, elephants: Array, free: int, chicks: Array) -> Array:
        """Return the bytes of blocks with these ids and free cells, for all these chicks."""
        count = np.bitwise_count
        g, e = giraffes[:, None], elephants[:, None]
        lion, other = np.uint16(1 << self._mine), np.uint16(1 << self._theirs)
        own_pieces = GIRAFFES.mine[g] | ELEPHANTS.mine[e] | lion
        own_chicks = CHICKS.mine[chicks]
        pieces = [*_GIRAFFES.mine[:, g], *_ELEPHANTS.mine[:, e]]
        hens = [_CHICKS.mine[0, chicks], _CHICKS.mine[1, chicks]]
        threats = pieces[0] | pieces[1] | pieces[2] | pieces[3]
        taken = ((threats & other) > 0) | (((hens[0] | hens[1]) & other) > 0)
        attacked = _GIRAFFES.theirs[g] | _ELEPHANTS.theirs[e] | self._their_steps
        attacked = attacked | _CHICKS.theirs[chicks]
        away = self._lion_steps & ~own_pieces & ~own_chicks & ~attacked
        attackers = self._attackers[0][g] | self._attackers[1][e]
        attackers = attackers | self._attackers[2][chicks]
        # moves of all pieces but the lion, if nothing attacks the lion
        levels = _levels(pieces)
        moves = sum(count(each & ~own_pieces) for each in pieces) + np.zeros(
            (1, len(chicks)), np.uint8
        )
        for level in levels:
            moves -= count(level & own_chicks)
        for each in hens:
            moves += count(each & ~own_chicks & ~own_pieces)
        empty = int(free).bit_count() - CHICKS.standing[chicks].astype(np.uint8)
        kinds = _GIRAFFES.drops[g] + _ELEPHANTS.drops[e] + _CHICKS.drops[chicks]
        moves += kinds * empty.astype(np.uint8)
        # one attacker may be captured; with two only the lion may move
        one = (attackers & (attackers - np.uint16(1))) == 0
        takes = sum(count(each & attackers) for each in [*levels, *hens])
        moves = np.where(attackers == 0, moves, np.where(one, takes, np.uint8(0)))
        moves += count(away)
        moves[moves == 0] = DECIDED + 2
        moves[(away & _FAR) > 0] = DECIDED + 1
        moves[taken] = OVER
        return moves


def _levels(pieces: list[Array]) -> list[Array]:
    """Return the cells that at least one, two, … of the pieces attack."""
    levels: list[Array] = []
    for each in pieces:
        more = each
        for number, level in enumerate(levels):
            levels[number], more = level | more, level & more
        if more.any():
            levels.append(more)
    return levels
