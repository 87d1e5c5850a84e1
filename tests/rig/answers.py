"""The answers of a simulated board to the calls of a program, which come from a shim or a kernel.

Faults of the kernel or the bus are made here: hang, refuse, deny.
"""

from __future__ import annotations

import contextlib
import errno
import math
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hardware.layout import Layout
from hardware.simulated.board import SimulatedBoard

REQUEST: Final = struct.Struct("=BBBxII")
"""The kind of a request, three arguments, and the number of bytes that follow."""
PART: Final = struct.Struct("=BBH")
"""One I2C message: its address, whether it reads, and its length."""
BYTE, BLOCK = 2, 8
"""SMBus protocols of linux/i2c.h."""
BUFSIZ: Final = 4096
"""The largest size of a message of spidev."""


@dataclass(frozen=True)
class Sent:
    """One SPI message."""

    at: float
    data: bytes
    speed_hz: int


class Answers:
    """A simulated board, and the faults on the way to it."""

    def __init__(self, layout: Layout) -> None:
        self.board = SimulatedBoard(layout)
        self.busy: set[int] = set()
        """Addresses that a driver of the kernel has."""
        self.denied: dict[str, int] = {}
        """Starts of the paths of device files that do not open, each with its errno."""
        self.deaf = False
        """The adapter has no time-out of its own: a transfer that hangs waits."""
        self.settings: list[tuple[str, int, int]] = []
        """I2C ("t") and SPI ("s") settings that were made: number, value."""
        self.sent: list[Sent] = []
        self.on_transfer: Callable[[], None] = lambda: None
        """Called after each I2C transfer, before its answer."""
        self._hang_when: Callable[[int, int], bool] = lambda address, command: False
        self._hang_s = self._hung_until = 0.0
        self._timeout_s = 1.0

    def hang(self, seconds: float, when: Callable[[int, int], bool]) -> None:
        """Hold the clock for this time before the next transfer for which `when` returns True; its
        arguments are the address and the register or command.
        """
        self._hang_when, self._hang_s = when, seconds

    def let_go(self) -> None:
        """Release the clock."""
        self._hang_s = self._hung_until = 0.0

    def serve(self, read: Callable[[int], bytes], write: Callable[[bytes], object]) -> None:
        """Answer one device file that a program has opened, until `read` returns nothing more."""
        address = 0
        while len(head := read(REQUEST.size)) == REQUEST.size:
            kind, rw, command, value, size = REQUEST.unpack(head)
            data, answer = read(size) if size else b"", b""
            try:
                match chr(kind):
                    case "o":
                        self._open(data.decode())
                    case "a":
                        address = self._claim(value)
                    case "t" | "s" as setting:
                        self._set(setting, command, value)
                    case "x":
                        answer = self._smbus(address, bool(rw), command, value, data)
                    case "c":
                        self._timeout_s = value / 1000
                        answer = self._messages(data)
                    case "m":
                        self._light(data, value)
            except OSError as error:
                write(struct.pack("=iI", error.errno or errno.EIO, 0))
            else:
                write(struct.pack("=iI", 0, len(answer)) + answer)

    def _open(self, path: str) -> None:
        for beginning, number in self.denied.items():
            if path.startswith(beginning):
                raise OSError(number, "denied")

    def _claim(self, address: int) -> int:
        if address in self.busy:
            raise OSError(errno.EBUSY, "a driver has it")
        return address

    def _set(self, kind: str, number: int, value: int) -> None:
        self.settings.append((kind, number, value))
        if (kind, number) == ("t", 0x02):
            self._timeout_s = value / 100

    def _smbus(self, address: int, reads: bool, command: int, form: int, data: bytes) -> bytes:
        """Answer an SMBus request."""
        if form == BYTE:
            return self._transfer(address, command, data[:1], 1 if reads else 0)
        if not reads:
            return self._transfer(address, command, data[1 : 1 + data[0]], 0)
        block = self._transfer(address, command, b"", data[0])
        return bytes([len(block), *block]).ljust(len(data), b"\0")

    def _messages(self, data: bytes) -> bytes:
        """Answer the messages to which a kernel turns it: one that writes, and perhaps one that
        reads.
        """
        address, reads, size = PART.unpack_from(data)
        written, rest = data[PART.size :][:size], data[PART.size + size :]
        length = PART.unpack_from(rest)[2] if rest else 0
        if reads or not written or (rest and PART.unpack_from(rest)[:2] != (address, 1)):
            raise OSError(errno.EOPNOTSUPP, "no driver of ours asks so")
        return self._transfer(address, written[0], written[1:], length)

    def _transfer(self, address: int, command: int, data: bytes, length: int) -> bytes:
        """Read `length` bytes, or write `data`."""
        self._wait(address, command)
        bus, got = self.board.bus, b""
        if length:
            got = bytes(bus.read_i2c_block_data(address, command, length))
        else:
            bus.write_i2c_block_data(address, command, data)
        self.on_transfer()
        return got

    def _wait(self, address: int, command: int) -> None:
        """Wait while the clock is held, until the time-out, as a kernel does."""
        if self._hang_s and self._hang_when(address, command):
            self._hung_until, self._hang_s = time.monotonic() + self._hang_s, 0.0
        patience = math.inf if self.deaf else time.monotonic() + self._timeout_s
        while (now := time.monotonic()) < self._hung_until:
            if now >= patience:
                raise OSError(errno.ETIMEDOUT, "the clock is held")
            time.sleep(max(0.0, min(self._hung_until, patience, now + 0.2) - now))

    def _light(self, data: bytes, speed_hz: int) -> None:
        if len(data) > BUFSIZ:
            raise OSError(errno.EMSGSIZE, "more than bufsiz")
        self.sent.append(Sent(time.monotonic(), data, speed_hz))
        with contextlib.suppress(OSError):  # LEDs ignore invalid pulses
            self.board.strip.transfer(data)
