"""The wires of a real board: a Raspberry Pi's I2C, SPI and header pins, each error with its cure.

Nothing of the Pi is touched by importing this file; whoever asks for a real board gets one or a
RaspberryPiError, never a simulated one in its place. The light chain hangs on SPI unless told
otherwise: that needs no root, and it works on every Pi from the Zero to the 5.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from types import TracebackType
from typing import Any, Final, Literal, Self, TypeAlias, cast

from drivers import ws2812
from drivers.bus import INSTALL, I2cBus
from hardware.interrupt import InterruptLine
from hardware.layout import Layout
from hardware.machine import Machine
from hardware.pi.errors import RaspberryPiError, cure, taken_text, who_has
from hardware.pi.light_chain import coding_of, open_chain
from hardware.pi.serial_port import open_port
from hardware.sensing import Fault
from hardware.wiring.netlist import header_pin

I2C_RETRIES: Final = 0x0701
I2C_TIMEOUT: Final = 0x0702
"""ioctl numbers of linux/i2c-dev.h; a time-out is in units of 10 ms."""
I2C_SETTINGS: Final = ((I2C_TIMEOUT, 5), (I2C_RETRIES, 1))
"""A transfer is given up after 50 ms (the kernel's own figure is a second, and a board has several
chips to ask); who lost the wire to another master tries once more."""

RESET_S: Final = 0.001
"""RESET of the MCP23017s is held low so long; a microsecond would do."""

PinFactory: TypeAlias = Any
"""A gpiozero pin factory; the library has no types."""


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
        raise RaspberryPiError(cure(error, f"/dev/i2c-{number}", off=off, group="i2c")) from error
    for request, value in I2C_SETTINGS:
        with contextlib.suppress(OSError):  # an adapter that has no such setting keeps its own
            ioctl(bus.fd, request, value)
    # Its parameters have other names than the protocol's; drivers pass them by position.
    return cast(I2cBus, bus)


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
        """Take the pins, then reset the expanders; RaspberryPiError if they cannot be had. A single
        one that something else has is no error: see `taken`, and `line`.

        `pin_factory` is the kernel's lines unless another is given, here or by gpiozero's own
        variable; `chip` is the number of the GPIO chip that has them, if it is not the usual one.
        """
        self.on_change = on_change
        self.taken: tuple[Fault, ...] = ()
        """Pins that something else has: the board does without them."""
        self._pushed: deque[str] = deque()
        self._devices = contextlib.ExitStack()
        factory = pin_factory
        if factory is None and "GPIOZERO_PIN_FACTORY" not in os.environ:
            factory = self._devices.enter_context(contextlib.closing(_pin_factory(chip)))
        try:
            self._reset(layout.reset_gpio, factory)
            self._line = self._input(layout.interrupt_gpio, "INT", factory)
            self.line = InterruptLine(lambda: self.interrupt, pin_taken=self._line is None)
            """What a Machine is to know of the interrupt line."""
            if self._line is not None:
                self._line.when_activated = self._interrupted
            self._buttons = dict(self._take_buttons(layout, factory))
        except Exception as error:  # gpiozero's libraries raise exceptions of their own
            self._devices.close()
            raise RaspberryPiError(f"the header's pins: {error}") from error

    def _reset(self, gpio: int | None, factory: PinFactory) -> None:
        """Pulse RESET, if the board has a wire for it and its pin can be had."""
        if gpio is None:
            return
        import gpiozero

        asked = partial(gpiozero.OutputDevice, gpio, active_high=False, pin_factory=factory)
        device = self._device(asked, gpio, "RESET")
        if device is not None:
            device.on()
            time.sleep(RESET_S)
            device.off()

    def _take_buttons(self, layout: Layout, factory: PinFactory) -> Iterator[tuple[str, Any]]:
        """Yield the buttons whose pins can be had, by their names."""
        for button in layout.header_switches:
            assert button.gpio is not None
            device = self._input(button.gpio, button.name, factory)
            if device is not None:
                device.when_activated = partial(self._went_down, button.name)
                device.when_deactivated = self._went_up
                yield button.name, device

    def _input(self, gpio: int, use: str, factory: PinFactory) -> Any | None:
        """Take a pin that something pulls to ground: low is active."""
        import gpiozero

        asked = partial(gpiozero.DigitalInputDevice, gpio, pull_up=True, pin_factory=factory)
        return self._device(asked, gpio, use)

    def _device(self, take: Callable[[], Any], gpio: int, use: str) -> Any | None:
        """Return a device of a pin, None if something else has the pin: that is in `taken`."""
        try:
            return self._devices.enter_context(take())
        except Exception as error:  # a library of gpiozero's may have its own for a pin in use
            if getattr(error, "errno", None) != errno.EBUSY and "busy" not in str(error).lower():
                raise
            pin, holder = f"{header_pin(gpio)}, {use}", getattr(error, "holder", "")
            text = taken_text(pin, holder)
            self.taken += (Fault("taken", pin, text, holder=who_has(holder)),)
            return None

    @property
    def interrupt(self) -> bool:
        """Say whether the interrupt line is low: an edge may have been missed, a level not."""
        return self._line is not None and bool(self._line.is_active)

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
        symbol_bits: int = 4,
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
            taken=self.pins.taken,
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
        from hardware.pi.line_pins import LineFactory, chip_path
    except ImportError as error:
        raise RaspberryPiError(f"the header's pins: {error}") from error
    path = chip_path() if chip is None else f"/dev/gpiochip{chip}"
    try:
        return LineFactory(path)
    except OSError as error:
        off = "no driver for the pins of a Raspberry Pi; elsewhere use a simulated board"
        raise RaspberryPiError(cure(error, path, off=off, group="gpio")) from error
