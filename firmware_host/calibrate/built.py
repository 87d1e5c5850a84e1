"""Boards that were built otherwise than their layout says, for whoever wants to see them found."""

from __future__ import annotations

import random
import tomllib
from typing import Final, TypeVar

from firmware_host.calibrate.calibration import spots_of
from firmware_host.doctor.magnet_walk import Pin, wires
from hardware import layout as layouts
from hardware.layout import Layout
from hardware.layout.symmetry import turns
from hardware.layout.writing import rewired, toml_text

ORDERS: Final = ("GRB", "RGB", "BRG")
T = TypeVar("T")


def built(text: str, seed: int) -> Layout:
    """Return how a board of a layout's text was really built: lights and sensors each turned or
    mirrored, some wires exchanged; with every fourth seed all wires are in any order, and with
    every eighth all lights.
    """
    chance = random.Random(seed)
    data = tomllib.loads(text)
    layout = layouts.parse(text, "built.toml")
    ways, spots, pins = turns(layout), spots_of(layout), wires(layout)
    of_lights, of_sensors = chance.choice(ways), chance.choice(ways)
    ends: dict[str, Pin] = {}
    for (place, number), sensor in spots.items():
        there = (of_sensors.places[place], number)
        ends[spots[there]] = pins[sensor if sensor in pins else layout.places[place].sensors[0]]
    _exchange(ends, chance, None if seed % 4 == 0 else chance.randrange(4))
    pixels = {of_lights.places[place.name]: list(place.pixels) for place in layout.places.values()}
    _exchange(pixels, chance, None if seed % 8 == 0 else chance.randrange(3))
    made = rewired(data, ends, pixels, order=chance.choice(ORDERS))
    return layouts.parse(toml_text(made), "built.toml")


def _exchange(ends: dict[str, T], chance: random.Random, times: int | None) -> None:
    """Exchange two of them so many times, or put all into any order."""
    if times is None:
        there = list(ends.values())
        chance.shuffle(there)
        ends.update(zip(ends, there, strict=True))
    for _ in range(times or 0):
        one, other = chance.sample(sorted(ends), 2)
        ends[one], ends[other] = ends[other], ends[one]
