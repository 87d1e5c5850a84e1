"""Buttons and sensors, with a person who presses and lays a magnet where a light asks for it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from firmware_host.doctor.asking import Person, Question
from firmware_host.doctor.bench import Bench, machine_of
from firmware_host.doctor.findings import Finding, names_text
from firmware_host.doctor.line_checks import button_wire, pressed
from firmware_host.words import say
from hardware.layout import Layout
from hardware.machine import Machine
from hardware.netlist import PULL_DOWN, multiplexer_name, ohms_text

WHITE: Final = (255, 255, 255)
MARGIN: Final = 1.5
"""A magnet should make so many times the field from which on it counts."""

Pin: TypeAlias = tuple[str, int]
"""A chip's name and the number of its input."""


def button_walk(bench: Bench, person: Person, present: Sequence[int]) -> Iterator[Finding]:
    """Have every button pressed by itself, and yield those that are not what was pressed."""
    layout, bus, pins = bench.layout, bench.bus(), bench.pins()
    for name, button in layout.buttons.items():
        if button.expander is not None and button.expander not in present:
            continue
        words = say("Hold the button {name} down, and answer.", name=name)
        if person.ask(Question("hold", words, subject=name)):
            continue
        down = pressed(bus, pins, layout, present)
        wire = button_wire(layout, name)
        if not down:
            yield Finding(
                "button-dead",
                say("The button {name} was held, and nothing was seen.", name=name),
                say("Its wire or its ground is off."),
                (say("It goes from {wire} to ground.", wire=wire),),
                name,
            )
        elif name not in down:
            yield Finding(
                "button-swapped",
                say(
                    "The button {name} was held, and {other} was seen.",
                    name=name,
                    other=", ".join(sorted(down)),
                ),
                say("Two buttons are exchanged."),
                (
                    say(
                        "Exchange their wires ({wire}), or their pins in the layout's table "
                        "[buttons].",
                        wire=wire,
                    ),
                ),
                name,
            )
    person.ask(Question("clear", say("Let all buttons go, and take everything off the board.")))


# ---- the walk


@dataclass(frozen=True, slots=True)
class Step:
    """What a magnet on one place was seen as."""

    place: str
    seen: Mapping[str, int]
    field: float | None
    """In millitesla, of the strongest sensor of the place; None for switches."""
    blind: bool = False
    """Its chip does not answer."""


@dataclass(frozen=True, slots=True)
class Walk:
    """What was seen on the empty board, and of each magnet."""

    at_rest: frozenset[str]
    steps: tuple[Step, ...]


def walk(bench: Bench, person: Person) -> Walk:
    """Have a magnet laid on one place of every chip and on the corners, each lit in turn."""
    layout = bench.layout
    machine = machine_of(bench)
    steps = []
    at_rest = frozenset(machine.read(0.0).readings)
    for number, place in enumerate(places_to_walk(layout), 1):
        machine.light({place: WHITE}, 4.0 * number)
        words = say("Put a magnet onto {place} (lit), its north pole up, and answer.", place=place)
        if person.ask(Question("put", words, subject=place)):
            continue
        for look in range(3):  # the first ones set up what was silent
            frame = machine.read(4.0 * number + 1.0 + look)
        new = {name: reading for name, reading in frame.readings.items() if name not in at_rest}
        steps.append(Step(place, new, _field(machine, place), place in frame.blind))
        person.ask(Question("lift", say("Take it off again, and answer."), subject=place))
        machine.read(4.0 * number + 3.5)
    machine.light({}, 4.0 * len(steps) + 8.0)
    return Walk(at_rest, tuple(steps))


def places_to_walk(layout: Layout) -> list[str]:
    """Return one place of every chip, and the three corners that tell how a board is turned."""
    first: dict[str, str] = {}
    owner = {sensor: place for place in layout.places.values() for sensor in place.sensors}
    for sensor, (chip, _) in wires(layout).items():
        place = owner[sensor]
        if chip not in first or (
            layout.places[first[chip]].kind != "cell" and place.kind == "cell"
        ):
            first[chip] = place.name
    cells = [layout.places[name] for name in layout.cells]
    corners = [
        min(cells, key=lambda cell: (cell.x + cell.y, cell.x)),
        max(cells, key=lambda cell: (cell.x - cell.y, cell.x)),
        max(cells, key=lambda cell: (cell.x + cell.y, cell.x)),
    ]
    return list(dict.fromkeys([*first.values(), *(corner.name for corner in corners)]))


def wires(layout: Layout) -> dict[str, Pin]:
    """Return the chip and input of every sensor."""
    found = {
        sensor: (f"{chip.address:#04x}", pin)
        for chip in layout.expanders
        for pin, sensor in chip.sensors.items()
    }
    for number, chip in enumerate(layout.multiplexers):
        name = multiplexer_name(number)
        found |= {sensor: (name, at) for at, sensor in enumerate(chip.inputs) if sensor}
    for device in layout.serial:
        for number, place in enumerate(device.places):
            found |= dict.fromkeys(layout.places[place].sensors, (device.port, number))
    return found


def _field(machine: Machine, place: str) -> float | None:
    figures = machine.layout.hall
    if figures is None:
        return None
    counts = machine.hall_counts()
    sensors = [sensor for sensor in machine.layout.places[place].sensors if sensor in counts]
    fields = [(counts[s] - figures.zero) * figures.millitesla_per_count for s in sensors]
    return max(fields, key=abs, default=None)


def walk_findings(layout: Layout, walked: Walk) -> Iterator[Finding]:
    """Yield what a walk shows: stuck, swapped, turned, doubled, dead, weak, upside down."""
    steps = [step for step in walked.steps if step.place not in walked.at_rest]
    if walked.at_rest:
        stuck = sorted(walked.at_rest)
        yield Finding(
            "sensor-stuck",
            say(
                "Something is seen on {places}, though nothing lies there.",
                places=names_text(stuck),
            ),
            say("The sensor is stuck or its wire touches ground; or a magnet is nearby."),
            (
                say(
                    "Look at their wires: {wires}.",
                    wires=names_text([_wire(layout, place) for place in stuck]),
                ),
            ),
            ", ".join(stuck),
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
        yield Finding(
            "board-turned",
            say("Every magnet is seen {degrees}° further round, anticlockwise.", degrees=turned),
            say("The board lies turned, or was wired from another corner."),
            (
                say(
                    "Turn the board until a lit cell and its magnet meet, or turn the places in "
                    "the layout."
                ),
            ),
            "board",
        )
        return
    yield from _swapped(layout, astray)
    yield from _shared(layout, [step for step in steps if step.blind and step.seen])
    twice = [step for step in steps if len(step.seen) > 1]
    if twice:
        yield Finding(
            "seen-twice",
            say(
                "One magnet on {place} is seen on {places}.",
                place=twice[0].place,
                places=names_text(sorted(twice[0].seen)),
            ),
            say("Two inputs touch, a select line is stuck, or a wire floats."),
            (
                say(
                    "Look for bridges of solder, and for {ohms} at COM; so with {places}.",
                    ohms=ohms_text(PULL_DOWN),
                    places=names_text([step.place for step in twice]),
                ),
            ),
            twice[0].place,
        )
    yield from _poles(layout, steps)


def _dead(layout: Layout, steps: Sequence[Step]) -> Iterator[Finding]:
    dead = [step.place for step in steps if not step.seen and not step.blind]
    if not dead:
        return
    do = [say("Look at their wires: {wires}.", wires=names_text([_wire(layout, p) for p in dead]))]
    if layout.sensing == "presence":
        do.append(
            say(
                "Move the magnet aside a little: if it is seen then, put the switch off the middle."
            )
        )
    yield Finding(
        "sensor-dead",
        say("A magnet on {places} is not seen.", places=names_text(dead)),
        say("The sensor, its wire or its ground is off, or the magnet is too far away."),
        tuple(do),
        ", ".join(dead),
    )


def _wire(layout: Layout, place: str) -> str:
    from hardware.netlist import port_pin

    chip, pin = wires(layout)[layout.places[place].sensors[0]]
    if chip.startswith("/"):
        return f"{chip} {pin}"
    return f"{chip} {port_pin(pin) if chip.startswith('0x') else f'I{pin}'}"


def _turn(layout: Layout, astray: Mapping[str, str]) -> int | None:
    """Return by how many degrees all cells are seen turned, None if they are not."""
    cells = {p: q for p, q in astray.items() if p in layout.cells and q in layout.cells}
    if len(cells) < 2:
        return None
    middle_x = sum(layout.places[name].x for name in layout.cells) / len(layout.cells)
    middle_y = sum(layout.places[name].y for name in layout.cells) / len(layout.cells)
    step = 90 if layout.shape == "square" else 60
    for degrees in range(step, 360, step):
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        for place, seen in cells.items():
            x, y = layout.places[place].x - middle_x, layout.places[place].y - middle_y
            at = layout.places[seen]
            off = math.hypot(
                x * cos - y * sin - at.x + middle_x, x * sin + y * cos - at.y + middle_y
            )
            if off > layout.pitch / 2:
                break
        else:
            return degrees
    return None


def _swapped(layout: Layout, astray: Mapping[str, str]) -> Iterator[Finding]:
    """Yield whole chips that stand for one another, else single wires."""
    where = wires(layout)

    def pin(place: str) -> Pin:
        return where[layout.places[place].sensors[0]]

    chips = {
        pin(place)[0]: pin(seen)[0]
        for place, seen in astray.items()
        if pin(place)[0] != pin(seen)[0] and pin(place)[1] == pin(seen)[1]
    }
    told = set()
    for one, other in chips.items():
        if chips.get(other) == one and one not in told:
            told |= {one, other}
            yield Finding(
                "chips-swapped",
                say(
                    "Magnets over {one} are seen as {other}'s, and the other way round.",
                    one=one,
                    other=other,
                ),
                say("The two chips have each other's address."),
                (
                    say(
                        "Exchange their address pins, or exchange {one} and {other} in the layout.",
                        one=one,
                        other=other,
                    ),
                ),
                f"{one}, {other}",
            )
    for place, seen in astray.items():
        if pin(place)[0] in told:
            continue
        yield Finding(
            "wires-swapped",
            say("A magnet on {place} is seen on {other}.", place=place, other=seen),
            say("The sensor under {place} is on the pin of {other}.", place=place, other=seen),
            (
                say(
                    "Exchange the wires {one} and {two}, or the two names in the layout.",
                    one=_wire(layout, place),
                    two=_wire(layout, seen),
                ),
            ),
            place,
        )


def _shared(layout: Layout, steps: Sequence[Step]) -> Iterator[Finding]:
    """Yield silent chips whose magnets are seen at another's address."""
    where = wires(layout)
    for step in steps:
        (one, _), (other, _) = (
            where[layout.places[place].sensors[0]] for place in (step.place, min(step.seen))
        )
        yield Finding(
            "address-shared",
            say("A magnet over {one} is seen as {other}'s.", one=one, other=other),
            say("Both chips have the address {other}.", other=other),
            (say("Tie the address pins of {one} as hardware/WIRING.md says.", one=one),),
            one,
        )


def _poles(layout: Layout, steps: Sequence[Step]) -> Iterator[Finding]:
    """Yield magnets that are weak, and sensors or magnets that are upside down."""
    figures = layout.hall
    if figures is None:
        return
    weak = [
        step.place
        for step in steps
        if step.place in step.seen
        and step.field is not None
        and abs(step.field) < MARGIN * figures.present
    ]
    if weak:
        yield Finding(
            "magnet-weak",
            say("The magnet is only just seen on {places}.", places=names_text(weak)),
            say("The magnet is weak or too far above the sensor: it will be missed at times."),
            (say("Take a stronger magnet, or less wood between; 6 mm are the most."),),
            ", ".join(weak),
        )
    reversed_ = [step.place for step in steps if step.seen.get(step.place, 0) < 0]
    if reversed_:
        yield Finding(
            "pole-reversed",
            say("North up is seen as south up on {places}.", places=names_text(reversed_)),
            say("The sensors lie face down, or the magnet was upside down."),
            (
                say(
                    "If all are so, write into the layout: {line}",
                    line=f"millitesla_per_count = {-figures.millitesla_per_count:g}",
                ),
                say("If some are so, turn these sensors over."),
            ),
            ", ".join(reversed_),
        )
