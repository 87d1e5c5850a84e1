"""Serial ports of this computer, by pyserial, which is imported when the first one is opened."""

from __future__ import annotations

import errno
import termios
from typing import Any, Final

from drivers.bus import INSTALL, BusError, SerialLine
from hardware.layout import SerialDevice

READ_MOST: Final = 4096
"""Bytes that are taken at a time, as many as the kernel keeps; a flood waits or is lost there."""
WRITE_S: Final = 0.1
"""A device that takes nothing for so long is given up."""


class SerialPortError(BusError):
    """The port is not ours to use; the message says what to do."""


def open_port(device: SerialDevice) -> SerialLine:
    """Return the open port of a device; SerialPortError if it is not ours to use, another OSError
    if it is not there.
    """
    try:
        import serial
    except ImportError as error:
        raise SerialPortError(f"{device.port}: {error}; {INSTALL}") from error
    try:
        port = serial.Serial(
            device.port, device.baud, timeout=0, write_timeout=WRITE_S, exclusive=True
        )
    except termios.error as error:
        raise OSError(f"{device.port} cannot be set up: {error}") from error
    except serial.SerialException as error:
        if error.errno in (errno.EACCES, errno.EPERM):
            raise SerialPortError(
                f"{device.port} is not allowed: sudo usermod -aG dialout $USER, then log in again"
            ) from error
        if error.errno in (errno.EAGAIN, errno.EBUSY):
            raise SerialPortError(f"{device.port} is in use: end the other program") from error
        raise
    return _Port(port)


class _Port:
    def __init__(self, port: Any) -> None:
        self._port = port

    def read(self) -> bytes:
        try:
            return bytes(self._port.read(READ_MOST))
        except termios.error as error:
            raise OSError(str(error)) from error

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except termios.error as error:
            raise OSError(str(error)) from error

    def close(self) -> None:
        self._port.close()
