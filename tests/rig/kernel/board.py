"""In the machine: `lampion run` on the kernel's own I2C, and hands that play a recording.

The chips are registers of the kernel's i2c-stub: the levels of switches are written where the
program reads them. The lights go to the shim. It prints the result in one line, and ends the
machine.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
import traceback
from pathlib import Path

from firmware_host.session.events import Frame
from firmware_host.storage import recording
from hardware import layout as layouts
from hardware.layout import Layout
from hardware.pi.raspberry_pi import open_i2c
from tests.rig import running
from tests.rig.hands import Hands
from tests.rig.wires import Wires

ADAPTERS = Path("/sys/class/i2c-dev")
GPIOA = 0x12
FOLDER = Path("/run/rig")
POWER_OFF = 0x4321FEDC
"""The argument of reboot(2)."""


class Registers:
    """The chips of a board: an open switch reads 1."""

    def __init__(self, layout: Layout, bus: int) -> None:
        self._bus = open_i2c(bus)
        self._layout = layout
        self._levels: dict[int, int] = {}

    def show(self, closed: set[str]) -> None:
        """Close the switches of these places, and open all others."""
        sensors = {sensor for name in closed for sensor in self._layout.places[name].sensors}
        for chip in self._layout.expanders:
            low = sum(1 << pin for pin, sensor in chip.sensors.items() if sensor in sensors)
            level = 0xFFFF & ~low
            if self._levels.get(chip.address) != level:
                self._levels[chip.address] = level
                self._bus.write_i2c_block_data(chip.address, GPIOA, [level & 0xFF, level >> 8])


class StubbedHands(Hands):
    """Hands whose pieces also set the registers."""

    registers: Registers

    def go_to(self, frame: Frame) -> None:
        super().go_to(frame)
        self.registers.show(set(self.board.save()))


def main(name: str, played: str, until: float, shim: Path) -> None:
    """Play the beginning of a recording, and print what was read."""
    (stub,) = (each for each in ADAPTERS.iterdir() if "stub" in (each / "name").read_text())
    bus = int(stub.name.rpartition("-")[2])
    made, file = layouts.load(name), running.RECORDINGS / f"{played}.jsonl"
    FOLDER.mkdir()
    wire = Wires(made, FOLDER, shim)
    StubbedHands.registers = Registers(made, bus)
    hands = StubbedHands(wire.board, recording.read(file).header.game.name, file)
    command = running.command(FOLDER, name, played, bus)
    with wire.start(command, {"RIG_I2C": "kernel"}) as program:
        program.until_it_plays(wire)
        hands.play(until)
        time.sleep(5.0)
        code = program.end()
    moves, ways = running.moves(FOLDER / "state")
    dark = not any(map(any, wire.board.strip.pixels))
    said = program.said + program.error_lines
    print("RIG", json.dumps([code, moves, ways, dark, len(wire.sent), said]), flush=True)


if __name__ == "__main__":
    try:
        main(
            os.environ["RIG_LAYOUT"],
            os.environ["RIG_PLAYED"],
            float(os.environ["RIG_UNTIL"]),
            Path(os.environ["RIG_SHIM"]),
        )
    except Exception:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        ctypes.CDLL(None).reboot(POWER_OFF)
