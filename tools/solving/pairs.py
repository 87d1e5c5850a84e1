"""Placements of two pieces of a sort on the twelve cells and in the hands, and their predecessors.

The id of a placement does not depend on other pieces, so steps come from tables.
`engine.search.solved.numbering` numbers the same placements by the cells that other pieces leave
free. Cells count row by row from the far row of the side to move. The moves undone here are those
of the other side, which moved last. The result is seen by that side, with the board turned round.
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
"""The home row of the side to move, which is the far row of the other side."""


class PairPlacement(NamedTuple):
    """Two pieces: those on the board as (cell, kind) by cell, and the number that the other side
    holds. Kinds of the side to move count before those of the other side.
    """

    standing: tuple[tuple[int, int], ...]
    held: int


class PieceSort:
    """All placements of two giraffes, of two elephants, or of two chicks and hens."""

    def __init__(self, pieces: tuple[int, ...]) -> None:
        """Take the kinds of `engine.games.robot_duel.position`: one kind, or chick and hen."""
        self.pieces = pieces
        self.kinds = 2 * len(pieces)
        singles = [((cell, kind),) for cell in range(CELLS) for kind in range(self.kinds)]
        self.placements = [PairPlacement((), held) for held in range(3)]
        self.placements += [PairPlacement(single, held) for single in singles for held in range(2)]
        self.placements += [
            PairPlacement((low, high), 0)
            for (low,), (high,) in product(singles, singles)
            if low[0] < high[0]
        ]
        self.ids = {placement: number for number, placement in enumerate(self.placements)}
        self.standing = np.array(
            [len(placement.standing) for placement in self.placements], np.int8
        )
        self.cells = self._masks(lambda kind: True)
        self.mine = self._masks(lambda kind: kind < len(pieces))
        self.theirs = self._masks(lambda kind: kind >= len(pieces))
        self.held = np.array([placement.held for placement in self.placements], np.int8)
        self.mine_held = 2 - self.standing - self.held
        self.turned = self._turned(mirror=False), self._turned(mirror=True)
        """The ids as the other side sees them, without and with mirroring."""

    def _masks(self, wanted: Any) -> Array:
        return np.array(
            [
                sum(1 << cell for cell, kind in placement.standing if wanted(kind))
                for placement in self.placements
            ],
            np.uint16,
        )

    def _turned(self, mirror: bool) -> Array:
        cells = [11 - cell for cell in range(CELLS)]
        if mirror:
            cells = [MIRRORED[cell] for cell in cells]
        half = len(self.pieces)
        ids = []
        for placement in self.placements:
            standing = tuple(
                sorted(
                    (cells[cell], (kind + half) % (2 * half)) for cell, kind in placement.standing
                )
            )
            ids.append(self.ids[PairPlacement(standing, 2 - len(standing) - placement.held)])
        return np.array(ids, np.int16)

    def steps(self, kind: int, cell: int) -> tuple[int, ...]:
        """Return the cells to which a piece of that kind steps from that cell."""
        side, which = divmod(kind, len(self.pieces))
        return STEPS[side][self.pieces[which]][cell]

    def numbers(self, free: Array) -> Array:
        """Return by set of free cells the numbers of all placements, NONE if they use others."""
        kinds, out = self.kinds, np.full((len(free), len(self.placements)), NONE, np.int16)
        count = np.bitwise_count(free).astype(np.int32)
        rank = [
            np.bitwise_count(free & ((1 << cell) - 1)).astype(np.int32) for cell in range(CELLS)
        ]
        for number, (standing, held) in enumerate(self.placements):
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
        """Yield target cell and earlier placement of each step that the other side may have made.

        Captures are left out.
        """
        placement = self.placements[number]
        for place, (cell, kind) in enumerate(placement.standing):
            if kind < len(self.pieces):
                continue
            others = placement.standing[:place] + placement.standing[place + 1 :]
            for origin, before in self._origins(cell, kind):
                if all(origin != other for other, _ in others):
                    standing = tuple(sorted((*others, (origin, before))))
                    yield cell, self.ids[PairPlacement(standing, placement.held)]

    def _origins(self, cell: int, kind: int) -> Iterator[tuple[int, int]]:
        """Yield the cells and kinds from which a piece of the other side may have come.

        A chick that reaches the home row becomes a hen; a chick on that row was dropped there.
        """
        kinds = [kind]
        if len(self.pieces) == 2:
            kinds = [2] * ((kind == 3) == (cell in _HOME)) + [3] * (kind == 3)
        for before in kinds:
            for origin in range(CELLS):
                if cell in self.steps(before, origin):
                    yield origin, before

    def dropped_back(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield cell and earlier placement of each piece that the other side may have dropped."""
        placement = self.placements[number]
        for place, (cell, kind) in enumerate(placement.standing):
            if kind == len(self.pieces):
                others = placement.standing[:place] + placement.standing[place + 1 :]
                yield cell, self.ids[PairPlacement(others, placement.held + 1)]

    def given_back(self, number: int, cell: int) -> Iterator[int]:
        """Yield the placements before the other side captured one of its held pieces on a cell."""
        placement = self.placements[number]
        if placement.held and all(cell != other for other, _ in placement.standing):
            for kind in range(len(self.pieces)):
                standing = tuple(sorted((*placement.standing, (cell, kind))))
                yield self.ids[PairPlacement(standing, placement.held - 1)]


GIRAFFES: Final = PieceSort((GIRAFFE,))
ELEPHANTS: Final = PieceSort((ELEPHANT,))
CHICKS: Final = PieceSort((CHICK, HEN))
LION_STEPS: Final = STEPS[MINE][LION]
