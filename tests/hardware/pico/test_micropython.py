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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

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
    Show,
    SideTime,
    Thrown,
    encode,
    encode_for_device,
)
from hardware import pico
from hardware.pico.face import LOST_MS

pytestmark = pytest.mark.deep
PICO = Path(pico.__file__).parent
MICROPYTHON = shutil.which("micropython", path=str(Path(sys.executable).parent))

MACHINE = '''\
class Pin:
    """A pin that is low as long as a file says so: a line for each, `3` or, of a matrix, `0 9`.
    Levels that the program sets go to a file of their own, a line for each: `3 1`.
    """

    IN, OUT, PULL_UP, OPEN_DRAIN = 0, 1, 2, 3
    driven = set()

    def __init__(self, number, mode, pull=None, value=None):
        self.number = number

    def init(self, mode, value=1):
        (Pin.driven.add if mode == Pin.OUT else Pin.driven.discard)(self.number)

    def value(self, level=None):
        if level is not None:
            with open("set", "a") as file:
                file.write(f"{self.number} {level}\\n")
            return None
        with open("low") as file:
            low = [tuple(int(word) for word in line.split()) for line in file]
        mine = [pins for pins in low if pins[-1] == self.number]
        return 0 if any(len(pins) == 1 or pins[0] in Pin.driven for pins in mine) else 1
'''


def frames(edges: Iterable[tuple[int, int]], clk: int, dio: int) -> Iterator[list[int]]:
    """The bytes between each start and end on the two wires of a TM1637, as its datasheet says."""
    levels = {clk: 1, dio: 1}
    bits: list[int] | None = None
    for pin, level in edges:
        if pin not in levels or levels[pin] == level:
            continue
        levels[pin] = level
        if pin == clk and level and bits is not None:
            bits.append(levels[dio])
        elif pin == dio and levels[clk] and not level:
            bits = []
        elif pin == dio and levels[clk] and bits is not None:
            size, rest = divmod(len(bits), 9)  # with each byte's acknowledgement
            assert rest == 1, "the clock edge of the end"
            assert all(bits[8:-1:9]), "DIO is released for the acknowledgement"
            groups = (bits[9 * number : 9 * number + 8] for number in range(size))
            yield [sum(bit << at for at, bit in enumerate(group)) for group in groups]
            bits = None


def texts(edges: Iterable[tuple[int, int]], clk: int, dio: int) -> list[str]:
    """What the four digits on the two wires of a TM1637 have shown, one after the other."""
    digits = dict(zip((0, 63, 6, 91, 79, 102, 109, 125, 7, 127, 111), " 0123456789", strict=True))
    shown, written = [], [0, 0, 0, 0]
    for frame in frames(edges, clk, dio):
        if frame[0] == 0xC0:
            written = frame[1:]
        elif frame[0] & 0xF8 == 0x88:  # the display is on
            colon = ":" if written[1] & 0x80 else "."
            one, two, three, four = (digits[each & 0x7F] for each in written)
            shown.append(f"{one}{two}{colon}{three}{four}")
        else:
            assert frame == [0x40]
    return shown


class Plugged:
    """The host's end of the Pico's line."""

    def __init__(self, file: int, low: Path) -> None:
        self._file = file
        self._low = low
        self._set = low.with_name("set")
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

    def sees(self, clk: int, dio: int, *wanted: str, show: Show | None = None) -> None:
        """Wait until the TM1637 on two pins has shown these texts in this order, and send a Show
        meanwhile.
        """
        end = monotonic() + 30
        while True:
            if show is not None:
                os.write(self._file, encode_for_device(show))
            edges = [line.split() for line in self._set.read_text().splitlines()]
            shown = texts([(int(pin), int(level)) for pin, level in edges], clk, dio)
            rest = iter(shown)
            if all(text in rest for text in wanted):
                return
            assert monotonic() < end, (wanted, shown)
            sleep(0.05)

    def counts_down_from(self, stands: int, runs: int, show: Show) -> None:
        """Wait until the second side has less time left than it was shown to have."""
        left: tuple[int, ...] = ()
        end = monotonic() + 30
        while not left or left[1] >= runs:
            assert monotonic() < end, left
            os.write(self._file, encode_for_device(show))
            self.ask()
            *_, now = self.hears(Hello, ClockState)
            assert isinstance(now, ClockState)
            left = now.left_ms
        assert (now.running, now.presses, left[0]) == (2, 0, stands)
        assert left[1] > runs - LOST_MS

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


def test_a_display_shows_what_it_is_sent_and_counts_down(tmp_path: Path) -> None:
    with plugged(tmp_path, 'KIND = "display"\nPANELS = ((2, 3), (4, 5))\n') as line:
        line.hears(Hello(1, "display", 2, "my board"), ClockState(0, 0, ()), Heartbeat)
        line.sees(2, 3, "  .  ")
        runs = Show(2, False, (SideTime(599_000), SideTime(29_900, 2)))
        line.sees(2, 3, " 9:59", show=runs)
        line.sees(4, 5, "2 .29", show=runs)
        line.counts_down_from(599_000, 29_900, show=runs)
        paused = Show(0, True, (SideTime(598_000), SideTime(300_000)))
        line.sees(2, 3, " 9:58", "  .  ", " 9:58", show=paused)
        runs = Show(1, False, (SideTime(70_900), SideTime(300_000)))
        line.sees(2, 3, " 9:58", " 1:10", " 1.10", " 1:10", show=runs)
        line.sees(2, 3, " 1:10", "  .  ")  # nobody sends any more
        line.sees(4, 5, " 5:00", "  .  ")
