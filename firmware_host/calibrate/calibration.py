"""The two walks: which light is under each place, and which input sees a magnet there.

A walk switches on the lights in question and yields a question; the caller asks it at a terminal or
on a page.

Three cells tell how lights and inputs are turned or mirrored. After that the walk expects each
place accordingly, and confirms it or finds where it really is.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final, Generic, TypeAlias, TypeVar

from drivers import hall
from firmware_host.calibrate.progress import Progress, Seen
from firmware_host.calibrate.raw_board import light, name_of, raw
from firmware_host.doctor.asking import DONE, NO, OTHER_LIT, SKIP, YES, Asking, Question
from firmware_host.doctor.bench import Bench, machine_of
from firmware_host.doctor.bus_checks import chip_addresses, chip_states
from firmware_host.doctor.findings import Finding, address_text
from firmware_host.doctor.light_checks import light_findings
from firmware_host.doctor.magnet_walk import Walker, corners, strongest, wires
from firmware_host.i18n.messages import Message, say
from hardware.layout import Layout
from hardware.layout.symmetry import Symmetry, symmetries
from hardware.machine import Machine

Spot: TypeAlias = tuple[str, int]
"""A place, and which of its LEDs or pockets."""
End = TypeVar("End", int, str)
"""A number in the light chain, or an input."""

ENOUGH: Final = 3
"""If at least this number of known ends agree, they tell how the board is turned or mirrored."""
LOOKS: Final = 9
"""A Hall sensor's zero is the median of this number of looks."""
ALL_DARK: Final = say("all is dark")
OPEN_QUESTIONS: Final = 6
"""The walk asks about at most this number of lights to find out how they are turned."""


def spots_of(layout: Layout) -> dict[Spot, str]:
    """Return the sensor at each spot. A serial device's place is one spot, and names its sensor."""
    by_serial = {place for device in layout.serial for place in device.places}
    return {
        (place.name, number): place.name if place.name in by_serial else sensor
        for place in layout.places.values()
        for number, sensor in enumerate(place.sensors)
        if number == 0 or place.name not in by_serial
    }


class CableEnds(Generic[End]):
    """The ends of all cables of one kind: LEDs under places, or inputs under sensors.

    An end is known, or it is guessed from how the board seems to be turned.
    """

    def __init__(self, by_layout: Mapping[Spot, End], turns: Sequence[Symmetry]) -> None:
        """`by_layout` says where the layout has each end, `turns` how the board may be turned."""
        self.by_layout: dict[Spot, End] = dict(by_layout)
        self.known: dict[Spot, End] = {}
        self.gone: set[End] = set()
        """Ends that belong to no spot: lights that stay dark."""
        self._turns = turns
        self._home: dict[End, Spot] = {end: spot for spot, end in by_layout.items()}

    @property
    def turn(self) -> Symmetry | None:
        """Return the turn that most known ends agree with, None if fewer than `ENOUGH` do."""
        if len(self.known) < ENOUGH:
            return None
        agreeing = sorted(
            (sum(self._agrees(turn, spot) for spot in self.known), -number)
            for number, turn in enumerate(self._turns)
        )
        (second, _), (most, number) = agreeing[-2:]
        return self._turns[-number] if most >= ENOUGH and most > second else None

    def _agrees(self, turn: Symmetry, spot: Spot) -> bool:
        home = self._home.get(self.known[spot])
        return home is not None and (turn.places[home[0]], home[1]) == spot

    def guess(self, spot: Spot) -> End | None:
        """Return the known or expected end of a spot; None if neither exists."""
        return self._guesses([spot])[spot]

    def _expected(self) -> dict[Spot, End]:
        turn = self.turn
        if turn is None:
            return self.by_layout
        return {(turn.places[place], n): end for (place, n), end in self.by_layout.items()}

    def _guesses(self, spots: Sequence[Spot]) -> dict[Spot, End | None]:
        expected = self._expected()
        where = {end: spot for spot, end in self.known.items()}
        return {
            spot: self.known[spot]
            if spot in self.known
            else self._exchanged(expected[spot], where, expected)
            for spot in spots
        }

    def _exchanged(
        self, end: End, where: Mapping[End, Spot], expected: Mapping[Spot, End]
    ) -> End | None:
        """Return the end to expect where `end` was expected. If `end` is known to be at another
        spot, the two are taken to be exchanged: expect what should be at that other spot.
        """
        for _ in range(len(where) + 1):
            if end in self.gone:
                return None
            if end not in where:
                return end
            end = expected[where[end]]
        return None

    def odd(self) -> list[Spot]:
        """Return the spots whose known end differs from what the turn of the board predicts."""
        expected = self._expected()
        return [spot for spot, end in self.known.items() if end != expected[spot]]

    def complete(self) -> dict[Spot, End]:
        """Return an end for every spot: a known or a guessed one, else one that is left over."""
        guesses = self._guesses(list(self.by_layout))
        used = set(guesses.values())
        left = iter([end for end in self.by_layout.values() if end not in used])
        return {spot: next(left) if end is None else end for spot, end in guesses.items()}


class Calibration:
    """The walks over one board, and what is known of it so far."""

    def __init__(
        self,
        bench: Bench,
        progress: Progress,
        save: Callable[[Progress], None] = lambda _: None,
    ) -> None:
        """`save` stores the progress; it is called after every step."""
        self.layout = layout = bench.layout
        self.progress = progress
        self.findings: list[Finding] = []
        """Findings about the lights."""
        self.silent: frozenset[str] = frozenset()
        """Chips of the layout that do not answer."""
        self.zeros: dict[str, int] = {}
        """Zeros of Hall sensors, by raw name."""
        self.sensors = spots_of(layout)
        self._bench, self._store = bench, save
        all_turns, pins = symmetries(layout), wires(layout)
        self.lights: CableEnds[int] = CableEnds(
            {
                (place.name, number): pixel
                for place in layout.places.values()
                for number, pixel in enumerate(place.pixels)
            },
            all_turns,
        )
        self.inputs: CableEnds[str] = CableEnds(
            {
                (place, number): name_of(pins[layout.places[place].sensors[number]])
                for place, number in self.sensors
            },
            all_turns,
        )
        self.lights.known = {(place, number): pixel for place, number, pixel in progress.lights}
        for spot, sensor in self.sensors.items():
            if sensor in progress.seen:
                self._learn(spot, progress.seen[sensor].pins)

    def run(self) -> Asking[None]:
        """Ask for everything that is not known yet. OSError if the board cannot be used."""
        yield from self._chain()
        yield from self._board()
        yield from self._corners()
        first = corners(self.layout)
        places = list(dict.fromkeys([*first, *(place for place, _ in self.sensors)]))
        for place in places:
            yield from self._magnet(place)
        for place in self.layout.places:
            if place not in places:
                yield from self._find_lights(place)
        self._walker.light([])

    # ---- lights

    def _chain(self) -> Asking[None]:
        """Find the order of the colours, and where the chain ends."""
        progress, count = self.progress, len(self.layout.led_positions)
        if not progress.order or progress.end is not None:  # a broken chain may have been repaired
            self.findings = yield from light_findings(self._bench)
            progress.order, progress.end = self.layout.led_order, None
            for finding in self.findings:
                if finding.cause == "colour-order":
                    progress.order = finding.part
                elif finding.cause == "lights-end":
                    progress.end = int(finding.part)
                elif finding.cause in ("lights-dead", "lights-garbled"):
                    progress.end = 0  # no light can be used
            self._store(progress)
        # The order of the colours goes into the layout: it is no finding.
        self.findings = [each for each in self.findings if each.cause != "colour-order"]
        end = count if progress.end is None else progress.end
        self.lights.gone = {*progress.dark, *range(end, count)}
        self._bench.layout = replace(self.layout, led_order=progress.order)

    def _corners(self) -> Asking[None]:
        """Ask about lights under corners until it is clear how the lights are turned."""
        cells = self.layout.cells
        asked = list(dict.fromkeys([*corners(self.layout), *cells[:: len(cells) // 4]]))
        for cell in asked[:OPEN_QUESTIONS]:
            pixel = self.lights.by_layout[cell, 0]
            if self.lights.turn is None and pixel not in self._settled():
                yield from self._where(pixel)

    def _settled(self) -> Collection[int]:
        """Return the LEDs whose place is known, or that have none."""
        return {*self.lights.known.values(), *self.lights.gone}

    def _where(self, pixel: int) -> Asking[None]:
        """Light one LED and ask where it is."""
        self._walker.light([light(pixel)])
        text = say("One light is on. At which place?")
        question = Question("where", text, (ALL_DARK,), places=tuple(self.layout.places))
        place = question.place((yield question))
        known = self.lights.known
        for spot in [spot for spot, end in known.items() if end == pixel]:
            del known[spot]
        if place:
            spots = [(place, n) for n in range(len(self.layout.places[place].pixels))]
            known[next((spot for spot in spots if spot not in known), spots[0])] = pixel
        else:
            self.lights.gone.add(pixel)
            self.progress.dark.append(pixel)
        self._save()

    def _pixels(self, place: str) -> list[int]:
        """Return the LEDs that are, or are expected, at a place."""
        count = len(self.layout.places[place].pixels)
        pixels = (self.lights.guess((place, number)) for number in range(count))
        return [pixel for pixel in pixels if pixel is not None]

    def _confirm_lights(self, place: str) -> None:
        """Turn the guesses about a place's lights into knowledge."""
        for number in range(len(self.layout.places[place].pixels)):
            pixel = self.lights.guess((place, number))
            if pixel is not None:
                self.lights.known[place, number] = pixel

    def _find_lights(self, place: str) -> Asking[None]:
        """Find the lights of a place that has no sensor."""
        for _ in self.lights.by_layout:
            pixels = self._pixels(place)
            if not pixels or all(pixel in self.lights.known.values() for pixel in pixels):
                return
            self._walker.light(map(light, pixels))
            text = say("Only {place} should be lit. Is it?", place=place)
            if (yield Question("alone", text, (YES, NO), place)) == 0:
                self._confirm_lights(place)
                self._save()
                return
            for pixel in pixels:
                yield from self._where(pixel)

    # ---- magnets

    def _board(self) -> Asking[None]:
        """Find which chips answer, and what the sensors read on an empty board."""
        answers = self._answers()
        self._bench.pins()  # this drives RESET high: chips may have been held in reset
        answers |= self._answers()
        self.silent = frozenset(map(address_text, set(chip_addresses(self.layout)) - answers))
        for chip in sorted(self.silent):
            yield say("{chip} does not answer: lampion doctor says what may be wrong.", chip=chip)
        bare = raw(self._bench.layout, answers)
        text = say("Take everything off the board, and answer.")
        yield Question("clear", text, (DONE,))
        self.zeros = self._zeros(machine_of(self._bench, bare))
        self._walker = Walker(machine_of(self._bench, bare, self.zeros), self._bench)

    def _answers(self) -> set[int]:
        states = chip_states(self._bench.bus())
        return {address for address, state in states.items() if state == "answers"}

    @property
    def at_rest(self) -> frozenset[str]:
        """Return the inputs that report a magnet on the empty board, by raw name."""
        return self._walker.at_rest

    def _zeros(self, machine: Machine) -> dict[str, int]:
        """Return the counts of Hall sensors without a magnet. A sensor that seems to see a magnet,
        or to have no supply, is left out and keeps the layout's zero.
        """
        figures = self.layout.hall
        if figures is None:
            return {}
        looks = []
        for look in range(LOOKS):
            machine.read(float(look))
            looks.append(machine.hall_counts())
        zeros = {
            name: round(statistics.median(each[name] for each in looks if name in each))
            for name in looks[-1]
        }
        return {
            name: zero
            for name, zero in zeros.items()
            if hall.RAIL_COUNTS < zero < 255 - hall.RAIL_COUNTS
            and abs((zero - figures.zero) * figures.millitesla_per_count) < figures.present
        }

    def _magnet(self, place: str) -> Asking[None]:
        """Ask for a magnet on a place, or in each of its pockets, and learn its inputs."""
        spots = [spot for spot in self.sensors if spot[0] == place]
        if all(self.sensors[spot] in self.progress.seen for spot in spots):
            return
        lying: dict[str, int] = {}
        for spot in spots:
            seen = yield from self._lay(spot, lying)
            if seen is None:
                break
            field = strongest(self._walker.machine, seen)
            self.progress.seen[self.sensors[spot]] = Seen(dict(seen), field)
            self._learn(spot, seen)
            lying |= seen
        yield from self._walker.lift(place)
        self._confirm_lights(place)
        self._save()

    def _lay(self, spot: Spot, lying: Mapping[str, int]) -> Asking[Mapping[str, int] | None]:
        """Return the inputs that see one more magnet, None if the person cannot place it. If the
        expected input does not see it, ask once more.
        """
        place, pocket = spot
        may_repeat = pocket == 0
        while True:
            pixels = self._pixels(place)
            self._walker.light(map(light, pixels))
            answers = (DONE, OTHER_LIT, SKIP) if pixels else (DONE, SKIP)
            question = Question("put", self._request(spot, bool(pixels)), answers, place)
            answer, seen = yield from self._walker.lay(question, lying)
            if answers[answer] == OTHER_LIT:
                for pixel in pixels:
                    yield from self._where(pixel)
            elif answers[answer] == SKIP:
                return None
            elif (
                not may_repeat or self.inputs.guess(spot) in seen or (seen and not self.inputs.turn)
            ):
                return seen
            else:
                may_repeat = False
                yield (
                    say("It is seen somewhere else. Try again, please.")
                    if seen
                    else say("It is not seen. Try again, please.")
                )
                yield from self._walker.lift(place)

    def _request(self, spot: Spot, lit: bool) -> Message:
        """Return the request to put a magnet onto a spot."""
        place, pocket = spot
        number, of = len(self.progress.seen) + 1, len(self.sensors)
        if pocket:
            return say(
                "{n} of {of}: put one more magnet into {place}, its north pole up.",
                n=number,
                of=of,
                place=place,
            )
        if lit:
            return say(
                "{n} of {of}: put a magnet onto {place} (lit), its north pole up.",
                n=number,
                of=of,
                place=place,
            )
        return say(
            "{n} of {of}: put a magnet onto {place} (its light is dark), its north pole up.",
            n=number,
            of=of,
            place=place,
        )

    def _learn(self, spot: Spot, seen: Mapping[str, int]) -> None:
        """Record the input of a spot: the expected or the only one, unless another spot has it."""
        expected = self.inputs.guess(spot)
        end = expected if expected in seen else next(iter(seen)) if len(seen) == 1 else None
        if end is not None and end not in self.inputs.known.values():
            self.inputs.known[spot] = end

    def _save(self) -> None:
        self.progress.lights = [(*spot, pixel) for spot, pixel in self.lights.known.items()]
        self._store(self.progress)
