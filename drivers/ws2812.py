"""WS2812B and SK6812 light chains: bytes for an SPI clock that make their pulses, and gamma.

Sources: Worldsemi WS2812B-V5 and Opsco SK6812RGBW datasheets. At 2.4 MHz three SPI bits last as
long as one bit of the chain (1.25 us): `100` is a 0, `110` a 1, most significant bit first. One
zero byte goes ahead, because the line idles high and the first chip would take that for the
beginning of its first bit; zeros for 300 us at the end make the chain show what it got.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

Levels: TypeAlias = tuple[int, int, int]
"""Red, green, blue as the LED's pulse widths, 0..255: after gamma, brightness and limiter."""

CLOCK_HZ: Final = 2_400_000
GAMMA: Final = 2.6
RESET_BYTES: Final = 90
ORDERS: Final = ("GRB", "RGB", "GRBW", "RGBW")
"""The orders of colour bytes that chains come in; W is the white LED of an SK6812RGBW."""

HEAD: Final = b"\x00"
TAIL: Final = bytes(RESET_BYTES)


def _pulses(level: int) -> bytes:
    bits = 0
    for place in range(7, -1, -1):
        bits = bits << 3 | (0b110 if level >> place & 1 else 0b100)
    return bits.to_bytes(3, "big")


CODES: Final = tuple(_pulses(level) for level in range(256))
"""Each level as the three SPI bytes that send it."""

_LEVELS: Final = {code: level for level, code in enumerate(CODES)}


def gamma_curve(brightness: float = 1.0) -> tuple[float, ...]:
    """Return for each intended value 0..255 its light, (v / 255) ** 2.6 x brightness, in levels."""
    if not 0.0 <= brightness <= 1.0:
        raise ValueError(f"brightness is between 0 and 1, not {brightness}")
    return tuple((value / 255) ** GAMMA * brightness * 255 for value in range(256))


def gamma_table(brightness: float = 1.0) -> bytes:
    """Return for each intended value 0..255 the level nearest to its light."""
    return bytes(map(round, gamma_curve(brightness)))


def encode_pixel(levels: Levels, order: str = "GRB") -> bytes:
    """Return one LED's SPI bytes: 9, or 12 with a white LED, which stays dark (white is mixed from
    the three, as the words of light were chosen).
    """
    red, green, blue = levels
    by_name = {"R": red, "G": green, "B": blue, "W": 0}
    return b"".join(CODES[by_name[name]] for name in order)


def encode_frame(pixels: Iterable[bytes]) -> bytes:
    """Return a whole transfer from the LEDs' bytes in the order of the chain."""
    return HEAD + b"".join(pixels) + TAIL


def frame_bytes(count: int, order: str = "GRB") -> int:
    """Return how long a transfer for `count` LEDs is."""
    return len(HEAD) + count * 3 * len(order) + len(TAIL)


def decode_frame(frame: bytes, order: str = "GRB") -> tuple[Levels, ...]:
    """Return the levels in a transfer made by `encode_frame`; an empty one has none."""
    width = 3 * len(order)
    red, green, blue = (3 * order.index(name) for name in "RGB")
    return tuple(
        (
            _LEVELS[frame[at + red : at + red + 3]],
            _LEVELS[frame[at + green : at + green + 3]],
            _LEVELS[frame[at + blue : at + blue + 3]],
        )
        for at in range(len(HEAD), len(frame) - len(TAIL), width)
    )
