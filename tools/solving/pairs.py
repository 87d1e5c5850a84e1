"""Two pieces of a sort on the twelve cells and in the hands, and where they came from.

A way of two pieces is named by an id that does not depend on the other pieces, so that steps are
looked up; `engine.search.solved.numbering` numbers the same ways by the cells that others leave
free. Cells are numbered row by row from the far row of the side to move. What is undone here are
moves of the other side, which moved last; the result is seen by that side, the board turned by
half.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from engine.games.robot_duel.moves import STEPS
from engine.games.robot_duel.position import CHICK, ELEPHANT, GIRAFFE, HEN, LION
from engine.search.solved.numbering import MIRRORED

Array = np.ndarray[Any, Any]

CELLS: Final = 12
NONE: Final = -1
MINE: Final = 0
_HOME: Final = frozenset({9, 10, 11})
"""The home row of the side to move: the far row of the other one."""


class Way(NamedTuple):
    """Two pieces: those that stand, as (cell, kind) in the order of cells, and how many are held by
    the other side. A kind counts those of the side to move before those of the other side.
    """

    standing: tuple[tuple[int, int], ...]
    held: int


class Sort:
    """All ways of two giraffes or elephants, or of two chicks and hens."""

    def __init__(self, pieces: tuple[int, ...]) -> None:
        """Take kinds numbered as in `engine.games.robot_duel.position`: one, or chick and hen."""
        self.pieces = pieces
        self.kinds = 2 * len(pieces)
        singles = [((cell, kind),) for cell in range(CELLS) for kind in range(self.kinds)]
        self.ways = [Way((), held) for held in range(3)]
        self.ways += [Way(single, held) for single in singles for held in range(2)]
        self.ways += [
            Way((low, high), 0) for (low,), (high,) in product(singles, singles) if low[0] < high[0]
        ]
        self.ids = {way: number for number, way in enumerate(self.ways)}
        self.standing = np.array([len(way.standing) for way in self.ways], np.int8)
        self.cells = self._masks(lambda kind: True)
        self.mine = self._masks(lambda kind: kind < len(pieces))
        self.theirs = self._masks(lambda kind: kind >= len(pieces))
        self.held = np.array([way.held for way in self.ways], np.int8)
        self.mine_held = 2 - self.standing - self.held
        self.turned = self._turned(mirror=False), self._turned(mirror=True)
        """By whether it is mirrored, too: the ids as the other side sees them."""

    def _masks(self, wanted: Any) -> Array:
        return np.array(
            [sum(1 << cell for cell, kind in way.standing if wanted(kind)) for way in self.ways],
            np.uint16,
        )

    def _turned(self, mirror: bool) -> Array:
        cells = [11 - cell for cell in range(CELLS)]
        if mirror:
            cells = [MIRRORED[cell] for cell in cells]
        half = len(self.pieces)
        ids = []
        for way in self.ways:
            standing = tuple(
                sorted((cells[cell], (kind + half) % (2 * half)) for cell, kind in way.standing)
            )
            ids.append(self.ids[Way(standing, 2 - len(standing) - way.held)])
        return np.array(ids, np.int16)

    def steps(self, kind: int, cell: int) -> tuple[int, ...]:
        """Return where a piece of that kind on that cell steps to."""
        side, which = divmod(kind, len(self.pieces))
        return STEPS[side][self.pieces[which]][cell]

    def numbers(self, free: Array) -> Array:
        """Return, for each set of free cells, the numbers of all ways; NONE where pieces stand on
        others.
        """
        kinds, out = self.kinds, np.full((len(free), len(self.ways)), NONE, np.int16)
        count = np.bitwise_count(free).astype(np.int32)
        rank = [
            np.bitwise_count(free & ((1 << cell) - 1)).astype(np.int32) for cell in range(CELLS)
        ]
        for number, (standing, held) in enumerate(self.ways):
            if not standing:
                out[:, number] = held
                continue
            fits = (free & self.cells[number]) == self.cells[number]
            if len(standing) == 1:
                ((cell, kind),) = standing
                value = 3 + ((0 if held else kinds) + kind) * count + rank[cell]
            else:
                (low, first), (high, second) = standing
                pairs = count * (count - 1) // 2
                value = 3 + 2 * kinds * count + (first * kinds + second) * pairs
                value += rank[high] * (rank[high] - 1) // 2 + rank[low]
            out[fits, number] = value[fits]
        return out

    # ---- taking a move of the other side back

    def stepped_back(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield, for each step that a piece of the other side may have made, the cell that he came
        to, and the way before; whatever he may have taken is left out.
        """
        way = self.ways[number]
        for place, (cell, kind) in enumerate(way.standing):
            if kind < len(self.pieces):
                continue
            others = way.standing[:place] + way.standing[place + 1 :]
            for origin, before in self._origins(cell, kind):
                if all(origin != other for other, _ in others):
                    standing = tuple(sorted((*others, (origin, before))))
                    yield cell, self.ids[Way(standing, way.held)]

    def _origins(self, cell: int, kind: int) -> Iterator[tuple[int, int]]:
        """Yield where a piece of the other side may have come from, and of which kind he was: a
        chick that comes home is a hen, and a chick on the home row was dropped there.
        """
        kinds = [kind]
        if len(self.pieces) == 2:
            kinds = [2] * ((kind == 3) == (cell in _HOME)) + [3] * (kind == 3)
        for before in kinds:
            for origin in range(CELLS):
                if cell in self.steps(before, origin):
                    yield origin, before

    def dropped_back(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield cell and earlier state of each piece that the other side may have dropped."""
        way = self.ways[number]
        for place, (cell, kind) in enumerate(way.standing):
            if kind == len(self.pieces):
                others = way.standing[:place] + way.standing[place + 1 :]
                yield cell, self.ids[Way(others, way.held + 1)]

    def given_back(self, number: int, cell: int) -> Iterator[int]:
        """Yield the ways in which a piece whom the other side holds stands on a cell, of the side
        to move again: there he was taken.
        """
        way = self.ways[number]
        if way.held and all(cell != other for other, _ in way.standing):
            for kind in range(len(self.pieces)):
                standing = tuple(sorted((*way.standing, (cell, kind))))
                yield self.ids[Way(standing, way.held - 1)]


GIRAFFES: Final = Sort((GIRAFFE,))
ELEPHANTS: Final = Sort((ELEPHANT,))
CHICKS: Final = Sort((CHICK, HEN))
LION_STEPS: Final = STEPS[MINE][LION]
