"""The kinds of faults on the wires of a simulated board, and a bus on which they happen.

All time is the time of the wires. A transfer takes the time of its bits and its system call; with a
held line it takes the kernel's time-out. Hands move on meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from errno import ETIMEDOUT
from random import Random
from typing import Final, TypeAlias

from hardware.interrupt import InterruptLine
from hardware.layout.model import wire_clocks
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.wires import IOCTL_S, SimulatedWires

TIMEOUT_S: Final = 0.05
"""The kernel of a Pi is set to give a transfer up after this time."""

Report: TypeAlias = tuple[str, object]
"""The kind of a fault that the machine reports, and its chip."""


class FaultyWires(SimulatedWires):
    """Wires with a clock; a transfer may hang, or arrive with bits flipped."""

    def __init__(self, board: SimulatedBoard, called: Callable[[], None]) -> None:
        """`called` runs at every edge that the Pi sees on INT."""
        super().__init__(board)
        self.line = InterruptLine(lambda: self.interrupt)
        self.faulty = FaultyBus(self)
        """The bus to give to a machine."""
        self.hangs_s = 0.0
        """The next transfer hangs for this time."""
        self.flipped: Sequence[int] = ()
        """These bits of the next data that is read arrive wrong."""
        self.meanwhile: Callable[[float], None] = lambda until: None
        """Lets hands act up to a time."""
        self._called = called
        board.on_interrupt = self.fell

    def fell(self) -> None:
        """Report that INT has fallen on the board's side."""
        if not self.int_line:
            self.line.note_edge()
            self._called()

    def hold(self, line: str) -> None:
        """Let INT be `cut`, held `low`, or (empty) whole."""
        before, self.int_line = self.interrupt, line
        if self.interrupt and not before:
            self.line.note_edge()
            self._called()

    def pass_until(self, at: float) -> None:
        """Let time pass up to this moment, unless it is later already."""
        self.seconds = max(self.seconds, at)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        until = self.seconds + seconds
        self.meanwhile(until)
        self.seconds = until


class FaultyBus:
    """A `drivers.bus.I2cBus` to a board behind faulty wires."""

    def __init__(self, wires: FaultyWires) -> None:
        self._wires = wires
        self._bus = wires.board.bus

    def read_byte_data(self, address: int, register: int) -> int:
        """Return one byte from `register`."""
        return self.read_i2c_block_data(address, register, 1)[0]

    def write_byte_data(self, address: int, register: int, value: int) -> None:
        """Write one byte to `register`."""
        self.write_i2c_block_data(address, register, (value,))

    def read_i2c_block_data(self, address: int, register: int, length: int) -> list[int]:
        """Return `length` bytes from `register` on, as they arrive."""
        self._pass(wire_clocks(1, length))
        data = self._bus.read_i2c_block_data(address, register, length)
        if self._wires.flipped:
            for bit in self._wires.flipped:
                data[bit // 8 % length] ^= 1 << bit % 8
            self._wires.flipped = ()
        return data

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Write `data` from `register` on."""
        self._pass(wire_clocks(1 + len(data), 0))
        self._bus.write_i2c_block_data(address, register, data)

    def _pass(self, clocks: int) -> None:
        """Let the time of a transfer pass; OSError if it fails on the wires."""
        wires = self._wires
        wires.meanwhile(wires.seconds)
        wires.seconds += IOCTL_S + clocks / wires.clock_hz
        if wires.hangs_s:
            seconds, wires.hangs_s = wires.hangs_s, 0.0
            wires.wait(seconds)
            raise OSError(ETIMEDOUT, "simulated: the bus hung")
        if wires.held_low:
            wires.wait(TIMEOUT_S)
            raise OSError(ETIMEDOUT, "simulated: a line is held low")


@dataclass(frozen=True)
class WireFault:
    """A fault that has begun."""

    kind: str
    seconds: float
    """How long it lasts; 0 if it is over by itself."""
    end: Callable[[], object] | None
    reports: frozenset[Report]
    """The reports that it may cause, each at most once."""
    least: int = 0
    """The least number of reports."""
    most: int = 1
    """The largest number of different reports."""


Begin: TypeAlias = Callable[[FaultyWires, Random, float], WireFault]

POLLED_WITHIN_S: Final = 0.4
"""A board is polled within this time, whatever happens."""


def _of(kinds: str, *chips: object) -> frozenset[Report]:
    return frozenset((kind, chip) for kind in kinds.split() for chip in chips)


def _chip(wires: FaultyWires, rng: Random) -> int:
    return rng.choice(sorted(wires.board.bus.chips))


def _sensor(wires: FaultyWires, rng: Random) -> str:
    places = [place for place in wires.board.layout.places.values() if place.sensors]
    return rng.choice(rng.choice(places).sensors)


def _unacknowledged(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    wires.board.refuse(_chip(wires, rng), 1)
    return WireFault("no acknowledge, once", 0.0, None, frozenset())


def _refusing(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    chip = _chip(wires, rng)
    wires.board.refuse(chip, rng.randint(2, 6))
    return WireFault("no acknowledge, some times", 0.0, None, _of("silent", chip))


def _silent(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    chip, refusing = _chip(wires, rng), wires.board.bus.refusing
    wires.board.refuse(chip)
    reports, least = _of("silent", chip), int(seconds > POLLED_WITHIN_S)
    return WireFault("chip silent", seconds, lambda: refusing.pop(chip, None), reports, least)


def _missing(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    chip, board = _chip(wires, rng), wires.board
    board.unplug(chip)
    reports, least = _of("silent reset", chip), int(seconds > POLLED_WITHIN_S)
    return WireFault("chip missing", seconds, lambda: board.plug_in(chip), reports, least)


def _reset(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    chip = _chip(wires, rng)
    wires.board.reset(chip)
    keeps = any(chip == each.address for each in wires.board.layout.expanders)
    return WireFault("chip reset", 0.0, None, _of("reset", chip), int(keeps))


def _brown_out(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    chips = sorted(wires.board.bus.chips)
    for chip in chips:
        wires.board.unplug(chip)

    def end() -> None:
        for chip in chips:
            wires.board.plug_in(chip)

    reports = _of("silent reset hung", None, *chips)
    least = int(seconds > POLLED_WITHIN_S)
    return WireFault("all chips without supply", seconds, end, reports, least, len(chips) + 1)


def _blink(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    chips = sorted(wires.board.bus.chips)
    for chip in chips:
        wires.board.reset(chip)
    return WireFault("all chips reset", 0.0, None, _of("reset", *chips), 1, len(chips))


def _bounce(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    wires.board.bounce(_sensor(wires, rng), [bool(n % 2) for n in range(2 * rng.randint(1, 20))])
    return WireFault("bounce", 0.0, None, frozenset())


def _line_held(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    wires.held_low = True

    def end() -> None:
        wires.held_low = False

    reports = _of("hung", None, *wires.board.bus.chips)
    return WireFault("SDA or SCL held", seconds, end, reports, int(seconds > POLLED_WITHIN_S))


def _hang(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    wires.hangs_s = rng.uniform(1.0, 20.0)
    return WireFault("bus hangs 1-20 s", 0.0, None, _of("hung slow", None, *wires.board.bus.chips))


def _corrupt(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    wires.flipped = rng.sample(range(80), rng.randint(1, 4))
    return WireFault(
        "corrupt read", 0.0, None, _of("reset sensor wrong silent", *wires.board.bus.chips)
    )


def _unheard(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    reports = _of("unheard", None, *wires.board.bus.chips)
    if rng.random() < 0.5:
        wires.board.miss_interrupts(rng.randint(1, 20))
        return WireFault("INT missing", seconds, lambda: wires.board.miss_interrupts(0), reports)
    wires.hold("cut")
    return WireFault("INT missing", seconds, lambda: wires.hold(""), reports)


def _int_held(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    wires.hold("low")
    reports, least = _of("held unheard", None), int(seconds > 3 * POLLED_WITHIN_S)
    return WireFault("INT held", seconds, lambda: wires.hold(""), reports, least)


def _row_open(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    """Boards with switches only: the ground of a row has a bad contact."""
    cells = [place.name for place in wires.board.layout.places.values() if place.kind == "cell"]
    row = rng.choice(cells)[-1]
    for cell in cells:
        if cell[-1] == row:
            wires.board.cut_wire(cell)
    return WireFault("wire of a row open", seconds, wires.board.repair, frozenset())


def _piece_unseen(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    """A loose magnet, or a bad contact of one sensor."""
    lying = sorted(wires.board.save())
    if lying:
        wires.board.stick(rng.choice(lying), False)
    return WireFault("piece unseen", seconds, wires.board.repair, frozenset())


def _hall_wire(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    """Boards with Hall sensors only; half of the cut wires float, as without a resistor."""
    board, sensor = wires.board, _sensor(wires, rng)
    floats = rng.random() < 0.5
    for each in board.multiplexers:
        each.bled = not floats
    board.cut_wire(sensor)

    def end() -> None:
        board.repair()
        for each in board.multiplexers:
            each.bled = True

    reports = _of("sensor", *board.bus.chips)
    kind = "Hall wire cut, floats" if floats else "Hall wire cut"
    return WireFault(kind, seconds, end, reports, int(seconds > POLLED_WITHIN_S and not floats))


def _chain(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    wires.board.cut_chain(rng.randrange(len(wires.board.layout.led_positions)))
    return WireFault("LED chain cut", seconds, lambda: wires.strip.cut(None), frozenset())


def _lights(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    wires.strip.broken = "Input/output error"

    def end() -> None:
        wires.strip.broken = ""

    reports = _of("lights", None)
    return WireFault("SPI fails", seconds, end, reports, int(seconds > 1.0 + POLLED_WITHIN_S))


TRANSIENT: Final[tuple[Begin, ...]] = (
    _unacknowledged,
    _refusing,
    _reset,
    _bounce,
    _unheard,
    _chain,
)
"""Faults that are over soon and hide no place."""
ALL: Final[tuple[Begin, ...]] = (
    *TRANSIENT,
    _silent,
    _missing,
    _line_held,
    _hang,
    _corrupt,
    _int_held,
    _hall_wire,
    _lights,
    _brown_out,
    _blink,
)
UNSEEN: Final[tuple[Begin, ...]] = (_row_open, _piece_unseen)
"""Faults that look as if hands had lifted pieces: no sensor can tell that from a takeback."""
ONLY_REED: Final = frozenset({_row_open})
ONLY_HALL: Final = frozenset({_hall_wire})
LONG: Final[tuple[Begin, ...]] = (_silent, _missing, _reset, _line_held)
"""Faults that the machine must live with for long."""
