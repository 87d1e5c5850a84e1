"""The simulated strip shows what a chain of LEDs would, cut or fed wrong pulses."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from drivers import ws2812
from hardware.simulated.strip import GarbledError, SimulatedStrip


def frame(pixels: Sequence[ws2812.Levels]) -> bytes:
    return ws2812.encode_frame(ws2812.encode_pixel(levels) for levels in pixels)


RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def test_a_cut_chain_keeps_its_old_colours_behind_the_cut() -> None:
    strip = SimulatedStrip(4)
    strip.transfer(frame([RED] * 4))
    strip.cut(2)
    strip.transfer(frame([BLUE] * 4))
    assert strip.pixels == (BLUE, BLUE, RED, RED)
    strip.cut(None)
    strip.transfer(frame([BLUE] * 4))
    assert strip.pixels == (BLUE,) * 4


def test_a_short_frame_leaves_the_rest_and_a_long_one_runs_out() -> None:
    strip = SimulatedStrip(3)
    strip.transfer(frame([RED] * 3))
    strip.transfer(frame([GREEN]))
    assert strip.pixels == (GREEN, RED, RED)
    strip.transfer(frame([BLUE] * 9))
    assert strip.pixels == (BLUE,) * 3


def test_without_a_leading_zero_the_first_led_is_green() -> None:
    strip = SimulatedStrip(2)
    strip.transfer(frame([(0, 0, 0), (0, 0, 0)])[1:])
    assert strip.pixels == ((0, 128, 0), (0, 0, 0))


def test_without_silence_nothing_is_shown() -> None:
    strip = SimulatedStrip(1)
    strip.transfer(frame([RED]).rstrip(b"\0") + bytes(83))  # 277 us
    assert strip.pixels == ((0, 0, 0),)
    strip.transfer(frame([RED]).rstrip(b"\0") + bytes(84))
    assert strip.pixels == (RED,)


def test_other_pulses_are_garbage() -> None:
    with pytest.raises(GarbledError, match="ffffff"):
        SimulatedStrip(1).transfer(b"\0" + b"\xff" * 9 + bytes(90))


def test_the_colour_order_is_the_chains() -> None:
    strip = SimulatedStrip(1, "RGB")
    strip.transfer(frame([RED]))  # sent as green, red, blue
    assert strip.pixels == (GREEN,)


def test_a_chain_decodes_both_codings() -> None:
    """Both codings make the same pulses."""
    strip = SimulatedStrip(2)
    for coding in (ws2812.THREE, ws2812.FOUR, ws2812.THREE):
        pixels = [(coding.bits, 0, 255), (0, 7, 128)]
        codes = [ws2812.encode_pixel(levels, "GRB", coding) for levels in pixels]
        strip.transfer(ws2812.encode_frame(codes, coding))
        assert list(strip.pixels) == pixels
