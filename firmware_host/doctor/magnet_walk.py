"""The walk with a magnet: a light asks for it at a place, and sensors that see it are noted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from firmware_host.doctor.asking import Asking, Question
from firmware_host.doctor.bench import Bench, machine_of
from firmware_host.i18n.messages import say
from hardware.layout import Layout
from hardware.machine import Machine, SensorFrame
from hardware.wiring.netlist import multiplexer_name, port_pin

WHITE: Final = (255, 255, 255)
LOOK_S: Final = 0.05
LOOKS: Final = 3
"""The number of looks for a change; the first ones also set up chips that were silent."""
STEADY: Final = 3
"""Readings count once this number of looks agree: a moving magnet passes over other sensors."""
LONGEST: Final = 40
"""The largest number of looks to wait for that."""
NOISE_COUNTS: Final = 2
"""The noise of a Hall sensor, in counts."""

Pin: TypeAlias = tuple[str, int]
"""A chip's name, or a port, and the number of its input."""


@dataclass(frozen=True, slots=True)
class WalkStep:
    """How a magnet on one place was seen."""

    place: str
    """Or one of the pockets of a slot."""
    seen: Mapping[str, int]
    field: float | None
    """The field in millitesla at the place's strongest sensor; None for switches."""
    blind: bool = False
    """Its chip does not answer."""
    aside: bool = False
    """It was seen only after it had been moved aside."""


@dataclass(frozen=True, slots=True)
class Walk:
    """The readings of the empty board, and of each magnet."""

    at_rest: frozenset[str]
    steps: tuple[WalkStep, ...]


class Walker:
    """Lights places, asks for magnets, and reads the sensors."""

    def __init__(self, machine: Machine, bench: Bench) -> None:
        """The board must be empty now: places that read a magnet are excluded."""
        self.machine = machine
        self._bench = bench
        self._now = 0.0
        self.frame = self._look()
        self.at_rest = frozenset(self.frame.readings)

    def light(self, places: Iterable[str]) -> None:
        """Light these places and nothing else."""
        self._now += LOOK_S
        self.machine.light(dict.fromkeys(places, WHITE), self._now)

    def lay(
        self, question: Question, lying: Iterable[str] = ()
    ) -> Asking[tuple[int, Mapping[str, int]]]:
        """Ask for one more magnet; return the answer and the new readings: not those at rest, nor
        of magnets that lie there already.
        """
        known = self.at_rest.union(lying)

        def new() -> dict[str, int]:
            return {name: pole for name, pole in self.frame.readings.items() if name not in known}

        answer = yield replace(question, happened=self._whether(lambda: bool(new())))
        self._settle(lambda: bool(new()))
        if new():
            self._steady()
        return answer, new()

    def aside(self, place: str) -> Asking[Mapping[str, int]]:
        """Ask the person to move a magnet that is not seen; return the new readings."""
        words = say("It is not seen. Move it from the middle of {place} to its edge.", place=place)
        return (yield from self.lay(Question("aside", words, subject=place)))[1]

    def fill(self, place: str, count: int) -> Asking[bool | None]:
        """Ask for one more magnet in a slot; return whether it then reads `count` pieces, None if
        the person does not place it.
        """

        def full() -> bool:
            return self.frame.readings.get(place, 0) >= count

        words = say("Put one more magnet into {place}, its north pole up.", place=place)
        if (yield Question("put", words, subject=place, happened=self._whether(full))):
            return None
        self._settle(full)
        return full()

    def lift(self, place: str) -> Asking[None]:
        """Ask the person to take all magnets off a place."""

        def gone() -> bool:
            return self.at_rest.issuperset(self.frame.readings)

        several = any(read > 1 for read in self.frame.readings.values())
        words = say("Take them all off again.") if several else say("Take it off again.")
        happened = None if gone() else self._whether(gone)  # not seen: only the person can tell
        for _ in range(2):
            yield Question("lift", words, subject=place, happened=happened)
            self._settle(gone)
            if gone():
                return
        self.at_rest |= frozenset(self.frame.readings)  # the person says that the board is empty

    def _whether(self, happened: Callable[[], bool]) -> Callable[[], bool]:
        """Return a function that reads the board and says whether a change has lasted two looks."""

        def looked() -> bool:
            self._look()
            if not happened():
                return False
            self._look()
            return happened()

        return looked

    def _settle(self, happened: Callable[[], bool]) -> None:
        for _ in range(LOOKS):
            self._look()
            if happened():
                return

    def _steady(self) -> None:
        """Read until nothing changes any more."""
        before: tuple[Mapping[str, int], Mapping[str, int]] | None = None
        same = 0
        for _ in range(LONGEST):
            now = self._look().readings, self.machine.hall_counts()
            wavers = before is None or any(
                abs(count - before[1].get(name, count)) > NOISE_COUNTS
                for name, count in now[1].items()
            )
            same = same + 1 if before is not None and before[0] == now[0] and not wavers else 0
            if same == STEADY:
                return
            before = now

    def _look(self) -> SensorFrame:
        self._bench.pause(LOOK_S)
        self._now += LOOK_S
        self.frame = self.machine.read(self._now)
        return self.frame


def walk(bench: Bench) -> Asking[Walk]:
    """Ask for a magnet on one place of every chip and on the corners, each lit in turn."""
    layout = bench.layout
    walker = Walker(machine_of(bench), bench)
    steps = []
    for place in places_to_walk(layout):
        walker.light([place])
        words = say("Put a magnet onto {place} (lit), its north pole up.", place=place)
        answer, seen = yield from walker.lay(Question("put", words, subject=place))
        if answer:
            continue
        blind = place in walker.frame.blind
        aside = False
        if not (seen or blind or layout.sensing != "presence"):
            aside = place in (yield from walker.aside(place))
        field = strongest(walker.machine, layout.places[place].sensors)
        steps.append(WalkStep(place, seen, field, blind, aside))
        if place in seen:
            steps += yield from _pockets(walker, place, layout.places[place].sensors)
        yield from walker.lift(place)
    walker.light([])
    return Walk(walker.at_rest, tuple(steps))


def _pockets(walker: Walker, place: str, sensors: Sequence[str]) -> Asking[list[WalkStep]]:
    """Ask for a magnet in each further pocket of a slot."""
    steps = []
    for count, sensor in enumerate(sensors[1:], 2):
        full = yield from walker.fill(place, count)
        if full is None:
            break
        steps.append(WalkStep(sensor, {sensor: 1} if full else {}, None))
        if not full:
            break  # the next one would not be told from it
    return steps


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
    return list(dict.fromkeys([*first.values(), *corners(layout)]))


def corners(layout: Layout) -> tuple[str, str, str]:
    """Return three cells that tell how a board is turned and whether it is mirrored."""
    cells = [layout.places[name] for name in layout.cells]
    return (
        min(cells, key=lambda cell: (cell.x + cell.y, cell.x)).name,
        max(cells, key=lambda cell: (cell.x - cell.y, cell.x)).name,
        max(cells, key=lambda cell: (cell.x + cell.y, cell.x)).name,
    )


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


def pin_text(pin: Pin) -> str:
    """Return a pin as text: `0x20 GPA3`, `4067-1 I5`."""
    chip, number = pin
    if chip.startswith("/"):
        return f"{chip} {number}"
    return f"{chip} {port_pin(number) if chip.startswith('0x') else f'I{number}'}"


def wire_text(layout: Layout, place: str) -> str:
    """Return the pin of a place's first sensor, or of a pocket."""
    pins = wires(layout)
    return pin_text(pins[place] if place in pins else pins[layout.places[place].sensors[0]])


def strongest(machine: Machine, sensors: Iterable[str]) -> float | None:
    """Return the strongest field at these Hall sensors in millitesla; None if there are none."""
    figures = machine.layout.hall
    if figures is None:
        return None
    counts = machine.hall_counts()
    fields = [
        (counts[sensor] - machine.zeros.get(sensor, figures.zero)) * figures.millitesla_per_count
        for sensor in sensors
        if sensor in counts
    ]
    return max(fields, key=abs, default=None)
