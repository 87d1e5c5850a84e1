"""Unseen play: histories from the last known state to the current readings, without edges between.

The search goes through all histories of a few plies, the shorter ones first. After a ply that is
not the last, no more cells may be wrong than the later plies can correct.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from engine.game import CHANCE, Place
from engine.reading.evidence import UNSEEN_PLIES, UNSEEN_STEPS
from engine.reading.footprints import Difference, Footprint, Reading
from engine.reading.history import History
from engine.reading.mismatch import difference


@dataclass
class Explained:
    """The histories that may have been played unseen, the shortest first."""

    exact: list[History] = field(default_factory=list)
    """Histories whose end fits all current readings."""
    held: list[History] = field(default_factory=list)
    """Histories with one missing piece, which the side to move may hold."""
    complete: bool = True
    """Whether the search was complete for this number of plies."""

    @property
    def is_under_way(self) -> bool:
        """Whether a hand is probably at work, since that needs fewer plies."""
        made = [line for line in self.exact if not is_lift_only(line)]
        underway = [line for line in self.exact if is_lift_only(line)] + self.held
        return bool(underway) and not (made and _fewest(made) <= _fewest(self.held or made))


class UnseenPlay:
    """Finds these histories; `forward` adds throws and forced passes."""

    def __init__(
        self,
        starts: Iterable[History],
        trays: Mapping[Place, Reading],
        levels: Mapping[Place, Reading],
        forward: Callable[[History], History],
        provisional: Iterable[History] = (),
    ) -> None:
        """Take the starts, the earlier readings of full `trays`, and the current `levels`.

        The last ply of a `provisional` start may be another one.
        """
        self.found = Explained()
        self._starts = list(dict.fromkeys(starts))
        self._provisional = list(provisional)
        self._trays = trays
        self._levels = levels
        self._forward = forward
        self._steps = 0
        self._holds = True  # whether a hand may have started another ply
        self._reach = max((len(ply.differs) for ply in self._starts[0].possible), default=0)

    def search(self) -> Generator[None, None, Explained]:
        """Search all histories, one ply of one history per step.

        The last ply of a provisional start may also have continued to another one.
        """
        for plies in range(UNSEEN_PLIES + 1):
            self._holds = plies < UNSEEN_PLIES
            for start in self._starts:
                yield from self._go(start, plies)
            if not plies:
                for start in self._provisional:
                    yield from self._go(start.head(), 1)
        self.found.exact.sort(key=self._lacks)
        return self.found

    def _go(self, line: History, plies: int) -> Generator[None, None, None]:
        """Search the histories that add exactly this many plies."""
        off = difference(line, self._levels)
        if not plies:
            self._note(line, off)
            return
        if line.match.turn == CHANCE or line.match.outcome is not None:
            return
        for ply in self._last_plies(line, off) if plies == 1 else self._plies(line, off, plies):
            if self._steps >= UNSEEN_STEPS:
                self.found.complete = False
                return
            self._steps += 1
            yield
            yield from self._go(self._forward(line.step(ply.move, ply)), plies - 1)

    def _last_plies(self, line: History, off: Difference) -> list[Footprint]:
        """Return the plies after which everything fits, except a piece in a hand."""
        plies = [ply for ply in line.possible.leaving(off) if ply.is_seen]
        for away in off if self._holds else ():
            if not away[1]:
                plies += [ply for ply in line.possible.leaving(off - {away}) if ply.is_seen]
        return list(dict.fromkeys(plies))

    def _plies(self, line: History, off: Difference, plies: int) -> Iterator[Footprint]:
        """Yield the plies that leave no more wrong cells than the later plies can correct."""
        places = {place for place, _ in off}
        for ply in line.possible:
            wrong = places.difference([place for place, _ in ply.differs])
            wrong.update(p for p, value in ply.differs if self._levels.get(p, 0) != value)
            if ply.is_seen and len(wrong) <= self._reach * (plies - 1) + 1:
                yield ply

    def _note(self, line: History, off: Difference) -> None:
        """Keep a history if it explains the readings."""
        found, expected = self.found, line.expected
        if line in found.exact or line in found.held:
            return
        if any(self._levels.get(tray, 0) > expected.get(tray, 0) for tray in self._trays):
            return
        if _is_in_hand(line, off) if off else self._is_out_of_a_tray(line):
            found.held.append(line)
        elif not off:
            found.exact.append(line)

    def _is_out_of_a_tray(self, line: History) -> bool:
        """Return whether a piece left a tray and is not on the board yet."""
        return any(
            self._levels.get(tray, 0) < min(line.expected.get(tray, 0), held)
            for tray, held in self._trays.items()
        )

    def _lacks(self, line: History) -> bool:
        """Return whether a captured piece has not reached its tray."""
        return any(self._levels.get(t, 0) < line.expected.get(t, 0) for t in self._trays)


def _fewest(lines: Iterable[History]) -> int:
    return min(line.match.plies for line in lines)


def _is_in_hand(line: History, off: Difference) -> bool:
    """Return whether the side to move may hold the missing piece."""
    places = frozenset(place for place, reading in off if not reading)
    return len(off) == len(places) == 1 and line.possible.goes_on(places, places)


def is_lift_only(line: History) -> bool:
    """Return whether the last ply shows only an empty cell: the piece may still be in a hand."""
    ply = line.last_ply()
    return (
        ply is not None
        and bool(ply.leaves)
        and all(place in ply.leaves for place, _ in ply.differs)
    )
