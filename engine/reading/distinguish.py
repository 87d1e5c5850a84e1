"""Telling lines apart: by the next move, by what people say as far as they agree, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from engine.reading.evidence import TO_BE_TOLD
from engine.reading.history import History
from engine.reading.possible import Trace


def tell_apart(first: History, *others: History) -> bool:
    """Whether the next move is likely to show which of the lines it is."""
    if len(others) >= TO_BE_TOLD or any(line.match.outcome for line in (first, *others)):
        return False
    after_first = first.possible.traces()
    for other in others:
        after_other = other.possible.traces()
        if not (_unlike(after_first, after_other) and _unlike(after_other, after_first)):
            return False
    return True


def _unlike(mine: Sequence[Trace], others: Sequence[Trace]) -> bool:
    """Whether many moves show what none of the others does: a quarter of them at least."""
    known = set(others)
    return 4 * sum(trace not in known for trace in mine) > len(mine)
