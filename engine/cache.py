"""Caches of function values that share a limit on their total size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedCache:
    """The size limit of several tables together: when it is reached, all of them are cleared."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._tables: list[CacheTable[Any, Any]] = []
        self._held = 0

    def __len__(self) -> int:
        """Return the number of cached values."""
        return sum(map(len, self._tables))

    def share(self, table: CacheTable[Any, Any]) -> None:
        """Count one more table against the limit."""
        self._tables.append(table)

    def take(self) -> None:
        """Count one more value; clear all tables first if the limit is reached."""
        if self._held >= self.limit:
            self.clear()
        self._held += 1

    def clear(self) -> None:
        """Clear all tables."""
        for table in self._tables:
            table.clear()
        self._held = 0


class CacheTable(dict[K, V]):
    """A dict that computes a missing value with `work_out` and keeps it."""

    def __init__(self, cache: BoundedCache) -> None:
        super().__init__()
        self._cache = cache
        cache.share(self)

    def work_out(self, key: K) -> V:
        """Return the value of a key; it must depend on the key alone."""
        raise NotImplementedError

    def __missing__(self, key: K) -> V:
        self._cache.take()
        value = self[key] = self.work_out(key)
        return value


class CachedFunction(CacheTable[K, V]):
    """A table that computes its values with a given function."""

    def __init__(self, cache: BoundedCache, function: Callable[[K], V]) -> None:
        super().__init__(cache)
        self._function = function

    def work_out(self, key: K) -> V:
        """Return the value of the function."""
        return self._function(key)
