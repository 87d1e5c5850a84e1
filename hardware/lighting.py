"""From the colours of places to the bytes of the light chain, within the current limit.

A colour keeps its hue however dark it is: a yellow that is reduced to its red has another meaning.
If levels are so low that rounding each of them would change the hue, they are chosen together, and
a lit colour has at least the lowest levels that keep its hue.

Gamma, brightness, the gain of each place, the current limit and the order of the pixels are applied
here, once, after all other decisions. The current is estimated as 55 mA for an LED at full white,
in equal parts from its three colours, and 1 mA for a dark LED (figures of WLED).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

from drivers import ws2812
from hardware.layout import Layout

Colour: TypeAlias = tuple[int, int, int]
"""Intended red, green and blue, 0..255 each, before gamma."""
Light: TypeAlias = tuple[float, float, float]
"""The same after gamma and brightness, in unrounded levels."""

FULL_WHITE_MA: Final = 55
STANDBY_MA: Final = 1
FULL_WHITE_LEVELS: Final = 3 * 255
CEILING_MA: Final = 1500
"""The highest limit that a configuration may set."""
BUDGET_MA: Final = {"own": 1000, "pi": 500}
"""The current that LEDs may draw: from a 5 V supply of their own, or from the Pi's header."""
BRIGHTNESS: Final = 0.30

FEW_LEVELS: Final = 8
"""A mixture whose strongest colour is below this level is not rounded colour by colour."""

KNOWN_COLOURS: Final = 4096
"""The number of colours to cache; animations bring new ones all the time."""


class PowerError(ValueError):
    """A budget that is above the ceiling, or too small for the chain to show anything."""


class Lamps:
    """The light chain of one layout as a pure function: colours in, bytes out."""

    def __init__(
        self,
        layout: Layout,
        *,
        brightness: float = BRIGHTNESS,
        power: str = "own",
        budget_ma: int | None = None,
        coding: ws2812.Coding = ws2812.THREE,
    ) -> None:
        """`power` names the supply of the LEDs, a key of BUDGET_MA; `budget_ma` overrides it.
        `coding` is the SPI coding of a bit. PowerError for an impossible budget, ValueError for a
        brightness outside 0..1.
        """
        if power not in BUDGET_MA:
            raise PowerError(f"power: {power!r} is not one of {', '.join(BUDGET_MA)}")
        budget = BUDGET_MA[power] if budget_ma is None else budget_ma
        count = len(layout.led_positions)
        standby = count * STANDBY_MA
        # The minimum is level 1 for every colour of every LED.
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
        """Whether the last frame was dimmed to keep within the budget."""
        self._standby = standby
        self._most = (budget - standby) * FULL_WHITE_LEVELS // FULL_WHITE_MA
        self._encode = partial(ws2812.encode_pixel, order=layout.led_order, coding=coding)
        self._coding = coding
        self._dark = [self._encode((0, 0, 0))] * count
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
            gain: _Mixes(share * gain, self._encode)
            for gain in {place.gain for place in self._places.values()}
        }
        self._lamps = {
            name: (place.pixels, mixes[place.gain]) for name, place in self._places.items()
        }

    def frame(self, colours: Mapping[str, Colour]) -> bytes:
        """Return the SPI bytes that show exactly these colours. KeyError for an unknown place,
        ValueError for a colour outside 0..255.
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
        return ws2812.encode_frame(chain, self._coding)

    def _limit(self, chain: list[bytes], colours: Mapping[str, Colour], total: int) -> int:
        """Dim the whole chain by one factor that keeps hues; return the new sum."""
        lit: dict[tuple[ws2812.Levels, Light], list[int]] = {}
        for name, colour in colours.items():
            numbers, mixes = self._lamps[name]
            lit.setdefault((mixes.levels(colour), mixes.light(colour)), []).extend(numbers)
        channels = sum(len(pixels) * (3 - levels.count(0)) for (levels, _), pixels in lit.items())
        # Rounding up adds at most 1 for each lit channel, so that the second factor always
        # fits; the first, brighter one nearly always does.
        for room in (self._most, self._most - channels):
            dimmed = {key: _dimmed(*key, room, total) for key in lit}
            sum_of_levels = sum(sum(dimmed[key]) * len(lit[key]) for key in lit)
            if sum_of_levels <= self._most:
                break
        for key, pixels in lit.items():
            code = self._encode(dimmed[key])
            for pixel in pixels:
                chain[pixel] = code
        return sum_of_levels


def _dimmed(levels: ws2812.Levels, light: Light, room: int, total: int) -> ws2812.Levels:
    """Return levels dimmed by the factor `room / total`; lit colours stay lit."""
    strongest = max(levels) * room // total
    few = strongest < FEW_LEVELS
    dimmed = _with_hue(light, strongest) if few else [level * room // total for level in levels]
    red, green, blue = (max(low, min(1, level)) for low, level in zip(dimmed, levels, strict=True))
    return red, green, blue


def _with_hue(light: Light, strongest: int) -> ws2812.Levels:
    """Return the levels nearest to the hue of a light, the highest `strongest`; lit stays lit."""
    most = max(light)
    if not most:
        return 0, 0, 0
    top = max(1, strongest)
    red, green, blue = (int(part / most * top + 0.5) for part in light)
    return red, green, blue


class _Mixes(dict[Colour, tuple[bytes, int]]):
    """A cache of colours at one brightness: their SPI bytes and the sum of their levels."""

    def __init__(self, brightness: float, encode: Callable[[ws2812.Levels], bytes]) -> None:
        super().__init__()
        self._curve = ws2812.gamma_curve(brightness)
        self._table = ws2812.gamma_table(brightness)
        self._encode = encode

    def light(self, colour: Colour) -> Light:
        """Return the light of a colour, in unrounded levels."""
        red, green, blue = colour
        curve = self._curve
        return curve[red], curve[green], curve[blue]

    def levels(self, colour: Colour) -> ws2812.Levels:
        """Return the levels to send."""
        red, green, blue = colour
        table = self._table
        levels = table[red], table[green], table[blue]
        strongest = max(levels)
        return levels if strongest >= FEW_LEVELS else _with_hue(self.light(colour), strongest)

    def __missing__(self, colour: Colour) -> tuple[bytes, int]:
        if len(colour) != 3 or not all(0 <= value <= 255 for value in colour):
            raise ValueError(f"{colour} is no colour: red, green and blue are 0 to 255")
        if len(self) >= KNOWN_COLOURS:
            self.clear()
        levels = self.levels(colour)
        mixed = self[colour] = (self._encode(levels), sum(levels))
        return mixed
