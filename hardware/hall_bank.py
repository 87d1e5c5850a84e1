"""From linear Hall sensors to readings: one bank for a board, whose converters can fail one by one.

As with switches, a converter that does not answer is retried at once, then at growing intervals.
"""

from __future__ import annotations

from collections.abc import Mapping

from drivers import hall
from drivers.ads7830 import Ads7830
from drivers.bus import BusError, I2cBus
from drivers.cd74hc4067 import SelectLines
from hardware.layout import BoardPlace, Layout
from hardware.sensing import Fault, RetryDelay, SwitchBank, kind_of, shortened


class _Converter:
    """One ADS7830 with the sensors that reach it through multiplexers."""

    def __init__(self, adc: Ads7830) -> None:
        self.adc = adc
        self.sensors: list[tuple[int, int, int]] = []  # select channel, ADC input, sensor's index
        self.places: tuple[str, ...] = ()
        self.ready = True
        self.fault: Fault | None = None
        self.retry = RetryDelay()


class HallBank:
    """All linear Hall sensors of a board: multiplexers, converters, thresholds, pockets.

    `measure` takes the counts. `commit` turns them into readings once it is known that the chip
    with the select lines has kept its settings meanwhile. If it has not, every channel may have
    been any other one, and the counts are dropped.
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
        self._places: list[BoardPlace] = []
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
        """Places with unknown readings: no scan yet, a silent converter, a dead sensor."""
        self.faults: tuple[Fault, ...] = ()
        self._plan()

    def counts(self) -> dict[str, int]:
        """Return the last count of every sensor whose converter answers, for calibration."""
        return {self._sensors[index]: self._counts[index] for index in self._active}

    def _plan(self) -> None:
        """Plan the scan: for each channel in use, which converters to read into which counts."""
        reads: dict[int, list[tuple[_Converter, int, int]]] = {}
        self._active: list[int] = []
        for converter in self._converters:
            for channel, adc_input, index in converter.sensors if converter.ready else ():
                reads.setdefault(channel, []).append((converter, adc_input, index))
                self._active.append(index)
        self._steps = sorted(reads.items(), key=lambda step: step[0])

    def retry_at_once(self) -> None:
        """Try silent converters in the next scan, however long they have been silent."""
        for converter in self._converters:
            converter.retry.make_due()

    def measure(self, now: float) -> bool:
        """Take all counts; False if the chip with the select lines failed: its bank reports it."""
        for converter in self._converters:
            if not converter.ready and converter.retry.due(now):
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
        converter.fault = Fault(kind_of(error), converter.adc.address, str(error), converter.places)
        converter.retry.failed(now)
        for _, _, index in converter.sensors:
            self._states[index] = hall.UNUSABLE
        self._touched.update(converter.places)
        self._plan()

    def _retry(self, converter: _Converter, now: float) -> None:
        try:
            converter.adc.read(0)
        except BusError:
            converter.retry.failed(now)
            return
        converter.ready, converter.fault = True, None
        converter.retry.succeeded()
        self._touched.update(converter.places)
        self._plan()

    def commit(self) -> dict[str, int]:
        """Turn the counts into readings; return those that changed."""
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
        """Forget all readings: the select lines are out of reach. Return the changed ones."""
        if len(self.blind) == len(self._of_place):
            return {}
        self._states = [hall.UNUSABLE] * len(self._sensors)
        self.faults = ()
        return self._settle(set(self._of_place))

    def _settle(self, touched: set[str]) -> dict[str, int]:
        """Compute the readings of these places; return the changed ones."""
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
