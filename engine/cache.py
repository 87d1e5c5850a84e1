"""Memos: functions that remember their values, in a room that is never more than full."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedCache:
    """How many values some memos may remember together: once full, all of them forget."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._memos: list[CacheTable[Any, Any]] = []
        self._held = 0

    def __len__(self) -> int:
        """Return how many values are remembered."""
        return sum(map(len, self._memos))

    def share(self, memo: CacheTable[Any, Any]) -> None:
        """Let one more memo remember here, for good."""
        self._memos.append(memo)

    def take(self) -> None:
        """Make room for one more value."""
        if self._held >= self.limit:
            self.clear()
        self._held += 1

    def clear(self) -> None:
        """Let all memos forget."""
        for memo in self._memos:
            memo.clear()
        self._held = 0


class CacheTable(dict[K, V]):
    """A memo whose function is `work_out`: looking up a key returns its value, be it new."""

    def __init__(self, room: BoundedCache) -> None:
        super().__init__()
        self._room = room
        room.share(self)

    def work_out(self, key: K) -> V:
        """Return the value of a key, which depends on nothing else."""
        raise NotImplementedError

    def __missing__(self, key: K) -> V:
        self._room.take()
        value = self[key] = self.work_out(key)
        return value


class CachedFunction(CacheTable[K, V]):
    """A memo of the function that it is made with."""

    def __init__(self, room: BoundedCache, function: Callable[[K], V]) -> None:
        super().__init__(room)
        self._function = function

    def work_out(self, key: K) -> V:
        """Return the function's value."""
        return self._function(key)
