"""A simulated serial port: a co-processor that looks at the sensors of a simulated board."""

from __future__ import annotations

from typing import Final

from hardware.layout import Layout, SerialDevice
from hardware.pico.protocol import BOARD, CLOCK, DIE, Device

KINDS: Final = {"board": BOARD, "die": DIE, "clock": CLOCK}
SIDES: Final = 2
"""Of a clock."""

LONG: Final = 1000
"""Milliseconds between two looks: simulated time does not pass here, so every look gets a word."""


class SimulatedLine:
    """The port of one device, and the device behind it: a drivers.bus.SerialLine."""

    def __init__(self, layout: Layout, wired: SerialDevice) -> None:
        self._out = bytearray()
        self._places = [layout.places[name] for name in wired.places]
        self._presence = layout.sensing == "presence"
        self._poles: dict[str, int] = {}
        self._now = 0
        self.unplugged = False
        count = {"board": len(wired.places), "die": 1, "clock": SIDES}[wired.kind]
        self.device = Device(KINDS[wired.kind], count, "simulated", self._out.extend)
        if self._places:
            self.device.read(self.readings())
        self.device.introduce()

    def give(self, sensor: str, pole: int) -> None:
        """Let a sensor see a pole, or 0: none; it may be one of another device's."""
        self._poles[sensor] = pole
        if self._places:
            self.device.read(self.readings())

    def readings(self) -> list[int]:
        """Return what each place reads, in the order of the layout."""
        return [self._reading(place.kind, place.sensors) for place in self._places]

    def _reading(self, kind: str, sensors: tuple[str, ...]) -> int:
        poles = [self._poles.get(sensor, 0) for sensor in sensors]
        if self._presence:
            return int(any(poles))
        return poles[0] if kind == "cell" else sum(map(abs, poles))

    def read(self) -> bytes:
        """Return all that the device has said; OSError while it is unplugged."""
        if self.unplugged:
            raise OSError("the simulated port is pulled out")
        self._now += LONG
        self.device.tick(self._now)
        return self.said()

    def said(self) -> bytes:
        """Return what the device has said of itself since the last call."""
        said = bytes(self._out)
        self._out.clear()
        return said

    def write(self, data: bytes) -> None:
        """Let the device hear it."""
        self.device.heard(data)

    def close(self) -> None:
        """Nothing is held."""
