"""Zobrist keys: a position's key is the XOR of one random number for each thing true of it.

Two positions of a match share a key only if they are the same (or once in some 10^19 pairs), so
a key is all that search and repetition need to remember. The numbers come from SplitMix64
(Steele, Lea, Flood 2014) with a fixed seed: keys are the same in every run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.games.shogi.pieces import FULL_SET, HELD, KING


def _numbers() -> Iterator[int]:
    """Yield SplitMix64 from seed 0."""
    mask = (1 << 64) - 1
    state = 0
    while True:
        state = state + 0x9E3779B97F4A7C15 & mask
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & mask
        yield mixed ^ mixed >> 31


_number: Final = _numbers()

PIECE_KEYS: Final = tuple(tuple(next(_number) for _ in range(81)) for _ in range(32))
"""By piece and square."""
HAND_KEYS: Final = tuple(
    tuple(
        tuple(next(_number) for _ in range(FULL_SET[kind])) if kind in HELD else (0,)
        for kind in range(KING)
    )
    for _ in range(2)
)
"""By side, kind and number: true of a hand that holds more of the kind than that number."""
GOTE_TO_MOVE: Final = next(_number)
