"""The result of the walks: a layout, the zeros of Hall sensors, and findings."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from firmware_host.calibrate.calibration import Calibration, Spot
from firmware_host.calibrate.raw_board import pin_of
from firmware_host.doctor.findings import Finding, finding, names_text
from firmware_host.doctor.hand_checks import walk_findings
from firmware_host.doctor.magnet_walk import Walk, WalkStep, pin_text
from firmware_host.i18n.messages import Message, say
from hardware import layout as layouts
from hardware.hall_zeros import HallZeros
from hardware.layout import Layout
from hardware.layout.symmetry import Symmetry
from hardware.layout.writing import layout_text, rewired

HEAD: Final = "# Written by `lampion calibrate`: how this board is wired.\n"
ALL_REVERSED: Final = 3
"""If at least this number of sensors, and all of them, see the other pole, the board is upside
down."""


@dataclass(frozen=True, slots=True)
class CalibrationResult:
    """The result of one calibration."""

    layout: Layout
    text: str
    """The text of the layout's file."""
    difference: tuple[str, ...]
    """Old lines of the file with `-`, new ones with `+`."""
    summary: tuple[Message, ...]
    """How lights and wires are turned and exchanged, for a person."""
    findings: tuple[Finding, ...]
    zeros: HallZeros | None
    whole: bool
    """Every place has had a magnet, and no input saw two of them."""
    unsure: tuple[str, ...]
    """Sensors to ask for again."""


def result_of(done: Calibration, data: Mapping[str, Any]) -> CalibrationResult:
    """Return the result of the walks; `data` is the content of the old layout's file."""
    inputs, lights = done.inputs.complete(), done.lights.complete()
    wires = {sensor: pin_of(inputs[spot]) for spot, sensor in done.sensors.items()}
    pixels: dict[str, list[int]] = {}
    for (place, _), pixel in lights.items():
        pixels.setdefault(place, []).append(pixel)
    seen = done.progress.seen
    poles = [pole for each in seen.values() for pole in each.pins.values()]
    upside_down = done.layout.hall is not None and len(poles) >= ALL_REVERSED and max(poles) < 0
    made = rewired(data, wires, pixels, order=done.progress.order, upside_down=upside_down)
    text = HEAD + layout_text(made)
    layout = layouts.parse(text, f"{done.layout.name}.toml")
    spots = {end: spot for spot, end in inputs.items()}
    walked = Walk(
        frozenset(spots[end][0] for end in done.at_rest if end in spots),
        tuple(_steps(done, inputs, spots, -1 if upside_down else 1)),
    )
    times = Counter(end for each in seen.values() for end in each.pins)
    unsure = tuple(
        sensor
        for spot, sensor in done.sensors.items()
        if times[done.inputs.known.get(spot, "")] != 1  # no input, or one that saw two magnets
    )
    return CalibrationResult(
        layout,
        text,
        tuple(_difference(layout_text(data), layout_text(made))),
        tuple(_summary(done, inputs, lights)),
        (*done.findings, *_dark(done), *walk_findings(layout, walked)),
        _zeros(done, inputs),
        whole=all(sensor in seen for sensor in done.sensors.values())
        and max(times.values(), default=0) < 2,
        unsure=unsure,
    )


def _dark(done: Calibration) -> Iterator[Finding]:
    if done.progress.dark:
        numbers = names_text(sorted(done.progress.dark))
        yield finding("lights-dark", numbers, numbers=numbers)


def _steps(
    done: Calibration, inputs: Mapping[Spot, str], spots: Mapping[str, Spot], sign: int
) -> Iterator[WalkStep]:
    """Yield a step for each place, with its weakest magnet, in places of the new layout."""
    places: dict[str, list[Spot]] = {}
    for spot, sensor in done.sensors.items():
        if sensor in done.progress.seen:
            places.setdefault(spot[0], []).append(spot)
    for place, spots_here in places.items():
        found = [done.progress.seen[done.sensors[spot]] for spot in spots_here]
        names: dict[str, int] = {}
        for each in found:
            for end, pole in each.pins.items():
                names[spots[end][0] if end in spots else pin_text(pin_of(end))] = sign * pole
        if not all(each.pins for each in found):
            names = {}
        fields = [each.field for each in found if each.field is not None]
        silent = any(pin_of(inputs[spot])[0] in done.silent for spot in spots_here)
        yield WalkStep(place, names, min(fields, key=abs, default=None), silent and bool(names))


def _difference(old: str, new: str) -> Iterator[str]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
    return (line for line in lines if not line.startswith(("---", "+++", "@@")))


def _summary(
    done: Calibration, inputs: Mapping[Spot, str], lights: Mapping[Spot, int]
) -> Iterator[Message]:
    if done.progress.order != done.layout.led_order:
        yield say("The lights take their colours in the order {order}.", order=done.progress.order)
    if (turn := done.lights.turn) is not None and (turn.degrees or turn.mirrored):
        yield say("The lights are arranged like this: {how}.", how=_turn_text(turn))
    if (turn := done.inputs.turn) is not None and (turn.degrees or turn.mirrored):
        yield say("The sensors are arranged like this: {how}.", how=_turn_text(turn))
    changed = sum(end != done.inputs.by_layout[spot] for spot, end in inputs.items())
    moved = sum(end != done.lights.by_layout[spot] for spot, end in lights.items())
    if changed or moved:
        yield say(
            "{wires} of {sensors} sensors and {moved} of {lights} lights are not where "
            "the layout had them.",
            wires=changed,
            sensors=len(inputs),
            moved=moved,
            lights=len(lights),
        )
    else:
        yield say("Everything is where the layout says.")
    if done.inputs.turn is not None and (odd := done.inputs.odd()):
        wires = [f"{done.sensors[spot]} {pin_text(pin_of(inputs[spot]))}" for spot in odd]
        yield say("Exchanged wires: {wires}.", wires=names_text(wires))


def _turn_text(turn: Symmetry) -> Message:
    if not turn.mirrored:
        return say("turned anticlockwise by {degrees}°", degrees=turn.degrees)
    if not turn.degrees:
        return say("west and east exchanged")
    return say(
        "west and east exchanged, then turned anticlockwise by {degrees}°", degrees=turn.degrees
    )


def _zeros(done: Calibration, inputs: Mapping[Spot, str]) -> HallZeros | None:
    figures = done.layout.hall
    if figures is None:
        return None
    seen = done.progress.seen
    names = {done.sensors[spot]: end for spot, end in inputs.items()}
    fields = {sensor: each.field for sensor, each in seen.items() if each.field is not None}
    return HallZeros(
        done.layout.name,
        {sensor: done.zeros[end] for sensor, end in names.items() if end in done.zeros},
        {sensor: round(abs(field) / figures.present, 1) for sensor, field in fields.items()},
    )
