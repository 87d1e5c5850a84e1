"""MCP23017: sixteen pins over I2C, of which fourteen may be inputs; one burst reads them all.

Source: Microchip DS20001952 (MCP23017/MCP23S17), registers with IOCON.BANK = 0.

The burst starts at IOCON and ends at GPIOB, ten bytes: it shows the pins, and also that the chip
still has its settings. A chip that lost power comes back with IOCON and GPPU cleared: pull-ups are
off, pins float, and its readings mean nothing. `read` then raises ChipResetError.

Pins are numbered 0..15: A0..A7, then B0..B7, and a set of pins is a 16-bit mask. Levels are those
of the pins (a closed reed switch pulls its pin low, so it reads 0). IPOL keeps its power-on value,
because the burst does not show it; inverting in software is one XOR that cannot get lost.
"""

from __future__ import annotations

from typing import Final

from drivers.bus import BusError, I2cBus, failure

IODIR: Final = 0x00
IPOL: Final = 0x02
GPINTEN: Final = 0x04
DEFVAL: Final = 0x06
INTCON: Final = 0x08
IOCON: Final = 0x0A
GPPU: Final = 0x0C
INTF: Final = 0x0E
INTCAP: Final = 0x10
GPIO: Final = 0x12
OLAT: Final = 0x14
"""Each register's port A; port B follows at the next address (IOCON is one register at both)."""

NAMES: Final = ("IODIR", "IPOL", "GPINTEN", "DEFVAL", "INTCON", "IOCON", "GPPU", "INTF", "INTCAP")

MIRROR_OPEN_DRAIN: Final = 0x44
"""IOCON: both ports interrupt on either INT pin (MIRROR), and the pin only pulls down (ODR), so
that the INT pins of all chips share one wire."""

IOCON_IF_BANK_1: Final = 0x05
"""Where IOCON is while BANK = 1; with BANK = 0 this is GPINTENB, which set-up writes anyway."""

BURST_BYTES: Final = 10
"""The number of bytes from IOCON to GPIOB, which `read` reads."""

NO_INPUT: Final = 0x8080
"""A7 and B7: an edge during a read can corrupt SDA. Datasheet revision D makes them outputs."""

ADDRESSES: Final = range(0x20, 0x28)


class ChipResetError(BusError):
    """The chip answers, but without its settings: it lost power meanwhile."""


class WrongChipError(BusError):
    """A chip answers at the address, but does not keep the registers of an MCP23017."""


class Mcp23017:
    """One chip: `inputs` with pull-up and interrupt on change, every other pin an output."""

    def __init__(self, bus: I2cBus, address: int, *, inputs: int, outputs: int = 0) -> None:
        """Touch nothing yet. `outputs` is the level that output pins start with."""
        if address not in ADDRESSES:
            raise ValueError(f"an MCP23017 has an address from 0x20 to 0x27, not {address:#04x}")
        if inputs & NO_INPUT or not 0 <= inputs <= 0xFFFF:
            raise ValueError(f"MCP23017 at {address:#04x}: A7 and B7 cannot be inputs")
        self.address = address
        self.inputs = inputs
        self._bus = bus
        self._outputs = outputs & ~inputs & 0xFFFF
        self._settings = self._registers()
        self._shown = self._settings[IOCON:]  # the settings that a burst shows

    def _registers(self) -> list[int]:
        """Return the settings of registers IODIR to GPPU (0x00..0x0D)."""
        ports = [self.inputs & 0xFF, self.inputs >> 8]
        nothing = [0, 0]
        return [
            *ports,  # IODIR: 1 is an input
            *nothing,  # IPOL: levels as they are
            *ports,  # GPINTEN: each input interrupts ...
            *nothing,  # DEFVAL: (not used)
            *nothing,  # INTCON: ... when it differs from the last read
            MIRROR_OPEN_DRAIN,
            MIRROR_OPEN_DRAIN,
            *ports,  # GPPU: a reed switch only ever pulls down
        ]

    def set_up(self) -> None:
        """Set the chip up from any state, and read the settings back. BusError if it does not
        answer, WrongChipError if a register does not keep its value.
        """
        bus, address = self._bus, self.address
        try:
            bus.write_byte_data(address, IOCON_IF_BANK_1, 0x00)
            # Alone and first: if SEQOP were still set, the block below would not advance.
            bus.write_byte_data(address, IOCON, MIRROR_OPEN_DRAIN)
            bus.write_i2c_block_data(address, OLAT, [self._outputs & 0xFF, self._outputs >> 8])
            bus.write_i2c_block_data(address, IODIR, self._settings)
            kept = bus.read_i2c_block_data(address, IODIR, len(self._settings))
            bus.read_i2c_block_data(address, GPIO, 2)  # clears interrupts of the set-up
        except OSError as error:
            raise self._failure(error) from error
        for register, (want, have) in enumerate(zip(self._settings, kept, strict=True)):
            if want != have:
                name = NAMES[register // 2] + "AB"[register % 2]
                raise WrongChipError(
                    f"the chip at {address:#04x} keeps {have:#04x} in {name} where {want:#04x} was "
                    "written: is it an MCP23017, and is nothing else at this address?"
                )

    def read(self) -> tuple[int, int]:
        """Return the levels of the inputs, and those that interrupted since the last read.

        This is one transaction, and releases the interrupt line. BusError if the chip does not
        answer, ChipResetError if it has lost its settings: the levels mean nothing then.
        """
        try:
            burst = self._bus.read_i2c_block_data(self.address, IOCON, BURST_BYTES)
        except OSError as error:
            raise self._failure(error) from error
        if burst[:4] != self._shown:
            raise ChipResetError(
                f"MCP23017 at {self.address:#04x} lost its settings: its 3.3 V or its RESET blinked"
            )
        return (burst[8] | burst[9] << 8) & self.inputs, burst[4] | burst[5] << 8

    def force_interrupt(self) -> None:
        """Cause an interrupt without a change of a pin; errors as in `read`.

        Each input is compared with the level that it does not have. The line stays low until
        `end_forced_interrupt` and a `read`.
        """
        levels, _ = self.read()
        unlike, inputs = ~levels & 0xFFFF, self.inputs
        self._compare(unlike & 0xFF, unlike >> 8, inputs & 0xFF, inputs >> 8)

    def end_forced_interrupt(self) -> None:
        """Interrupt on change again; the next `read` releases the line."""
        first = DEFVAL - IODIR
        self._compare(*self._settings[first : first + 4])

    def _compare(self, *levels_and_which: int) -> None:
        try:
            self._bus.write_i2c_block_data(self.address, DEFVAL, levels_and_which)
        except OSError as error:
            raise self._failure(error) from error

    def write(self, port: int, levels: int) -> None:
        """Set the outputs of port 0 (A) or 1 (B); bits of inputs have no effect."""
        try:
            self._bus.write_byte_data(self.address, OLAT + port, levels)
        except OSError as error:
            raise self._failure(error) from error

    def _failure(self, error: OSError) -> BusError:
        return failure(
            error,
            f"MCP23017 at {self.address:#04x}",
            f"check its plug, its 3.3 V, and its address pins A2 A1 A0 = {self.address & 7:03b}",
        )
