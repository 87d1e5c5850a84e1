"""The field of a disc magnet, to check that a sensor feels its own magnet and no other.

The magnet is summed up from small dipoles. At the distances that matter here that is within 2 % of
the formula for the axis of a cylinder.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import Final

from hardware.plans.sizes import Magnet
from hardware.wiring.sensor_spots import SensorSpot

MU_0: Final = 4e-7 * math.pi
RINGS: Final = ((0.0, 1), (1 / 3, 6), (2 / 3, 12), (1.0, 18))
"""The dipoles of a layer: a ring's radius, and how many lie on it; the outermost count half."""
LAYERS: Final = (-1 / 3, 0.0, 1 / 3)
FAR_MM: Final = 20.0
"""From this distance on one dipole is enough."""
REED_POINTS: Final = (-0.5, -0.25, 0.0, 0.25, 0.5)
"""Points along a reed switch, as shares of its glass; it feels their mean."""


def field(magnet: Magnet, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the field in mT at a point in mm from the magnet's middle, along x, y and z; its north
    pole is up.
    """
    if math.hypot(x, y, z) > FAR_MM:
        return _dipole(_moment(magnet), x, y, z)
    points = _dipoles(magnet)
    parts = [_dipole(moment, x - px, y - py, z - pz) for moment, px, py, pz in points]
    bx, by, bz = (math.fsum(each) for each in zip(*parts, strict=True))
    return bx, by, bz


def felt(spot: SensorSpot, magnet: Magnet, depth: float, x: float, y: float) -> float:
    """Return what a sensor feels of a magnet at (x, y) of the board, in mT: a Hall sensor the
    vertical field, a reed switch the mean field along its axis. `depth` is how far the sensor is
    below the middle of the magnet.
    """
    dx, dy = spot.x - x, spot.y - y
    length = max(spot.wide, spot.high)
    if spot.wide == spot.high or length < 5:  # a Hall sensor
        return field(magnet, dx, dy, -depth)[2]
    if spot.wide > spot.high:
        return _mean(field(magnet, dx + at * length, dy, -depth)[0] for at in REED_POINTS)
    return _mean(field(magnet, dx, dy + at * length, -depth)[1] for at in REED_POINTS)


def _mean(values: Iterable[float]) -> float:
    return math.fsum(values) / len(REED_POINTS)


def _moment(magnet: Magnet) -> float:
    volume = math.pi * (magnet.diameter / 2) ** 2 * magnet.thickness * 1e-9
    return magnet.remanence / MU_0 * volume


@cache
def _dipoles(magnet: Magnet) -> tuple[tuple[float, float, float, float], ...]:
    """Return the small dipoles of a magnet: moment in A m², and where in mm."""
    radius = magnet.diameter / 2
    layer = [
        (0.5 if share == 1.0 else 1.0, radius * share, 2 * math.pi * number / count)
        for share, count in RINGS
        for number in range(count)
    ]
    whole = sum(weight for weight, _, _ in layer) * len(LAYERS)
    return tuple(
        (
            _moment(magnet) * weight / whole,
            distance * math.cos(turn),
            distance * math.sin(turn),
            magnet.thickness * height,
        )
        for height in LAYERS
        for weight, distance, turn in layer
    )


def _dipole(moment: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the field in mT of a dipole that points up, at a distance in mm."""
    r = math.hypot(x, y, z) * 1e-3
    scale = MU_0 / (4 * math.pi) * moment / r**3 * 1e3
    along = 3 * z * 1e-3 / r**2 * 1e-3
    return scale * along * x, scale * along * y, scale * (along * z - 1)
