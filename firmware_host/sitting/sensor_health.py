"""Which sensors are believed: the ones that fail, the ones that are doubted, the ones not there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from engine.game import Place
from engine.reading.footprints import Reading
from firmware_host.words import Message


class SensorHealth:
    """Keeps the books on every sensor that is not believed, and why; knows no time and no rules.

    It never decides by itself: whoever changes what is `masked` tells the reader.
    """

    def __init__(self) -> None:
        self._failed: dict[Place, float] = {}  # when it was noticed
        self.failing: frozenset[Place] = frozenset()
        """Places whose sensors stick or flicker."""
        self.unproven: frozenset[Place] = frozenset()
        """Those of them that have been found to stick since the board matched last."""
        self.asked: frozenset[Place] = frozenset()
        """Those of them of which people are asked a question that tells whether they stick."""
        self.untold: frozenset[Place] = frozenset()
        """Those of them of which nobody is told yet that they fail, for what all sensors tell is as
        likely."""
        self.doubted: frozenset[Place] = frozenset()
        """Places that are believed, though each of them would explain what makes no sense if its
        sensor stuck."""
        self._doubted_at = 0.0
        self.blind: frozenset[Place] = frozenset()
        """Places of which the hardware says that it cannot read them."""
        self.faults: tuple[Message, ...] = ()
        """What the hardware says does not work."""

    @property
    def masked(self) -> frozenset[Place]:
        """The places whose sensors are not believed at present."""
        return self.failing | self.blind

    def report(self, faults: tuple[Message, ...]) -> list[Message]:
        """Take what the hardware says does not work; return what it had not said before."""
        fresh = [fault for fault in faults if fault not in self.faults]
        self.faults = faults
        return fresh

    def fail(self, places: Iterable[Place], now: float) -> frozenset[Place]:
        """Believe these places no more from `now` on; return those that were believed until
        then.
        """
        fresh = frozenset(places) - self.failing
        self._failed |= dict.fromkeys(fresh, now)
        self.failing |= fresh
        return fresh

    def convict(self, places: frozenset[Place], now: float) -> frozenset[Place]:
        """Believe these places no more from `now` on, instead of those that were found to stick
        before and did not make sense of the board; return those that were believed until then.
        """
        known = self.failing
        self.failing -= self.unproven - places
        fresh = self.fail(places, now) - known
        self.unproven = places
        return fresh

    def clear(self, places: frozenset[Place]) -> None:
        """Believe these places again, of which people are asked: they do not stick."""
        self.failing -= places
        self.unproven -= places
        self.asked -= places
        self.untold -= places

    def doubt(self, places: frozenset[Place], now: float) -> None:
        """Doubt these places from `now` on, and no others, though they are believed."""
        self.doubted = places
        self._doubted_at = now

    def trust_what_moves(self, changed: Callable[[Place], float]) -> None:
        """Doubt no place any more that has `changed` since: its sensor does not stick."""
        self.doubted = frozenset(p for p in self.doubted if changed(p) <= self._doubted_at)

    def has_moved(self, place: Place, changed: Callable[[Place], float]) -> bool:
        """Whether a place has `changed` since it is not believed any more."""
        return changed(place) > self._failed[place]

    def answered(
        self, levels: Mapping[Place, Reading], expected: Collection[Mapping[Place, Reading]]
    ) -> bool:
        """Believe again what reads as it should by what people have answered; return whether there
        was any.
        """
        well = {
            place
            for place in self.asked & self.failing
            if all(levels.get(place, 0) == each.get(place, 0) for each in expected)
        }
        self.clear(frozenset(well))
        self.asked = frozenset()
        return bool(well)

    def recover(
        self,
        levels: Mapping[Place, Reading],
        expected: Collection[Mapping[Place, Reading]],
        changed: Callable[[Place], float],
        flickering: Collection[Place],
    ) -> bool:
        """Believe again what has `changed` since it failed, does not flicker and reads what is
        `expected`, whichever of that it is; return whether there was any.
        """
        well = {
            place
            for place in self.failing
            if place not in flickering
            and self.has_moved(place, changed)
            and all(levels.get(place, 0) == each.get(place, 0) for each in expected)
        }
        self.failing -= well
        return bool(well)
