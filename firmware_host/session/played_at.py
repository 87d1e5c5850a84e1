"""When the entries of a record were played; the clock of the match needs it.

A move was played with the last edge on its cells, even if it was read later. A throw and a claim
have the time of their event, and a lost turn takes no time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.game import Claim, Pass, Throw
from engine.reading.footprints import Footprint
from engine.reading.history import History
from engine.reading.reader import Reader

LONG_AGO = float("-inf")


def played_at(
    kept: Sequence[float],
    fresh: Sequence[History],
    reader: Reader,
    fell_at: Mapping[int, float],
    since: float,
    now: float,
) -> tuple[float, ...]:
    """Return the times of all entries: the `kept` ones, then those of the `fresh` steps. Moves
    without an edge were played at `since`, when the levels came to rest or people named the move.
    `fell_at` has the times of the throws by their numbers.
    """
    edges: list[float] = []
    until = since
    for step in reversed(fresh):
        until = _last_edge(reader, step.footprint, until)
        edges.append(until)
        until = since if until == LONG_AGO else until
    times = list(kept)
    for step, edge in zip(fresh, reversed(edges), strict=True):
        before = times[-1] if times else LONG_AGO
        match step.match.move:
            case Throw():
                at = fell_at.get(step.throws, now)
            case Claim():
                at = now
            case Pass():
                at = now if before == LONG_AGO else before
            case _:
                at = edge if edge > before else since
        times.append(max(before, at))
    return tuple(times)


def _last_edge(reader: Reader, ply: Footprint | None, until: float) -> float:
    """Return the time of the last edge of a ply up to a time; long ago if there is none."""
    places = () if ply is None else ply.cells or ply.trays
    return max((reader.changed(place, until) for place in places), default=LONG_AGO)
