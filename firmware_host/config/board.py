"""The board that a configuration describes: its layout, wired as the configuration says."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

from firmware_host.config.config import Config, ConfigError
from hardware import layout as layouts
from hardware.layout import Layout, LayoutError, SerialDevice
from hardware.lighting import BRIGHTNESS

SLOW_S: Final = 0.03
"""A read of the whole board that takes longer than this misses quick hands."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Devices:
    """The devices of a board, and the current that its lights may draw."""

    i2c: int = 1
    spi: str = "/dev/spidev0.0"
    lights: Literal["spi", "pwm", "pcm"] = "spi"
    symbol_bits: int = 4
    gpio_chip: int | None = None
    """None: the chip of this Pi's header."""
    brightness: float = BRIGHTNESS
    limit_ma: int = 1000


def devices_of(config: Config) -> Devices:
    """Return the devices that a configuration names."""
    leds, chip = config.leds, config.gpio.chip
    lights: Literal["spi", "pwm", "pcm"] = "spi"
    if leds.output == "ws281x":
        lights = "pcm" if leds.device == "pcm" else "pwm"
    return Devices(
        i2c=config.i2c.bus,
        spi=leds.device,
        lights=lights,
        symbol_bits=leds.bits,
        gpio_chip=None if chip == "auto" else chip,
        brightness=leds.brightness,
        limit_ma=leds.limit_ma,
    )


def board_of(config: Config, file: str) -> Layout:
    """Return the layout of the board, wired as the configuration says; ConfigError if that is
    impossible.
    """
    try:
        layout = layouts.load(config.layout)
        if config.game:
            layout.game(config.game)  # raises if the board does not serve this game
    except LayoutError as error:
        raise ConfigError(f"{file}: layout: {error}") from None
    buttons = dict(layout.buttons)
    for name, text in config.buttons.items():
        if name not in buttons:
            raise ConfigError(
                f"{file}: buttons.{name}: {layout.name} has no such button; it has: "
                f"{', '.join(buttons)}"
            )
        if text:
            buttons[name] = replace(buttons[name], gpio=_gpio(text), expander=None, pin=0)
    layout = replace(
        layout,
        interrupt_gpio=_gpio(config.gpio.interrupt) or layout.interrupt_gpio,
        reset_gpio=_gpio(config.gpio.reset) or layout.reset_gpio,
        serial=_serial(config, layout, file),
        buttons=MappingProxyType(buttons),
    )
    _check_pins(layout, file)
    seconds = layout.scan_seconds(config.i2c.baud)
    if seconds > SLOW_S:
        log.warning(
            "%s: i2c.baud: one look at the board takes %d ms at %d baud: what is lifted for a "
            "moment may go unseen; 400000 is what it is made for",
            file,
            seconds * 1000,
            config.i2c.baud,
        )
    return layout


def _serial(config: Config, layout: Layout, file: str) -> tuple[SerialDevice, ...]:
    """Return the layout's serial devices, with the configuration's port if it names one."""
    port = config.serial.port
    if not port:
        return layout.serial
    if not layout.serial:
        raise ConfigError(f"{file}: serial.port: {layout.name} has nothing on a serial port")
    if len(layout.serial) > 1:
        ports = ", ".join(device.port for device in layout.serial)
        raise ConfigError(
            f"{file}: serial.port: {layout.name} has {ports}: a copy of the layout may say others"
        )
    return (replace(layout.serial[0], port=port),)


def _gpio(text: str) -> int | None:
    return int(text.removeprefix("GPIO")) if text else None


def _check_pins(layout: Layout, file: str) -> None:
    """Check that no pin of the header has two wires."""
    wires = {"gpio.interrupt": layout.interrupt_gpio, "gpio.reset": layout.reset_gpio}
    wires |= {f"buttons.{button.name}": button.gpio for button in layout.buttons.values()}
    taken: dict[int, str] = {}
    for name, gpio in wires.items():
        if gpio is not None and taken.setdefault(gpio, name) != name:
            raise ConfigError(f"{file}: {name}: GPIO{gpio} is that of {taken[gpio]} already")
