"""The devices that feed the light chain of a real board: SPI, or as root the Pi's PWM or PCM."""

from __future__ import annotations

import atexit
import ctypes
import errno
import fcntl
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from drivers import ws2812
from drivers.bus import SpiBus
from hardware.layout import Layout
from hardware.pi.errors import RaspberryPiError, remedy

SPI_IOC_MESSAGE_1: Final = 0x40206B00
SPI_IOC_WR_MODE: Final = 0x40016B01
SPI_IOC_WR_BITS_PER_WORD: Final = 0x40016B03
SPI_IOC_WR_MAX_SPEED_HZ: Final = 0x40046B04
"""ioctl numbers of linux/spi/spidev.h."""

SPI_TRANSFER: Final = struct.Struct("=QQIIHBBBBBB")
"""struct spi_ioc_transfer: tx_buf, rx_buf, len, speed_hz, delay_usecs, bits_per_word, cs_change,
tx_nbits, rx_nbits, word_delay_usecs, pad."""

WS281X_GPIO: Final = {"pwm": 18, "pcm": 21}
"""The pin of a chain that PWM or PCM feeds."""

PI_5_MODELS: Final = ("Raspberry Pi 5", "Raspberry Pi Compute Module 5")
"""The starts of the names of models with another PWM and PCM."""

MODEL: Final = Path("/proc/device-tree/model")
"""The file with the model of the Pi."""


class Chain(SpiBus, Protocol):
    """A device that feeds the light chain."""

    def close(self) -> None:
        """Release the device."""


class SpiDevice:
    """MOSI of an spidev, at the light chain's clock: a `drivers.bus.SpiBus`."""

    def __init__(
        self,
        path: str = "/dev/spidev0.0",
        *,
        coding: ws2812.Coding = ws2812.THREE,
        ioctl: Callable[[int, int, bytes], object] = fcntl.ioctl,
    ) -> None:
        """Open the device; RaspberryPiError if SPI is off or may not be used."""
        self._ioctl = ioctl
        self._clock_hz = coding.clock_hz
        self._file = -1
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
            ioctl(self._file, SPI_IOC_WR_MODE, struct.pack("=B", 0))
            ioctl(self._file, SPI_IOC_WR_BITS_PER_WORD, struct.pack("=B", 8))
            ioctl(self._file, SPI_IOC_WR_MAX_SPEED_HZ, struct.pack("=I", self._clock_hz))
        except OSError as error:
            self.close()
            off = "SPI is off: sudo raspi-config nonint do_spi 0; then restart"
            if "spidev0." not in path:
                off = "leds.device is /dev/spidev0.0 on most boards"
            raise RaspberryPiError(remedy(error, path, off=off, group="spi")) from error

    def transfer(self, data: bytes) -> None:
        """Clock out `data` in one transfer; OSError if the device is gone or `data` too long."""
        buffer = ctypes.create_string_buffer(data, len(data))
        message = SPI_TRANSFER.pack(
            ctypes.addressof(buffer), 0, len(data), self._clock_hz, 0, 8, 0, 0, 0, 0, 0
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
        """Close the device."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class Ws281x:
    """The chain on the Pi's PWM or PCM, through rpi_ws281x, for a board that has no free SPI. It
    needs root, and does not work on a Pi 5.
    """

    def __init__(self, count: int, order: str, peripheral: str = "pwm") -> None:
        """Open the peripheral, a key of WS281X_GPIO; RaspberryPiError if that fails."""
        where = f"lights on {peripheral.upper()}"
        try:
            model = MODEL.read_text("utf-8", errors="replace").strip("\0\n")
        except OSError:
            model = "no Raspberry Pi"
        # On other machines an object of the library crashes the program at its end.
        if not model.startswith("Raspberry Pi") or model.startswith(PI_5_MODELS):
            raise RaspberryPiError(f"{where}: not on this machine ({model}); use SPI")
        if os.geteuid() != 0:
            raise RaspberryPiError(f"{where}: this needs root; use SPI, which does not")
        try:
            import rpi_ws281x
        except ImportError as error:
            raise RaspberryPiError(f"{where}: {error}: pip install 'lampion[ws281x]'") from error
        kind = getattr(rpi_ws281x.ws, f"{'SK6812' if 'W' in order else 'WS2811'}_STRIP_{order}")
        self._order = order
        self._strip = rpi_ws281x.PixelStrip(count, WS281X_GPIO[peripheral], strip_type=kind)
        try:
            self._strip.begin()
        except RuntimeError as error:
            atexit.unregister(self._strip._cleanup)  # it would free memory that was never allocated
            raise RaspberryPiError(f"{where}: {error}") from error

    def transfer(self, data: bytes) -> None:
        """Show the picture of a frame for SPI; OSError if the library fails."""
        for pixel, levels in enumerate(ws2812.decode_frame(data, self._order)):
            self._strip.setPixelColorRGB(pixel, *levels)
        try:
            self._strip.show()
        except RuntimeError as error:
            raise RaspberryPiError(f"rpi_ws281x: {error}") from error

    def close(self) -> None:
        """Do nothing: the library releases the peripheral at the end of the program."""


def coding_of(lights: str, symbol_bits: int) -> ws2812.Coding:
    """Return the coding of frames for a device; only SPI has a choice."""
    return ws2812.CODINGS[symbol_bits] if lights == "spi" else ws2812.THREE


def open_chain(layout: Layout, spi: str, lights: str, coding: ws2812.Coding) -> Chain:
    """Open the device that feeds the light chain; RaspberryPiError if that fails."""
    if lights == "spi":
        return SpiDevice(spi, coding=coding)
    gpio = WS281X_GPIO[lights]
    for switch in layout.switches:
        if switch.gpio == gpio:
            raise RaspberryPiError(
                f"lights on {lights.upper()}: they need GPIO{gpio}, where "
                f"{layout.name} has {switch.name}"
            )
    return Ws281x(len(layout.led_positions), layout.led_order, lights)
