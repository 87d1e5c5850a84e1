"""Which sensors are not believed, and why.

A sensor is named only on certain evidence: it flickers by itself; it still reads though its piece
is seen elsewhere; or people say that all pieces stand as they should, and it denies that. Where
anything else makes no sense, people are asked about the pieces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.game import Place
from engine.reading.reader import Reader
from firmware_host.i18n.messages import Message
from firmware_host.session.settle_times import GAP_S


class SensorHealth:
    """The sensors that are not believed. Code that changes `masked` has the reader read again."""

    def __init__(self) -> None:
        self._failed: dict[Place, float] = {}  # each since when
        self.blind: frozenset[Place] = frozenset()
        """Places of which the hardware says that it cannot read them."""
        self.faults: tuple[Message, ...] = ()
        """What the hardware says does not work."""
        self._blind_since: dict[Place, float] = {}

    @property
    def failing(self) -> frozenset[Place]:
        """Places whose sensors stick or flicker."""
        return frozenset(self._failed)

    @property
    def masked(self) -> frozenset[Place]:
        """The places whose sensors are not believed now."""
        return self.failing | self.blind

    def report(self, faults: tuple[Message, ...]) -> list[Message]:
        """Take what the hardware says does not work; return what it had not said before."""
        fresh = [fault for fault in faults if fault not in self.faults]
        self.faults = faults
        return fresh

    def see(self, blind: frozenset[Place], now: float, gap: bool) -> frozenset[Place]:
        """Take which places the hardware cannot read now; return those that it reads again after it
        could not for long. After a `gap` that is so for all that it could not read.
        """
        since = float("-inf") if gap else now
        back = {place for place in self.blind - blind if self._blind_since[place] < now - GAP_S}
        self._blind_since = {place: self._blind_since.get(place, since) for place in blind}
        self.blind = blind
        return frozenset(back)

    def fail(self, places: Iterable[Place], now: float) -> list[Place]:
        """Stop believing these places from `now` on; return those that were believed until then."""
        fresh = sorted(frozenset(places) - self.failing)
        self._failed |= dict.fromkeys(fresh, now)
        return fresh

    def recover(self, reader: Reader, flickering: Collection[Place]) -> bool:
        """Believe a place again if it has changed since it failed, does not flicker and reads as
        all histories that are shown; return whether there was any.
        """
        well = [
            place
            for place, since in self._failed.items()
            if place not in flickering
            and reader.changed(place) > since
            and all(
                reader.levels.get(place, 0) == history.expected.get(place, 0)
                for history in reader.shown
            )
        ]
        for place in well:
            del self._failed[place]
        return bool(well)
