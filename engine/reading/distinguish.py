"""Distinguishing histories by the next move."""

from __future__ import annotations

from collections.abc import Sequence

from engine.reading.evidence import DISTINGUISHED, MOST_DISTINGUISHED
from engine.reading.history import History
from engine.reading.possible import Trace


def distinguish(first: History, *others: History) -> bool:
    """Return whether the next move is likely to show which of the histories was played."""
    if len(others) >= MOST_DISTINGUISHED or any(line.match.outcome for line in (first, *others)):
        return False
    after_first = first.possible.traces()
    for other in others:
        after_other = other.possible.traces()
        if not (_differs(after_first, after_other) and _differs(after_other, after_first)):
            return False
    return True


def _differs(mine: Sequence[Trace], others: Sequence[Trace]) -> bool:
    """Return whether enough of the moves leave traces that no move of the others leaves."""
    known = set(others)
    return sum(trace not in known for trace in mine) > DISTINGUISHED * len(mine)
