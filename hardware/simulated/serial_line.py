"""A simulated serial port: a co-processor that reads the sensors of a simulated board."""

from __future__ import annotations

from typing import Final

from hardware.layout import Layout, SerialDevice
from hardware.pico.protocol import BOARD, CLOCK, DIE, Device

KINDS: Final = {"board": BOARD, "die": DIE, "clock": CLOCK}
SIDES: Final = 2
"""The sides of a clock."""

STEP_MS: Final = 1000
"""The device's time between two looks: it is long, so that every look gets a message."""


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

    def set_pole(self, sensor: str, pole: int) -> None:
        """Set the pole that a sensor sees, 0 for none; sensors of other devices are ignored."""
        self._poles[sensor] = pole
        if self._places:
            self.device.read(self.readings())

    def readings(self) -> list[int]:
        """Return the readings of the places, in the order of the layout."""
        return [self._reading(place.kind, place.sensors) for place in self._places]

    def _reading(self, kind: str, sensors: tuple[str, ...]) -> int:
        poles = [self._poles.get(sensor, 0) for sensor in sensors]
        if self._presence:
            return int(any(poles))
        return poles[0] if kind == "cell" else sum(map(abs, poles))

    def read(self) -> bytes:
        """Return all bytes from the device; OSError while it is unplugged."""
        if self.unplugged:
            raise OSError("the simulated port is pulled out")
        self._now += STEP_MS
        self.device.tick(self._now)
        return self.take_sent()

    def take_sent(self) -> bytes:
        """Return the bytes that the device has sent since the last call."""
        sent = bytes(self._out)
        self._out.clear()
        return sent

    def write(self, data: bytes) -> None:
        """Pass bytes to the device."""
        self.device.receive(data)

    def close(self) -> None:
        """Do nothing: no resource is open."""
