"""From chips to readings: one bank for each chip or group of chips that can fail by itself.

A bank keeps what its places read. A chip that does not answer makes its places blind: nothing is
known of them until it answers again. It is tried twice at once (one disturbed transfer is no
fault), then again after a quarter of a second, and ever more seldom down to every two seconds,
because on some wires every try costs a time-out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from drivers import hall
from drivers.ads7830 import Ads7830
from drivers.bus import BusError, I2cBus
from drivers.cd74hc4067 import INPUTS, SelectLines
from drivers.mcp23017 import NO_INPUT, ChipResetError, Mcp23017, WrongChipError
from hardware.layout import Layout, Place

FIRST_RETRY_S: Final = 0.25
LAST_RETRY_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Fault:
    """Something of the machine that does not work. Equal as long as it is the same trouble."""

    kind: Literal["silent", "wrong", "reset", "sensor", "lights"]
    """`silent`: no answer · `wrong`: another chip answers · `reset`: it lost power and was set up
    again (said in one frame; nothing is blind) · `sensor`: it gives what no sensor gives ·
    `lights`: the light chain's SPI."""
    address: int | None
    text: str
    """One line: what, the address, and what to look at."""
    places: tuple[str, ...] = ()
    """What it makes blind."""


class _Patience:
    """When to try a silent chip again."""

    def __init__(self) -> None:
        self._next = 0.0
        self._delay = FIRST_RETRY_S

    def failed(self, now: float) -> None:
        self._next = now + self._delay
        self._delay = min(2 * self._delay, LAST_RETRY_S)

    def due(self, now: float) -> bool:
        return now >= self._next

    def over(self) -> None:
        self._next, self._delay = 0.0, FIRST_RETRY_S


class SwitchBank:
    """One MCP23017 with reed or digital Hall switches and buttons; a closed one pulls its pin low.

    A chip that carries select lines has `dependents`: the places that are blind without it.
    """

    def __init__(
        self,
        bus: I2cBus,
        address: int,
        *,
        sensors: Mapping[int, str],
        buttons: Mapping[int, str],
        outputs: Iterable[int] = (),
        dependents: Iterable[str] = (),
    ) -> None:
        inputs = 0xFFFF & ~NO_INPUT & ~sum(1 << pin for pin in outputs)
        self.chip = Mcp23017(bus, address, inputs=inputs)
        self.places = (*sensors.values(), *dependents)
        self.ready = False
        """Set up and answering."""
        self.faults: tuple[Fault, ...] = ()
        self.pulsed: frozenset[str] = frozenset()
        """Places whose switch moved since the last scan and moved back."""
        self.pressed: frozenset[str] = frozenset()
        self.was_reset = False
        """The last scan found it with settings lost, and set it up again."""
        self._sensors = tuple((1 << pin, name) for pin, name in sensors.items())
        self._buttons = tuple((1 << pin, name) for pin, name in buttons.items())
        self._sensor_pins = sum(bit for bit, _ in self._sensors)
        self._pins = inputs  # all high: all open
        self._patience = _Patience()

    def scan(self, now: float) -> dict[str, int]:
        """Read the chip and return the readings that changed.

        Never raises for a chip's sake: look at `ready` and `faults`.
        """
        if not self.ready:
            return self._start(now)
        if self.was_reset:
            self.was_reset, self.faults = False, ()
        try:
            pins, interrupted = self.chip.read()
        except BusError as error:
            return self._trouble(error, now)
        if interrupted or self.pulsed:
            self.pulsed = self._names(interrupted & ~(pins ^ self._pins))
        return self._take(pins) if pins != self._pins else {}

    def _lose(self, error: BusError, now: float) -> dict[str, int]:
        """Give the chip up until it can be set up again; its places go blind and read nothing."""
        kind: Literal["silent", "wrong"] = (
            "wrong" if isinstance(error, WrongChipError) else "silent"
        )
        self.ready = self.was_reset = False
        self.faults = (Fault(kind, self.chip.address, str(error), self.places),)
        self._patience.failed(now)
        self.pulsed = self.pressed = frozenset()
        return self._take(self.chip.inputs)

    def _start(self, now: float) -> dict[str, int]:
        if not self._patience.due(now):
            return {}
        try:
            self.chip.set_up()
            pins, _ = self.chip.read()
        except BusError as error:
            return self._lose(error, now)
        self._patience.over()
        self.ready, self.faults = True, ()
        return self._take(pins)

    def _trouble(self, error: BusError, now: float) -> dict[str, int]:
        """Settle a scan that failed, if a second try can."""
        try:
            if isinstance(error, ChipResetError):
                self.chip.set_up()
            pins, _ = self.chip.read()
        except ChipResetError as again:  # reset between the two tries
            if isinstance(error, ChipResetError):
                return self._lose(again, now)
            return self._trouble(again, now)
        except BusError as again:
            return self._lose(again, now)
        if isinstance(error, ChipResetError):
            self.was_reset = True
            text = f"{error}; it has been set up again"
            self.faults = (Fault("reset", self.chip.address, text),)
        self.pulsed = frozenset()
        return self._take(pins)

    def _take(self, pins: int) -> dict[str, int]:
        moved = pins ^ self._pins
        self._pins = pins
        if self._buttons and moved & ~self._sensor_pins:
            self.pressed = frozenset(name for bit, name in self._buttons if not pins & bit)
        return {name: int(not pins & bit) for bit, name in self._sensors if moved & bit}

    def _names(self, pins: int) -> frozenset[str]:
        return frozenset(name for bit, name in self._sensors if pins & bit)


class _Converter:
    """One ADS7830 with the sensors that reach it through multiplexers."""

    def __init__(self, adc: Ads7830) -> None:
        self.adc = adc
        self.sensors: list[tuple[int, int, int]] = []  # select channel, ADC input, sensor's index
        self.places: tuple[str, ...] = ()
        self.ready = True
        self.fault: Fault | None = None
        self.patience = _Patience()


class HallBank:
    """All linear Hall sensors of a board: multiplexers, converters, thresholds, pockets.

    `measure` takes the counts; `commit` makes readings of them, once the chip that drives the
    select lines is known to have kept its settings all the while. If it has not, every channel
    may have been any other, and the counts are dropped.
    """

    def __init__(
        self, bus: I2cBus, layout: Layout, select: SwitchBank, zeros: Mapping[str, int]
    ) -> None:
        """`zeros` are counts without a magnet, by sensor, where they differ from the layout's."""
        figures, lines = layout.hall, layout.select
        if figures is None or lines is None:
            raise ValueError(f"{layout.name} has no Hall sensors")
        self.select_bank = select
        self._select = SelectLines(select.chip, lines.pins)
        self._sensors: list[str] = []
        self._places: list[Place] = []
        owner = {sensor: place for place in layout.places.values() for sensor in place.sensors}
        converters: dict[int, _Converter] = {}
        for chip in layout.multiplexers:
            converter = converters.setdefault(chip.adc, _Converter(Ads7830(bus, chip.adc)))
            for channel, sensor in enumerate(chip.inputs):
                if sensor:
                    converter.sensors.append((channel, chip.channel, len(self._sensors)))
                    self._sensors.append(sensor)
                    self._places.append(owner[sensor])
        for converter in converters.values():
            names = (self._places[index].name for _, _, index in converter.sensors)
            converter.places = tuple(dict.fromkeys(names))
        unknown = set(zeros) - set(self._sensors)
        if unknown:
            raise ValueError(f"{layout.name} has no sensor {min(unknown)!r} to set the zero of")
        self._tables = [
            hall.pole_tables(
                zeros.get(sensor, figures.zero),
                figures.millitesla_per_count,
                figures.present,
                figures.released,
            )
            for sensor in self._sensors
        ]
        self._converters = tuple(converters.values())
        self._states = [hall.UNUSABLE] * len(self._sensors)
        self._counts = [0] * len(self._sensors)
        self._of_place: dict[str, list[int]] = {}
        for index, place in enumerate(self._places):
            self._of_place.setdefault(place.name, []).append(index)
        self._readings: dict[str, int] = {}
        self._touched: set[str] = set()
        self.blind: frozenset[str] = frozenset(self._of_place)
        """Places of which nothing is known: no scan yet, a silent converter, a dead sensor."""
        self.faults: tuple[Fault, ...] = ()
        self._plan()

    def counts(self) -> dict[str, int]:
        """Return what every sensor of an answering converter last gave: for calibration."""
        return {
            self._sensors[index]: self._counts[index]
            for converter in self._converters
            if converter.ready
            for _, _, index in converter.sensors
        }

    def _plan(self) -> None:
        """Lay out the scan: for each channel in use, who is read into which count."""
        self._steps = [
            (
                channel,
                [
                    (converter, adc_input, index)
                    for converter in self._converters
                    if converter.ready
                    for at, adc_input, index in converter.sensors
                    if at == channel
                ],
            )
            for channel in range(INPUTS)
        ]
        self._steps = [(channel, reads) for channel, reads in self._steps if reads]
        self._active = [
            index
            for converter in self._converters
            if converter.ready
            for _, _, index in converter.sensors
        ]

    def measure(self, now: float) -> bool:
        """Take all counts; False if the select lines' chip fell silent (that bank then knows)."""
        for converter in self._converters:
            if not converter.ready and converter.patience.due(now):
                self._retry(converter, now)
        while True:
            try:
                failed = self._pass()
            except BusError:
                return False
            if failed is None:
                return True
            self._lose(*failed, now)

    def _pass(self) -> tuple[_Converter, BusError] | None:
        counts = self._counts
        for channel, reads in self._steps:
            self._select.select(channel)
            for converter, adc_input, index in reads:
                try:
                    counts[index] = converter.adc.read(adc_input)
                except BusError:
                    try:
                        counts[index] = converter.adc.read(adc_input)
                    except BusError as error:
                        return converter, error
        return None

    def _lose(self, converter: _Converter, error: BusError, now: float) -> None:
        converter.ready = False
        converter.fault = Fault("silent", converter.adc.address, str(error), converter.places)
        converter.patience.failed(now)
        for _, _, index in converter.sensors:
            self._states[index] = hall.UNUSABLE
        self._touched.update(converter.places)
        self._plan()

    def _retry(self, converter: _Converter, now: float) -> None:
        try:
            converter.adc.read(0)
        except BusError:
            converter.patience.failed(now)
            return
        converter.ready, converter.fault = True, None
        converter.patience.over()
        self._touched.update(converter.places)
        self._plan()

    def commit(self) -> dict[str, int]:
        """Make readings of the counts and return those that changed."""
        states, counts, tables = self._states, self._counts, self._tables
        for index in self._active:
            before = states[index]
            state = tables[index][before][counts[index]]
            if state != before:
                states[index] = state
                self._touched.add(self._places[index].name)
        if not self._touched:
            return {}
        changes = self._settle(self._touched)
        self._touched = set()
        self.faults = tuple(
            fault for converter in self._converters if (fault := self._fault(converter))
        )
        return changes

    def forget(self) -> dict[str, int]:
        """Know nothing of any sensor: the select lines are out of reach. Return what changed."""
        if len(self.blind) == len(self._of_place):
            return {}
        self._states = [hall.UNUSABLE] * len(self._sensors)
        self.faults = ()
        return self._settle(set(self._of_place))

    def _settle(self, touched: set[str]) -> dict[str, int]:
        """Work out what these places read now; return what is new of it."""
        blind = set(self.blind)
        changes: dict[str, int] = {}
        for name in touched:
            indices = self._of_place[name]
            states = [self._states[index] for index in indices]
            if hall.UNUSABLE in states:
                blind.add(name)
                reading = 0
            else:
                blind.discard(name)
                poles = [hall.POLES[state] for state in states]
                is_cell = self._places[indices[0]].kind == "cell"
                reading = poles[0] if is_cell else sum(map(abs, poles))
            if reading != self._readings.get(name, 0):
                self._readings[name] = changes[name] = reading
        self.blind = frozenset(blind)
        return changes

    def _fault(self, converter: _Converter) -> Fault | None:
        if not converter.ready:
            return converter.fault
        dead = [i for _, _, i in converter.sensors if self._states[i] == hall.UNUSABLE]
        if not dead:
            return None
        names = shortened([self._sensors[index] for index in dead])
        return Fault(
            "sensor",
            converter.adc.address,
            f"ADS7830 at {converter.adc.address:#04x} gets no usable voltage from the Hall sensors "
            f"of {names}: look at their 3.3 V and their wires",
            tuple(dict.fromkeys(self._places[index].name for index in dead)),
        )


def shortened(names: Sequence[str], most: int = 6) -> str:
    """Return the names in one line: the first few, and how many more."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
