"""Failing sensors: which are ignored, and why.

A sensor counts as failing only on certain evidence: it flickers by itself; it still reads a piece
that another one sees; or people say that all pieces stand right, and it disagrees. In all other
cases people are asked about the pieces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.game import Place
from engine.reading.reader import Reader
from firmware_host.i18n.messages import Message
from firmware_host.session.settle_times import GAP_S


class SensorHealth:
    """The sensors that are ignored. Code that changes `masked` has the reader process the edges
    again.
    """

    def __init__(self) -> None:
        self._failed: dict[Place, float] = {}  # by place: since when
        self.blind: frozenset[Place] = frozenset()
        """Places that the hardware reports as unreadable."""
        self.faults: tuple[Message, ...] = ()
        """The faults that the hardware reports."""
        self._blind_since: dict[Place, float] = {}

    @property
    def failing(self) -> frozenset[Place]:
        """Places whose sensors stick or flicker."""
        return frozenset(self._failed)

    @property
    def masked(self) -> frozenset[Place]:
        """The places whose sensors are ignored now."""
        return self.failing | self.blind

    def report(self, faults: tuple[Message, ...]) -> list[Message]:
        """Take the reported faults; return the new ones."""
        fresh = [fault for fault in faults if fault not in self.faults]
        self.faults = faults
        return fresh

    def see(self, blind: frozenset[Place], now: float, gap: bool) -> frozenset[Place]:
        """Take the unreadable places; return those that are readable again after a long time. After
        a `gap` any time is long.
        """
        since = float("-inf") if gap else now
        back = {place for place in self.blind - blind if self._blind_since[place] < now - GAP_S}
        self._blind_since = {place: self._blind_since.get(place, since) for place in blind}
        self.blind = blind
        return frozenset(back)

    def fail(self, places: Iterable[Place], now: float) -> list[Place]:
        """Ignore these places from `now` on; return those that were not ignored before."""
        fresh = sorted(frozenset(places) - self.failing)
        self._failed |= dict.fromkeys(fresh, now)
        return fresh

    def recover(self, reader: Reader, flickering: Collection[Place]) -> bool:
        """Stop ignoring the places that have changed since they failed, do not flicker and read as
        all shown histories expect; return whether there were any.
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
