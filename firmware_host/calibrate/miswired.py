"""Simulated boards that are wired otherwise than their layout says, to try a calibration on."""

from __future__ import annotations

import random
import tomllib
from typing import Final, TypeVar

from firmware_host.calibrate.calibration import spots_of
from firmware_host.doctor.magnet_walk import Pin, wires
from hardware import layout as layouts
from hardware.layout import Layout
from hardware.layout.symmetry import symmetries
from hardware.layout.writing import layout_text, rewired

ORDERS: Final = ("GRB", "RGB", "BRG")
T = TypeVar("T")


def miswired(text: str, seed: int) -> Layout:
    """Return the true layout of a miswired board that should have the layout in `text`.

    Lights and sensors are each turned or mirrored, and some wires exchanged. Every fourth seed
    shuffles all wires, every eighth all lights.
    """
    chance = random.Random(seed)
    data = tomllib.loads(text)
    layout = layouts.parse(text, "built.toml")
    all_turns, spots, pins = symmetries(layout), spots_of(layout), wires(layout)
    light_turn, sensor_turn = chance.choice(all_turns), chance.choice(all_turns)
    ends: dict[str, Pin] = {}
    for (place, number), sensor in spots.items():
        turned = (sensor_turn.places[place], number)
        ends[spots[turned]] = pins[sensor if sensor in pins else layout.places[place].sensors[0]]
    _exchange(ends, chance, None if seed % 4 == 0 else chance.randrange(4))
    pixels = {light_turn.places[place.name]: list(place.pixels) for place in layout.places.values()}
    _exchange(pixels, chance, None if seed % 8 == 0 else chance.randrange(3))
    made = rewired(data, ends, pixels, order=chance.choice(ORDERS))
    return layouts.parse(layout_text(made), "built.toml")


def _exchange(ends: dict[str, T], chance: random.Random, times: int | None) -> None:
    """Exchange two ends this number of times; None shuffles all."""
    if times is None:
        shuffled = list(ends.values())
        chance.shuffle(shuffled)
        ends.update(zip(ends, shuffled, strict=True))
    for _ in range(times or 0):
        one, other = chance.sample(sorted(ends), 2)
        ends[one], ends[other] = ends[other], ends[one]
