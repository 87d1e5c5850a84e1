"""A simulated light chain: it sees bits on a wire and nothing else, and shows what they spell."""

from __future__ import annotations

from typing import Final

Levels = tuple[int, int, int]

BITS_PER_BYTE: Final = 8
CHAIN_HZ: Final = 800_000
RESET_S: Final = 280e-6
"""So long a silence makes a WS2812B-V5 show what it got; older ones are content with 50 us."""

_SYMBOLS: Final = {3: {0b100: 0, 0b110: 1}, 4: {0b1000: 0, 0b1100: 1}}
"""What bits of SPI, three or four in 1.25 us, are to the chain: a third or a quarter high is a 0,
two thirds or a half are a 1."""


def _table(bits_each: int) -> dict[bytes, int]:
    """Return all SPI bytes that are eight symbols, with the byte that they spell."""
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
    """The wire carried something that no LED understands; a driver's mistake."""


class SimulatedStrip:
    """A chain of `count` WS2812 or SK6812 LEDs on MOSI, for `drivers.bus.SpiBus`, whose clock makes
    `bits` bits of SPI one of the chain.

    `pixels` are the levels that the LEDs show. The chain can be cut: what lies behind keeps the
    colours it had.
    """

    def __init__(self, count: int, order: str = "GRB", bits: int = 3) -> None:
        self._bits = bits
        self._order = order
        self._shown: list[Levels] = [(0, 0, 0)] * count
        self.cut_at: int | None = None
        """The chain is cut ahead of this pixel."""
        self._last: bytes | None = None
        self.pauses = False
        """SPI rests between its bytes, and the wire keeps its level: where three bits make one of
        the chain, a 0 that begins as the last bit of a byte becomes a 1."""
        self.first_high = False
        """The first pulse is always a long one."""
        self.late = False
        """Each picture is shown when the next one comes."""
        self._kept: list[int] | None = None
        self.broken = ""
        """If not empty: why the SPI device fails (OSError)."""
        self.transfers = 0
        """How many frames have come."""

    @property
    def pixels(self) -> tuple[Levels, ...]:
        """Return red, green and blue of every LED, 0..255, in the chain's order."""
        return tuple(self._shown)

    def cut(self, pixel: int | None) -> None:
        """Cut the chain ahead of `pixel`; None mends it."""
        self.cut_at = pixel
        self._last = None

    def power_on(self) -> None:
        """Begin with all LEDs dark, as after their supply came back."""
        self._shown = [(0, 0, 0)] * len(self._shown)
        self._last = None

    def transfer(self, data: bytes) -> None:
        """See one SPI transfer; GarbledError if its pulses are none of the chain's."""
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
        """Return the bytes that the pulses spell, and for how long the wire is quiet after them."""
        start = 1 if data[:1] == b"\x00" else 0
        end = len(data.rstrip(b"\x00"))  # no byte of pulses is zero: each has a rise in it
        bits = self._spelled_in(data[start : start + max(_BYTES)])
        spelled = []
        for at in range(start, end, bits):
            code = bytes(data[at : at + bits])
            byte = _BYTES[bits].get(code)
            if byte is None:
                raise GarbledError(
                    5, f"SPI bytes {code.hex()} at {at} are no pulses of a light chain"
                )
            spelled.append(byte)
        if self.pauses and bits == 3:
            spelled = [value | 0b100 for value in spelled]
        if (start == 0 or self.first_high) and spelled:
            # The wire idles high, so the first pulse began long ago: it is a long one.
            spelled[0] |= 0x80
        return spelled, (len(data) - end) * BITS_PER_BYTE / (bits * CHAIN_HZ)

    def _spelled_in(self, head: bytes) -> int:
        """Return how many bits of SPI make one of the chain, by how a transfer begins: each
        spelling comes at a clock of its own, and makes the same pulses.
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
