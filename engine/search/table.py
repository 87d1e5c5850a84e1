"""What a search remembers of positions: bounded, and the same in every run."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, NamedTuple

ENTRIES: Final = 1 << 16
"""So many positions are remembered at most: 160 to 400 bytes each, in all 10 to 26 MB."""

EXACT, AT_LEAST, AT_MOST = range(3)


class TableEntry(NamedTuple):
    """What a search found out about a position."""

    depth: int
    bound: int
    score: int
    """EXACT, or AT_LEAST or AT_MOST this; forced ends count from the position itself."""
    move: Any
    """The best one, or the one that was good enough; None if none was."""


class TranspositionTable:
    """The latest entries: when the young half is full, the old half is forgotten."""

    def __init__(self, entries: int = ENTRIES) -> None:
        self._half = max(1, entries // 2)
        self._young: dict[Hashable, TableEntry] = {}
        self._old: dict[Hashable, TableEntry] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, key: Hashable) -> TableEntry | None:
        """Return what is known of a position."""
        return self._young.get(key) or self._old.get(key)

    def put(self, key: Hashable, entry: TableEntry) -> None:
        """Remember it, in place of what was known."""
        if len(self._young) >= self._half and key not in self._young:
            self._old, self._young = self._young, {}
        self._young[key] = entry
