"""Solving Robot Duel: for every position the plies until it is won or lost, or that it is drawn.

Each position has one byte: the number of moves that may not lose, or its result. The search goes
backwards, level by level: a position before a loss is won, and a position whose last move is known
to lose is lost. Positions left at the end are drawn.
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
_BATCH: Final = 1 << 15
"""The positions in one step backwards."""
_MOST_LISTED: Final = 1 << 20
"""The most positions of a level that are listed; a larger level is found by scanning."""


HEAD_BYTES: Final = 64
"""The bytes before those of the positions, for the head of a file."""


class Solving:
    """The bytes of all positions and the current level."""

    def __init__(self, whole: Array | None = None, level: int = 0) -> None:
        """Start, or resume from a checkpoint after a finished level."""
        self.backwards = Backwards()
        self.level = level
        self.whole = np.empty(HEAD_BYTES + POSITIONS, np.uint8) if whole is None else whole
        self.known = self.whole[HEAD_BYTES:]
        self.decided = 0
        """The positions processed since the start or the checkpoint."""
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
        """Go back from all positions of the next level and return their number.

        After two empty levels the game is solved.
        """
        self.level += 1
        before = self.decided
        # The level before found the losses; only the first ones were there from the start.
        self._listed, self._found = self._found, [] if self.level > 1 else None
        for pair, numbers in self._level():
            self.decided += len(numbers)
            for begin in range(0, len(numbers), _BATCH):
                self._go_back(pair, numbers[begin : begin + _BATCH])
            progress()
        number = self.decided - before
        self.done = not number and self._empty
        self._empty = not number
        return number

    def _level(self) -> Iterator[tuple[int, Array]]:
        """Yield by pair of lions the positions that are won or lost in `level` plies."""
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
            if self.level % 2:  # the mover there has one move less that may not lose
                np.subtract.at(known, before, np.uint8(1))
                before = before[known[before] == 0]
            known[before] = DECIDED + self.level + 1
            self._remember(before)

    def _remember(self, numbers: Array) -> None:
        if self._found is not None:
            self._found.append(numbers.astype(np.int32))
            if sum(map(len, self._found)) > _MOST_LISTED:
                self._found = None

    # ---- results

    def losses(self) -> Iterator[bytes]:
        """Yield, in blocks, half the plies until each position is lost, or 0.

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
        """Return the numbers of won, lost and drawn positions, and the longest win."""
        found = np.bincount(self.known, minlength=256)
        decided = found[DECIDED : DECIDED + LONGEST + 2]
        return {
            "won": int(decided[1::2].sum()),
            "lost": int(decided[0::2].sum()),
            "drawn": int(found[:DECIDED].sum()),
            "longest": int(np.flatnonzero(decided)[-1]),
        }

    def plies(self, number: int) -> int:
        """Return the plies until a position is won (odd) or lost (even); 0: neither, or over."""
        value = int(self.known[number])
        return value - DECIDED if DECIDED < value <= DECIDED + LONGEST else 0
