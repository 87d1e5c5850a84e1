"""Pins for gpiozero straight from the kernel.

Its usual library, lgpio, polls for edges two thousand times a second while a pin is watched. Here
one thread sleeps until the kernel reports an edge.
"""

from __future__ import annotations

import fcntl
import os
import select
import threading
from pathlib import Path
from typing import Any, Final

from gpiozero.exc import PinUnknownPi
from gpiozero.pins.local import LocalPiFactory, LocalPiPin, get_pi_revision

from drivers import gpio
from drivers.gpio import GpioLine, Ioctl

PULLS: Final = {"up": gpio.PULL_UP, "down": gpio.PULL_DOWN, "floating": gpio.NO_PULL}
DEFAULT_CHIP: Final = "/dev/gpiochip0"
PI_5_TYPE: Final = 0x17
"""The type of a Pi 5 in its revision; older kernels have its header on chip 4."""


def chip_path() -> str:
    """Return the device of the header's pins on this Pi."""
    older = Path("/dev/gpiochip4")
    try:
        if older.exists() and get_pi_revision() >> 4 & 0xFF == PI_5_TYPE:
            return str(older)
    except PinUnknownPi:
        pass
    return DEFAULT_CHIP


class LineFactory(LocalPiFactory):  # type: ignore[misc]
    """Makes pins of the header; a thread of its own calls their watchers."""

    def __init__(self, path: str, ioctl: Ioctl = fcntl.ioctl) -> None:
        """Open the chip at `path`; OSError if it is off or may not be used."""
        super().__init__()
        self.pin_class = LinePin
        self.ioctl = ioctl
        self.chip = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        self._watched: dict[int, LinePin] = {}
        self._lock = threading.Lock()
        self._epoll = select.epoll()
        self._end = os.eventfd(0)
        self._epoll.register(self._end, select.EPOLLIN)
        self._thread = threading.Thread(target=self._run, name="pins", daemon=True)
        self._thread.start()

    def watch(self, pin: LinePin, file: int) -> None:
        """Call `pin` when its line has edges."""
        with self._lock:
            self._watched[file] = pin
            self._epoll.register(file, select.EPOLLIN)

    def release(self, line: GpioLine) -> None:
        """Close a line that may have been watched."""
        with self._lock:
            if self._watched.pop(line.file, None) is not None:
                self._epoll.unregister(line.file)
            line.close()

    def _run(self) -> None:
        while True:
            for file, _ in self._epoll.poll():
                if file == self._end:
                    return
                with self._lock:  # no other thread may close it meanwhile
                    pin = self._watched.get(file)
                    if pin is None:
                        continue
                    edges = pin.moved()
                for high in edges:
                    pin._call_when_changed(state=high)

    def close(self) -> None:
        """Release all pins."""
        super().close()
        if self._thread.is_alive():
            os.eventfd_write(self._end, 1)
            self._thread.join()
            self._epoll.close()
            os.close(self._end)
            os.close(self.chip)


class LinePin(LocalPiPin):  # type: ignore[misc]
    """One pin; each change of its function requests its line again."""

    def __init__(self, factory: LineFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._flags = gpio.INPUT
        self._line: GpioLine | None = None
        self._take()

    def _take(self, *, watched: bool = False, high: bool = False) -> None:
        self.close()
        flags = self._flags | (gpio.EDGES if watched else 0)
        factory: LineFactory = self.factory
        self._line = GpioLine(factory.chip, self._number, flags, high, factory.ioctl)
        if watched:
            factory.watch(self, self._line.file)

    def close(self) -> None:
        """Release its line."""
        if self._line is not None:
            self.factory.release(self._line)
            self._line = None

    def moved(self) -> list[bool]:
        """Process the edges of its line."""
        return [] if self._line is None else self._line.edges()

    def output_with_state(self, state: bool) -> None:
        """Make it an output that is high or low from the first moment."""
        self._flags = gpio.OUTPUT
        self._take(high=state)

    def _get_function(self) -> str:
        return "output" if self._flags & gpio.OUTPUT else "input"

    def _set_function(self, value: str) -> None:
        self._flags = {"input": gpio.INPUT, "output": gpio.OUTPUT}[value]
        self._take()

    def _get_state(self) -> bool:
        assert self._line is not None
        return self._line.read()

    def _set_state(self, value: bool) -> None:
        assert self._line is not None
        self._line.write(bool(value))

    def _get_pull(self) -> str:
        return next((name for name, flag in PULLS.items() if self._flags & flag), "floating")

    def _set_pull(self, value: str) -> None:
        self._flags = gpio.INPUT | PULLS[value]
        self._take()

    def _get_edges(self) -> str:
        return "both"

    def _set_edges(self, value: str) -> None:
        assert value == "both"

    def _enable_event_detect(self) -> None:
        self._take(watched=True)

    def _disable_event_detect(self) -> None:
        self._take()
