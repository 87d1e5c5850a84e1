"""A simulated board: magnets on a table, the sensors under them, chips, wires, a light chain.

It is made from a layout, so a wrong layout shows here, too. Everything above the wires (drivers,
machine) is the code that runs on a real board. Magnets are put down and lifted; parts can be broken
and repaired. `save` and `load` keep the magnets in place while no program runs.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from hardware.layout import Layout, SerialDevice
from hardware.simulated.chips import (
    Chip,
    SimulatedAds7830,
    SimulatedBus,
    SimulatedCd74hc4067,
    SimulatedMcp23017,
    hall_volts,
)
from hardware.simulated.serial_line import SimulatedLine
from hardware.simulated.strip import SimulatedStrip

MAGNET_MT: Final = 35.0
"""The field at a sensor under a 6 x 3 mm magnet with 6 mm between them."""


class SimulationError(ValueError):
    """An impossible action on a simulated board; one line says why."""


@dataclass(frozen=True, slots=True)
class Breakage:
    """A part that is broken on purpose."""

    kind: Literal[
        "missing", "silent", "stuck on", "stuck off", "bouncing", "wire", "chain", "lights"
    ]
    """A chip is `missing` or `silent`; a sensor is stuck, bouncing or has its `wire` cut; the light
    chain is cut, or its device fails."""
    part: str
    """The chip's address, the sensor, the first LED behind the cut, or the system's message."""


class SimulatedBoard:
    """The hardware below the wires: `bus` and `strip` are for a Machine."""

    def __init__(
        self,
        layout: Layout,
        *,
        stray_mt: Mapping[str, float] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Build an empty board. `stray_mt` is the field that Hall sensors see without a magnet;
        `clock` is the time of its co-processors, in seconds.
        """
        self.layout = layout
        self.on_interrupt: Callable[[], None] = lambda: None
        """Called, without any lock held, when the interrupt line falls or a header button moves."""
        self.magnet_mt = MAGNET_MT
        self.dead_centres: set[str] = set()
        """Cells whose reed, stuck open, closes when a magnet is moved aside."""
        self._magnets: dict[str, list[int]] = {}
        self._held: set[str] = set()
        self._stray = dict(stray_mt or {})
        self._stuck: dict[str, bool] = {}
        self._bouncing: dict[str, deque[bool]] = {}
        self._cut_wires: set[str] = set()
        self._missing = 0
        self._place = {
            sensor: place.name for place in layout.places.values() for sensor in place.sensors
        }
        self._index = {
            sensor: index
            for place in layout.places.values()
            for index, sensor in enumerate(place.sensors)
        }
        self._switches: dict[int, SimulatedMcp23017] = {
            chip.address: SimulatedMcp23017() for chip in layout.expanders
        }
        self._pins = {
            sensor: (chip.address, pin)
            for chip in layout.expanders
            for pin, sensor in chip.sensors.items()
        }
        self._chosen: dict[int, int] = {}
        """A cache of the number on the select lines, by the outputs of their chip."""
        self.multiplexers = [SimulatedCd74hc4067(self._selected) for _ in layout.multiplexers]
        """In the layout's order; faults are set on them directly."""
        self._inputs = {
            sensor: (simulated, number)
            for chip, simulated in zip(layout.multiplexers, self.multiplexers, strict=True)
            for number, sensor in enumerate(chip.inputs)
            if sensor
        }
        chips: dict[int, Chip] = {**self._switches, **self._converters()}
        self.bus = SimulatedBus(chips)
        self.bus.writing = lambda: _Noticing(self)
        self.strip = SimulatedStrip(len(layout.led_positions), layout.led_order)
        self._lines = {each.port: SimulatedLine(layout, each, clock) for each in layout.serial}
        for sensor in self._inputs:
            self._drive(sensor)

    def open_port(self, device: SerialDevice) -> SimulatedLine:
        """Open the port of a co-processor: the `open_port` of a Machine."""
        return self._lines[device.port]

    def _converters(self) -> dict[int, SimulatedAds7830]:
        inputs: dict[int, dict[int, Callable[[], float]]] = {}
        for chip, simulated in zip(self.layout.multiplexers, self.multiplexers, strict=True):
            inputs.setdefault(chip.adc, {})[chip.channel] = simulated.common
        return {address: SimulatedAds7830(of_chip) for address, of_chip in inputs.items()}

    def _selected(self) -> int:
        """Return the number on the select lines; a line that nothing drives is pulled down."""
        select = self.layout.select
        if select is None:
            return 0
        levels = self._switches[select.expander].outputs
        if levels not in self._chosen:
            chosen = sum((levels >> pin & 1) << line for line, pin in enumerate(select.pins))
            self._chosen[levels] = chosen
        return self._chosen[levels]

    # ---- what a hand does

    def put(self, place: str, pole: int = 1) -> None:
        """Put a magnet onto a place, its north (+1) or south pole (-1) up. A cell takes one
        magnet, a slot any number: first one in each pocket, then a heap. SimulationError if the
        cell is taken or the place unknown.
        """
        where = self._known(place)
        if pole not in (1, -1):
            raise SimulationError(f"a magnet lies with +1 or -1 up, not {pole}")
        with _Noticing(self):
            lying = self._magnets.setdefault(place, [])
            if lying and where == "cell":
                raise SimulationError(f"something lies on {place} already")
            lying.append(pole)
            self._moved(place)

    def lift(self, place: str) -> None:
        """Lift the magnet that was put there last; SimulationError if there is none."""
        self._known(place)
        with _Noticing(self):
            if not self._magnets.get(place):
                raise SimulationError(f"nothing lies on {place}")
            self._magnets[place].pop()
            self._moved(place)

    def lying(self, place: str) -> tuple[int, ...]:
        """Return the poles of the magnets on a place, the latest last."""
        self._known(place)
        return tuple(self._magnets.get(place, ()))

    def press(self, button: str) -> None:
        """Press a button or a switch under a stick die; SimulationError for an unknown name."""
        self._push(button, True)

    def release(self, button: str) -> None:
        """Release a button."""
        self._push(button, False)

    def held(self) -> frozenset[str]:
        """Return the buttons on the Pi's header that are down: the `buttons` of a Machine."""
        return frozenset(self._held)

    def _push(self, name: str, down: bool) -> None:
        button = next((each for each in self.layout.switches if each.name == name), None)
        if button is None:
            raise SimulationError(f"the board has no button {name!r}")
        if button.expander is not None:
            with _Noticing(self):
                self._switches[button.expander].drive(button.pin, 0 if down else None)
        else:
            (self._held.add if down else self._held.discard)(name)
            self.on_interrupt()

    def _known(self, place: str) -> str:
        entry = self.layout.places.get(place)
        if entry is None or entry.kind == "edge":
            raise SimulationError(f"the board has no place {place!r} to lay anything on")
        return entry.kind

    # ---- what survives the program

    def save(self) -> dict[str, list[int]]:
        """Return the magnets on all places, as plain data for `load`."""
        return {place: list(poles) for place, poles in self._magnets.items() if poles}

    def load(self, magnets: object) -> None:
        """Replace all magnets by those of `save`; SimulationError leaves the board unchanged."""
        if not isinstance(magnets, Mapping):
            raise SimulationError("magnets are an object of places, each with a list of poles")
        for place, poles in magnets.items():
            kind = self._known(place)
            if not isinstance(poles, list) or not all(pole in (1, -1) for pole in poles):
                raise SimulationError(f"{place}: poles are a list of 1 and -1, not {poles!r}")
            if kind == "cell" and len(poles) > 1:
                raise SimulationError(f"{place}: a cell holds one magnet, not {len(poles)}")
        with _Noticing(self):
            before = set(self._magnets)
            self._magnets = {place: list(poles) for place, poles in magnets.items()}
            for place in before | set(self._magnets):
                self._moved(place)

    # ---- sensors

    def _pole(self, sensor: str, closed: bool | None = None) -> int:
        """Return the pole above a sensor, 0 for none. A sensor that is stuck or bounces (its
        momentary state is `closed`) seems to see a magnet or none.
        """
        magnets = self._magnets.get(self._place[sensor], [])
        index = self._index[sensor]
        pole = magnets[index] if index < len(magnets) else 0
        if closed is None:
            closed = self._stuck.get(sensor, bool(pole))
        return (pole or 1) if closed else 0

    def _moved(self, place: str) -> None:
        """Update the sensors under a place."""
        for sensor in self.layout.places[place].sensors:
            self._drive(sensor)

    def _drive(self, sensor: str, closed: bool | None = None) -> None:
        """Drive the sensor's pin with its present output."""
        pole = self._pole(sensor, closed)
        cut = sensor in self._cut_wires
        if sensor in self._pins:
            address, pin = self._pins[sensor]
            # A closed switch pulls the pin down; an open one does nothing.
            self._switches[address].drive(pin, 0 if pole and not cut else None)
        elif sensor in self._inputs:
            field = pole * self.magnet_mt + self._stray.get(sensor, 0.0)
            multiplexer, number = self._inputs[sensor]
            multiplexer.drive(number, None if cut else hall_volts(field))
        for line in self._lines.values():
            line.set_pole(sensor, 0 if cut else pole)

    def _advance_switches(self, address: int) -> None:
        """Advance the bouncing switches of a chip before a transaction."""
        before = self.interrupt
        for sensor in list(self._bouncing):
            if sensor in self._pins and self._pins[sensor][0] == address:
                self._next_level(sensor)
        if self.interrupt and not before:
            self.interrupt_fell()

    def _bounce_hall(self, sensor: str) -> None:
        """Advance a bouncing Hall sensor with each conversion."""
        if sensor not in self._inputs:
            raise SimulationError(f"{sensor} hangs on a co-processor, which lets nothing bounce")
        multiplexer, _ = self._inputs[sensor]
        by_number = {at: name for name, (chip, at) in self._inputs.items() if chip is multiplexer}
        multiplexer.before = lambda chosen: self._next_level(by_number.get(chosen, ""))

    def _next_level(self, sensor: str) -> None:
        levels = self._bouncing.get(sensor)
        if levels:
            self._drive(sensor, levels.popleft())
        elif levels is not None:
            del self._bouncing[sensor]
            self._drive(sensor)

    # ---- the interrupt line

    @property
    def interrupt(self) -> bool:
        """Whether the interrupt line is low: an INT pin pulls it down and none pushes it up."""
        with self.bus.lock:
            pulls = [
                chip.interrupt
                for address, chip in self._switches.items()
                if address not in self.bus.unplugged
            ]
        return True in pulls and False not in pulls

    def interrupt_fell(self) -> None:
        """Call `on_interrupt`, unless the call is to be missed."""
        if self._missing:
            self._missing -= 1
        else:
            self.on_interrupt()

    # ---- breaking and repairing

    def refuse(self, address: int, times: int | None = None) -> None:
        """Let a chip acknowledge nothing for a number of transactions, or (None) until `repair`."""
        self._chip(address)
        self.bus.refusing[address] = times

    def unplug(self, address: int) -> None:
        """Disconnect a chip."""
        self._chip(address)
        with _Noticing(self):
            self.bus.unplugged.add(address)

    def plug_in(self, address: int) -> None:
        """Connect a chip again; it has lost its registers."""
        chip = self._chip(address)
        with _Noticing(self):
            self.bus.unplugged.discard(address)
            chip.power_on()

    def reset(self, address: int) -> None:
        """Interrupt a chip's power: its registers are as after power-on."""
        chip = self._chip(address)
        with _Noticing(self):
            chip.power_on()

    def stick(self, name: str, closed: bool) -> None:
        """Let a sensor, or all sensors of a place, always report a magnet, or never."""
        with _Noticing(self):
            for sensor in self._sensors(name):
                self._stuck[sensor] = closed
                self._drive(sensor)

    def bounce(self, name: str, closed: Iterable[bool]) -> None:
        """Let a sensor report these states first, one for each time that its chip is read."""
        levels = list(closed)
        with self.bus.lock:
            for sensor in self._sensors(name):
                self._bouncing[sensor] = deque(levels)
                if sensor in self._pins:
                    self.bus.before = self._advance_switches
                else:
                    self._bounce_hall(sensor)

    def cut_wire(self, name: str) -> None:
        """Cut a sensor's wire: a switch seems open, a Hall sensor drives nothing any more."""
        with _Noticing(self):
            for sensor in self._sensors(name):
                self._cut_wires.add(sensor)
                self._drive(sensor)

    def miss_interrupts(self, times: int = 1) -> None:
        """Suppress the next calls of `on_interrupt`."""
        self._missing = times

    def cut_chain(self, pixel: int) -> None:
        """Cut the light chain before a pixel: the LEDs behind the cut keep their colours."""
        if not 0 <= pixel < len(self.layout.led_positions):
            raise SimulationError(f"the chain has no pixel {pixel}")
        self.strip.cut(pixel)

    def repair(self) -> None:
        """Repair everything; disconnected chips come back with their registers lost."""
        self.bus.refusing.clear()
        for address in list(self.bus.unplugged):
            self.plug_in(address)
        self._missing = 0
        self.strip.cut(None)
        self.strip.broken = ""
        with _Noticing(self):
            hurt = {*self._stuck, *self._bouncing, *self._cut_wires}
            for broken in (self._stuck, self._bouncing, self._cut_wires):
                broken.clear()
            self.bus.before = None
            for multiplexer in self.multiplexers:
                multiplexer.before = None
            for sensor in hurt:
                self._drive(sensor)

    def broken(self) -> tuple[Breakage, ...]:
        """Return what is broken now."""
        found = [Breakage("missing", f"{chip:#04x}") for chip in sorted(self.bus.unplugged)]
        found += [
            Breakage("silent", f"{chip:#04x}")
            for chip, times in sorted(self.bus.refusing.items())
            if times != 0
        ]
        found += [
            Breakage("stuck on" if on else "stuck off", sensor)
            for sensor, on in self._stuck.items()
        ]
        found += [Breakage("bouncing", sensor) for sensor in self._bouncing]
        found += [Breakage("wire", sensor) for sensor in sorted(self._cut_wires)]
        if self.strip.cut_at is not None:
            found.append(Breakage("chain", str(self.strip.cut_at)))
        if self.strip.broken:
            found.append(Breakage("lights", self.strip.broken))
        return tuple(found)

    def _chip(self, address: int) -> Chip:
        if address not in self.bus.chips:
            raise SimulationError(f"the board has no chip at {address:#04x}")
        return self.bus.chips[address]

    def _sensors(self, name: str) -> tuple[str, ...]:
        if name in self._place:
            return (name,)
        entry = self.layout.places.get(name)
        if entry is None or not entry.sensors:
            raise SimulationError(f"the board has no sensor {name!r}")
        return entry.sensors


class _Noticing:
    """Locks the bus during a change, and afterwards reports if the interrupt line fell."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._board = board

    def __enter__(self) -> None:
        self._board.bus.lock.acquire()
        self._before = self._board.interrupt

    def __exit__(self, *_: object) -> None:
        fell = self._board.interrupt and not self._before
        self._board.bus.lock.release()
        if fell:
            self._board.interrupt_fell()
