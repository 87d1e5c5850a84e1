"""The pieces of the strip of lights lie where the layout has the LEDs."""

from __future__ import annotations

import math

import pytest

from hardware import layout
from hardware.plans.placing import Extent, sensor_hole
from hardware.plans.strips import (
    STRIP_PITCH_MM,
    Strip,
    arrow_ends,
    covered,
    overlap_mm2,
    strips,
    strips_text,
)
from hardware.plans.template import Stroke, template
from hardware.wiring.sensor_spots import sensor_spots

TOWARDS = {"east": (1, 0), "west": (-1, 0), "north": (0, 1), "south": (0, -1)}


@pytest.mark.parametrize("name", layout.NAMES)
def test_each_led_is_on_one_piece_at_the_pitch_of_the_strip(name: str) -> None:
    board = layout.load(name)
    made = strips(board)
    numbers = [number for strip in made for number in range(strip.first, strip.last + 1)]
    assert numbers == list(range(len(board.led_positions)))
    for strip in made:
        step_x, step_y = TOWARDS[strip.towards]
        x, y = board.led_positions[strip.first]
        for number in range(strip.first, strip.last + 1):
            along = (number - strip.first) * STRIP_PITCH_MM
            spot = (x + step_x * along, y + step_y * along)
            assert math.dist(spot, board.led_positions[number]) < 0.5, number


def test_rows_of_the_hexagonal_board_are_pieces_of_their_own() -> None:
    counts = [strip.count for strip in strips(layout.load("hex-reed"))]
    assert counts == [5, 6, 7, 8, 9, 8, 7, 6, 5, *[1] * 14]
    assert strips(layout.load("square-hall"))[1] == Strip(9, 17, "west")
    assert "[ ]   9 LEDs: LED 9 to 17, its arrow to the west" in strips_text(
        layout.load("square-hall")
    )


def test_the_plate_has_an_arrow_along_each_piece() -> None:
    board = layout.load("square-reed")
    drawn = {(s.start, s.end) for s in template(board, "plate").shapes if isinstance(s, Stroke)}
    for strip in strips(board):
        assert arrow_ends(board, strip) in drawn
        x, y = board.led_positions[strip.first]
        assert math.dist(arrow_ends(board, strip)[0], (x, y)) < STRIP_PITCH_MM / 2


@pytest.mark.parametrize("name", layout.NAMES)
def test_a_single_led_lies_where_it_covers_least(name: str) -> None:
    board = layout.load(name)
    slots = [
        Extent(spot.x - wide / 2, spot.y - high / 2, spot.x + wide / 2, spot.y + high / 2)
        for spot in sensor_spots(board)
        for wide, high in [sensor_hole(board, spot)]
    ]
    for strip in strips(board):
        if strip.count == 1:
            over = sum(overlap_mm2(covered(board, strip), slot) for slot in slots)
            assert over < 1, strip
