"""Simulated parts at the level of registers and bits, behind a simulated wire.

A wrong driver fails here as on the bench: pins without pull-ups float, a chip that lost power has
forgotten its settings, the internal reference of a converter is another scale, an INT pin that is
not open-drain holds the common line, a chain without a leading zero byte starts green.

Sources: Microchip DS20001952, Texas Instruments SBAS302, SBAS640 and SCHS209, Worldsemi WS2812B-V5.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol

IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU, INTF, INTCAP, GPIO, OLAT = range(0, 22, 2)
REGISTERS: Final = 22

BANK, MIRROR, SEQOP, ODR, INTPOL = 0x80, 0x40, 0x20, 0x04, 0x02

ABSENT_ERRNOS: Final = (121, 19, 5, 6)
"""The errno of a missing acknowledge: BCM2835, i2c-stub, virtio, bit-banged."""


class Chip(Protocol):
    """A chip on a simulated bus: it takes the bytes of a write and gives those of a read."""

    def write(self, data: Sequence[int]) -> None:
        """Take the bytes that follow the address."""

    def read(self, length: int) -> list[int]:
        """Return the next bytes."""

    def power_on(self) -> None:
        """Take the state after power-on."""


class SimulatedMcp23017:
    """An MCP23017: 22 registers, an address pointer, pins, interrupts.

    `drive` sets a pin from outside; `outputs` and `interrupt` are what the chip drives. Registers
    are numbered as with BANK = 0, port A even, port B odd.
    """

    def __init__(self) -> None:
        self._low = 0  # pins that are pulled down from outside
        self._high = 0  # pins that are pulled up from outside
        self.power_on()

    def power_on(self) -> None:
        """Set the registers as after power-on; levels from outside stay."""
        self.registers = bytearray(REGISTERS)
        self.registers[IODIR] = self.registers[IODIR + 1] = 0xFF
        self._pointer = 0
        self._previous = [self._gpio(0), self._gpio(1)]

    # ---- pins

    def drive(self, pin: int, level: int | None) -> None:
        """Pull pin 0..15 to a level from outside, or release it (None)."""
        bit = 1 << pin
        self._low = self._low & ~bit | (bit if level == 0 else 0)
        self._high = self._high & ~bit | (bit if level == 1 else 0)
        self._notice(pin // 8)

    @property
    def outputs(self) -> int:
        """The levels that the chip drives, a bit for each pin; 0 for inputs."""
        registers = self.registers
        latch = registers[OLAT] | registers[OLAT + 1] << 8
        return latch & ~(registers[IODIR] | registers[IODIR + 1] << 8)

    def _gpio(self, port: int) -> int:
        """Return the port as it is read: pins for inputs, the latch for outputs."""
        registers = self.registers
        inputs, pulled = registers[IODIR + port], registers[GPPU + port]
        low, high = self._low >> 8 * port & 0xFF, self._high >> 8 * port & 0xFF
        # A pin that is neither driven nor pulled up floats; a closed switch is its worst
        # appearance.
        pins = (high | pulled) & ~low
        value = pins & inputs | registers[OLAT + port] & ~inputs
        return (value ^ registers[IPOL + port] & inputs) & 0xFF

    # ---- interrupts

    def _notice(self, port: int) -> None:
        """Start an interrupt if a pin of the port requires one and none is pending."""
        registers = self.registers
        if registers[INTF + port]:
            return
        now, compare = self._gpio(port), registers[INTCON + port]
        differs = (now ^ self._previous[port]) & ~compare | (
            now ^ registers[DEFVAL + port]
        ) & compare
        hit = differs & registers[GPINTEN + port] & registers[IODIR + port]
        if hit:
            registers[INTF + port] = hit
            registers[INTCAP + port] = now

    def _clear(self, port: int) -> None:
        """End the port's interrupt, as a read of GPIO or INTCAP does."""
        self.registers[INTF + port] = 0
        self._previous[port] = self._gpio(port)
        self._notice(port)

    @property
    def interrupt(self) -> bool | None:
        """The effect of the INTA pin on a line with a pull-up: it pulls down (True), pushes up
        (False), or does nothing (None).
        """
        registers = self.registers
        control = registers[IOCON]
        ports = (INTF, INTF + 1) if control & MIRROR else (INTF,)
        active = any(registers[flags] for flags in ports)
        if control & ODR:
            return True if active else None
        return active != bool(control & INTPOL)

    # ---- registers

    def write(self, data: Sequence[int]) -> None:
        """Take the address of a register, then bytes for it and the following ones."""
        if not data:
            return
        self._pointer = data[0]
        for value in data[1:]:
            register = self._register()
            if register is not None:
                self._store(register, value)
            self._advance()

    def read(self, length: int) -> list[int]:
        """Return bytes from the register at the pointer."""
        first, end = self._pointer, self._pointer + length
        if end <= REGISTERS and not self.registers[IOCON] & (BANK | SEQOP):
            values = list(self.registers[first:end])  # reading it has no effect
            for register in range(max(first, INTCAP), min(end, OLAT)):
                values[register - first] = self._load(register)
            self._pointer = end % REGISTERS
            return values
        values = []
        for _ in range(length):
            at = self._register()
            values.append(0 if at is None else self._load(at))
            self._advance()
        return values

    def _register(self) -> int | None:
        """Return the register at the pointer, None if there is none."""
        if not self.registers[IOCON] & BANK:
            return self._pointer if self._pointer < REGISTERS else None
        port, number = self._pointer >> 4, self._pointer & 0x0F
        return 2 * number + port if number < REGISTERS // 2 and port < 2 else None

    def _advance(self) -> None:
        control = self.registers[IOCON]
        if not control & SEQOP:
            step = self._pointer + 1
            if control & BANK:
                self._pointer = {0x0B: 0x10, 0x1B: 0x00}.get(step, step)
            else:
                self._pointer = step % REGISTERS
        elif not control & BANK:
            self._pointer ^= 1  # byte mode toggles between a pair of ports

    def _store(self, register: int, value: int) -> None:
        port = register & 1
        kind = register - port
        if kind in (INTF, INTCAP):
            return  # read-only
        if kind == IOCON:
            self.registers[IOCON] = self.registers[IOCON + 1] = value & 0xFE
        else:
            self.registers[register + OLAT - GPIO if kind == GPIO else register] = value
        self._notice(port)

    def _load(self, register: int) -> int:
        port = register & 1
        kind = register - port
        value = self._gpio(port) if kind == GPIO else self.registers[register]
        if kind in (GPIO, INTCAP):
            self._clear(port)
        return value


def hall_volts(field: float) -> float:
    """Return the output of a DRV5055A2 at 3.3 V for a field in mT, positive for north pole up."""
    return min(3.2, max(0.1, 1.65 + field * 0.030))


class SimulatedCd74hc4067:
    """A multiplexer: `common` is the voltage at the input that the select lines choose. If nothing
    drives the common pin, its bleeder pulls it to ground; without a bleeder it keeps its last
    voltage.
    """

    def __init__(self, select: Callable[[], int]) -> None:
        """`select` returns the levels of S0 to S3 as a number."""
        self._select = select
        self._volts: list[float | None] = [None] * 16
        self._charge = 0.0
        self.enabled = True
        """Whether E is at ground and the chip has its supply."""
        self.bled = True
        """Whether the common pin has its resistor to ground (the bleeder)."""
        self.stuck: dict[int, int] = {}
        """Select lines 0..3 that always keep a level."""
        self.before: Callable[[int], None] | None = None
        """Called with the chosen input before each read of `common`."""

    def drive(self, number: int, volts: float | None) -> None:
        """Set the voltage at input 0..15, or leave it open (None)."""
        self._volts[number] = volts

    def common(self) -> float:
        """Return the common pin's voltage."""
        number = self._select()
        if self.stuck:
            for line, level in self.stuck.items():
                number = number & ~(1 << line) | level << line
        if self.before is not None:
            self.before(number)
        volts = self._volts[number] if self.enabled else None
        if volts is None:
            volts = 0.0 if self.bled else self._charge
        self._charge = volts
        return volts


class SimulatedAds7830:
    """An ADS7830 whose REF pin is wired to `supply` volts; `inputs` return volts, by channel."""

    def __init__(self, inputs: Mapping[int, Callable[[], float]], supply: float = 3.3) -> None:
        self._inputs = [inputs.get(channel, lambda: 0.0) for channel in range(8)]
        self._supply = supply
        self.power_on()

    def power_on(self) -> None:
        """Take the state after power-on: no command yet."""
        self._command = 0

    def write(self, data: Sequence[int]) -> None:
        """Take a command byte with the input and the power-down bits."""
        if data:
            self._command = data[-1]

    def read(self, length: int) -> list[int]:
        """Convert once for each byte."""
        return [self._convert() for _ in range(length)]

    def _convert(self) -> int:
        command = self._command
        odd = command >> 6 & 1
        channel = (command >> 4 & 3) * 2 + odd
        volts = self._inputs[channel]()
        if not command & 0x80:  # differential; the odd bit swaps the pair
            volts -= self._inputs[channel ^ 1]()
        # With its own reference switched on, the chip drives 2.5 V onto REF.
        count = int(volts / (2.5 if command & 0x08 else self._supply) * 256)
        return 0 if count < 0 else min(count, 255)


class SimulatedBus:
    """An I2C bus with chips, for `drivers.bus.I2cBus`; thread-safe. A missing acknowledge raises
    OSError with a different errno each time, as adapters differ.
    """

    def __init__(self, chips: Mapping[int, Chip]) -> None:
        self.chips: dict[int, Chip] = dict(chips)
        self.lock = threading.RLock()
        """Held during each transaction, and during each change of the board."""
        self.unplugged: set[int] = set()
        self.refusing: dict[int, int | None] = {}
        """Addresses that acknowledge nothing, and how many more times (None: for ever)."""
        self.before: Callable[[int], None] | None = None
        """Called with the address before each transaction."""
        self.transactions = 0
        """The number of transactions so far."""
        self.writing: Callable[[], AbstractContextManager[object]] = lambda: self.lock
        """Entered with the lock while a chip is written to, which may cause an interrupt."""
        self._errnos = itertools.cycle(ABSENT_ERRNOS)

    def _chip(self, address: int) -> Chip:
        self.transactions += 1
        chip = self.chips.get(address)
        refusals = self.refusing.get(address, 0) if self.refusing else 0
        if refusals:
            self.refusing[address] = refusals - 1
        if chip is None or address in self.unplugged or refusals != 0:
            raise OSError(next(self._errnos), f"simulated: no acknowledge from {address:#04x}")
        if self.before is not None:
            self.before(address)
        return chip

    def read_byte_data(self, address: int, register: int) -> int:
        """Return one byte from `register`."""
        with self.lock:
            chip = self._chip(address)
            chip.write((register,))
            return chip.read(1)[0]

    def write_byte_data(self, address: int, register: int, value: int) -> None:
        """Write one byte to `register`."""
        self.write_i2c_block_data(address, register, (value,))

    def read_i2c_block_data(self, address: int, register: int, length: int) -> list[int]:
        """Return `length` bytes from `register` on."""
        if not 1 <= length <= 32:
            raise ValueError(f"a block has 1 to 32 bytes, not {length}")
        with self.lock:
            chip = self._chip(address)
            chip.write((register,))
            return chip.read(length)

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Write `data` from `register` on; ValueError for more than 32 bytes or no bytes."""
        if len(data) > 32:
            raise ValueError(f"a block has at most 32 bytes, not {len(data)}")
        with self.writing():
            self._chip(address).write(bytes((register, *data)))
