"""ADS7830: an 8-bit analog-digital converter with eight inputs over I2C.

Source: Texas Instruments SBAS302. A command byte selects the input and wakes the converter; the
byte read in the same transaction is the conversion, 0..255 of the reference.
"""

from __future__ import annotations

from typing import Final

from drivers.bus import I2cBus, failure

ADDRESSES: Final = range(0x48, 0x4C)

SINGLE_ENDED: Final = 0x80
CONVERTER_ON: Final = 0x04
"""PD = 01: converter on, internal 2.5 V reference off. The REF pin is wired to the supply of the
sensors, so that a sagging supply shrinks signal and scale alike.
"""


def command(channel: int) -> int:
    """Return the command byte for input 0..7 against ground: C2 is the lowest bit of the three."""
    if not 0 <= channel <= 7:
        raise ValueError(f"an ADS7830 has inputs 0 to 7, not {channel}")
    return SINGLE_ENDED | (channel & 1) << 6 | (channel >> 1) << 4 | CONVERTER_ON


COMMANDS: Final = tuple(command(channel) for channel in range(8))


class Ads7830:
    """One converter. It keeps no settings, so it needs no set-up after a loss of power."""

    def __init__(self, bus: I2cBus, address: int) -> None:
        if address not in ADDRESSES:
            raise ValueError(f"an ADS7830 has an address from 0x48 to 0x4b, not {address:#04x}")
        self.address = address
        self._read = bus.read_byte_data

    def read(self, channel: int) -> int:
        """Return the count 0..255 at input `channel`; BusError if the chip does not answer."""
        try:
            return self._read(self.address, COMMANDS[channel])
        except OSError as error:
            raise failure(
                error,
                f"ADS7830 at {self.address:#04x}",
                f"check its plug, its 3.3 V, and its address pins A1 A0 = {self.address & 3:02b}",
            ) from error
