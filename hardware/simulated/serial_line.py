"""A simulated serial port: a co-processor that reads the sensors of a simulated board, or a die, a
clock or a display.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from hardware.layout import Layout, SerialDevice
from hardware.pico.face import Face
from hardware.pico.protocol import BOARD, CLOCK, DIE, DISPLAY, Device

KINDS: Final = {"board": BOARD, "die": DIE, "clock": CLOCK, "display": DISPLAY}
SIDES: Final = 2
"""The sides of a clock."""
DISPLAY_SIDES: Final = 4
"""The sides of a display."""

STEP_MS: Final = 1000
"""The device's time between two looks: it is long, so that every look gets a message."""


class SimulatedLine:
    """The port of one device, and the device behind it: a drivers.bus.SerialLine."""

    device: Device

    def __init__(
        self, layout: Layout, wired: SerialDevice, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """A display counts down by `clock`, in seconds."""
        self._out = bytearray()
        self._places = [layout.places[name] for name in wired.places]
        self._presence = layout.sensing == "presence"
        self._poles: dict[str, int] = {}
        self._now = 0
        self._clock = clock
        self.unplugged = False
        self.busy = False
        """Whether the line is slow: earlier bytes have not left yet."""
        self.face = Face()
        """What a display shows."""
        self.connect(wired.kind, {"board": len(wired.places), "die": 1, "clock": SIDES}[wired.kind])

    def connect(self, kind: str, count: int) -> None:
        """Connect a device that has just started, in place of the one before."""
        self.face.clear()
        self.device = Device(KINDS[kind], count, "simulated", self._out.extend, self._show)
        if self._places:
            self.device.read(self.readings())
        self.device.introduce()

    @property
    def now_ms(self) -> int:
        """The time by which a display counts down."""
        return int(self._clock() * 1000)

    def _show(self, body: bytes) -> None:
        self.face.show(body, self.now_ms)

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
        self.tick(self._now)
        return self.take_sent()

    def tick(self, now_ms: int) -> None:
        """Let the device work at that time of its own."""
        if self.device.kind == DISPLAY:
            self.device.clock(self.face.running, self.face.left(self.now_ms))
        self.device.tick(now_ms)

    def take_sent(self) -> bytes:
        """Return the bytes that the device has sent since the last call."""
        sent = bytes(self._out)
        self._out.clear()
        return sent

    def write(self, data: bytes) -> None:
        """Pass bytes to the device."""
        self.device.receive(data)

    def offer(self, data: bytes) -> bool:
        """Pass bytes to the device, unless the line is busy."""
        if self.unplugged:
            raise OSError("the simulated port is pulled out")
        if not self.busy:
            self.device.receive(data)
        return not self.busy

    def close(self) -> None:
        """Do nothing: no resource is open."""
