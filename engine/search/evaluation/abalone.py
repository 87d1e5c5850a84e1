"""The evaluation of Abalone."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final

from engine.games.abalone.moves import AbaloneMove
from engine.games.abalone.position import AXES, BIT, CELLS, DIRECTIONS, cell_at
from engine.search.evaluator import Evaluator

_EJECTED: Final = 100
_CLOSER: Final = 3
"""Per marble and ring towards the middle."""
_SIDE_BY_SIDE: Final = 1
"""Per pair of touching marbles of a side."""


def _inside(cells: int) -> int:
    """Return the cells of a set whose six neighbours are in the set too."""
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
    """Return the score of one side's marbles."""
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
    """Scores the number of marbles, their closeness to the middle, and their cohesion."""

    scale = 130.0
    piece_values: Mapping[str, int] = {"b": _EJECTED, "w": _EJECTED}

    def score(self) -> int:
        """Return the difference of both sides' marbles."""
        return _shape(self.position.mine) - _shape(self.position.theirs)

    def centrality(self, seat: int) -> int:
        """Return the sum of the rings that the seat's marbles are away from the rim."""
        position = self.position
        marbles = position.mine if seat == self.turn else position.theirs
        return sum((marbles & ring).bit_count() for ring in (_RING_1, _RING_2, _RING_3, _RING_4))

    def noise(self, move: Any) -> int:
        """Return the value of a marble that leaves the board."""
        return _EJECTED if move.ejects else 0

    def noisy_moves(self, least: int = 0) -> Sequence[Any] | None:
        """Return the ejections; without enemy marbles on the rim there are none."""
        return (
            ()
            if self.certainly_has_move() and not self.position.theirs & _RIM
            else super().noisy_moves(least)
        )

    def certainly_has_move(self) -> bool:
        """Return whether the game goes on: then there is room to move."""
        return not self.position.is_over

    def null_move(self) -> bool:
        """Let the other side move twice."""
        self.line.append(self.position)
        self.position = self.position.passed()
        self.turn = 1 - self.turn
        return True

    def move_key(self, move: AbaloneMove) -> Hashable:
        """Return the cells that change for the mover; with the turn they identify the move."""
        return move.own_flips
