"""Judgements of the moves of a match that are known beforehand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from engine.match import Match
from engine.search.turning_points import JudgedPly

PLY_S = 0.3


class KnownLookBack:
    """A look back that needs no search: every match has these judgements."""

    def __init__(self, *plies: JudgedPly) -> None:
        self._plies = plies
        self.followed: list[Match] = []
        self.told = 0

    async def follow(self, match: Match) -> AsyncGenerator[JudgedPly]:
        self.followed.append(match)
        for each in self._plies:
            await asyncio.sleep(PLY_S)
            self.told += 1
            yield each
