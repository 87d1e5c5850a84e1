"""Robot Duel solved: of every position in how many plies it is won or lost, or that it is drawn.

One byte a position: how many moves are not known to lose, or what is known. Level by level all that
came before what was won or lost in so many plies is looked at: before a loss there is a win, and
where the last move is known to lose there is a loss. What is left in the end is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from engine.search.solved.losses import BLOCK
from engine.search.solved.numbering import LIONS, POSITIONS, SIZE
from tools.solving.backwards import Backwards
from tools.solving.counting import DECIDED, beginnings
from tools.solving.pairs import Array

LONGEST: Final = 173
"""The longest win, in plies."""
_AT_ONCE: Final = 1 << 15
"""So many positions are gone back from at a time."""
_LISTED: Final = 1 << 20
"""Up to so many positions are remembered from level to level; more are looked for."""


ROOM: Final = 64
"""So many bytes are free before those of the positions, for the head of a file."""


class Solving:
    """The bytes of all positions, and the level that was reached."""

    def __init__(self, whole: Array | None = None, level: int = 0) -> None:
        """Begin, or go on with what was kept when all of a level was done."""
        self.backwards = Backwards()
        self.level = level
        self.whole = np.empty(ROOM + POSITIONS, np.uint8) if whole is None else whole
        self.known = self.whole[ROOM:]
        self.decided = 0
        """Of how many positions was gone back from; those before it was kept are not counted."""
        self.done = False
        self._empty = False
        self._listed: list[Array] | None = None
        self._found: list[Array] | None = None

    def begin(self, progress: Callable[[float], None]) -> None:
        """Count the moves of all positions."""
        for pair in range(len(LIONS)):
            self.known[pair * SIZE : (pair + 1) * SIZE] = beginnings(self.backwards, pair)
            progress((pair + 1) / len(LIONS))

    def step(self, progress: Callable[[], None]) -> int:
        """Go back from all that is won or lost in one ply more, and return how many positions that
        were. Two levels without any, and it is done.
        """
        self.level += 1
        before = self.decided
        # A loss comes of what the level before found; but the first ones were there from the start.
        self._listed, self._found = self._found, [] if self.level > 1 else None
        for pair, numbers in self._level():
            self.decided += len(numbers)
            for begin in range(0, len(numbers), _AT_ONCE):
                self._go_back(pair, numbers[begin : begin + _AT_ONCE])
            progress()
        number = self.decided - before
        self.done = not number and self._empty
        self._empty = not number
        return number

    def _level(self) -> Iterator[tuple[int, Array]]:
        """Yield by pair of lions what is won or lost in so many plies."""
        if self._listed is not None:
            every = np.unique(np.concatenate([*self._listed, np.empty(0, np.int32)]))
            bounds = np.searchsorted(every, np.arange(len(LIONS) + 1) * SIZE)
            for pair in range(len(LIONS)):
                yield pair, every[bounds[pair] : bounds[pair + 1]].astype(np.int64)
            return
        value = np.uint8(DECIDED + self.level)
        for pair in range(len(LIONS)):
            found = np.flatnonzero(self.known[pair * SIZE : (pair + 1) * SIZE] == value)
            found += pair * SIZE
            yield pair, found

    def _go_back(self, pair: int, numbers: Array) -> None:
        known = self.known
        for before in self.backwards.before(pair, numbers):
            before = before[known[before] < DECIDED]
            if self.level % 2:  # who moved there has one move less that may not lose
                np.subtract.at(known, before, np.uint8(1))
                before = before[known[before] == 0]
            known[before] = DECIDED + self.level + 1
            self._remember(before)

    def _remember(self, numbers: Array) -> None:
        if self._found is not None:
            self._found.append(numbers.astype(np.int32))
            if sum(map(len, self._found)) > _LISTED:
                self._found = None

    # ---- what comes of it

    def losses(self) -> Iterator[bytes]:
        """Yield half the plies in which each position is lost, 0 if it is not, a block at a time.
        Of a position and its mirror image only the lower number counts.
        """
        rest = np.empty(0, np.uint8)
        for pair in range(len(LIONS)):
            halves = self.known[pair * SIZE : (pair + 1) * SIZE] - np.uint8(DECIDED)
            halves[(halves % 2 == 1) | (halves > LONGEST)] = 0
            halves //= 2
            halves[self.backwards.doubles(pair)] = 0
            rest = np.concatenate([rest, halves])
            whole = len(rest) // BLOCK * BLOCK
            for begin in range(0, whole, BLOCK):
                yield rest[begin : begin + BLOCK].tobytes()
            rest = rest[whole:]
        if len(rest):
            yield rest.tobytes()

    def counts(self) -> dict[str, int]:
        """Return how many numbers are won, lost and drawn, and the longest win."""
        found = np.bincount(self.known, minlength=256)
        decided = found[DECIDED : DECIDED + LONGEST + 2]
        return {
            "won": int(decided[1::2].sum()),
            "lost": int(decided[0::2].sum()),
            "drawn": int(found[:DECIDED].sum()),
            "longest": int(np.flatnonzero(decided)[-1]),
        }

    def plies(self, number: int) -> int:
        """Return in how many plies a position is won (odd) or lost (even); 0: neither, or over."""
        value = int(self.known[number])
        return value - DECIDED if DECIDED < value <= DECIDED + LONGEST else 0
