"""Which sensor fails? Asked when the board has made no sense for a while.

A sensor that sticks shows nothing of a man that comes or goes, so nothing explains what the hands
did. Each place that they may have used is left out in turn, and the same edges and levels are
explained again: where the rules then explain everything, by two plies at least, and no other
place does, that sensor fails. Where several do, none is believed to: they are the suspects.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

from engine.game import Place
from engine.reading import Reader
from engine.verdicts import Ambiguous, Settled

TRIED = 16
"""So many places at most are left out in turn."""
SURE = 2
"""So many plies must be explained before a sensor is said to fail."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Without the sensor of `place` the rules explain everything, by one of these plays."""

    place: Place
    plays: frozenset[tuple[str, ...]]
    """The texts of the moves that are new in each."""

    @property
    def sure(self) -> bool:
        """Whether every play is long enough to prove it."""
        return all(len(play) >= SURE for play in self.plays)


def suspicions(
    reader: Reader, steady: Iterable[Place], now: float
) -> Generator[None, None, list[Suspicion]]:
    """Return, after a search that goes step by step, which of the `steady` places, that have
    hardly changed, may have a sensor that sticks.
    """
    found = []
    used = yield from _used(reader, frozenset(steady))
    for place in used[:TRIED]:
        other = reader.without(frozenset({place}))
        verdict = yield from other.search(now)
        if isinstance(verdict, Settled) and (verdict.doubtful or verdict.bare or verdict.back):
            continue
        if isinstance(verdict, Ambiguous) and verdict.bare:
            continue
        if isinstance(verdict, Settled | Ambiguous) and not verdict.strays:
            plays = set()
            for line in verdict.lines:
                known = max(shown.match.plies for shown in other.heads)
                plies = line.match.plies - known
                plays.add(tuple(line.match.moves()[-plies:]) if plies > 0 else ())
            found.append(Suspicion(place, frozenset(plays)))
        yield
    return found


def convicted(found: Iterable[Suspicion], apart: Callable[[Place], bool]) -> Place | None:
    """Return the place whose sensor surely fails, if there is one: it stands `apart` from what
    hands did, and no other explains what happened.
    """
    suspects = list(found)
    if len(suspects) == 1 and suspects[0].sure and apart(suspects[0].place):
        return suspects[0].place
    return None


def _used(reader: Reader, steady: frozenset[Place]) -> Generator[None, None, list[Place]]:
    """Return the places that may have been used unseen: those that read wrong, then those that
    moves use which also use a place where something happened.
    """
    wrong: set[Place] = set()
    partners: dict[Place, int] = {}
    for line in reader.shown:
        near = {place for place in line.sight.cells if reader.touched(place)}
        wrong |= {place for place, _ in reader.difference(line)}
        near |= wrong
        for start in dict.fromkeys((line, line.head())):
            for touched in sorted(near):
                for footprint in start.touching({touched}):
                    cells = footprint.around | footprint.after.keys()
                    common = len(near & cells)
                    for place in cells - near:
                        partners[place] = max(partners.get(place, 0), common)
                yield
    cells = reader.shown[0].sight.cells - reader.shown[0].masked
    first = sorted(wrong & steady & cells)
    then = sorted(partners.keys() & steady & cells, key=lambda p: (-partners[p], p))
    return [*first, *(place for place in then if place not in wrong)]
