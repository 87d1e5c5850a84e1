"""An ioctl of SPI that sends nothing."""

from __future__ import annotations

import ctypes
import os
import sys


class Recorder:
    """An ioctl that keeps what it was given, the bytes behind the pointer included."""

    def __init__(self) -> None:
        self.settings: list[tuple[int, bytes]] = []
        self.sent: list[tuple[bytes, int, int]] = []
        self.error = 0

    def __call__(self, file: int, request: int, argument: bytes) -> None:
        os.fstat(file)  # it is open
        if self.error:
            raise OSError(self.error, os.strerror(self.error))
        if request != 0x40206B00:
            self.settings.append((request, argument))
            return
        assert len(argument) == 32
        address = int.from_bytes(argument[0:8], sys.byteorder)
        length = int.from_bytes(argument[16:20], sys.byteorder)
        speed = int.from_bytes(argument[20:24], sys.byteorder)
        self.sent.append((ctypes.string_at(address, length), speed, argument[26]))
