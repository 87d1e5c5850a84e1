"""Boards, dice and clocks on serial ports: from messages to frames, throws, faults and moves, in
simulated time.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.coprocessor import (
    VERSION,
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
from hardware import layout
from hardware.coprocessor import SILENT_S, START_S
from hardware.layout import LayoutError, SerialDevice
from hardware.machine import Machine, SensorFrame
from hardware.pi.serial_port import SerialPortError
from hardware.pico.protocol import BOARD, Device
from hardware.simulated.board import SimulatedBoard
from tests.support.serial_boards import PORT, Nowhere, bench, serial_layout, serial_text

# ---- in a time of its own


class Line:
    """A port into which a test puts bytes."""

    def __init__(self) -> None:
        self.waiting = bytearray()
        self.asked = 0
        self.closed = 0
        self.error: OSError | None = None
        self._number = 0

    def say(self, *messages: Message, lost: bool = False) -> None:
        for message in messages:
            if not lost:
                self.waiting += encode(message, self._number)
            self._number += 1

    def read(self) -> bytes:
        if self.error is not None:
            raise self.error
        data = bytes(self.waiting[:4096])
        del self.waiting[:4096]
        return data

    def write(self, data: bytes) -> None:
        self.asked += len(FrameDecoder().feed(data))

    def close(self) -> None:
        self.closed += 1


BOARD_OF_3 = SerialDevice(PORT, 115_200, "board", ("A4", "A3", "north.1"))
HELLO = Hello(VERSION, "board", 3, "mine")


@pytest.fixture
def line() -> Line:
    return Line()


def begun(line: Line, *levels: int) -> Machine:
    machine = bench({PORT: line}, BOARD_OF_3)
    frame = machine.read(0.0)
    assert (dict(frame.readings), frame.blind, frame.faults) == ({}, set(BOARD_OF_3.places), ())
    line.say(HELLO, Full(levels or (1, 0, 0)))
    machine.read(0.1)
    return machine


def test_changes_are_reported_and_so_are_changes_back(line: Line) -> None:
    machine = begun(line)
    line.say(Changes(((0, 0),)), Changes(((1, 1), (2, 1))))
    frame = machine.read(0.2)
    assert (dict(frame.readings), frame.pulsed) == ({"A3": 1, "north.1": 1}, frozenset())
    line.say(Changes(((1, 0),)), Changes(((1, 1), (0, 1), (0, 0))))
    frame = machine.read(0.3)
    assert (dict(frame.readings), frame.pulsed) == ({"A3": 1, "north.1": 1}, {"A4", "A3"})
    line.say(Heartbeat())
    frame = machine.read(0.4)
    assert (frame.pulsed, frame.faults, frame.blind) == (frozenset(), (), frozenset())


@pytest.mark.parametrize("after", [Heartbeat(), Changes(((2, 1),))])
def test_a_message_that_is_lost_is_noticed_and_all_is_asked_for(line: Line, after: Message) -> None:
    machine = begun(line)
    asked = line.asked
    line.say(Changes(((0, 0),)), lost=True)
    line.say(after)
    frame = machine.read(0.2)
    assert dict(frame.readings) == {"A4": 1}  # what it knows; not a board that never existed
    assert line.asked == asked + 1
    line.say(HELLO, Full((0, 1, 0)))
    frame = machine.read(0.3)
    assert (dict(frame.readings), frame.faults) == ({"A3": 1}, ())
    machine.read(0.4)
    assert line.asked == asked + 1


def test_a_device_that_restarts_is_read_again(line: Line) -> None:
    machine = begun(line)
    line.say(Heartbeat(), Heartbeat(), Heartbeat())
    line._number = 0
    line.say(HELLO, Full((0, 0, 1)), Changes(((0, 1),)))
    assert dict(machine.read(0.2).readings) == {"A4": 1, "north.1": 1}


def test_an_impossible_reading_means_unknown(line: Line) -> None:
    machine = begun(line)
    line.say(Changes(((0, -1), (1, -128), (77, 1))))
    frame = machine.read(0.2)
    assert (dict(frame.readings), frame.blind) == ({}, {"A4", "A3"})
    (fault,) = frame.faults
    assert (fault.kind, fault.places) == ("unknown", ("A4", "A3"))
    line.say(Changes(((0, 1), (1, 0))))
    frame = machine.read(0.3)
    assert (dict(frame.readings), frame.blind, frame.faults) == ({"A4": 1}, frozenset(), ())


NOISE = b"\x80\xff\x01" * 20 + b"\0"
FAULTS: list[tuple[str, Callable[[Line], None]]] = [
    ("quiet", lambda line: None),
    ("garbled", lambda line: line.waiting.extend(NOISE)),
    ("version", lambda line: line.say(replace(HELLO, version=2))),
    ("stranger", lambda line: line.say(replace(HELLO, kind="die"))),
    ("stranger", lambda line: line.say(replace(HELLO, count=4))),
    ("unplugged", lambda line: setattr(line, "error", OSError(5, "Input/output error"))),
    ("denied", lambda line: setattr(line, "error", SerialPortError("ttyACM0 is in use"))),
]


@pytest.mark.parametrize(("kind", "hurt"), FAULTS)
@pytest.mark.parametrize("before", [True, False], ids=["in a game", "from the start"])
def test_a_fault_is_reported_once_and_ends_with_its_cause(
    line: Line, kind: str, hurt: Callable[[Line], None], before: bool
) -> None:
    if before:
        machine, now = begun(line), 0.1
    else:
        machine, now = bench({PORT: line}, BOARD_OF_3), 0.0
    said = []
    for _ in range(400):
        now += 0.05
        hurt(line)
        frame = machine.read(now)
        if frame.faults and frame.faults != (said[-1:] or [()])[0]:
            said.append(frame.faults)
    ((fault,),) = said
    assert (fault.kind, fault.address, fault.places) == (kind, PORT, BOARD_OF_3.places)
    assert fault.text.count("\n") == 0
    assert "ttyACM0" in fault.text
    assert (dict(frame.readings), frame.blind) == ({}, set(BOARD_OF_3.places))
    assert line.asked <= 20  # at growing intervals
    line.error = None
    asked = line.asked
    while line.asked == asked:
        now += 0.05
        machine.read(now)
    line.say(HELLO, Full((0, 1, 0)))
    frame = machine.read(now + 0.05)
    assert (dict(frame.readings), frame.blind, frame.faults) == ({"A3": 1}, frozenset(), ())


def test_silence_is_borne_as_long_as_a_device_may_take(line: Line) -> None:
    machine = bench({PORT: line}, BOARD_OF_3)
    assert machine.read(0.0).faults == machine.read(START_S).faults == ()
    assert machine.read(START_S + 0.1).faults
    line.say(HELLO, Full((0, 0, 0)))
    assert machine.read(5.0).faults == machine.read(5.0 + SILENT_S).faults == ()
    assert machine.read(5.1 + SILENT_S).faults[0].kind == "quiet"


def test_a_flood_grows_nothing(line: Line) -> None:
    machine = begun(line)
    link = machine._coprocessors.links[0]  # type: ignore[union-attr]
    for step in range(200):
        line.waiting += os.urandom(4096).replace(b"\0", b"\1")
        machine.read(0.2 + step / 100)
        assert len(link._decoder._kept) <= 248
    line.waiting.clear()
    line.waiting += b"\0"
    line.say(HELLO, Full((0, 0, 1)))
    machine.read(3.0)
    assert dict(machine.read(3.1).readings) == {"north.1": 1}


@given(st.data())
def test_whatever_happens_to_the_bytes_no_frame_is_wrong(data: st.DataObject) -> None:
    """A frame shows an earlier state of the board, or nothing; and at the end the present state."""
    line, sent = Line(), bytearray()
    device = Device(BOARD, 3, "mine", sent.extend)
    line.write = device.receive  # type: ignore[method-assign]
    machine = bench({PORT: line}, BOARD_OF_3)
    levels = [0, 0, 0]
    were = [tuple(levels)]
    device.read(levels)
    device.introduce()
    now = 0.0

    def look(hurt: bool) -> SensorFrame:
        nonlocal now
        now += 0.1
        device.tick(int(now * 1000))
        if hurt:
            cut = data.draw(st.integers(0, len(sent)))
            end = data.draw(st.integers(cut, len(sent)))
            sent[cut:end] = data.draw(st.binary(max_size=30))
        line.waiting += sent
        sent.clear()
        return machine.read(now)

    for _ in range(data.draw(st.integers(1, 15))):
        levels[data.draw(st.integers(0, 2))] ^= 1
        were.append(tuple(levels))
        device.read(levels)
        frame = look(hurt=data.draw(st.booleans()))
        if not frame.blind:
            seen = tuple(frame.readings.get(place, 0) for place in BOARD_OF_3.places)
            assert seen in were
    for _ in range(60):
        frame = look(hurt=False)
    expected = {place: 1 for place, on in zip(BOARD_OF_3.places, levels, strict=True) if on}
    assert (dict(frame.readings), frame.blind, frame.faults) == (expected, frozenset(), ())


# ---- dice and clocks


DIE = SerialDevice("/dev/ttyDie", 115_200, "die", ())
CLOCK = SerialDevice("/dev/ttyClock", 115_200, "clock", ())


def test_a_throw_is_reported_once_and_old_ones_never(line: Line) -> None:
    machine = bench({DIE.port: line}, DIE)
    hello = Hello(VERSION, "die", 1, "cube")
    line.say(hello, Thrown(4, (6,)))
    machine.read(0.0)
    assert machine.read(0.1).thrown == ()  # it already showed that face
    line.say(Thrown(5, (3,)), Heartbeat(), Thrown(5, (3,)))
    assert machine.read(0.2).thrown == ((3,),)
    assert machine.read(0.3).thrown == ()
    line.say(Thrown(6, (3,)), lost=True)
    line.say(Heartbeat())
    assert machine.read(0.4).thrown == ()
    line.say(hello, Thrown(6, (3,)))
    assert machine.read(0.5).thrown == ((3,),)  # lost, and sent again after Ask
    line._number = 0
    line.say(hello, Thrown(0, ()), Thrown(1, (2,)), Thrown(2, (2,)))
    assert machine.read(0.6).thrown == ((2,), (2,))
    machine.read(0.6 + SILENT_S + 0.1)
    line.say(hello, Thrown(9, (1,)))
    assert machine.read(4.0).thrown == ()  # the time is unknown


def test_a_clock_is_handed_over_as_it_stands(line: Line) -> None:
    machine = bench({CLOCK.port: line}, CLOCK)
    assert machine.read(0.0).clocks == ()
    line.say(Hello(VERSION, "clock", 2, "tick"), ClockState(0, 0, (1000, 1000)))
    assert machine.read(0.1).clocks == (ClockState(0, 0, (1000, 1000)),)
    line.say(ClockState(1, 1, (900, 1000)))
    assert machine.read(0.2).clocks == machine.read(0.3).clocks == (ClockState(1, 1, (900, 1000)),)
    frame = machine.read(3.0)
    assert (frame.clocks, frame.faults[0].kind) == ((), "quiet")


# ---- in the program


def test_a_game_on_a_serial_board_that_is_unplugged_meanwhile(sit: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(serial_text("square-reed"), encoding="utf-8")

    async def story(board: Any) -> None:
        line = board.host.board.open_port(board.host.layout.serial[0])
        await board.play("C4C3")
        line.unplugged = True
        await asyncio.sleep(1)
        assert "Nothing is plugged in at /dev/ttyACM0: check the cable." in board.says
        await board.hands("A1- A2+ 1")
        line.unplugged = False
        await asyncio.sleep(4)
        assert "plugged" not in board.says
        await board.play("C3C2")
        assert board.moves == ["C4C3", "A1A2", "C3C2"]
        past = board.host.status().past_faults
        assert len(past) == 1

    sit(story, str(file))


def thrown(board: Any) -> list[str]:
    return [e.texts[0] for e in board.host.controller.session.record if e.kind == "throw"]


def test_a_throw_of_an_electronic_die_is_one(sit: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    extra = '\n[[serial]]\nport = "/dev/ttyDie"\nkind = "die"\n'
    file.write_text(serial_text("square-reed", extra=extra), encoding="utf-8")

    async def story(board: Any) -> None:
        die = board.host.board.open_port(board.host.layout.serial[1]).device
        await asyncio.sleep(1)
        assert board.host.status().dice == ()
        die.throw([6])  # no face of a long die
        await asyncio.sleep(0.5)
        assert thrown(board) == []
        die.throw([5])
        await asyncio.sleep(0.5)
        assert thrown(board) == ["5"]

    sit(story, str(file), "chaturaji", dice="1")


def test_a_board_with_serial_devices_needs_ports() -> None:
    made = serial_layout("square-reed")
    with pytest.raises(ValueError, match="square-reed-serial has serial devices"):
        Machine(made, SimulatedBoard(made).bus, Nowhere())


def test_without_its_packages_a_serial_board_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "hardware.coprocessor", None)
    with pytest.raises(ValueError, match=r"sudo make install, or"):
        bench({}, BOARD_OF_3)


# ---- in the layout


def test_a_polarity_board_may_have_its_places_from_a_coprocessor() -> None:
    made = serial_layout("square-hall")
    assert (made.expanders, made.multiplexers, made.select, made.hall) == ((), (), None, None)
    world = SimulatedBoard(made)
    machine = Machine(made, world.bus, world.strip, open_port=world.open_port)
    assert machine.needs_polling
    world.put("A4", -1)
    for _ in range(3):
        world.put("south.1")
    assert dict(machine.read(0.0).readings) == {"A4": -1, "south.1": 3}


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (f'"{PORT}"', '"ttyACM0"', "serial[0].port: is a path like '/dev/ttyACM0', not 'ttyACM0'"),
        ('kind = "board"', 'kind = "cube"', "serial[0].kind: invalid enum value 'cube'"),
        ('kind = "board"', 'kind = "die"', "serial[0].places: belong to a board, and every"),
        ('kind = "board"', 'kind = "board"\nbaud = 1', "serial[0].baud: 1 is not one of 9600, "),
        ('kind = "board"', 'kind = "board"\nbits = 7', "serial[0]: unknown key 'bits'"),
        ('["A1", ', '["A1", "A1", ', "serial[0].places[1]: two sensors on A1"),
        ('["A1", ', '["Z9", ', "serial[0].places[0]: 'Z9' is no cell or slot"),
        ('places = ["A1", ', "places = [", "cells.A1: is on no pin"),
        ("[cells]", f'[[serial]]\nport = "{PORT}"\nkind = "die"\n[cells]', "serial[1].port: /dev"),
    ],
)
def test_a_serial_device_that_cannot_be_is_named(old: str, new: str, complaint: str) -> None:
    text = serial_text("square-reed")
    assert old in text
    with pytest.raises(LayoutError) as error:
        layout.parse(text.replace(old, new, 1), "x.toml")
    assert str(error.value).startswith(f"x.toml: {complaint}")
