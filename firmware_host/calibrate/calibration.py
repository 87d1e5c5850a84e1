"""The two walks: what is lit where, and which input sees the magnet that is laid there.

They light what is to be looked at and stop at each question; who asks it, where, is not theirs.

Three cells tell how lights and inputs lie, turned or mirrored. From then on each place is expected
where it should be, and the walk confirms it or finds where it is instead.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Final

from drivers import hall
from firmware_host.calibrate.ends import CableEnds, Spot
from firmware_host.calibrate.progress import Progress, Seen
from firmware_host.calibrate.raw import light, name_of, raw
from firmware_host.doctor.asking import DONE, NO, OTHER_LIT, SKIP, YES, Asking, Question
from firmware_host.doctor.bench import Bench, machine_of
from firmware_host.doctor.bus_checks import roll, wanted
from firmware_host.doctor.findings import Finding, address_text
from firmware_host.doctor.light_checks import light_findings
from firmware_host.doctor.magnet_walk import Walker, corners, strongest, wires
from firmware_host.i18n.messages import Message, say
from hardware.layout import Layout
from hardware.layout.symmetry import turns
from hardware.machine import Machine

LOOKS: Final = 9
"""So many looks make a Hall sensor's zero."""
ALL_DARK: Final = say("all is dark")
OPEN_QUESTIONS: Final = 6
"""So many lights at the most are asked about before it is given up to see how they lie."""


def spots_of(layout: Layout) -> dict[Spot, str]:
    """Return the sensor at each spot. A place on a serial line is one spot, named by itself."""
    by_serial = {place for device in layout.serial for place in device.places}
    return {
        (place.name, number): place.name if place.name in by_serial else sensor
        for place in layout.places.values()
        for number, sensor in enumerate(place.sensors)
        if number == 0 or place.name not in by_serial
    }


class Calibration:
    """One board, and what is known of it so far."""

    def __init__(
        self,
        bench: Bench,
        progress: Progress,
        keep: Callable[[Progress], None] = lambda _: None,
    ) -> None:
        """`keep` is called after every step."""
        self.layout = layout = bench.layout
        self.progress = progress
        self.findings: list[Finding] = []
        """What was found of the lights."""
        self.silent: frozenset[str] = frozenset()
        """Chips of the layout that do not answer."""
        self.zeros: dict[str, int] = {}
        """Of Hall sensors, by raw name."""
        self.sensors = spots_of(layout)
        self._bench, self._keep = bench, keep
        ways, pins = turns(layout), wires(layout)
        self.lights: CableEnds[int] = CableEnds(
            {
                (place.name, number): pixel
                for place in layout.places.values()
                for number, pixel in enumerate(place.pixels)
            },
            ways,
        )
        self.inputs: CableEnds[str] = CableEnds(
            {
                (place, number): name_of(pins[layout.places[place].sensors[number]])
                for place, number in self.sensors
            },
            ways,
        )
        self.lights.known = {(place, number): pixel for place, number, pixel in progress.lights}
        for spot, sensor in self.sensors.items():
            if sensor in progress.seen:
                self._learn(spot, progress.seen[sensor].pins)

    def run(self) -> Asking[None]:
        """Ask for everything that is not known yet. OSError if the board cannot be had."""
        yield from self._chain()
        yield from self._board()
        yield from self._corners()
        first = corners(self.layout)
        places = list(dict.fromkeys([*first, *(place for place, _ in self.sensors)]))
        for place in places:
            yield from self._magnet(place)
        for place in self.layout.places:
            if place not in places:
                yield from self._shine(place)
        self._walker.light([])

    # ---- lights

    def _chain(self) -> Asking[None]:
        """See in which order the lights take their colours, and where the chain ends."""
        progress, count = self.progress, len(self.layout.led_positions)
        if not progress.order or progress.end is not None:  # or it may have been mended
            self.findings = yield from light_findings(self._bench)
            progress.order, progress.end = self.layout.led_order, None
            for finding in self.findings:
                if finding.cause == "colour-order":
                    progress.order = finding.part
                elif finding.cause == "lights-end":
                    progress.end = int(finding.part)
                elif finding.cause in ("lights-dead", "lights-garbled"):
                    progress.end = 0  # the screen leads alone
            self._keep(progress)
        # What is written into the layout is no finding.
        self.findings = [each for each in self.findings if each.cause != "colour-order"]
        end = count if progress.end is None else progress.end
        self.lights.gone = {*progress.dark, *range(end, count)}
        self._bench.layout = replace(self.layout, led_order=progress.order)

    def _corners(self) -> Asking[None]:
        """Ask about lights under corners until it is clear how they lie."""
        cells = self.layout.cells
        asked = list(dict.fromkeys([*corners(self.layout), *cells[:: len(cells) // 4]]))
        for cell in asked[:OPEN_QUESTIONS]:
            pixel = self.lights.by_layout[cell, 0]
            if self.lights.turn is None and pixel not in self._told():
                yield from self._where(pixel)

    def _told(self) -> Collection[int]:
        return {*self.lights.known.values(), *self.lights.gone}

    def _where(self, pixel: int) -> Asking[None]:
        """Light one LED and ask where it is."""
        self._walker.light([light(pixel)])
        words = say("One light is on. At which place?")
        question = Question("where", words, (ALL_DARK,), places=tuple(self.layout.places))
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
        """Return the LEDs that are, or should be, at a place."""
        count = len(self.layout.places[place].pixels)
        pixels = (self.lights.guess((place, number)) for number in range(count))
        return [pixel for pixel in pixels if pixel is not None]

    def _right(self, place: str) -> None:
        """Know that a place was lit by its lights."""
        for number in range(len(self.layout.places[place].pixels)):
            pixel = self.lights.guess((place, number))
            if pixel is not None:
                self.lights.known[place, number] = pixel

    def _shine(self, place: str) -> Asking[None]:
        """See that a place without a sensor is lit by its own lights."""
        for _ in self.lights.by_layout:
            pixels = self._pixels(place)
            if not pixels or all(pixel in self.lights.known.values() for pixel in pixels):
                return
            self._walker.light(map(light, pixels))
            words = say("Only {place} should be lit. Is it?", place=place)
            if (yield Question("alone", words, (YES, NO), place)) == 0:
                self._right(place)
                self._save()
                return
            for pixel in pixels:
                yield from self._where(pixel)

    # ---- magnets

    def _board(self) -> Asking[None]:
        """See who answers, and what the empty board gives."""
        answers = {
            address for address, answer in roll(self._bench.bus()).items() if answer == "answers"
        }
        self._bench.pins()  # RESET may have kept some of them down
        answers |= {
            address for address, answer in roll(self._bench.bus()).items() if answer == "answers"
        }
        self.silent = frozenset(map(address_text, set(wanted(self.layout)) - answers))
        for chip in sorted(self.silent):
            yield say("{chip} does not answer: lampion doctor says what may be wrong.", chip=chip)
        bare = raw(self._bench.layout, answers)
        words = say("Take everything off the board, and answer.")
        yield Question("clear", words, (DONE,))
        self.zeros = self._zeros(machine_of(self._bench, bare))
        self._walker = Walker(machine_of(self._bench, bare, self.zeros), self._bench)

    @property
    def at_rest(self) -> frozenset[str]:
        """Return the inputs that see something where nothing lies, by raw name."""
        return self._walker.at_rest

    def _zeros(self, machine: Machine) -> dict[str, int]:
        """Return the counts of Hall sensors without a magnet; those that seem to have one, or no
        supply, keep the layout's.
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
            if hall.RAIL < zero < 255 - hall.RAIL
            and abs((zero - figures.zero) * figures.millitesla_per_count) < figures.present
        }

    def _magnet(self, place: str) -> Asking[None]:
        """Have a magnet laid onto a place, one into each of its pockets, and learn its inputs."""
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
        self._right(place)
        self._save()

    def _lay(self, spot: Spot, lying: Mapping[str, int]) -> Asking[Mapping[str, int] | None]:
        """Return what one more magnet is seen as, None if none can be laid. What is seen elsewhere
        than it should be, or not at all, is tried once more.
        """
        place, pocket = spot
        again = pocket == 0
        while True:
            pixels = self._pixels(place)
            self._walker.light(map(light, pixels))
            answers = (DONE, OTHER_LIT, SKIP) if pixels else (DONE, SKIP)
            question = Question("put", self._words(spot, bool(pixels)), answers, place)
            answer, seen = yield from self._walker.lay(question, lying)
            if answers[answer] == OTHER_LIT:
                for pixel in pixels:
                    yield from self._where(pixel)
            elif answers[answer] == SKIP:
                return None
            elif not again or self.inputs.guess(spot) in seen or (seen and not self.inputs.turn):
                return seen
            else:
                again = False
                yield (
                    say("It is seen somewhere else. Try again, please.")
                    if seen
                    else say("It is not seen. Try again, please.")
                )
                yield from self._walker.lift(place)

    def _words(self, spot: Spot, lit: bool) -> Message:
        place, pocket = spot
        done, of = len(self.progress.seen) + 1, len(self.sensors)
        if pocket:
            return say(
                "{n} of {of}: put one more magnet into {place}, its north pole up.",
                n=done,
                of=of,
                place=place,
            )
        if lit:
            return say(
                "{n} of {of}: put a magnet onto {place} (lit), its north pole up.",
                n=done,
                of=of,
                place=place,
            )
        return say(
            "{n} of {of}: put a magnet onto {place} (its light is dark), its north pole up.",
            n=done,
            of=of,
            place=place,
        )

    def _learn(self, spot: Spot, seen: Mapping[str, int]) -> None:
        """Know the input of a spot, unless it is another's, or one of several."""
        expected = self.inputs.guess(spot)
        end = expected if expected in seen else next(iter(seen)) if len(seen) == 1 else None
        if end is not None and end not in self.inputs.known.values():
            self.inputs.known[spot] = end

    def _save(self) -> None:
        self.progress.lights = [(*spot, pixel) for spot, pixel in self.lights.known.items()]
        self._keep(self.progress)
