"""A simulated board behind the kernel's own device files: I2C and SPI through the rig's adapters,
the interrupt line through gpio-sim.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Final

from hardware.layout import Layout
from hardware.layout.model import wire_clocks
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.wires import IOCTL_S
from tests.rig.answers import Answers

CLOCK_HZ: Final = 400_000
PINS: Final = Path("/sys/devices/platform/gpio-sim.0")


class KernelBoard(Answers):
    """The wires of the kernel, with one board after another behind them."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._lock = threading.Lock()
        self.on_transfer = self._follow
        self.become(layout)
        for bus in ("i2c", "spi"):
            threading.Thread(target=self._answer, args=(f"/dev/rig-{bus}",), daemon=True).start()

    def become(self, layout: Layout) -> None:
        """Put another, empty board behind the wires."""
        (self._pull,) = PINS.glob(f"gpiochip*/sim_gpio{layout.interrupt_gpio}/pull")
        self._low: bool | None = None
        self.board = SimulatedBoard(layout)
        self.board.on_interrupt = self._follow
        self.sent = []
        self._follow()

    def _transfer(self, address: int, command: int, data: bytes, length: int) -> bytes:
        """Answer a transfer, and wait as long as it takes on the bus: this machine's time passes
        only while all processes wait.
        """
        time.sleep(IOCTL_S + wire_clocks(1 + len(data), length) / CLOCK_HZ)
        return super()._transfer(address, command, data, length)

    def _answer(self, path: str) -> None:
        with Path(path).open("r+b", buffering=0) as file:

            def read(size: int) -> bytes:
                got = b""
                while len(got) < size:
                    got += file.read(size - len(got)) or b""
                return got

            self.serve(read, file.write)

    def _follow(self) -> None:
        """Set the header's pin to the level of the line."""
        with self._lock:
            low = self.board.interrupt
            if low != self._low:
                self._pull.write_text("pull-down" if low else "pull-up")
                self._low = low
