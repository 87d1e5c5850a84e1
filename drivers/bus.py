"""What drivers need from a wire: four I2C calls of all adapters, SPI bytes, a serial line."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import Final, Protocol

INSTALL: Final = "sudo make install, or here: pip install '.[pi]'"
"""What to do if a package is missing that only a real board needs."""


class BusError(OSError):
    """The chip did not answer; the message names the address and what to check.

    The errno of a missing acknowledge depends on the adapter (121 on a Pi, 19 on i2c-stub, 5 on
    virtio, 6 bit-banged), so drivers catch OSError. Only the two errors below have the same errno
    on all adapters.
    """


class BusyError(BusError):
    """A driver of the kernel uses the address."""


class HungError(BusError):
    """The transfer ran into its time-out: something holds SDA or SCL low."""


def failure(error: OSError, chip: str, silent: str) -> BusError:
    """Return the error of a failed transfer; `silent` says what to do about a missing answer."""
    if error.errno == errno.EBUSY:
        return BusyError(
            f"{chip} is taken by a driver of the kernel: remove its line dtoverlay=... from "
            "/boot/firmware/config.txt; then restart"
        )
    if error.errno == errno.ETIMEDOUT:
        return HungError(
            f"{chip} is out of reach, for the I2C wires hang: SDA or SCL is held low; switch the "
            "board off and on, and look at the cables"
        )
    return BusError(f"{chip} does not answer: {silent}")


class I2cBus(Protocol):
    """The subset of SMBus that real and simulated adapters share; `length` is at most 32."""

    def read_byte_data(self, address: int, register: int) -> int:
        """Return one byte from `register`; OSError if nothing acknowledges."""

    def write_byte_data(self, address: int, register: int, value: int) -> None:
        """Write one byte to `register`; OSError if nothing acknowledges."""

    def read_i2c_block_data(self, address: int, register: int, length: int) -> list[int]:
        """Return `length` bytes from `register` on; OSError if nothing acknowledges."""

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Write `data` from `register` on; OSError if nothing acknowledges."""


class SpiBus(Protocol):
    """The sending half of an SPI device, which feeds an LED chain."""

    def transfer(self, data: bytes) -> None:
        """Clock out `data` in one transfer; OSError if the device is gone."""


class SerialLine(Protocol):
    """An open serial line that never blocks."""

    def read(self) -> bytes:
        """Return what has arrived, 4096 bytes at most; OSError if the device is gone."""

    def write(self, data: bytes) -> None:
        """Send a few bytes; OSError if the device is gone or takes none."""

    def offer(self, data: bytes) -> bool:
        """Send a few bytes if earlier ones have left and the line takes these without a wait;
        return whether it did. What it takes only in part is lost. OSError if the device is gone.
        """

    def close(self) -> None:
        """Close the line."""
