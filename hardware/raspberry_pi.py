"""The wires of a real board: a Raspberry Pi's I2C, SPI and header pins, each error with its cure.

Nothing of the Pi is touched by importing this file; whoever asks for a real board gets one or a
RaspberryPiError, never a simulated one in its place. The light chain hangs on SPI unless told
otherwise: that needs no root, and it works on every Pi from the Zero to the 5.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import errno
import fcntl
import os
import struct
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Protocol, Self, TypeAlias, cast

from drivers import ws2812
from drivers.bus import INSTALL, BusError, I2cBus, SpiBus
from hardware.interrupt import InterruptLine
from hardware.layout import Layout
from hardware.machine import Machine
from hardware.serial_port import open_port

I2C_RETRIES: Final = 0x0701
I2C_TIMEOUT: Final = 0x0702
"""ioctl numbers of linux/i2c-dev.h; a time-out is in units of 10 ms."""
I2C_SETTINGS: Final = ((I2C_TIMEOUT, 5), (I2C_RETRIES, 1))
"""A transfer is given up after 50 ms (the kernel's own figure is a second, and a board has several
chips to ask); who lost the wire to another master tries once more."""

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

WS281X_GPIO: Final = {"pwm": 18, "pcm": 21}
"""Where the chain hangs that PWM or PCM feeds."""

FIFTH: Final = ("Raspberry Pi 5", "Raspberry Pi Compute Module 5")
"""How models begin whose PWM and PCM are others."""

MODEL: Final = Path("/proc/device-tree/model")
"""Where Linux says which Pi it runs on."""

PinFactory: TypeAlias = Any
"""A gpiozero pin factory; the library has no types."""


class RaspberryPiError(BusError):
    """The Pi lacks something, or does not let us have it; the message says what to do."""


class Chain(SpiBus, Protocol):
    """What feeds the light chain."""

    def close(self) -> None:
        """Give it back."""


def open_i2c(number: int = 1, *, ioctl: Callable[[Any, int, int], object] = fcntl.ioctl) -> I2cBus:
    """Return /dev/i2c-`number`; RaspberryPiError if it is off or not ours to use."""
    try:
        import smbus2
    except ImportError as error:
        raise RaspberryPiError(f"I2C: {error}; {INSTALL}") from error
    try:
        bus = smbus2.SMBus(number)
    except OSError as error:
        off = (
            "I2C is off: sudo raspi-config nonint do_i2c 0, and set dtparam=i2c_arm=on,"
            "i2c_arm_baudrate=400000 in /boot/firmware/config.txt; then restart"
        )
        if number != 1:
            off = "i2c.bus is 1 on most boards; `lampion doctor` says how to switch on another"
        raise RaspberryPiError(_cure(error, f"/dev/i2c-{number}", off=off, group="i2c")) from error
    for request, value in I2C_SETTINGS:
        with contextlib.suppress(OSError):  # an adapter that has no such setting keeps its own
            ioctl(bus.fd, request, value)
    # Its parameters have other names than the protocol's; drivers pass them by position.
    return cast(I2cBus, bus)


class SpiDevice:
    """MOSI of an spidev, at the light chain's clock: a `drivers.bus.SpiBus`."""

    def __init__(
        self,
        path: str = "/dev/spidev0.0",
        *,
        coding: ws2812.Coding = ws2812.THREE,
        ioctl: Callable[[int, int, bytes], object] = fcntl.ioctl,
    ) -> None:
        """Open it; RaspberryPiError if SPI is off or not ours to use."""
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
            raise RaspberryPiError(_cure(error, path, off=off, group="spi")) from error

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
        """Give the device back."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class Ws281x:
    """The chain on the Pi's PWM or PCM, through rpi_ws281x: for a board that has no SPI to spare.

    It needs root, and no Pi 5 can do it.
    """

    def __init__(self, count: int, order: str, peripheral: str = "pwm") -> None:
        """Take the peripheral, a key of WS281X_GPIO; RaspberryPiError if it cannot be had."""
        where = f"lights on {peripheral.upper()}"
        try:
            model = MODEL.read_text("utf-8", errors="replace").strip("\0\n")
        except OSError:
            model = "no Raspberry Pi"
        # Elsewhere the library brings the whole program down as it ends, having only been made.
        if not model.startswith("Raspberry Pi") or model.startswith(FIFTH):
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
            atexit.unregister(self._strip._cleanup)  # it would free what was never made
            raise RaspberryPiError(f"{where}: {error}") from error

    def transfer(self, data: bytes) -> None:
        """Show what a frame for SPI would; OSError if the library cannot."""
        for pixel, levels in enumerate(ws2812.decode_frame(data, self._order)):
            self._strip.setPixelColorRGB(pixel, *levels)
        try:
            self._strip.show()
        except RuntimeError as error:
            raise RaspberryPiError(f"rpi_ws281x: {error}") from error

    def close(self) -> None:
        """Nothing is left to do: the library gives the peripheral back as the program ends."""


def coding_of(lights: str, symbol_bits: int) -> ws2812.Coding:
    """Return the coding of the frames for what feeds a chain; only SPI has a choice."""
    return ws2812.CODINGS[symbol_bits] if lights == "spi" else ws2812.THREE


def open_chain(layout: Layout, spi: str, lights: str, coding: ws2812.Coding) -> Chain:
    """Return what feeds the light chain; RaspberryPiError says why it cannot be had."""
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


class HeaderPins:
    """What hangs on the Pi's header beside the buses: buttons, the interrupt line, RESET.

    `on_change` is called, from another thread, when the interrupt line falls or a button
    moves: hand an asyncio loop its work by `call_soon_threadsafe`.
    """

    def __init__(
        self,
        layout: Layout,
        on_change: Callable[[], None] = lambda: None,
        *,
        pin_factory: PinFactory | None = None,
        chip: int | None = None,
    ) -> None:
        """Take the pins, then reset the expanders; RaspberryPiError if they cannot be had.

        `pin_factory` is the kernel's lines unless another is given, here or by gpiozero's own
        variable; `chip` is the number of the GPIO chip that has them, if it is not the usual one.
        """
        import gpiozero

        self.on_change = on_change
        self._pushed: deque[str] = deque()
        self.line = InterruptLine(lambda: self.interrupt)
        """What a Machine is to know of the interrupt line."""
        self._devices = contextlib.ExitStack()
        factory = pin_factory
        if factory is None and "GPIOZERO_PIN_FACTORY" not in os.environ:
            factory = self._devices.enter_context(contextlib.closing(_pin_factory(chip)))
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
                for button in layout.switches
                if button.gpio is not None
            }
            for name, button in self._buttons.items():
                button.when_activated = partial(self._went_down, name)
                button.when_deactivated = self._went_up
        except Exception as error:  # gpiozero's libraries raise exceptions of their own
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
        """Return which buttons are down, and those that went down since the last call, however
        short that was: the `buttons` of a Machine.
        """
        pushed = set()
        while self._pushed:
            pushed.add(self._pushed.popleft())
        # Levels as well as edges: what is read is right whatever was missed.
        return frozenset(pushed.union(n for n, pin in self._buttons.items() if pin.is_active))

    def _interrupted(self) -> None:
        self.line.fell()
        self.on_change()

    def _went_down(self, name: str) -> None:
        self._pushed.append(name)
        self.on_change()

    def _went_up(self) -> None:
        self.on_change()

    def close(self) -> None:
        """Give the pins back."""
        self._devices.close()


class RaspberryPi:
    """A real board's wires; `machine` makes the Machine behind them. `close` leaves the lights
    dark, so whoever ends (also by SIGTERM) closes it.
    """

    def __init__(
        self,
        layout: Layout,
        on_change: Callable[[], None] = lambda: None,
        *,
        i2c: int = 1,
        spi: str = "/dev/spidev0.0",
        lights: Literal["spi", "pwm", "pcm"] = "spi",
        symbol_bits: int = 3,
        pin_factory: PinFactory | None = None,
        gpio_chip: int | None = None,
    ) -> None:
        """Open everything that the layout needs; RaspberryPiError names what is missing.

        `lights` is what feeds the chain; on SPI each of its bits takes `symbol_bits`, a key of
        `ws2812.CODINGS`.
        """
        self.layout = layout
        self._coding = coding_of(lights, symbol_bits)
        with contextlib.ExitStack() as opened:
            self.bus = open_i2c(i2c)
            opened.callback(cast(Any, self.bus).close)
            self.strip = open_chain(layout, spi, lights, self._coding)
            opened.callback(self.strip.close)
            opened.callback(self._blank)
            self._try_out()
            self.pins = HeaderPins(layout, on_change, pin_factory=pin_factory, chip=gpio_chip)
            opened.callback(self.pins.close)
            self._opened = opened.pop_all()

    def machine(self, **settings: Any) -> Machine:
        """Return a Machine on these wires; `settings` are its own that have to do with people:
        brightness, power, budget_ma, zeros.
        """
        return Machine(
            self.layout,
            self.bus,
            self.strip,
            buttons=self.pins.held,
            open_port=open_port,
            interrupt=self.pins.line,
            coding=self._coding,
            **settings,
        )

    def _dark(self) -> None:
        count, order = len(self.layout.led_positions), self.layout.led_order
        self.strip.transfer(ws2812.dark_frame(count, order, self._coding))

    def _blank(self) -> None:
        with contextlib.suppress(OSError):  # what cannot be reached is not worth a complaint now
            self._dark()

    def _try_out(self) -> None:
        """Send a picture: one that is too long for the device never will be less so."""
        try:
            self._dark()
        except OSError as error:  # play can do without lights, and says so
            if isinstance(error, RaspberryPiError):
                raise

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
        """Put the lights out and give everything back."""
        self._opened.close()


def _pin_factory(chip: int | None) -> PinFactory:
    """Return what gives the header's pins; RaspberryPiError if there is none."""
    try:
        from hardware.line_pins import LineFactory, chip_path
    except ImportError as error:
        raise RaspberryPiError(f"the header's pins: {error}") from error
    path = chip_path() if chip is None else f"/dev/gpiochip{chip}"
    try:
        return LineFactory(path)
    except OSError as error:
        off = "no driver for the pins of a Raspberry Pi; elsewhere use a simulated board"
        raise RaspberryPiError(_cure(error, path, off=off, group="gpio")) from error


def _cure(error: OSError, path: str, *, off: str, group: str) -> str:
    """Return what to do about a device that does not open."""
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return f"{path} is missing: {off}"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"{path} is not allowed: sudo usermod -aG {group} $USER, then log in again"
    if error.errno == errno.ENOTTY:
        return f"{path} is no such device: look at the path"
    return f"{path}: {error.strerror or error}"
