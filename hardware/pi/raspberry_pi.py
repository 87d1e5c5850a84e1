"""The wires of a real board: I2C, SPI and header pins of a Raspberry Pi; errors say what to do.

Importing this file touches nothing of the Pi. A request for a real board returns one or raises
RaspberryPiError; it never returns a simulated one. The default device of the light chain is SPI: it
needs no root, and works on every Pi from the Zero to the 5.
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
from hardware.pi.errors import RaspberryPiError, holder_text, remedy, taken_text
from hardware.pi.light_chain import coding_of, open_chain
from hardware.pi.serial_port import open_port
from hardware.sensing import Fault
from hardware.wiring.netlist import header_pin

I2C_RETRIES: Final = 0x0701
I2C_TIMEOUT: Final = 0x0702
"""ioctl numbers of linux/i2c-dev.h; a time-out is in units of 10 ms."""
I2C_SETTINGS: Final = ((I2C_TIMEOUT, 5), (I2C_RETRIES, 1))
"""A transfer times out after 50 ms (the kernel's default is a second, and a board has several
chips), and is retried once if another master has won the bus.
"""

RESET_S: Final = 0.001
"""RESET of the MCP23017s is held low for this time; a microsecond would do."""

PinFactory: TypeAlias = Any
"""A gpiozero pin factory; the library has no types."""


def open_i2c(number: int = 1, *, ioctl: Callable[[Any, int, int], object] = fcntl.ioctl) -> I2cBus:
    """Open /dev/i2c-`number`; RaspberryPiError if it is off or may not be used."""
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
        raise RaspberryPiError(remedy(error, f"/dev/i2c-{number}", off=off, group="i2c")) from error
    for request, value in I2C_SETTINGS:
        with contextlib.suppress(OSError):  # an adapter without such a setting keeps its own
            ioctl(bus.fd, request, value)
    # The names of its parameters differ from the protocol's; drivers pass them by position.
    return cast(I2cBus, bus)


class HeaderPins:
    """The pins of the Pi's header besides the buses: buttons, the interrupt line, RESET.

    `on_change` is called from another thread when the interrupt line falls or a button moves; pass
    work to an asyncio loop with `call_soon_threadsafe`.
    """

    def __init__(
        self,
        layout: Layout,
        on_change: Callable[[], None] = lambda: None,
        *,
        pin_factory: PinFactory | None = None,
        chip: int | None = None,
    ) -> None:
        """Open the pins, then reset the expanders; RaspberryPiError if that fails. A single pin
        that is taken is no error: see `taken` and `line`.

        `pin_factory` is a LineFactory unless another one is given here or by gpiozero's environment
        variable; `chip` is the number of the GPIO chip, if it is not the usual one.
        """
        self.on_change = on_change
        self.taken: tuple[Fault, ...] = ()
        """Pins that are taken: the board works without them."""
        self._pushed: deque[str] = deque()
        self._devices = contextlib.ExitStack()
        factory = pin_factory
        if factory is None and "GPIOZERO_PIN_FACTORY" not in os.environ:
            factory = self._devices.enter_context(contextlib.closing(_pin_factory(chip)))
        try:
            self._reset(layout.reset_gpio, factory)
            self._line = self._input(layout.interrupt_gpio, "INT", factory)
            self.line = InterruptLine(lambda: self.interrupt, pin_taken=self._line is None)
            """The `interrupt` of a Machine."""
            if self._line is not None:
                self._line.when_activated = self._interrupted
            self._buttons = dict(self._take_buttons(layout, factory))
        except Exception as error:  # gpiozero's back-ends raise exceptions of their own
            self._devices.close()
            raise RaspberryPiError(f"the header's pins: {error}") from error

    def _reset(self, gpio: int | None, factory: PinFactory) -> None:
        """Pulse RESET, if the board has a wire for it and its pin is not taken."""
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
        """Yield the buttons whose pins are not taken, by their names."""
        for button in layout.header_switches:
            assert button.gpio is not None
            device = self._input(button.gpio, button.name, factory)
            if device is not None:
                device.when_activated = partial(self._went_down, button.name)
                device.when_deactivated = self._went_up
                yield button.name, device

    def _input(self, gpio: int, use: str, factory: PinFactory) -> Any | None:
        """Return an input that is active when it is pulled to ground; None if its pin is taken."""
        import gpiozero

        asked = partial(gpiozero.DigitalInputDevice, gpio, pull_up=True, pin_factory=factory)
        return self._device(asked, gpio, use)

    def _device(self, take: Callable[[], Any], gpio: int, use: str) -> Any | None:
        """Return a device on a pin, None if the pin is taken, which `taken` records."""
        try:
            return self._devices.enter_context(take())
        except Exception as error:  # a back-end of gpiozero may have its own error for a pin in use
            if getattr(error, "errno", None) != errno.EBUSY and "busy" not in str(error).lower():
                raise
            pin, holder = f"{header_pin(gpio)}, {use}", getattr(error, "holder", "")
            text = taken_text(pin, holder)
            self.taken += (Fault("taken", pin, text, holder=holder_text(holder)),)
            return None

    @property
    def interrupt(self) -> bool:
        """Whether the interrupt line is low: an edge may be missed, a level cannot."""
        return self._line is not None and bool(self._line.is_active)

    def held(self) -> frozenset[str]:
        """Return the buttons that are or were down since the last call: a Machine's `buttons`."""
        pushed = set()
        while self._pushed:
            pushed.add(self._pushed.popleft())
        # Levels as well as edges: the result is right even if an edge was missed.
        return frozenset(pushed.union(n for n, pin in self._buttons.items() if pin.is_active))

    def _interrupted(self) -> None:
        self.line.note_edge()
        self.on_change()

    def _went_down(self, name: str) -> None:
        self._pushed.append(name)
        self.on_change()

    def _went_up(self) -> None:
        self.on_change()

    def close(self) -> None:
        """Release the pins."""
        self._devices.close()


class RaspberryPi:
    """The wires of a real board; `machine` makes the Machine behind them. `close` switches the
    lights off, so close it at the end, also on SIGTERM.
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
        """Open everything that the layout needs; RaspberryPiError if something is missing.
        `lights` is the device of the chain; on SPI each of its bits takes `symbol_bits`, a key of
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
        """Return a Machine on these wires; `settings` are brightness, power, budget_ma, zeros."""
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
        with contextlib.suppress(OSError):  # errors do not matter at this point
            self._dark()

    def _try_out(self) -> None:
        """Send a picture now: one that is too long for the device would fail every time."""
        try:
            self._dark()
        except OSError as error:  # the board can play without lights, and reports the fault
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
        """Switch the lights off and release everything."""
        self._opened.close()


def _pin_factory(chip: int | None) -> PinFactory:
    """Return the factory of the header's pins; RaspberryPiError if there is none."""
    try:
        from hardware.pi.line_pins import LineFactory, chip_path
    except ImportError as error:
        raise RaspberryPiError(f"the header's pins: {error}") from error
    path = chip_path() if chip is None else f"/dev/gpiochip{chip}"
    try:
        return LineFactory(path)
    except OSError as error:
        off = "no driver for the pins of a Raspberry Pi; elsewhere use a simulated board"
        raise RaspberryPiError(remedy(error, path, off=off, group="gpio")) from error
