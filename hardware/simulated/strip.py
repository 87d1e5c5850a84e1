"""A simulated light chain: it decodes the pulses on its wire."""

from __future__ import annotations

from typing import Final

Levels = tuple[int, int, int]

BITS_PER_BYTE: Final = 8
CHAIN_HZ: Final = 800_000
RESET_S: Final = 280e-6
"""A pause of this length makes a WS2812B-V5 show the data; older ones need only 50 us."""

_SYMBOLS: Final = {3: {0b100: 0, 0b110: 1}, 4: {0b1000: 0, 0b1100: 1}}
"""The meaning of three or four bits of SPI in 1.25 us: high for a third or a quarter is a 0, for
two thirds or a half a 1.
"""


def _table(bits_each: int) -> dict[bytes, int]:
    """Return all SPI bytes for eight symbols, with the byte that they encode."""
    symbols = _SYMBOLS[bits_each]
    table = {}
    for value in range(256):
        bits = 0
        for place in reversed(range(BITS_PER_BYTE)):
            symbol = next(s for s, bit in symbols.items() if bit == value >> place & 1)
            bits = bits << bits_each | symbol
        table[bits.to_bytes(bits_each, "big")] = value
    return table


_BYTES: Final = {bits_each: _table(bits_each) for bits_each in _SYMBOLS}


class GarbledError(OSError):
    """The wire carried pulses that no LED understands: an error of a driver."""


class SimulatedStrip:
    """A chain of `count` WS2812 or SK6812 LEDs on MOSI, for `drivers.bus.SpiBus`; `bits` bits of
    SPI make one of the chain. `pixels` are the levels that the LEDs show. The chain can be cut:
    LEDs behind the cut keep their colours.
    """

    def __init__(self, count: int, order: str = "GRB", bits: int = 3) -> None:
        self._bits = bits
        self._order = order
        self._shown: list[Levels] = [(0, 0, 0)] * count
        self.cut_at: int | None = None
        """The chain is cut before this pixel."""
        self._last: bytes | None = None
        self.pauses = False
        """Whether SPI pauses between bytes and the wire keeps its level. With three-bit symbols a 0
        that begins with the last bit of a byte then becomes a 1.
        """
        self.first_high = False
        """Whether the first pulse is always a long one."""
        self.late = False
        """Whether each picture is shown only when the next one arrives."""
        self._kept: list[int] | None = None
        self.broken = ""
        """If not empty, the reason why the SPI device fails (OSError)."""
        self.transfers = 0
        """The number of frames so far."""

    @property
    def pixels(self) -> tuple[Levels, ...]:
        """Red, green and blue of every LED, 0..255, in the chain's order."""
        return tuple(self._shown)

    def cut(self, pixel: int | None) -> None:
        """Cut the chain before `pixel`; None repairs it."""
        self.cut_at = pixel
        self._last = None

    def power_on(self) -> None:
        """Make all LEDs dark, as after power-on."""
        self._shown = [(0, 0, 0)] * len(self._shown)
        self._last = None

    def transfer(self, data: bytes) -> None:
        """Decode one SPI transfer; GarbledError if its pulses mean nothing."""
        if self.broken:
            raise OSError(5, self.broken)
        self.transfers += 1
        if data == self._last and not self.late:
            return
        payload, quiet_s = self._payload(data)
        if quiet_s < RESET_S:
            return  # never latched: the LEDs keep what they show
        if self.late:
            payload, self._kept = self._kept or [], payload
        self._latch(payload)
        self._last = data

    def _payload(self, data: bytes) -> tuple[list[int], float]:
        """Return the bytes that the pulses encode, and the length of the pause after them."""
        start = 1 if data[:1] == b"\x00" else 0
        end = len(data.rstrip(b"\x00"))  # no byte of pulses is zero: each contains a rise
        bits = self._bits_per_symbol(data[start : start + max(_BYTES)])
        values = []
        for at in range(start, end, bits):
            code = bytes(data[at : at + bits])
            byte = _BYTES[bits].get(code)
            if byte is None:
                raise GarbledError(
                    5, f"SPI bytes {code.hex()} at {at} are no pulses of a light chain"
                )
            values.append(byte)
        if self.pauses and bits == 3:
            values = [value | 0b100 for value in values]
        if (start == 0 or self.first_high) and values:
            # The wire idles high, so the first pulse is a long one.
            values[0] |= 0x80
        return values, (len(data) - end) * BITS_PER_BYTE / (bits * CHAIN_HZ)

    def _bits_per_symbol(self, head: bytes) -> int:
        """Return the number of SPI bits for one of the chain, from the start of a transfer. Each
        coding has its own clock and makes the same pulses.
        """
        known = (self._bits, *_BYTES)
        return next((bits for bits in known if bytes(head[:bits]) in _BYTES[bits]), self._bits)

    def _latch(self, payload: list[int]) -> None:
        width = len(self._order)
        count = min(len(payload) // width, len(self._shown))
        if self.cut_at is not None:
            count = min(count, self.cut_at)
        red, green, blue = (self._order.index(name) for name in "RGB")
        for pixel in range(count):
            at = pixel * width
            self._shown[pixel] = (payload[at + red], payload[at + green], payload[at + blue])
