"""Every word of light keeps its hue in the bytes that are sent, however dark it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from math import dist

import pytest

from drivers import ws2812
from firmware_host.lights.grades import GRADES, with_grade
from firmware_host.lights.scene import DIMMED, WAITS
from firmware_host.lights.signals import Light, Pattern, Signal, render
from hardware import layout
from hardware.lighting import Colour, Lamps
from tests.support.sampling import all_but

LEVELS = (1.0, 0.6, 0.5, WAITS, 0.35, 0.25, 0.2, DIMMED)
BRIGHTNESSES = (0.05, 0.12, 0.30, 0.60, 1.0)
GAINS = (1.0, 0.7, 0.4)
MOMENTS = [step / 20 for step in range(24)]  # of every pattern, all that it may be


@cache
def board(gain: float) -> layout.Layout:
    """Return a board whose cells shine with so much of their light."""
    made = layout.load("square-reed")
    places = {name: replace(place, gain=gain) for name, place in made.places.items()}
    return replace(made, places=places)


def linear(word: Signal) -> tuple[float, ...]:
    light = [(value / 255) ** ws2812.GAMMA for value in word.value]
    return tuple(value / max(light) for value in light)


HUES = {word: linear(word) for word in Signal}


def off_by(levels: tuple[int, ...], word: Signal) -> float:
    """How far the mixture of some levels is from that of a word, at most, in any colour."""
    return max(abs(a / max(levels) - b) for a, b in zip(levels, HUES[word], strict=True))


def check(levels: tuple[int, int, int], word: Signal) -> None:
    assert [level > 0 for level in levels] == [share > 0 for share in HUES[word]], (levels, word)
    assert off_by(levels, word) < (0.13 if max(levels) >= 8 else 0.26), (levels, word)
    assert min(Signal, key=lambda each: off_by(levels, each)) is word, (levels, word)


def shown(lamps: Lamps, colours: Mapping[str, Colour]) -> dict[str, tuple[int, int, int]]:
    """What the LED of each place shows, read from the very bytes that are sent."""
    made = layout.load("square-reed")
    pixels = ws2812.decode_frame(lamps.frame(colours), made.led_order)
    drawn = sum(map(sum, pixels)) * 55 / (3 * 255) + len(pixels)
    assert drawn <= lamps.milliamps <= lamps.budget_ma
    return {place: pixels[made.places[place].pixels[0]] for place in colours}


@cache
def every_colour() -> tuple[tuple[Signal, Colour], ...]:
    """Return each colour that a scene may have, with its word."""
    found = {}
    for word, pattern, level, now in product(Signal, Pattern, LEVELS, MOMENTS):
        colour = render({"A1": Light(word, pattern, level)}, now)["A1"]
        if any(colour):
            found[word, colour] = None
    return tuple(found)


@pytest.mark.parametrize("gain", all_but(GAINS, [0.7]))
@pytest.mark.parametrize("brightness", all_but(BRIGHTNESSES, [0.12, 0.60]))
@pytest.mark.parametrize(
    "budget", all_but([1000, 140, 123], [140])
)  # without the limiter, and with all it can do
def test_a_dim_word_is_still_that_word(gain: float, brightness: float, budget: int) -> None:
    lamps = Lamps(board(gain), brightness=brightness, budget_ma=budget)
    cells = layout.load("square-reed").cells
    limited = set()
    for begin in range(0, len(every_colour()), len(cells)):
        some = dict(zip(cells, every_colour()[begin : begin + len(cells)], strict=False))
        levels = shown(lamps, {place: colour for place, (_, colour) in some.items()})
        limited.add(lamps.limited)
        for place, (word, _) in some.items():
            check(levels[place], word)
    if budget == 1000:
        assert brightness == 1.0 or limited == {False}
    elif brightness == 1.0:
        assert True in limited


@pytest.mark.parametrize("word", list(Signal))
def test_a_frame_full_of_a_word_keeps_its_hue_within_the_least_budget(word: Signal) -> None:
    lamps = Lamps(board(1.0), brightness=1.0, budget_ma=123)
    for level in LEVELS:
        colour = render({"A1": Light(word, level=level)}, 0.0)["A1"]
        for levels in shown(lamps, dict.fromkeys(board(1.0).cells, colour)).values():
            check(levels, word)


@pytest.mark.parametrize("brightness", BRIGHTNESSES)
def test_full_words_are_what_they_were(brightness: float) -> None:
    lamps = Lamps(board(1.0), brightness=brightness)
    table = ws2812.gamma_table(brightness)
    for word in Signal:
        red, green, blue = word.value
        expected = table[red], table[green], table[blue]
        assert shown(lamps, {"A1": word.value})["A1"] == expected


# What is seen by people who lack one kind of cones (Viénot, Brettel and Mollon 1999): linear light
# to the cones' answers, the missing one from the other two, and back.
CONES = ((17.8824, 43.5161, 4.11935), (3.45565, 27.1554, 3.86714), (0.0299566, 0.184309, 1.46709))
LIGHT = (
    (0.0809444479, -0.130504409, 0.116721066),
    (-0.0102485335, 0.0540193266, -0.113614708),
    (-0.000365296938, -0.00412161469, 0.693511405),
)
MISSING = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0, 2.02344, -2.52581), (0, 1, 0), (0, 0, 1)),
    "deutan": ((1, 0, 0), (0.494207, 0, 1.24827), (0, 0, 1)),
    "tritan": ((1, 0, 0), (0, 1, 0), (-0.395913, 0.801109, 0)),
}
LEAST = {"all": 0.5, "protan": 0.3, "deutan": 0.3, "tritan": 0.3}
"""How far apart a target is seen from the teal that takes turns with it, and a place to go from a
man to be taken that is as good, in the corners of a cube of side 1 for the brightest of both."""


def times(matrix: tuple[tuple[float, ...], ...], values: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, values, strict=True)) for row in matrix)


def apart(one: tuple[int, ...], other: tuple[int, ...], eye: str) -> float:
    """Return how far apart two mixtures are seen."""
    lights = [times(LIGHT, times(MISSING[eye], times(CONES, each))) for each in (one, other)]
    most = max(max(light) for light in lights)
    seen = [tuple(max(0.0, each / most) ** (1 / 2.2) for each in light) for light in lights]
    return dist(*seen)


@pytest.mark.parametrize("eye", MISSING)
@pytest.mark.parametrize("brightness", [0.12, 0.30, 0.60])
def test_worths_keep_the_words_apart_for_every_eye(eye: str, brightness: float) -> None:
    """A target that is darkened for what it is worth is not taken for the other kind of target, nor
    the best one for nothing but its teal.
    """
    lamps = Lamps(board(1.0), brightness=brightness)

    def sent(light: Light, now: float = 0.0) -> tuple[int, int, int]:
        return shown(lamps, {"A1": render({"A1": light}, now)["A1"]})["A1"]

    for word in (Signal.BLUE, Signal.RED):
        best = with_grade(Light(word), "best")
        assert sent(best, 0.5) == sent(Light(Signal.TEAL))
        assert apart(sent(best), sent(best, 0.5), eye) >= LEAST[eye]
    for grade in GRADES:
        put, take = (with_grade(Light(word), grade) for word in (Signal.BLUE, Signal.RED))
        assert apart(sent(put), sent(take), eye) >= LEAST[eye]
