"""The same hands and the same words on whole wires: whether a game is misread without any fault."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from random import Random
from time import perf_counter
from typing import Any

from tests.faults.backend import Costs
from tests.faults.play import FaultyTable, run


class Again(FaultyTable):
    """A game whose hands and people do what they did in another one, each at its time."""

    def __init__(self, other: FaultyTable, *seat: Any) -> None:
        super().__init__(*seat)
        self._other = other

    async def play(self) -> None:
        """Do all of it."""
        self.let_do(self._other.acts)
        for at, what, value in self._other.said:
            await asyncio.sleep(max(0.0, at - self.host.now()))
            match what:
                case "truth":
                    self.meant(list(value))
                case "back":
                    self.put_men_back(value)
                case "post":
                    self.post(replace(value, at=self.host.now()))

    async def answer(self) -> None:
        """Answer nothing but what was answered then."""
        await asyncio.Event().wait()


def misread_anyway(game: str, layout: str, played: FaultyTable) -> set[int]:
    """Return which of the moves that were wrong in a game are so without any fault, by number."""

    async def nothing(table: FaultyTable, rng: Random) -> None:
        await asyncio.Event().wait()

    again = run(game, layout, "again", nothing, Costs(perf_counter), seat=partial(Again, played))
    return played.wrong.keys() & again.wrong.keys()
