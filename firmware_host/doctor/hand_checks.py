"""Checks of buttons and sensors with a person, who presses buttons and places magnets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from firmware_host.doctor.asking import Asking, Question
from firmware_host.doctor.bench import Bench
from firmware_host.doctor.findings import Finding, copy_first, finding, names_text
from firmware_host.doctor.line_checks import button_wire, is_taken, pressed
from firmware_host.doctor.magnet_walk import Pin, Walk, WalkStep, wire_text, wires
from firmware_host.i18n.messages import say
from hardware.layout import SHUTDOWN, Layout
from hardware.layout.symmetry import symmetries
from hardware.wiring.netlist import PULL_DOWN_OHMS, ohms_text
from hardware.wiring.sensor_spots import REED_OFFSET_MM

FIELD_MARGIN: Final = 1.5
"""A magnet's field should be this multiple of the threshold at which it counts."""


def button_walk(bench: Bench, present: Sequence[int]) -> Asking[list[Finding]]:
    """Ask for each button in turn; return findings about those that do not respond alone."""
    findings = []
    layout, bus, pins = bench.layout, bench.bus(), bench.pins()
    for name, button in layout.buttons.items():
        if name == SHUTDOWN:
            continue  # pressing it would switch the Pi off
        if is_taken(pins, button.gpio):
            continue
        if button.expander is not None and button.expander not in present:
            continue
        words = say("Hold the button {name} down, and answer.", name=name)
        if (yield Question("hold", words, subject=name)):
            continue
        down = pressed(bus, pins, layout, present)
        wire = button_wire(layout, name)
        if not down:
            dead = finding("button-dead", name, name=name, wire=wire)
            findings.append(dead)
        elif name not in down:
            swapped = finding(
                "button-swapped", name, name=name, other=", ".join(sorted(down)), wire=wire
            )
            findings.append(swapped)
    yield Question("clear", say("Let go of all buttons, and take everything off the board."))
    return findings


def walk_findings(layout: Layout, walked: Walk) -> Iterator[Finding]:
    """Yield findings of a walk: stuck, swapped, turned, doubled, dead, weak, upside down."""
    steps = [step for step in walked.steps if step.place not in walked.at_rest]
    if walked.at_rest:
        stuck = sorted(walked.at_rest)
        yield finding(
            "sensor-stuck",
            ", ".join(stuck),
            places=names_text(stuck),
            wires=names_text([wire_text(layout, place) for place in stuck]),
        )
    yield from _dead(layout, steps)
    astray = {
        step.place: next(iter(step.seen))
        for step in steps
        if len(step.seen) == 1 and step.place not in step.seen and not step.blind
    }
    straight = {step.place for step in steps if step.place in step.seen}
    turned = _turn(layout, astray) if not straight & set(layout.cells) else None
    if turned:
        yield finding("board-turned", "board", degrees=turned)
        return
    yield from _swapped(layout, astray)
    yield from _shared(layout, [step for step in steps if step.blind and step.seen])
    twice = [step for step in steps if len(step.seen) > 1]
    if twice:
        yield finding(
            "seen-twice",
            twice[0].place,
            place=twice[0].place,
            places=names_text(sorted(twice[0].seen)),
            ohms=ohms_text(PULL_DOWN_OHMS),
            others=names_text([step.place for step in twice]),
        )
    yield from _poles(layout, steps)


def _dead(layout: Layout, steps: Sequence[WalkStep]) -> Iterator[Finding]:
    unseen = [step for step in steps if not step.seen and not step.blind]
    beside = [step.place for step in unseen if step.aside]
    if beside:
        yield finding(
            "dead-centre", ", ".join(beside), places=names_text(beside), mm=f"{REED_OFFSET_MM:g}"
        )
    dead = [step.place for step in unseen if not step.aside]
    if dead:
        wire_list = names_text([wire_text(layout, place) for place in dead])
        yield finding("sensor-dead", ", ".join(dead), places=names_text(dead), wires=wire_list)


def _turn(layout: Layout, astray: Mapping[str, str]) -> int | None:
    """Return the angle in degrees by which all cells are turned, None if they are not."""
    cells = {p: q for p, q in astray.items() if p in layout.cells and q in layout.cells}
    if len(cells) < 2:
        return None
    for turn in symmetries(layout):
        if not turn.mirrored and all(turn.places[p] == q for p, q in cells.items()):
            return turn.degrees
    return None


def _swapped(layout: Layout, astray: Mapping[str, str]) -> Iterator[Finding]:
    """Yield pairs of swapped chips, else swapped single wires."""
    pins = wires(layout)

    def pin(place: str) -> Pin:
        return pins[layout.places[place].sensors[0]]

    chips = {
        pin(place)[0]: pin(seen)[0]
        for place, seen in astray.items()
        if pin(place)[0] != pin(seen)[0] and pin(place)[1] == pin(seen)[1]
    }
    reported = set()
    for one, other in chips.items():
        if chips.get(other) == one and one not in reported:
            reported |= {one, other}
            yield finding("chips-swapped", f"{one}, {other}", one=one, other=other)
    for place, seen in astray.items():
        if pin(place)[0] in reported:
            continue
        yield finding(
            "wires-swapped",
            place,
            place=place,
            other=seen,
            one=wire_text(layout, place),
            two=wire_text(layout, seen),
        )


def _shared(layout: Layout, steps: Sequence[WalkStep]) -> Iterator[Finding]:
    """Yield silent chips whose magnets another address reports."""
    pins = wires(layout)

    def chip(place: str) -> str:
        return pins[layout.places[place].sensors[0]][0]

    for one, other in dict.fromkeys((chip(step.place), chip(min(step.seen))) for step in steps):
        yield finding("address-shared", one, one=one, other=other)


def _poles(layout: Layout, steps: Sequence[WalkStep]) -> Iterator[Finding]:
    """Yield magnets that are weak, and sensors or magnets that are upside down."""
    figures = layout.hall
    if figures is None:
        return
    weak = [
        step.place
        for step in steps
        if step.place in step.seen
        and step.field is not None
        and abs(step.field) < FIELD_MARGIN * figures.present
    ]
    if weak:
        yield finding("magnet-weak", ", ".join(weak), places=names_text(weak))
    reversed_ = [step.place for step in steps if step.seen.get(step.place, 0) < 0]
    if reversed_:
        yield finding(
            "pole-reversed",
            ", ".join(reversed_),
            *copy_first(layout.name),
            places=names_text(reversed_),
            line=f"millitesla_per_count = {-figures.millitesla_per_count:g}",
        )
