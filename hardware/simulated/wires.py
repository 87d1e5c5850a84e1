"""The wires between a Pi and a simulated board, with their faults.

Drivers get the same here as from the Pi's devices: the same four calls, the same errno. The board
works; only the wires may be broken.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence

from hardware.layout.model import wire_clocks
from hardware.sensing import Fault
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.chips import SimulatedMcp23017

IOCTL_S = 80e-6
"""The cost of a call besides the bits on the wire."""


class SimulatedWires:
    """The Pi's end of a simulated board's wires: `bus`, `strip`, INT, RESET, buttons, a clock."""

    def __init__(self, board: SimulatedBoard) -> None:
        """Wire a board correctly."""
        self.board = board
        self.strip = board.strip
        self.bus = WiredBus(self)
        self.seconds = 0.0
        """The time that has passed on the bus: the Pi's clock."""
        self.clock_hz = 400_000.0
        self.answering: dict[int, tuple[int, ...]] = {}
        """By address: the chips that answer there instead of the right one."""
        self.busy: set[int] = set()
        """Addresses that a driver of the kernel uses."""
        self.foreign: set[int] = set()
        """Addresses where a chip answers that keeps no register."""
        self.held_low = False
        """Whether SDA or SCL is held low, so that every transfer times out."""
        self.hangs_every = 0
        """One in this number of transfers times out; 0: none."""
        self.loose: dict[int, int] = {}
        """By address: one in this number of transfers is not acknowledged."""
        self.resets: dict[int, int] = {}
        """By address: the chip loses its settings once in this number of transfers."""
        self.reset_floats = False
        """Whether RESET has no pull-up, so that no MCP23017 answers until the Pi drives it."""
        self.reset_driven = False
        self.reset_cut: set[int] = set()
        """Chips that the RESET wire does not reach."""
        self.int_line = ""
        """`cut`, `low`, or "" if it works."""
        self.int_cut: set[int] = set()
        """Chips whose own INT wire is cut."""
        self.buttons: dict[str, str] = {}
        """Buttons of the header that act as another one, never (``) or always (`!`)."""

    def pulse_reset(self) -> None:
        """Pulse RESET low, if it has a pin, as the Pi does when it opens its pins."""
        if self.board.layout.reset_gpio is None:
            return
        self.reset_driven = True
        for chip in self.board.layout.expanders:
            if chip.address not in self.reset_cut:
                self.board.reset(chip.address)

    @property
    def interrupt(self) -> bool:
        """Whether the Pi sees its interrupt line low."""
        if self.int_line:
            return self.int_line == "low"
        chips = self.board.bus.chips
        return any(
            chip.interrupt is True
            for address, chip in chips.items()
            if isinstance(chip, SimulatedMcp23017)
            and address not in self.int_cut | self.board.bus.unplugged
        )

    @property
    def taken(self) -> tuple[Fault, ...]:
        """The pins that are taken: none."""
        return ()

    def held(self) -> frozenset[str]:
        """Return the buttons of the header that the Pi sees down."""
        down = self.board.held()
        seen = {name: self.buttons.get(name, name) for name in self.board.layout.buttons}
        return frozenset(name for name, real in seen.items() if real == "!" or real in down)


class WiredBus:
    """An I2C bus as the Pi sees it: a `drivers.bus.I2cBus`."""

    def __init__(self, wires: SimulatedWires) -> None:
        self._wires = wires
        self._transfers = 0
        self._of: dict[int, int] = {}

    def read_byte_data(self, address: int, register: int) -> int:
        """Return one byte from `register`."""
        return self.read_i2c_block_data(address, register, 1)[0]

    def write_byte_data(self, address: int, register: int, value: int) -> None:
        """Write one byte to `register`."""
        self.write_i2c_block_data(address, register, (value,))

    def read_i2c_block_data(self, address: int, register: int, length: int) -> list[int]:
        """Return `length` bytes from `register` on; several chips pull each bit down together."""
        chips = self._reach(address, wire_clocks(1, length))
        if address in self._wires.foreign:
            return [0xFF] * length
        answers = [self._wires.board.bus.read_i2c_block_data(c, register, length) for c in chips]
        bits = answers[0]
        for other in answers[1:]:
            bits = [one & two for one, two in zip(bits, other, strict=True)]
        return bits

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Write `data` from `register` on, to every chip at the address."""
        for chip in self._reach(address, wire_clocks(1 + len(data), 0)):
            self._wires.board.bus.write_i2c_block_data(chip, register, data)

    def _reach(self, address: int, clocks: int) -> tuple[int, ...]:
        """Return the chips that answer at an address; OSError as from the Pi's driver."""
        wires = self._wires
        self._transfers += 1
        mine = self._of[address] = self._of.get(address, 0) + 1
        wires.seconds += IOCTL_S + clocks / wires.clock_hz
        if address in wires.busy:
            raise OSError(errno.EBUSY, f"simulated: a driver has {address:#04x}")
        if wires.held_low or (wires.hangs_every and self._transfers % wires.hangs_every == 0):
            wires.seconds += 0.05
            raise OSError(errno.ETIMEDOUT, "simulated: a line is held low")
        if address in wires.foreign:
            return ()
        chips = wires.answering.get(address, (address,))
        expander = any(isinstance(wires.board.bus.chips.get(c), SimulatedMcp23017) for c in chips)
        asleep = wires.reset_floats and not wires.reset_driven and expander
        loose = address in wires.loose and mine % wires.loose[address] == 0
        if not chips or asleep or loose:
            raise OSError(errno.EREMOTEIO, f"simulated: no acknowledge from {address:#04x}")
        if address in wires.resets and mine % wires.resets[address] == 0:
            wires.board.reset(address)
        return chips
