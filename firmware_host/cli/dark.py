"""`lampion dark`: switches off the lights that a killed program has left on.

It needs only the device of the chain, so that it works where that program failed. It needs no
layout: a chain passes on the bytes that it has no lights for, and dark is dark in every order of
colours.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
from pathlib import Path
from typing import Final

from drivers import ws2812
from firmware_host.cli.config import add_config_file, config_path
from firmware_host.config.board import board_of, devices_of
from firmware_host.config.config import Config, ConfigError, read
from hardware.pi import light_chain
from hardware.pi.light_chain import Chain, SpiDevice

GIVE_UP_S: Final = 5
"""The program is killed after this time if the device hangs."""
BUFFER_SIZE: Final = Path("/sys/module/spidev/parameters/bufsiz")
USUAL_BUFFER_BYTES: Final = 4096
CODING: Final = ws2812.FOUR


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion dark`."""
    add_config_file(parser)


def run(arguments: argparse.Namespace) -> int:
    """Make the lights of a board dark; OSError says in one line why they cannot be.

    If the configuration cannot be read, the default device is used.
    """
    path = config_path(arguments)
    signal.alarm(GIVE_UP_S)
    try:
        try:
            _send(read(path), path)
        except ConfigError:
            _send(Config(), path)
    finally:
        signal.alarm(0)
    return 0


def _send(config: Config, path: Path) -> None:
    chain, dark_frame = _chain(config, path)
    with contextlib.closing(chain):
        chain.transfer(dark_frame)


def _chain(config: Config, path: Path) -> tuple[Chain, bytes]:
    """Open the chain; return it with a frame that darkens all its lights."""
    devices = devices_of(config)
    if devices.lights == "spi":
        return SpiDevice(devices.spi, coding=CODING), frame(_buffer())
    layout = board_of(config, str(path))
    chain = light_chain.open_chain(layout, devices.spi, devices.lights, ws2812.THREE)
    return chain, ws2812.dark_frame(len(layout.led_positions), layout.led_order)


def frame(largest_bytes: int) -> bytes:
    """Return the longest dark frame that fits this number of bytes."""
    levels = (largest_bytes - ws2812.frame_bytes(0, coding=CODING)) // CODING.bits
    return ws2812.encode_frame([CODING.codes[0]] * levels, CODING)


def _buffer() -> int:
    """Return the largest number of bytes that one SPI transfer takes."""
    try:
        return int(BUFFER_SIZE.read_text())
    except (OSError, ValueError):
        return USUAL_BUFFER_BYTES
