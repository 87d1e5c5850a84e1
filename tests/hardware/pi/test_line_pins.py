"""The header's pins through the kernel's interface, with pipes in place of the kernel."""

from __future__ import annotations

import errno
import os
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins import local

from drivers import gpio
from firmware_host.i18n.messages import render
from firmware_host.text.faults import fault_message
from hardware import layout
from hardware.machine import Machine
from hardware.pi import line_pins
from hardware.pi.errors import RaspberryPiError
from hardware.pi.raspberry_pi import HeaderPins
from hardware.simulated.board import SimulatedBoard
from hardware.wiring.netlist import header_pin
from tests.support.real_board import SOON

LAYOUT = layout.load("square-reed")
INT, RESET, SOUTH = 4, 25, 27


class Kernel:
    """Answers the four calls of <linux/gpio.h> that are used."""

    def __init__(self) -> None:
        self.levels: dict[int, bool] = {}
        self.lines: dict[int, int] = {}
        """The offset of each file that was opened."""
        self.events: dict[int, int] = {}
        """The other end of each line's file, by its offset."""
        self.flags: dict[int, int] = {}
        self.done: list[tuple[int, bool]] = []
        """The levels of outputs, by their offsets."""
        self.busy: dict[int, str] = {}
        """Lines that are taken, each with the name of its holder."""
        self.broken: set[int] = set()

    def ioctl(self, file: int, request: int, told: bytearray) -> None:
        if request == gpio.GET_LINE:
            offset, who, flags, count, kind, values, mask, lines, _ = gpio.REQUEST.unpack(told)
            assert (len(told), who.strip(b"\0"), lines) == (592, b"lampion", 1)
            if offset in self.busy:
                raise OSError(errno.EBUSY, "Device or resource busy")
            if offset in self.broken:
                raise OSError(errno.EINVAL, "Invalid argument")
            if offset in self.events:
                os.close(self.events[offset])
            given, self.events[offset] = os.pipe2(os.O_CLOEXEC)
            self.lines[given], self.flags[offset] = offset, flags
            if flags & gpio.OUTPUT:
                assert (count, kind, mask) == (1, gpio.OUTPUT_VALUES, 1)
                self.done.append((offset, bool(values)))
            told[-4:] = struct.pack("=i", given)
        elif request == gpio.GET_INFO:
            _, _, offset = gpio.INFO.unpack(told)
            told[32:64] = self.busy[offset].encode().ljust(32, b"\0")
        elif request == gpio.GET_VALUES:
            level = self.levels.get(self.lines[file], True)
            told[:] = gpio.VALUES.pack(int(level), 1)
        else:
            assert request == gpio.SET_VALUES
            self.done.append((self.lines[file], bool(gpio.VALUES.unpack(told)[0])))

    def move(self, offset: int, *levels: bool) -> None:
        """Let a pin go through some levels, faster than it is read."""
        data = b""
        for level in levels:
            assert self.flags[offset] & gpio.EDGES
            data += gpio.EVENT.pack(0, 1 if level else 2)
            self.levels[offset] = level
        os.write(self.events[offset], data)


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    kernel = Kernel()
    made = line_pins.LineFactory
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(local, "get_pi_revision", lambda: 0xC03114)
    monkeypatch.setattr(
        line_pins, "LineFactory", lambda path: made("/dev/null", ioctl=kernel.ioctl)
    )
    yield kernel
    for end in kernel.events.values():
        os.close(end)


def soon(claim: Callable[[], Any]) -> Any:
    """Wait until a claim is true; return its last value."""
    ends = time.monotonic() + SOON
    while not (is_so := claim()) and time.monotonic() < ends:
        time.sleep(0.002)
    return is_so


def test_int_calls_and_buttons_are_felt_however_short(kernel: Kernel) -> None:
    called = threading.Event()
    pins = HeaderPins(LAYOUT, called.set)
    assert kernel.flags[INT] == gpio.INPUT | gpio.PULL_UP | gpio.EDGES
    assert (pins.interrupt, pins.held()) == (False, frozenset())
    kernel.move(INT, False)
    assert called.wait(SOON)
    assert pins.interrupt
    pins.line.before_read(0.0)
    pins.line.after_read(interrupted=True, now=0.0)
    assert pins.line.proven
    called.clear()
    kernel.move(SOUTH, False, True, False, True)
    assert called.wait(SOON)
    assert soon(pins.held) == {"south"}
    kernel.move(SOUTH, False)
    assert soon(pins.held) == soon(pins.held) == {"south"}
    pins.close()


def test_buttons_and_int_that_are_low_from_the_start_are_seen(kernel: Kernel) -> None:
    kernel.levels = {INT: False, SOUTH: False}
    pins = HeaderPins(LAYOUT)
    assert (pins.interrupt, pins.held()) == (True, {"south"})
    pins.close()


def test_each_change_of_a_button_is_reported_and_a_short_press_seen_once(kernel: Kernel) -> None:
    changes: list[frozenset[str]] = []
    pins = HeaderPins(LAYOUT)
    pins.on_change = lambda: changes.append(pins.held())
    kernel.move(SOUTH, False)
    assert soon(lambda: changes == [{"south"}])
    kernel.move(SOUTH, True)
    assert soon(lambda: changes[-1] == frozenset())
    assert pins.held() == frozenset()
    pins.close()


def test_reset_is_high_but_for_its_pulse(kernel: Kernel) -> None:
    pins = HeaderPins(LAYOUT)
    assert kernel.done == [(RESET, True), (RESET, False), (RESET, True)]
    assert kernel.flags[RESET] == gpio.OUTPUT
    pins.close()


def test_nobody_is_woken_while_nothing_happens(kernel: Kernel) -> None:
    def wakes() -> int:
        told = [Path(f"/proc/self/task/{each.native_id}/status").read_text() for each in started]
        return sum(int(each.split("\nvoluntary_ctxt_switches:")[1].split()[0]) for each in told)

    before = set(threading.enumerate())
    pins = HeaderPins(LAYOUT)
    started = set(threading.enumerate()) - before
    assert started
    time.sleep(0.05)
    first = wakes()
    time.sleep(0.3)
    assert wakes() - first < 3
    pins.close()
    assert not any(thread.is_alive() for thread in started)


def test_all_is_given_back(kernel: Kernel) -> None:
    def files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = files()
    HeaderPins(LAYOUT).close()
    assert files() == before + len(kernel.events)  # these are names of this kernel


@pytest.mark.parametrize(
    ("gpio", "use", "holder", "says"),
    [
        (SOUTH, "south", "pps@1b", "dtoverlay=pps-gpio (pps@1b): take that line out of /boot"),
        (INT, "INT", "onewire@4", "dtoverlay=w1-gpio (onewire@4): take that line out"),
        (RESET, "RESET", "gpioset", "by gpioset: end that program, or take its dtoverlay line"),
        (17, "dice", "", "end the other program that has it, or take its dtoverlay line out"),
    ],
)
def test_a_pin_that_is_taken_is_a_fault_and_play_continues(
    kernel: Kernel, gpio: int, use: str, holder: str, says: str
) -> None:
    kernel.busy[gpio] = holder
    pins = HeaderPins(LAYOUT)
    (fault,) = pins.taken
    assert (fault.kind, fault.address) == ("taken", f"{header_pin(gpio)}, {use}")
    assert says in fault.text
    told = render(fault_message(fault, {}))
    assert f"{header_pin(gpio)}, {use}" in told
    assert holder in told
    board = SimulatedBoard(LAYOUT)
    machine = Machine(LAYOUT, board.bus, board.strip, interrupt=pins.line, taken=pins.taken)
    board.put("A1")
    for step in range(50):
        frame = machine.read(step / 10)
    assert frame.readings == {"A1": 1}
    assert frame.faults[-1] == fault
    assert machine.needs_polling
    assert "held" not in {each.kind for each in frame.faults}
    if gpio == INT:
        assert frame.faults == (fault,)  # and the line has no fault
        assert not pins.interrupt
    pins.close()


def test_a_pin_that_cannot_be_had_for_another_reason_ends_it(kernel: Kernel) -> None:
    kernel.broken.add(SOUTH)
    with pytest.raises(RaspberryPiError, match=r"the header's pins: .*GPIO27: Invalid argument"):
        HeaderPins(LAYOUT)
    assert "pins" not in {thread.name for thread in threading.enumerate()}


def test_the_button_that_switches_off_is_left_to_the_kernel(kernel: Kernel) -> None:
    pins = HeaderPins(LAYOUT)
    assert LAYOUT.shutdown_gpio == 26
    assert 26 not in kernel.flags
    assert {switch.name for switch in LAYOUT.header_switches} == set(LAYOUT.buttons) - {"shutdown"}
    pins.close()


def test_a_chip_that_is_missing_says_where_pins_are() -> None:
    with pytest.raises(RaspberryPiError, match=r"/dev/gpiochip97 is missing: .*simulated board"):
        HeaderPins(LAYOUT, chip=97)


@pytest.mark.parametrize(
    ("revision", "exists", "path"),
    [
        (0xD04171, True, "/dev/gpiochip4"),
        (0xD04171, False, "/dev/gpiochip0"),
        (0xC03114, True, "/dev/gpiochip0"),
    ],
)
def test_a_pi_5_may_have_them_on_another_chip(
    monkeypatch: pytest.MonkeyPatch, revision: int, exists: bool, path: str
) -> None:
    monkeypatch.setattr(line_pins, "get_pi_revision", lambda: revision)
    monkeypatch.setattr(Path, "exists", lambda self: exists)
    assert line_pins.chip_path() == path
