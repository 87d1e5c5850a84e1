"""Telling lines apart: by the next move, by what people say as far as they agree, or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.reading.evidence import TO_BE_TOLD
from engine.reading.lines import Line
from engine.reading.possible import Trace


def tell_apart(first: Line, *others: Line) -> bool:
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


def shortest(lines: Iterable[Line]) -> list[Line]:
    """Return different lines without those that go on from another of them: what comes after that
    is not sure.
    """
    found = dict.fromkeys(lines)
    return [line for line in found if not any(step in found for step in _before(line))]


def _before(line: Line) -> Iterator[Line]:
    """Yield all that a line goes on from, the last first."""
    step = line.before
    while step is not None:
        yield step
        step = step.before


def up_to_the_same_ply(lines: Iterable[Line], most: int) -> Iterator[list[Line]]:
    """Yield different lines up to the same ply, those up to the latest ply first, `most` of them
    at most; the last time all of them. None is part of another.
    """
    found = list(dict.fromkeys(lines))
    while True:
        shortest = min(line.match.plies for line in found)
        past = set()
        for line in found:
            step = line.before
            while step is not None and step.match.plies >= shortest:
                past.add(step)
                step = step.before
        apart = [line for line in found if line not in past]
        yield apart[:most]
        if len(apart) <= most:
            return
        longest = max(line.match.plies for line in found)
        found = list(
            dict.fromkeys(line.head() if line.match.plies == longest else line for line in found)
        )
