"""Slots of presence boards that have several pockets, each with a switch of its own."""

from __future__ import annotations

from collections.abc import Mapping

from hardware.layout import Layout


class Pockets:
    """Counts the closed switches of each slot with several pockets."""

    def __init__(self, layout: Layout) -> None:
        self.slot_of: Mapping[str, str] = {
            sensor: place.name
            for place in layout.places.values()
            for sensor in place.sensors
            if sensor != place.name
        }
        """The slot of each pocket's switch."""
        self._closed: dict[str, set[str]] = {slot: set() for slot in self.slot_of.values()}

    def counted(self, changes: Mapping[str, int]) -> dict[str, int]:
        """Return changed readings of switches as those of places."""
        found = dict[str, int]()
        for sensor, reading in changes.items():
            slot = self.slot_of.get(sensor)
            if slot is None:
                found[sensor] = reading
                continue
            closed = self._closed[slot]
            (closed.add if reading else closed.discard)(sensor)
            found[slot] = len(closed)
        return found
