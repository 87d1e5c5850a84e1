"""The lights of a board as they would be if nothing in them moved."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Place
from firmware_host.controller.controller import BoardController
from firmware_host.lights.signals import Light
from hardware.lighting import Lamps
from hardware.simulated.strip import SimulatedStrip


class ReducedMotion:
    """A second strip, which only people see who want still lights: what the first one is sent goes
    to it through the same gamma and limit, and where that is cut this one is, too.
    """

    def __init__(self, controller: BoardController, strip: SimulatedStrip) -> None:
        self._controller = controller
        self._strip = strip
        layout, lamps = controller.machine.layout, controller.machine.lamps
        self._lamps = Lamps(layout, brightness=lamps.brightness, budget_ma=lamps.budget_ma)
        self._still = SimulatedStrip(len(layout.led_positions), layout.led_order)
        self._drawn: tuple[Mapping[Place, Light], int | None] | None = None

    def pixels(self) -> bytes:
        """Return red, green and blue of every pixel; the same until the scene changes."""
        drawn = self._controller.lights, self._strip.cut_at
        if self._drawn != drawn and not self._strip.broken:
            self._drawn = drawn
            self._still.cut(self._strip.cut_at)
            self._still.transfer(self._lamps.frame(self._controller.still()))
        return b"".join(map(bytes, self._still.pixels))
