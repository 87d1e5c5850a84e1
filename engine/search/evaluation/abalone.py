"""What a position of Abalone is worth."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, ClassVar, Final

from engine.games.abalone.moves import AbaloneMove
from engine.games.abalone.position import AXES, BIT, CELLS, DIRECTIONS, cell_at
from engine.search.evaluator import Evaluator

_EJECTED: Final = 100
_CLOSER: Final = 3
"""For each marble and ring that it is closer to the middle."""
_SIDE_BY_SIDE: Final = 1
"""For each two marbles of a side that touch."""


def _inside(cells: int) -> int:
    """Return those of a set of cells whose six neighbours are in it, too."""
    return sum(
        bit
        for cell, bit in BIT.items()
        if bit & cells
        and all(
            (near := cell_at(cell, direction)) and BIT[near] & cells for direction in DIRECTIONS
        )
    )


_RING_1: Final = _inside(sum(BIT.values()))
_RING_2: Final = _inside(_RING_1)
_RING_3: Final = _inside(_RING_2)
_RING_4: Final = _inside(_RING_3)
_RIM: Final = sum(BIT[cell] for cell in CELLS) ^ _RING_1
_AXIS_1, _AXIS_2, _AXIS_3 = AXES


def _shape(marbles: int) -> int:
    """Return what the place of marbles is worth."""
    closeness = (
        (marbles & _RING_1).bit_count()
        + (marbles & _RING_2).bit_count()
        + (marbles & _RING_3).bit_count()
        + (marbles & _RING_4).bit_count()
    )
    pairs = (
        (marbles & marbles >> _AXIS_1).bit_count()
        + (marbles & marbles >> _AXIS_2).bit_count()
        + (marbles & marbles >> _AXIS_3).bit_count()
    )
    return _EJECTED * marbles.bit_count() + _CLOSER * closeness + _SIDE_BY_SIDE * pairs


class AbaloneEvaluator(Evaluator):
    """Marbles, how close they are to the middle, and how they keep together."""

    scale = 130.0
    pieces: ClassVar = {"b": _EJECTED, "w": _EJECTED}

    def worth(self) -> int:
        """Return the difference of both sides' marbles and shapes."""
        return _shape(self.position.mine) - _shape(self.position.theirs)

    def inside(self, seat: int) -> int:
        """Return in how many rings the seat's marbles stand, summed up."""
        position = self.position
        marbles = position.mine if seat == self.turn else position.theirs
        return sum((marbles & ring).bit_count() for ring in (_RING_1, _RING_2, _RING_3, _RING_4))

    def loud(self, move: Any) -> int:
        """Return whether a marble leaves the board."""
        return _EJECTED if move.ejects else 0

    def loud_moves(self, least: int = 0) -> Sequence[Any] | None:
        """Return the ejections, which there are only where an enemy marble is on the rim."""
        return () if self.alive() and not self.position.theirs & _RIM else super().loud_moves(least)

    def alive(self) -> bool:
        """Whether no side has lost its sixth marble: then there is room to move."""
        return not self.position.is_over

    def skip(self) -> bool:
        """Let the other side move twice."""
        self.line.append(self.position)
        self.position = self.position.passed()
        self.turn = 1 - self.turn
        return True

    def mark(self, move: AbaloneMove) -> Hashable:
        """Return the cells that change for the mover: with whose turn it is they tell the move."""
        return move.own_flips
