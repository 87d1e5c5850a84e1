"""Compare a frame with the wire: reading all sensors, and making the bits of the lights.

The time of the simulated parts is left out: the wire answers at once with bytes that were recorded
from them, and drops the bytes of the lights.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.timing import seconds
from hardware import layout
from hardware.layout import Layout
from hardware.machine import Machine
from hardware.simulated.board import SimulatedBoard


class RecordedBus:
    """Answers as a simulated board did; `odd` frames differ in one switch or one converter."""

    def __init__(self, made: Layout) -> None:
        world = SimulatedBoard(made)
        for place in made.cells[::2]:
            world.put(place)
        Machine(made, world.bus, world.strip).read(0.0)  # sets the chips up
        self.odd = False
        self._registers = {
            chip.address: world.bus.read_i2c_block_data(chip.address, 0x00, 22)
            for chip in made.expanders
        }
        self._bursts = {
            address: (known[0x0A:0x14], [*known[0x0A:0x12], known[0x12] ^ 0x02, known[0x13]])
            for address, known in self._registers.items()
        }
        self._moving = made.expanders[0].address

    def read_byte_data(self, address: int, register: int) -> int:
        """Return the count of a converter; in odd frames its first input feels a magnet."""
        return 203 if self.odd and (address, register) == (0x48, 0x84) else 128

    def write_byte_data(self, address: int, register: int, value: int) -> None:
        """Drop the byte."""

    def read_i2c_block_data(self, address: int, register: int, length: int) -> list[int]:
        """Return the bytes that the chip returned."""
        if register == 0x0A:
            return self._bursts[address][self.odd and address == self._moving]
        return self._registers[address][register : register + length]

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Drop the bytes."""


class Drain:
    """An SPI without LEDs."""

    def transfer(self, data: bytes) -> None:
        """Drop the bytes."""


def measure(name: str) -> tuple[float, float]:
    """Return the seconds of reading a changed frame, and of lighting 20 other places."""
    made = layout.load(name)
    bus = RecordedBus(made)
    machine = Machine(made, bus, Drain())
    still = machine.read(0.0).readings
    bus.odd = True
    assert machine.read(0.0).readings != still
    white, blue = (255, 255, 255), (0, 0, 235)
    pictures = [
        {**dict.fromkeys(made.cells[at : at + 4], white), **dict.fromkeys(made.cells[-16:], blue)}
        for at in (0, 4)
    ]

    def read() -> None:
        bus.odd = not bus.odd
        machine.read(0.0)

    def light() -> None:
        pictures.reverse()
        machine.light(pictures[0], 0.0)

    spent = seconds({"read": read, "light": light})
    return spent["read"], spent["light"]


def run() -> None:
    """Print the times of each layout: on the wires, and our own."""
    print("                scan    light     read    light    share")
    print("                on the wires        our own     of both")
    for name in layout.NAMES:
        made = layout.load(name)
        wire = (made.scan_seconds(), made.light_seconds())
        own = measure(name)
        print(
            f"{name:12}{wire[0] * 1e3:5.2f} ms  {wire[1] * 1e3:4.2f} ms  "
            f"{own[0] * 1e6:4.1f} µs  {own[1] * 1e6:4.1f} µs  {sum(own) / sum(wire):6.2%}"
        )
