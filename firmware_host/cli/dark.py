"""`lampion dark`: puts out what a program that was killed has left alight.

It needs little, so that it works where that program did not: the device of the chain, and of no
layout how many lights there are or how they spell colours. A chain that gets more than it has
passes the rest on, and dark is dark in every order of colours.
"""

from __future__ import annotations

import contextlib
import signal
from pathlib import Path
from typing import Final

from drivers import ws2812
from firmware_host.config.config import Config, ConfigError, read
from firmware_host.config.wiring import board_of, devices_of
from hardware.pi import light_chain
from hardware.pi.light_chain import Chain, SpiDevice

GIVE_UP_S: Final = 5
"""Seconds after which a device that hangs is left alone."""
BUFFER: Final = Path("/sys/module/spidev/parameters/bufsiz")
USUAL_BUFFER: Final = 4096
CODING: Final = ws2812.FOUR


def dark(path: Path) -> int:
    """Make the lights of a configuration's board dark; OSError says in one line why they cannot be.

    A configuration that cannot be read is taken for one with the usual device.
    """
    signal.alarm(GIVE_UP_S)
    try:
        with contextlib.suppress(ConfigError):
            return _send(read(path), path)
        return _send(Config(), path)
    finally:
        signal.alarm(0)


def _send(config: Config, path: Path) -> int:
    chain, picture = _chain(config, path)
    with contextlib.closing(chain):
        chain.transfer(picture)
    return 0


def _chain(config: Config, path: Path) -> tuple[Chain, bytes]:
    """Return what feeds the chain, and a frame that is dark in all of it."""
    devices = devices_of(config)
    if devices.lights == "spi":
        return SpiDevice(devices.spi, coding=CODING), frame(_buffer())
    layout = board_of(config, str(path))
    chain = light_chain.open_chain(layout, devices.spi, devices.lights, ws2812.THREE)
    return chain, ws2812.dark_frame(len(layout.led_positions), layout.led_order)


def frame(most: int) -> bytes:
    """Return the longest dark frame of at most this many bytes."""
    levels = (most - ws2812.frame_bytes(0, coding=CODING)) // CODING.bits
    return ws2812.encode_frame([CODING.codes[0]] * levels, CODING)


def _buffer() -> int:
    """Return how many bytes SPI takes at a time."""
    try:
        return int(BUFFER.read_text())
    except (OSError, ValueError):
        return USUAL_BUFFER
