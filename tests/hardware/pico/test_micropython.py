"""The unchanged program of the Pico, under a MicroPython for this computer; only its pins are
replaced.
"""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

from drivers.coprocessor import (
    Ask,
    Changes,
    ClockState,
    FrameDecoder,
    Full,
    Heartbeat,
    Hello,
    Message,
    Thrown,
    encode,
)
from hardware import pico

pytestmark = pytest.mark.deep
PICO = Path(pico.__file__).parent
MICROPYTHON = shutil.which("micropython", path=str(Path(sys.executable).parent))

MACHINE = '''\
class Pin:
    """A pin that is low as long as a file says so: a line for each, `3` or, of a matrix, `0 9`."""

    IN, OUT, PULL_UP = 0, 1, 2
    driven = set()

    def __init__(self, number, mode, pull=None):
        self.number = number

    def init(self, mode, value=1):
        (Pin.driven.add if mode == Pin.OUT else Pin.driven.discard)(self.number)

    def value(self):
        with open("low") as file:
            low = [tuple(int(word) for word in line.split()) for line in file]
        mine = [pins for pins in low if pins[-1] == self.number]
        return 0 if any(len(pins) == 1 or pins[0] in Pin.driven for pins in mine) else 1
'''


class Plugged:
    """The host's end of the Pico's line."""

    def __init__(self, file: int, low: Path) -> None:
        self._file = file
        self._low = low
        self._decoder = FrameDecoder()
        self._heard: list[Message] = []

    def set(self, *lines: str) -> None:
        """Close switches, or hold buttons down; those that are not named are open."""
        beside = self._low.with_suffix(".new")
        beside.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        beside.replace(self._low)

    def ask(self) -> None:
        """Send Ask."""
        os.write(self._file, encode(Ask(1), 0))

    def hears(self, *wanted: Message | type[Message]) -> list[Message]:
        """Wait for these messages in this order, ignoring others; return them."""
        found: list[Message] = []
        end = monotonic() + 30
        while len(found) < len(wanted):
            assert monotonic() < end, (wanted, found)
            if not self._heard:
                data = os.read(self._file, 4096)
                self._heard = [each.message for each in self._decoder.feed(data)]
                continue
            message, want = self._heard.pop(0), wanted[len(found)]
            if message == want or (isinstance(want, type) and isinstance(message, want)):
                found.append(message)
        return found


@contextmanager
def plugged(folder: Path, settings: str) -> Iterator[Plugged]:
    """Run main.py with these lines appended to its settings."""
    if MICROPYTHON is None:
        pytest.skip("there is no MicroPython here: make deep installs one")
    for file in PICO.glob("*.py"):
        shutil.copy(file, folder)
    (folder / "machine.py").write_text(MACHINE, encoding="utf-8")
    with (folder / "settings.py").open("a", encoding="utf-8") as file_of_settings:
        file_of_settings.write(settings)
    host, device = pty.openpty()
    tty.setraw(device)
    line = Plugged(host, folder / "low")
    line.set()
    with subprocess.Popen([MICROPYTHON, "main.py"], cwd=folder, stdin=device, stdout=device) as run:
        os.close(device)
        try:
            yield line
        finally:
            run.kill()
            os.close(host)


def test_a_board_is_scanned_and_reported(tmp_path: Path) -> None:
    with plugged(tmp_path, 'NAME = "x" * 40\nROWS = (0, 1)\nCOLUMNS = (9, 10, 11)\n') as line:
        line.hears(Hello(1, "board", 6, "x" * 32), Full((0,) * 6))
        line.set("1 10")
        line.hears(Changes(((4, 1),)))
        line.set("0 9", "0 10", "0 11", "1 10")
        line.hears(Full((1, 1, 1, 0, 1, 0)))
        line.ask()
        line.hears(Hello, Full((1, 1, 1, 0, 1, 0)), Heartbeat)


def test_a_die_is_thrown_by_its_button(tmp_path: Path) -> None:
    with plugged(tmp_path, 'KIND = "die"\nBUTTON = 5\nDICE = 2\n') as line:
        line.hears(Hello(1, "die", 2, "my board"), Thrown(0, ()), Heartbeat)
        line.set("5")
        (thrown,) = line.hears(Thrown)
        assert isinstance(thrown, Thrown)
        assert thrown.number == 1
        assert len(thrown.dice) == 2
        assert set(thrown.dice) <= set(range(1, 7))


def test_a_clock_runs_for_the_side_that_has_not_pressed(tmp_path: Path) -> None:
    with plugged(tmp_path, 'KIND = "clock"\nBUTTONS = (2, 3)\n') as line:
        line.hears(Hello(1, "clock", 2, "my board"), ClockState(0, 0, (600_000, 600_000)))
        line.set("2")
        line.hears(ClockState(2, 1, (600_000, 600_000)), Heartbeat)
        line.ask()
        *_, now = line.hears(Hello, ClockState)
        assert isinstance(now, ClockState)
        assert now.left_ms[0] == 600_000
        assert now.left_ms[1] < 600_000
