"""Serial ports of this computer, through pyserial, which is imported for the first one."""

from __future__ import annotations

import errno
import os
import termios
from typing import Any, Final

from drivers.bus import INSTALL, BusError, SerialLine
from hardware.layout import SerialDevice

READ_BYTES: Final = 4096
"""The size of one read, as large as the kernel's buffer; more data waits there or is lost."""
WRITE_S: Final = 0.1
"""A write fails if the device takes nothing for this time."""


class SerialPortError(BusError):
    """The port may not be used; the message says what to do."""


def open_port(device: SerialDevice) -> SerialLine:
    """Open a device's port; SerialPortError if it may not be used, OSError if it is missing."""
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
            return bytes(self._port.read(READ_BYTES))
        except termios.error as error:
            raise OSError(str(error)) from error

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except termios.error as error:
            raise OSError(str(error)) from error

    def offer(self, data: bytes) -> bool:
        try:
            if self._port.out_waiting:
                return False
            # Not its own write, which waits for a line that is full. The port does not block.
            return os.write(self._port.fileno(), data) == len(data)
        except BlockingIOError:
            return False

    def close(self) -> None:
        self._port.close()
