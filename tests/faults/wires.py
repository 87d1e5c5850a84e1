"""The kinds of faults on the wires of a simulated board, and a bus on which they happen.

All time is that of the wires: a transfer takes its bits and its call, one that a held line spoils
the kernel's time-out, and one that hangs as long as it hangs. Hands go on meanwhile.
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
"""After so many seconds the kernel gives a transfer up, as it is told on a Pi."""

Said: TypeAlias = tuple[str, object]
"""What a fault is told as: the kind of the machine's fault, and its chip."""


class FaultyWires(SimulatedWires):
    """Wires of which one transfer may hang, or arrive with bits flipped, and their clock."""

    def __init__(self, board: SimulatedBoard, called: Callable[[], None]) -> None:
        """`called` is told of every edge that the Pi sees on INT."""
        super().__init__(board)
        self.line = InterruptLine(lambda: self.interrupt)
        self.faulty = FaultyBus(self)
        """The bus to give to a machine."""
        self.hangs_s = 0.0
        """So long hangs the next transfer."""
        self.flipped: Sequence[int] = ()
        """These bits of what is read next arrive wrong."""
        self.meanwhile: Callable[[float], None] = lambda until: None
        """Lets hands do what they do up to a moment."""
        self._called = called
        board.on_interrupt = self.fell

    def fell(self) -> None:
        """INT has fallen on the board's side."""
        if not self.int_line:
            self.line.fell()
            self._called()

    def hold(self, line: str) -> None:
        """Let INT be `cut`, held `low`, or (empty) as it should be."""
        before, self.int_line = self.interrupt, line
        if self.interrupt and not before:
            self.line.fell()
            self._called()

    def pass_until(self, at: float) -> None:
        """Let time go by up to a moment, unless it is later already."""
        self.seconds = max(self.seconds, at)

    def wait(self, seconds: float) -> None:
        """Let time go by."""
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
        """Let the time of a transfer go by; OSError if it fails on the wires."""
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
    end: Callable[[], None] | None
    said: frozenset[Said]
    """What it may be told as."""
    least: int = 0
    """So often it must be told at least; nothing may be told more than once."""
    most: int = 1
    """So many things may be told of it."""


Begin: TypeAlias = Callable[[FaultyWires, Random, float], WireFault]

LOOKED: Final = 0.4
"""A board is looked at within so many seconds, whatever happens."""


def _of(kinds: str, *chips: object) -> frozenset[Said]:
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

    def end() -> None:
        refusing.pop(chip, None)

    return WireFault("chip silent", seconds, end, _of("silent", chip), int(seconds > LOOKED))


def _missing(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    chip = _chip(wires, rng)
    wires.board.unplug(chip)

    def end() -> None:
        wires.board.plug_in(chip)

    said = _of("silent reset", chip)
    return WireFault("chip missing", seconds, end, said, int(seconds > LOOKED))


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

    said = _of("silent reset hung", None, *chips)
    least = int(seconds > LOOKED)
    return WireFault("all chips without supply", seconds, end, said, least, len(chips) + 1)


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

    said = _of("hung", None, *wires.board.bus.chips)
    return WireFault("SDA or SCL held", seconds, end, said, int(seconds > LOOKED))


def _hang(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    wires.hangs_s = rng.uniform(1.0, 20.0)
    return WireFault("bus hangs 1-20 s", 0.0, None, _of("hung slow", None, *wires.board.bus.chips))


def _corrupt(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    wires.flipped = rng.sample(range(80), rng.randint(1, 4))
    return WireFault(
        "corrupt read", 0.0, None, _of("reset sensor wrong silent", *wires.board.bus.chips)
    )


def _unheard(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    said = _of("unheard", None, *wires.board.bus.chips)
    if rng.random() < 0.5:
        wires.board.miss_interrupts(rng.randint(1, 20))
        return WireFault("INT missing", seconds, lambda: wires.board.miss_interrupts(0), said)
    wires.hold("cut")
    return WireFault("INT missing", seconds, lambda: wires.hold(""), said)


def _int_held(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    wires.hold("low")
    said = _of("held unheard", None)
    return WireFault("INT held", seconds, lambda: wires.hold(""), said, int(seconds > 3 * LOOKED))


def _row_open(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    """Only boards with switches: what grounds those of a row has a bad contact."""
    cells = [place.name for place in wires.board.layout.places.values() if place.kind == "cell"]
    row = rng.choice(cells)[-1]
    for cell in cells:
        if cell[-1] == row:
            wires.board.cut_wire(cell)
    return WireFault("wire of a row open", seconds, wires.board.mend, frozenset())


def _man_unseen(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    """A loose magnet, or a bad contact of one sensor."""
    lying = sorted(wires.board.save())
    if lying:
        wires.board.stick(rng.choice(lying), False)
    return WireFault("man unseen", seconds, wires.board.mend, frozenset())


def _hall_wire(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    """Only boards with Hall sensors; every other one floats, for its resistor is missing, too."""
    board, sensor = wires.board, _sensor(wires, rng)
    floats = rng.random() < 0.5
    for each in board.multiplexers:
        each.bled = not floats
    board.cut_wire(sensor)

    def end() -> None:
        board.mend()
        for each in board.multiplexers:
            each.bled = True

    said = _of("sensor", *board.bus.chips)
    kind = "Hall wire cut, floats" if floats else "Hall wire cut"
    return WireFault(kind, seconds, end, said, int(seconds > LOOKED and not floats))


def _chain(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    wires.board.cut_chain(rng.randrange(len(wires.board.layout.led_positions)))
    return WireFault("LED chain cut", seconds, lambda: wires.strip.cut(None), frozenset())


def _lights(wires: FaultyWires, rng: Random, seconds: float) -> WireFault:
    wires.strip.broken = "Input/output error"

    def end() -> None:
        wires.strip.broken = ""

    said = _of("lights", None)
    return WireFault("SPI fails", seconds, end, said, int(seconds > 1.0 + LOOKED))


TRANSIENT: Final[tuple[Begin, ...]] = (
    _unacknowledged,
    _refusing,
    _reset,
    _bounce,
    _unheard,
    _chain,
)
"""What is over soon, and what makes nothing blind."""
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
UNSEEN: Final[tuple[Begin, ...]] = (_row_open, _man_unseen)
"""What looks as if hands had lifted men: nobody can tell that from a move that is taken back."""
ONLY_REED: Final = frozenset({_row_open})
ONLY_HALL: Final = frozenset({_hall_wire})
LONG: Final[tuple[Begin, ...]] = (_silent, _missing, _reset, _line_held)
"""What the machine must live with for long."""
