"""WS2812B and SK6812 light chains: SPI bytes that make their pulses, and gamma.

Sources: Worldsemi WS2812B-V5 and Opsco SK6812RGBW datasheets. A bit of the chain lasts 1.25 us,
most significant bit first. With three SPI bits at 2.4 MHz `100` is a 0 and `110` a 1; with four at
3.2 MHz they are `1000` and `1100`. Two four-bit symbols fill a byte, so that an SPI which pauses
between bytes only stretches a low; with three bits it may stretch a pulse across the boundary into
another symbol.

A frame starts with a zero byte, because the line idles high and the first LED would take that for
the start of its first bit. Zeros for 300 us at the end make the chain show the data.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Final, TypeAlias

Levels: TypeAlias = tuple[int, int, int]
"""Red, green, blue as the LED's pulse widths, 0..255: after gamma, brightness and limiter."""

GAMMA: Final = 2.6
RESET_S: Final = 300e-6
ORDERS: Final = tuple(
    "".join(order) + white for white in ("", "W") for order in permutations("GRB")
)
"""The orders of colour bytes that chains come in; W is the white LED of an SK6812RGBW."""

HEAD: Final = b"\x00"


class Coding:
    """The SPI bits that make a bit of the chain."""

    def __init__(self, bits: int, zero: int, one: int) -> None:
        self.bits: Final = bits
        """SPI bits for one of the chain, and SPI bytes for one level."""
        self.clock_hz: Final = bits * 800_000
        self.codes: Final = tuple(self._code(level, (zero, one)) for level in range(256))
        """Each level as the SPI bytes that send it."""
        self.levels: Final = {code: level for level, code in enumerate(self.codes)}
        self.tail: Final = bytes(round(self.clock_hz * RESET_S / 8))

    def _code(self, level: int, symbols: tuple[int, int]) -> bytes:
        spelled = 0
        for place in range(7, -1, -1):
            spelled = spelled << self.bits | symbols[level >> place & 1]
        return spelled.to_bytes(self.bits, "big")


THREE: Final = Coding(3, 0b100, 0b110)
FOUR: Final = Coding(4, 0b1000, 0b1100)
CODINGS: Final = {coding.bits: coding for coding in (THREE, FOUR)}


def gamma_curve(brightness: float = 1.0) -> tuple[float, ...]:
    """Return the light of each intended value 0..255, (v / 255) ** 2.6 x brightness, in levels."""
    if not 0.0 <= brightness <= 1.0:
        raise ValueError(f"brightness is between 0 and 1, not {brightness}")
    return tuple((value / 255) ** GAMMA * brightness * 255 for value in range(256))


def gamma_table(brightness: float = 1.0) -> bytes:
    """Return the level nearest to the light of each intended value 0..255."""
    return bytes(map(round, gamma_curve(brightness)))


def encode_pixel(levels: Levels, order: str = "GRB", coding: Coding = THREE) -> bytes:
    """Return one LED's SPI bytes, `coding.bits` for each colour. A white LED stays dark: white is
    mixed from the three colours, for which the signals were designed.
    """
    red, green, blue = levels
    by_name = {"R": red, "G": green, "B": blue, "W": 0}
    return b"".join(coding.codes[by_name[name]] for name in order)


def encode_frame(pixels: Iterable[bytes], coding: Coding = THREE) -> bytes:
    """Return a whole transfer from the LEDs' bytes in the order of the chain."""
    return HEAD + b"".join(pixels) + coding.tail


def dark_frame(count: int, order: str = "GRB", coding: Coding = THREE) -> bytes:
    """Return the transfer that makes all LEDs dark."""
    return encode_frame([encode_pixel((0, 0, 0), order, coding)] * count, coding)


def frame_bytes(count: int, order: str = "GRB", coding: Coding = THREE) -> int:
    """Return the length of a transfer for `count` LEDs."""
    return len(HEAD) + count * coding.bits * len(order) + len(coding.tail)


def decode_frame(frame: bytes, order: str = "GRB", coding: Coding = THREE) -> tuple[Levels, ...]:
    """Return the levels in a transfer of `encode_frame`; an empty transfer has none."""
    size = coding.bits
    levels = [
        coding.levels[frame[at : at + size]]
        for at in range(len(HEAD), len(frame) - len(coding.tail), size)
    ]
    red, green, blue = (levels[order.index(name) :: len(order)] for name in "RGB")
    return tuple(zip(red, green, blue, strict=True))
