"""From colours of places to the bytes of the light chain, within the current that there is.

Gamma, brightness, each place's gain, the current limit and the order of the pixels are applied
here, once, after everything else has been decided. The current is estimated as 55 mA for an LED
at full white, evenly from its three colours, and 1 mA for an LED that is dark (WLED's figures).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from drivers import ws2812
from hardware.layout import Layout

Colour: TypeAlias = tuple[int, int, int]
"""Intended red, green and blue, 0..255 each, before gamma."""

FULL_WHITE_MA: Final = 55
STANDBY_MA: Final = 1
FULL_WHITE_LEVELS: Final = 3 * 255
CEILING_MA: Final = 1500
"""No configuration may ask for more."""
BUDGET_MA: Final = {"own": 1000, "pi": 500}
"""What the LEDs may draw: from a 5 V supply of their own, or from the Pi's header."""
BRIGHTNESS: Final = 0.30

KNOWN_COLOURS: Final = 4096
"""Colours kept ready; animations bring new ones all the time."""


class PowerError(ValueError):
    """A budget that is more than allowed, or less than the chain needs to show anything."""


class Lamps:
    """The light chain of one layout as a pure function: colours in, bytes out."""

    def __init__(
        self,
        layout: Layout,
        *,
        brightness: float = BRIGHTNESS,
        power: str = "own",
        budget_ma: int | None = None,
    ) -> None:
        """`power` is where the LEDs are fed from, a key of BUDGET_MA; `budget_ma` overrides it.

        PowerError names a budget that cannot be; ValueError a brightness that is not 0..1.
        """
        if power not in BUDGET_MA:
            raise PowerError(f"power: {power!r} is not one of {', '.join(BUDGET_MA)}")
        budget = BUDGET_MA[power] if budget_ma is None else budget_ma
        count = len(layout.led_positions)
        standby = count * STANDBY_MA
        # At the least every colour of every LED shines at level 1.
        least = standby + -(-3 * count * FULL_WHITE_MA // FULL_WHITE_LEVELS)
        if not least <= budget <= CEILING_MA:
            raise PowerError(
                f"budget: {count} LEDs need at least {least} mA and may draw {CEILING_MA} mA "
                f"at most; {budget} mA is outside"
            )
        self.budget_ma = budget
        self.milliamps = standby
        """Estimate for the last frame."""
        self.limited = False
        """The last frame was dimmed to keep within the budget."""
        self._standby = standby
        self._most = (budget - standby) * FULL_WHITE_LEVELS // FULL_WHITE_MA
        self._order = layout.led_order
        self._dark = [ws2812.encode_pixel((0, 0, 0), self._order)] * count
        self._places = layout.places
        self.brightness = brightness

    @property
    def brightness(self) -> float:
        """Share of full brightness, 0 to 1; ValueError for anything else."""
        return self._brightness

    @brightness.setter
    def brightness(self, share: float) -> None:
        if not 0.0 <= share <= 1.0:
            raise ValueError(f"brightness is between 0 and 1, not {share}")
        self._brightness = share
        mixes = {
            gain: _Mixes(ws2812.gamma_table(share * gain), self._order)
            for gain in {place.gain for place in self._places.values()}
        }
        self._lamps = {
            name: (place.pixels, mixes[place.gain]) for name, place in self._places.items()
        }

    def frame(self, colours: Mapping[str, Colour]) -> bytes:
        """Return the SPI bytes that show these colours and nothing else.

        KeyError for a place that the layout does not have, ValueError for a colour outside 0..255.
        """
        lamps = self._lamps
        chain = self._dark.copy()
        sum_of_levels = 0
        for name, colour in colours.items():
            pixels, mixes = lamps[name]
            code, levels = mixes[colour]
            for pixel in pixels:
                chain[pixel] = code
                sum_of_levels += levels
        self.limited = sum_of_levels > self._most
        if self.limited:
            sum_of_levels = self._limit(chain, colours, sum_of_levels)
        self.milliamps = self._standby + -(-sum_of_levels * FULL_WHITE_MA // FULL_WHITE_LEVELS)
        return ws2812.encode_frame(chain)

    def _limit(self, chain: list[bytes], colours: Mapping[str, Colour], total: int) -> int:
        """Dim the whole chain by one factor, no lit colour below level 1; return the new sum."""
        lit: dict[ws2812.Levels, list[int]] = {}
        for name, colour in colours.items():
            numbers, mixes = self._lamps[name]
            lit.setdefault(mixes.levels(colour), []).extend(numbers)
        channels = sum(len(pixels) * (3 - levels.count(0)) for levels, pixels in lit.items())
        # What rounding up to 1 adds is at most 1 for each lit channel, so that the second factor
        # always fits; the first, brighter one nearly always does.
        for room in (self._most, self._most - channels):
            dimmed = {
                levels: tuple(max(1, level * room // total) if level else 0 for level in levels)
                for levels in lit
            }
            sum_of_levels = sum(sum(dimmed[levels]) * len(lit[levels]) for levels in lit)
            if sum_of_levels <= self._most:
                break
        for levels, pixels in lit.items():
            red, green, blue = dimmed[levels]
            code = ws2812.encode_pixel((red, green, blue), self._order)
            for pixel in pixels:
                chain[pixel] = code
        return sum_of_levels


class _Mixes(dict[Colour, tuple[bytes, int]]):
    """Each colour met so far as its SPI bytes and the sum of its levels, at one brightness."""

    def __init__(self, table: bytes, order: str) -> None:
        super().__init__()
        self._table = table
        self._order = order

    def levels(self, colour: Colour) -> ws2812.Levels:
        red, green, blue = colour
        table = self._table
        return table[red], table[green], table[blue]

    def __missing__(self, colour: Colour) -> tuple[bytes, int]:
        if len(colour) != 3 or not all(0 <= value <= 255 for value in colour):
            raise ValueError(f"{colour} is no colour: red, green and blue are 0 to 255")
        if len(self) >= KNOWN_COLOURS:
            self.clear()
        levels = self.levels(colour)
        mixed = self[colour] = (ws2812.encode_pixel(levels, self._order), sum(levels))
        return mixed
