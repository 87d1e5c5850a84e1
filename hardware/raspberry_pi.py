"""The wires of a real board: a Raspberry Pi's I2C, SPI and header pins, each error with its cure.

Nothing of the Pi is touched by importing this file; whoever asks for a real board gets one or a
RaspberryPiError, never a simulated one in its place. The light chain hangs on SPI and not on PWM:
that needs no root, and it works on every Pi from the Zero to the 5.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import struct
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeAlias, cast

from drivers import ws2812
from drivers.bus import BusError, I2cBus
from hardware.layout import Layout

SPI_IOC_MESSAGE_1: Final = 0x40206B00
SPI_IOC_WR_MODE: Final = 0x40016B01
SPI_IOC_WR_BITS_PER_WORD: Final = 0x40016B03
SPI_IOC_WR_MAX_SPEED_HZ: Final = 0x40046B04
"""ioctl numbers of linux/spi/spidev.h."""

SPI_TRANSFER: Final = struct.Struct("=QQIIHBBBBBB")
"""struct spi_ioc_transfer: tx_buf, rx_buf, len, speed_hz, delay_usecs, bits_per_word, cs_change,
tx_nbits, rx_nbits, word_delay_usecs, pad."""

RESET_S: Final = 0.001
"""RESET of the MCP23017s is held low so long; a microsecond would do."""

PinFactory: TypeAlias = Any
"""A gpiozero pin factory; the library has no types."""


class RaspberryPiError(BusError):
    """The Pi lacks something, or does not let us have it; the message says what to do."""


def open_i2c(number: int = 1) -> I2cBus:
    """Return /dev/i2c-`number`; RaspberryPiError if it is off or not ours to use."""
    try:
        import smbus2
    except ImportError as error:
        raise RaspberryPiError(f"I2C: {error}; smbus2 is for Linux only") from error
    try:
        # Its parameters have other names than the protocol's; drivers pass them by position.
        return cast(I2cBus, smbus2.SMBus(number))
    except OSError as error:
        raise RaspberryPiError(
            _cure(
                error,
                f"/dev/i2c-{number}",
                off="I2C is off: sudo raspi-config nonint do_i2c 0, and set dtparam=i2c_arm=on,"
                "i2c_arm_baudrate=400000 in /boot/firmware/config.txt; then restart",
                group="i2c",
            )
        ) from error


class SpiDevice:
    """MOSI of an spidev, at the light chain's clock: a `drivers.bus.SpiBus`."""

    def __init__(
        self,
        path: str = "/dev/spidev0.0",
        *,
        ioctl: Callable[[int, int, bytes], object] = fcntl.ioctl,
    ) -> None:
        """Open it; RaspberryPiError if SPI is off or not ours to use."""
        self._ioctl = ioctl
        self._file = -1
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
            ioctl(self._file, SPI_IOC_WR_MODE, struct.pack("=B", 0))
            ioctl(self._file, SPI_IOC_WR_BITS_PER_WORD, struct.pack("=B", 8))
            ioctl(self._file, SPI_IOC_WR_MAX_SPEED_HZ, struct.pack("=I", ws2812.CLOCK_HZ))
        except OSError as error:
            self.close()
            raise RaspberryPiError(
                _cure(
                    error,
                    path,
                    off="SPI is off: sudo raspi-config nonint do_spi 0; then restart",
                    group="spi",
                )
            ) from error

    def transfer(self, data: bytes) -> None:
        """Clock out `data` in one transfer; OSError if the device is gone or `data` too long."""
        buffer = ctypes.create_string_buffer(data, len(data))
        message = SPI_TRANSFER.pack(
            ctypes.addressof(buffer), 0, len(data), ws2812.CLOCK_HZ, 0, 8, 0, 0, 0, 0, 0
        )
        try:
            self._ioctl(self._file, SPI_IOC_MESSAGE_1, message)
        except OSError as error:
            if error.errno == errno.EMSGSIZE:
                raise RaspberryPiError(
                    f"{len(data)} bytes are more than spidev takes: set spidev.bufsiz=32768 in "
                    "/boot/firmware/cmdline.txt; then restart"
                ) from error
            raise

    def close(self) -> None:
        """Give the device back."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class HeaderPins:
    """What hangs on the Pi's header beside the buses: buttons, the interrupt line, RESET.

    `on_change` is called, from a thread of gpiozero's, when the interrupt line falls or a button
    moves.
    """

    def __init__(
        self,
        layout: Layout,
        on_change: Callable[[], None] = lambda: None,
        *,
        pin_factory: PinFactory | None = None,
    ) -> None:
        """Take the pins, then reset the expanders; RaspberryPiError if they cannot be had.

        `pin_factory` is lgpio's unless another is given.
        """
        import gpiozero

        self.on_change = on_change
        self._held: frozenset[str] = frozenset()
        self._devices = contextlib.ExitStack()
        factory = pin_factory if pin_factory is not None else self._devices.enter_context(_lgpio())
        try:
            if layout.reset_gpio is not None:
                reset = self._devices.enter_context(
                    gpiozero.OutputDevice(layout.reset_gpio, active_high=False, pin_factory=factory)
                )
                reset.on()
                time.sleep(RESET_S)
                reset.off()
            self._line = self._input(gpiozero, layout.interrupt_gpio, factory)
            self._line.when_activated = self._interrupted
            self._buttons = {
                button.name: self._input(gpiozero, button.gpio, factory)
                for button in layout.buttons.values()
                if button.gpio is not None
            }
            for button in self._buttons.values():
                button.when_activated = button.when_deactivated = self._button_moved
            self._look()
        except (gpiozero.GPIOZeroError, OSError) as error:
            self._devices.close()
            raise RaspberryPiError(f"the header's pins: {error}") from error

    def _input(self, gpiozero: Any, gpio: int, factory: PinFactory) -> Any:
        """Take a pin that something pulls to ground: low is active."""
        device = gpiozero.DigitalInputDevice(gpio, pull_up=True, pin_factory=factory)
        return self._devices.enter_context(device)

    @property
    def interrupt(self) -> bool:
        """Say whether the interrupt line is low: an edge may have been missed, a level not."""
        return bool(self._line.is_active)

    def held(self) -> frozenset[str]:
        """Return which buttons are down: the `buttons` of a Machine."""
        return self._held

    def _interrupted(self) -> None:
        self.on_change()

    def _button_moved(self) -> None:
        self._look()
        self.on_change()

    def _look(self) -> None:
        # All of them, not only the one that moved: what is read is right whatever was missed.
        self._held = frozenset(name for name, pin in self._buttons.items() if pin.is_active)

    def close(self) -> None:
        """Give the pins back."""
        self._devices.close()


class RaspberryPi:
    """A real board's wires: `bus`, `strip` and `pins.held` are what a Machine is given."""

    def __init__(
        self,
        layout: Layout,
        on_change: Callable[[], None] = lambda: None,
        *,
        i2c: int = 1,
        spi: str = "/dev/spidev0.0",
        pin_factory: PinFactory | None = None,
    ) -> None:
        """Open everything that the layout needs; RaspberryPiError names what is missing."""
        with contextlib.ExitStack() as opened:
            self.bus = open_i2c(i2c)
            opened.callback(cast(Any, self.bus).close)
            self.strip = SpiDevice(spi)
            opened.callback(self.strip.close)
            self.pins = HeaderPins(layout, on_change, pin_factory=pin_factory)
            opened.callback(self.pins.close)
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give everything back."""
        self._opened.close()


@contextlib.contextmanager
def _lgpio() -> Iterator[PinFactory]:
    """Give the pin factory of lgpio; RaspberryPiError if there is none."""
    # lgpio keeps a FIFO in the directory named by LG_WD, and importing it goes there.
    if not os.access(os.environ.get("LG_WD", ""), os.W_OK):
        os.environ["LG_WD"] = tempfile.gettempdir()
    here = Path.cwd()
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        factory = LGPIOFactory()
    except Exception as error:  # lgpio raises exceptions of its own beside gpiozero's
        raise RaspberryPiError(
            f"the header's pins: {error}; on a Raspberry Pi: sudo apt install python3-lgpio, and "
            "add the user to the group gpio; elsewhere use a simulated board"
        ) from error
    finally:
        os.chdir(here)
    try:
        yield factory
    finally:
        factory.close()


def _cure(error: OSError, path: str, *, off: str, group: str) -> str:
    """Return what to do about a device that does not open."""
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return f"{path} is missing: {off}"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"{path} is not allowed: sudo usermod -aG {group} $USER, then log in again"
    if error.errno == errno.ENOTTY:
        return f"{path} is no such device: look at the path"
    return f"{path}: {error.strerror or error}"
