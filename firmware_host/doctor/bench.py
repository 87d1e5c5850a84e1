"""The board to examine, and its wires, each opened separately because each may fail separately."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from drivers import ws2812
from drivers.bus import INSTALL, BusError, I2cBus, SerialLine, SpiBus
from firmware_host.config import config as configs
from firmware_host.config.board import Devices, board_of, devices_of
from firmware_host.config.config import Config
from hardware import layout as layouts
from hardware.layout import Layout, LayoutError, SerialDevice
from hardware.machine import Machine
from hardware.pi.light_chain import Chain, coding_of, open_chain
from hardware.pi.raspberry_pi import HeaderPins, open_i2c
from hardware.pi.serial_port import open_port
from hardware.sensing import Fault
from hardware.simulated.wires import SimulatedWires


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """A board and its origin."""

    name: str
    """The name of its layout, or the path of the layout's file."""
    board: Layout
    devices: Devices
    config: Config | None
    """The configuration, if the board comes from one."""


def chosen_board(layout: str | None, config: str | None, *, simulated: bool) -> BoardChoice:
    """Return the board of a layout or of a configuration; LayoutError or ConfigError if it cannot
    be read.
    """
    path = Path(config or configs.PATH)
    devices = Devices()
    if config or (path.exists() and not simulated):
        found = configs.read(path)
        devices = devices_of(found)
        if not layout:
            return BoardChoice(found.layout, board_of(found, str(path)), devices, found)
    if not (layout or simulated):
        raise LayoutError(f"which board? say --layout L, one of {', '.join(layouts.NAMES)}")
    name = layout or layouts.NAMES[0]
    return BoardChoice(name, layouts.load(name), devices, None)


class Pins(Protocol):
    """The header's pins beside the buses."""

    @property
    def interrupt(self) -> bool:
        """Say whether the interrupt line is low."""

    @property
    def taken(self) -> tuple[Fault, ...]:
        """Return the pins that another program or the kernel uses."""

    def held(self) -> frozenset[str]:
        """Return the buttons on the header that are down."""


class Bench(Protocol):
    """A board under examination. Opening a wire twice returns the same object; OSError says what
    is missing.
    """

    layout: Layout
    devices: Devices
    """The devices that are opened for it."""

    def bus(self) -> I2cBus:
        """Open I2C; RESET is left as it is."""

    def pins(self) -> Pins:
        """Take the header's pins, and drive RESET: low for a moment, then high."""

    def strip(self) -> SpiBus:
        """Open the light chain's SPI."""

    def open_port(self, device: SerialDevice) -> SerialLine:
        """Open the port of a co-processor."""

    def clock(self) -> float:
        """Return seconds that pass while the bus is busy."""

    def pause(self, seconds: float) -> None:
        """Wait for a person's eyes."""

    def close(self) -> None:
        """Release everything."""


def machine_of(
    bench: Bench, layout: Layout | None = None, zeros: Mapping[str, int] | None = None
) -> Machine:
    """Return a machine on the bench's wires, with another layout than the bench's if one is
    given.
    """
    return Machine(
        layout or bench.layout,
        bench.bus(),
        bench.strip(),
        zeros=zeros,
        buttons=bench.pins().held,
        open_port=bench.open_port,
        clock=bench.clock,
        coding=coding(bench),
        brightness=bench.devices.brightness,
        budget_ma=bench.devices.limit_ma,
    )


def coding(bench: Bench) -> ws2812.Coding:
    """Return the SPI coding of the bench's light chain."""
    return coding_of(bench.devices.lights, bench.devices.symbol_bits)


class PiBench:
    """A real board."""

    def __init__(self, layout: Layout, devices: Devices | None = None) -> None:
        """Open nothing yet; without `devices`, the defaults will be opened."""
        self.layout = layout
        self.devices = devices or Devices()
        self._opened = contextlib.ExitStack()
        self._bus: I2cBus | None = None
        self._pins: HeaderPins | None = None
        self._strip: Chain | None = None

    def bus(self) -> I2cBus:
        """Open the bus of the configuration."""
        if self._bus is None:
            self._bus = open_i2c(self.devices.i2c)
            close = getattr(self._bus, "close", None)
            if close is not None:
                self._opened.callback(close)
        return self._bus

    def pins(self) -> Pins:
        """Take the pins through gpiozero."""
        if self._pins is None:
            try:
                self._pins = HeaderPins(self.layout, chip=self.devices.gpio_chip)
            except ImportError as error:
                raise BusError(f"{error}; {INSTALL}") from error
            self._opened.callback(self._pins.close)
        return self._pins

    def strip(self) -> SpiBus:
        """Open the device that feeds the chain."""
        if self._strip is None:
            devices = self.devices
            self._strip = open_chain(self.layout, devices.spi, devices.lights, coding(self))
            self._opened.callback(self._strip.close)
        return self._strip

    def open_port(self, device: SerialDevice) -> SerialLine:
        """Open the port through pyserial."""
        return open_port(device)

    def clock(self) -> float:
        """Return the time of the system's finest clock."""
        return time.perf_counter()

    def pause(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)

    def close(self) -> None:
        """Release everything."""
        self._opened.close()
        self._bus = self._pins = self._strip = None


class SimulatedBench:
    """A simulated board behind simulated wires."""

    def __init__(self, wires: SimulatedWires) -> None:
        self.wires = wires
        self.layout = wires.board.layout
        # Three bits of SPI for one of light: only this coding shows the effect of an SPI that
        # pauses.
        self.devices = Devices(symbol_bits=3)
        self._taken = False

    def bus(self) -> I2cBus:
        """Return the wires' bus."""
        return self.wires.bus

    def pins(self) -> Pins:
        """Reset the expanders, as taking the pins does on a Pi."""
        if not self._taken:
            self._taken = True
            self.wires.pulse_reset()
        return self.wires

    def strip(self) -> SpiBus:
        """Return the wires' light chain."""
        return self.wires.strip

    def open_port(self, device: SerialDevice) -> SerialLine:
        """Return the simulated device's line."""
        return self.wires.board.open_port(device)

    def clock(self) -> float:
        """Return the time that the bus has taken."""
        return self.wires.seconds

    def pause(self, seconds: float) -> None:
        """Advance the time of the bus."""
        self.wires.seconds += seconds

    def close(self) -> None:
        """Release the pins: the next `pins` resets the expanders again."""
        self._taken = False
