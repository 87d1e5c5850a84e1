"""The magnets of pieces fit the sensors below them, by their computed fields."""

from __future__ import annotations

import dataclasses
import math

import pytest

from hardware import layout
from hardware.plans.field import felt, field
from hardware.plans.page import REED_CLOSES_MT, margins, open_from_mm
from hardware.plans.sizes import sizes
from hardware.wiring.sensor_spots import sensor_spots


@pytest.mark.parametrize("gap", [4.0, 5.0, 6.0, 8.0, 12.0])
def test_on_the_axis_the_field_is_that_of_the_formula_for_a_cylinder(gap: float) -> None:
    magnet = sizes().magnet
    radius, thick = magnet.diameter / 2, magnet.thickness
    whole = (gap + thick) / math.hypot(gap + thick, radius) - gap / math.hypot(gap, radius)
    exact = magnet.remanence * 1000 / 2 * whole
    x, y, z = field(magnet, 0, 0, -(gap + thick / 2))
    assert z == pytest.approx(exact, rel=0.03)
    assert (x, y) == pytest.approx((0, 0), abs=1e-9)


def test_far_and_near_sums_agree_where_they_meet() -> None:
    magnet = sizes().magnet
    near, far = field(magnet, 19.99, 0, 1.0), field(magnet, 20.01, 0, 1.0)
    assert near == pytest.approx(far, rel=0.03)


@pytest.mark.parametrize("name", layout.NAMES)
def test_a_sensor_feels_its_own_magnet_and_no_other(name: str) -> None:
    board = layout.load(name)
    found = margins(board)
    if board.hall is None:
        assert found.own > 2 * REED_CLOSES_MT[1]
        assert found.others < 0.5 * REED_CLOSES_MT[1]
        # The most sensitive switches may feel all others; a test finds them before the next cell.
        assert found.reach_mm < open_from_mm(board) < board.pitch - 3
    else:
        assert found.own > 2 * board.hall.present
        assert found.others < board.hall.released
        # Within the sensor's range, so that it is no count of a broken wire.
        assert found.own / board.hall.millitesla_per_count < 110
    assert found.reach_mm >= 6


def test_pockets_with_all_reeds_in_one_direction_would_feel_their_neighbours() -> None:
    """Hence they lie north-south: east-west a reed lies beside the next pocket's magnet."""
    board = layout.load("hex-reed")
    of = sizes()
    spots = {spot.name: spot for spot in sensor_spots(board)}
    one, other = spots["south.1/1"], spots["south.1/2"]
    depth = of.depth("presence")
    turned = dataclasses.replace(
        one, x=one.magnet_x + 8, y=one.magnet_y, wide=one.high, high=one.wide
    )
    assert abs(felt(turned, of.magnet, depth, other.magnet_x, other.magnet_y)) > 3
    assert abs(felt(one, of.magnet, depth, other.magnet_x, other.magnet_y)) < 0.5
