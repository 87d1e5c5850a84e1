"""Unseen play: which lines lead from what was known to what the sensors read now, where nobody has
looked meanwhile.

No edge tells them apart, so all lines of a few plies are looked for, the shorter ones first. Of a
ply that is not the last one, no more cells may be wrong afterwards than the plies to come can put
right.
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
    """What may have been played unseen, the fewest plies first."""

    exact: list[History] = field(default_factory=list)
    """Lines at whose end all pieces stand where they stand now."""
    held: list[History] = field(default_factory=list)
    """Lines at whose end one piece is missing, which may be in the hand of the side to move."""
    complete: bool = True
    """Whether there is no other line of so few plies."""

    @property
    def is_under_way(self) -> bool:
        """Whether a hand is likely to be at work still: that explains the board by fewer plies."""
        made = [line for line in self.exact if not is_lift_only(line)]
        begun = [line for line in self.exact if is_lift_only(line)] + self.held
        return bool(begun) and not (made and _fewest(made) <= _fewest(self.held or made))


class UnseenPlay:
    """Finds the lines; `forward` adds to a line what no hand does."""

    def __init__(
        self,
        starts: Iterable[History],
        trays: Mapping[Place, Reading],
        levels: Mapping[Place, Reading],
        forward: Callable[[History], History],
        provisional: Iterable[History] = (),
    ) -> None:
        """`trays` is what those trays held before that held what they should, `levels` what the
        sensors read now; the last ply of a start that is `provisional` may be another one.
        """
        self.found = Explained()
        self._starts = list(dict.fromkeys(starts))
        self._provisional = list(provisional)
        self._trays = trays
        self._levels = levels
        self._forward = forward
        self._steps = 0
        self._holds = True  # whether a hand may have begun another ply
        self._reach = max((len(ply.differs) for ply in self._starts[0].possible), default=0)

    def search(self) -> Generator[None, None, Explained]:
        """Look for all lines, a ply of one line a step. The last ply of a start may also have gone
        on to another one.
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
        """Look for the lines that add exactly this many plies to one."""
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
        """Return the plies after which nothing is off, but for a piece in a hand."""
        plies = [ply for ply in line.possible.leaving(off) if ply.is_seen]
        for away in off if self._holds else ():
            if not away[1]:
                plies += [ply for ply in line.possible.leaving(off - {away}) if ply.is_seen]
        return list(dict.fromkeys(plies))

    def _plies(self, line: History, off: Difference, plies: int) -> Iterator[Footprint]:
        """Yield the plies that leave no more off than the others can put right."""
        places = {place for place, _ in off}
        for ply in line.possible:
            wrong = places.difference([place for place, _ in ply.differs])
            wrong.update(p for p, value in ply.differs if self._levels.get(p, 0) != value)
            if ply.is_seen and len(wrong) <= self._reach * (plies - 1) + 1:
                yield ply

    def _note(self, line: History, off: Difference) -> None:
        """Note a line if it explains what the sensors read."""
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
        """Whether a piece was taken from a tray that is not on the board yet."""
        return any(
            self._levels.get(tray, 0) < min(line.expected.get(tray, 0), held)
            for tray, held in self._trays.items()
        )

    def _lacks(self, line: History) -> bool:
        """Whether a captured piece has not reached its tray at the end of a line."""
        return any(self._levels.get(t, 0) < line.expected.get(t, 0) for t in self._trays)


def _fewest(lines: Iterable[History]) -> int:
    return min(line.match.plies for line in lines)


def _is_in_hand(line: History, off: Difference) -> bool:
    """Whether the piece that is missing may be in the hand of the side to move."""
    places = frozenset(place for place, reading in off if not reading)
    return len(off) == len(places) == 1 and line.possible.goes_on(places, places)


def is_lift_only(line: History) -> bool:
    """Whether the cells show nothing of a line's last ply but that a piece is away: it may as well
    be in a hand.
    """
    return any(
        ply.leaves and all(place in ply.leaves for place, _ in ply.differs)
        for ply in line.last_ply()
    )
