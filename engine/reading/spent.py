"""What is spent: lines and tracks that are given up, forgotten bit by bit.

A line remembers hundreds of footprints. Whoever drops many lines at once keeps everybody waiting
until all of them are gone, so they are handed over to be dropped a few at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable
from itertools import chain
from weakref import ref

from engine.reading.lines import Line
from engine.reading.tracks import Track

FORGOTTEN_A_STEP = 48  # lines, or footprints that they remember


class Spent:
    """Lines and tracks that are given up: what nobody else keeps is forgotten."""

    def __init__(self) -> None:
        self._all: dict[Line | Track, None] = {}

    def give_up(self, lines: Iterable[Line]) -> None:
        """Let lines be forgotten bit by bit."""
        self._all.update(dict.fromkeys(lines))

    def give_up_tracks(self, *tracks: Iterable[Track]) -> None:
        """Let tracks be forgotten bit by bit, and their lines after them."""
        given_up = list(chain(*tracks))
        self.give_up(each.line for each in given_up)
        self._all.update(dict.fromkeys(given_up))

    def take_over(self, other: Spent) -> None:
        """Forget what another was to forget."""
        self._all.update(other._all)

    def forget_some(self) -> None:
        """Forget a few."""
        left = FORGOTTEN_A_STEP
        while left > 0 and self._all:
            each, _ = self._all.popitem()
            left -= 1
            if isinstance(each, Line):
                remembered, before, kept = each.possible.remembered, each.before, ref(each)
                del each
                if kept() is None:
                    left -= remembered
                    if before is not None:  # or it would go with it, and all before that
                        self._all[before] = None

    def forget_but(self, kept: Collection[Line]) -> Generator[None, None, None]:
        """Forget all, step by step, but for these lines."""
        for line in kept:
            self._all.pop(line, None)
        yield from self.forget()

    def forget(self) -> Generator[None, None, None]:
        """Forget all, step by step."""
        while self._all:
            self.forget_some()
            yield
