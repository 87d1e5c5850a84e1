"""Which end of a wire lies where: what is known of it, and what follows from how the board lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Generic, TypeAlias, TypeVar

from hardware.layout.symmetry import Symmetry

Spot: TypeAlias = tuple[str, int]
"""A place, and which of its LEDs or pockets."""
End = TypeVar("End", int, str)
"""A number in the light chain, or an input."""

ENOUGH: Final = 3
"""So many that lie alike tell how the board is turned, and whether it is mirrored."""


class CableEnds(Generic[End]):
    """All of one kind: LEDs under places, or inputs under sensors."""

    def __init__(self, by_layout: Mapping[Spot, End], turns: Sequence[Symmetry]) -> None:
        """`by_layout` is where the layout has them, `turns` how the board could lie otherwise."""
        self.by_layout: dict[Spot, End] = dict(by_layout)
        self.known: dict[Spot, End] = {}
        self.gone: set[End] = set()
        """Ends that are nowhere: lights that stay dark."""
        self._turns = turns
        self._home: dict[End, Spot] = {end: spot for spot, end in by_layout.items()}

    @property
    def turn(self) -> Symmetry | None:
        """Return how these lie, if so many are known to lie so, and more than in any other way."""
        if len(self.known) < ENOUGH:
            return None
        agreeing = sorted(
            (sum(self._agrees(turn, spot) for spot in self.known), -number)
            for number, turn in enumerate(self._turns)
        )
        (second, _), (most, number) = agreeing[-2:]
        return self._turns[-number] if most >= ENOUGH and most > second else None

    def _agrees(self, turn: Symmetry, spot: Spot) -> bool:
        home = self._home.get(self.known[spot])
        return home is not None and (turn.places[home[0]], home[1]) == spot

    def guess(self, spot: Spot) -> End | None:
        """Return what lies at a spot, or should; None if nobody can tell."""
        return self._guesses([spot])[spot]

    def _expected(self) -> dict[Spot, End]:
        turn = self.turn
        if turn is None:
            return self.by_layout
        return {(turn.places[place], n): end for (place, n), end in self.by_layout.items()}

    def _guesses(self, spots: Sequence[Spot]) -> dict[Spot, End | None]:
        expected = self._expected()
        where = {end: spot for spot, end in self.known.items()}
        return {
            spot: self.known[spot]
            if spot in self.known
            else self._exchanged(expected[spot], where, expected)
            for spot in spots
        }

    def _exchanged(
        self, end: End, where: Mapping[End, Spot], expected: Mapping[Spot, End]
    ) -> End | None:
        """Return what is here if what should be here lies elsewhere: what should lie there."""
        for _ in range(len(where) + 1):
            if end in self.gone:
                return None
            if end not in where:
                return end
            end = expected[where[end]]
        return None

    def odd(self) -> list[Spot]:
        """Return the spots that have another end than the rest of the board makes one expect."""
        expected = self._expected()
        return [spot for spot, end in self.known.items() if end != expected[spot]]

    def complete(self) -> dict[Spot, End]:
        """Return an end for every spot: what is known, what is guessed, and for the rest what is
        left over.
        """
        guesses = self._guesses(list(self.by_layout))
        used = set(guesses.values())
        left = iter([end for end in self.by_layout.values() if end not in used])
        return {spot: next(left) if end is None else end for spot, end in guesses.items()}
