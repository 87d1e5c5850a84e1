"""Boards and dice on serial ports, through real ptys and pyserial."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from drivers.coprocessor import (
    ClockState,
    FrameDecoder,
    Message,
    Show,
    SideTime,
    Thrown,
    encode_for_device,
)
from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.controller.controller import BoardController, header_of, pockets_of
from firmware_host.session.events import Press, Tick
from firmware_host.session.session import Session
from firmware_host.storage.match_files import MatchFiles
from hardware import layout
from hardware.layout import Layout, SerialDevice
from hardware.machine import Machine, SensorFrame
from hardware.pi.serial_port import SerialPortError, open_port
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.reference_device import ReferenceDevice
from tests.support.real_board import SOON
from tests.support.sampling import a_few
from tests.support.serial_boards import PORT, Nowhere, serial_layout

CLOCK = SerialDevice("/dev/ttyClock", 115_200, "clock", ())
RECORDINGS = Path(__file__).parents[2] / "recordings"


class Plug:
    """A reference device and its pty; each step waits until bytes have arrived at the other
    side.
    """

    def __init__(self, made: Layout, link: Path | None = None) -> None:
        self.device = ReferenceDevice(made)
        self.link = link
        self._unread = self._heard = 0
        self._send, self.device.send = self.device.send, self._count  # type: ignore[method-assign]
        if link is not None:
            link.unlink(missing_ok=True)
            link.symlink_to(self.device.path)

    def _count(self, data: bytes) -> None:
        self._unread += len(data)
        self._send(data)

    def open(self, wired: SerialDevice) -> Plug:
        path = str(self.link or self.device.path)
        self._port = open_port(replace(wired, port=path))
        self._unread = 0
        return self

    def read(self) -> bytes:
        data, give_up = b"", time.monotonic() + SOON
        while self._unread > 0 and time.monotonic() < give_up:
            arrived = self._port.read()
            self._unread -= len(arrived)
            data += arrived
        return data or self._port.read()

    def write(self, data: bytes) -> None:
        self._port.write(data)
        time.sleep(0.02)

    def close(self) -> None:
        self._port.close()


def lay(world: SimulatedBoard, place: str, reading: int) -> None:
    """Set the reading of a place; of a slot the number of filled pockets."""
    if world.layout.places[place].kind == "cell":
        for _ in world.lying(place):
            world.lift(place)
        if reading:
            world.put(place, reading)
        return
    while len(world.lying(place)) > reading:
        world.lift(place)
    while len(world.lying(place)) < reading:
        world.put(place)


def session_at(machine: Machine, game: Any, state: Path) -> BoardController:
    state.mkdir()
    files = MatchFiles(state)
    places = machine.layout.game(game.name).places
    unsensed = [tray for tray in game.trays() if tray not in places]
    sight = Sight(game, machine.layout.sensing, unsensed, pockets_of(game, machine.layout))
    files.begin(game, machine.layout.name, header_of(game, machine.layout, game.start()))
    return BoardController(machine, Session(game, sight, [Match.begin(game)]), files)


@pytest.mark.parametrize(
    "name",
    a_few(["robot-duel-presence-swaps", "shogi-polarity-swaps", "robot-duel-polarity-plain"], 2),
)
def test_a_recording_through_a_pty_gives_the_frames_and_moves_that_chips_give(
    name: str, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in (RECORDINGS / f"{name}.jsonl").read_text().splitlines()]
    header, story = lines[0], lines[1:]
    chips = layout.load("square-reed" if header["sensing"] == "presence" else "square-hall")
    world = SimulatedBoard(chips)
    by_chips = Machine(chips, world.bus, world.strip, buttons=world.held)
    made = serial_layout(chips.name)
    plug = Plug(made)
    by_serial = Machine(made, world.bus, Nowhere(), open_port=plug.open)
    game = make(header["game"], header["options"])
    places = chips.game(game.name).places
    controllers = [
        session_at(machine, game, tmp_path / kind)
        for kind, machine in (("chips", by_chips), ("serial", by_serial))
    ]
    now = 0.0

    def look() -> None:
        for _ in range(2):
            plug.device.serve(now)
            for controller in controllers:
                controller.look(now)

    with closing(by_serial), closing(plug.device):
        look()
        for line in story:
            while line["t"] - now > 0.25:
                now += 0.25
                look()
                for controller in controllers:
                    controller.handle(Tick(now))
            now = max(now, line["t"])
            for place, reading in line.get("places", {}).items():
                lay(world, places[place], reading)
                lay(plug.device.world, places[place], reading)
            look()
            one, other = (controller.seen for controller in controllers)
            assert (one.readings, one.blind, one.faults) == (other.readings, other.blind, ())
            if "press" in line:
                for controller in controllers:
                    controller.handle(Press(now, line["press"]))
        for controller in controllers:
            controller.handle(Tick(now + 60))
    one, other = (controller.session.view.match.moves() for controller in controllers)
    expected = json.loads((RECORDINGS / f"{name}.json").read_text(encoding="utf-8"))
    assert one == other == expected["moves"]
    for controller in controllers:
        controller.files.close()


def test_a_board_that_is_unplugged_in_a_game_and_plugged_in_again(tmp_path: Path) -> None:
    made = serial_layout("square-reed")
    link = tmp_path / "ttyBoard"
    plug = Plug(made, link)
    machine = Machine(made, SimulatedBoard(made).bus, Nowhere(), open_port=lambda d: plug.open(d))
    every = frozenset(made.serial[0].places)

    def look(now: float) -> SensorFrame:
        plug.device.serve(now)
        return machine.read(now)

    lay(plug.device.world, "A4", 1)
    look(0.0)
    assert dict(look(0.1).readings) == {"A4": 1}
    plug.device.close()
    link.unlink()
    frame = machine.read(0.2)
    assert (dict(frame.readings), frame.blind) == ({}, every)
    (fault,) = frame.faults
    assert (fault.kind, fault.address) == ("unplugged", PORT)
    assert fault.places == made.serial[0].places
    said = {machine.read(0.2 + step / 10).faults for step in range(1, 100)}
    assert said == {(fault,)}  # the same one, however often it is retried
    plug = Plug(made, link)
    lay(plug.device.world, "A3", 1)  # a hand has moved meanwhile
    for step in range(20):
        frame = look(15.0 + step / 10)
    assert (dict(frame.readings), frame.blind, frame.faults) == ({"A3": 1}, frozenset(), ())
    machine.close()
    plug.device.close()


def test_a_port_that_cannot_be_had_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wired = SerialDevice(str(tmp_path / "none"), 115_200, "die", ())
    with pytest.raises(OSError, match="none"):
        open_port(wired)
    device = ReferenceDevice(layout.load("square-reed"), "die")
    there = replace(wired, port=device.path)
    with (
        closing(device),
        closing(open_port(there)),
        pytest.raises(SerialPortError, match="in use: end the other program"),
    ):
        open_port(there)
    import serial

    def forbidden(*_: object, **__: object) -> None:
        raise serial.SerialException(13, "Permission denied")

    monkeypatch.setattr(serial, "Serial", forbidden)
    with pytest.raises(SerialPortError, match="usermod -aG dialout"):
        open_port(wired)
    monkeypatch.setitem(sys.modules, "serial", None)
    with pytest.raises(SerialPortError, match=r"sudo make install"):
        open_port(wired)


def test_a_port_that_takes_nothing_makes_nobody_wait_for_long() -> None:
    device = ReferenceDevice(layout.load("square-reed"), "die")
    line = open_port(SerialDevice(device.path, 115_200, "die", ()))

    def fill() -> None:
        for _ in range(100):
            line.write(bytes(4096))  # the device never reads

    with closing(device), closing(line), pytest.raises(OSError, match="timeout"):
        fill()


def test_what_is_offered_to_a_line_that_takes_nothing_is_dropped_without_a_wait() -> None:
    device = ReferenceDevice(layout.load("square-reed"), "display")
    line = open_port(replace(CLOCK, port=device.path))
    show = Show(1, False, (SideTime(60_000), SideTime(50_000)))
    with closing(device), closing(line):
        took = 0
        while line.offer(encode_for_device(show)):  # the device does not read yet
            took += 1
            assert took < 100_000
        assert not line.offer(encode_for_device(show))
        give_up = time.monotonic() + SOON
        device.serve(1.0)
        while not line.offer(encode_for_device(show)):
            assert time.monotonic() < give_up
            device.serve(1.0)
        assert device.shown() == "1 runs: 1:00 0:50"


def test_nothing_is_queued_behind_bytes_that_have_not_left(monkeypatch: pytest.MonkeyPatch) -> None:
    import serial

    device = ReferenceDevice(layout.load("square-reed"), "display")
    show = encode_for_device(Show(1, False, (SideTime(60_000), SideTime(50_000))))
    with closing(device), closing(open_port(replace(CLOCK, port=device.path))) as line:
        monkeypatch.setattr(serial.Serial, "out_waiting", 1)  # a pty always says 0
        assert not line.offer(show)
        device.serve(1.0)
        assert device.shown() == "dark"
        monkeypatch.setattr(serial.Serial, "out_waiting", 0)
        assert line.offer(show)
        device.serve(1.0)
        assert device.shown() == "1 runs: 1:00 0:50"


def test_a_port_that_is_gone_is_an_error_of_what_is_offered() -> None:
    device = ReferenceDevice(layout.load("square-reed"), "display")
    with closing(open_port(replace(CLOCK, port=device.path))) as line:
        device.close()
        with pytest.raises(OSError, match="Input/output error"):
            line.offer(encode_for_device(Show()))


def test_the_reference_device_executes_lines_of_text() -> None:
    command = [sys.executable, "-m", "hardware.simulated.reference_device"]
    command += ["--layout", "square-reed"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True) as run:  # type: ignore[call-overload]
        made = serial_layout("square-reed", run.stdout.readline().strip())
        bus = SimulatedBoard(made).bus
        machine = Machine(made, bus, Nowhere(), open_port=open_port)
        run.stdin.write("put A4\nput nowhere\nput B3\nlift A4\ndance\n")
        run.stdin.flush()
        give_up = time.monotonic() + 20
        while dict(machine.read(time.monotonic()).readings) != {"B3": 1}:
            assert time.monotonic() < give_up
            time.sleep(0.01)
        machine.close()
        nothing, complaints = run.communicate(timeout=20)
    assert (run.returncode, nothing) == (0, "")
    first, second = complaints.splitlines()
    assert first == "the board has no place 'nowhere' to lay anything on"
    assert second.startswith("put PLACE")


def test_the_reference_device_is_a_display_that_prints_what_it_shows() -> None:
    command = [sys.executable, "-m", "hardware.simulated.reference_device", "--kind", "display"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True) as run:  # type: ignore[call-overload]
        port = run.stdout.readline().strip()
        with closing(open_port(replace(CLOCK, port=port))) as line:
            for show, printed in [
                (Show(0, False, (SideTime(300_000), SideTime(30_000, 3))), "stands: 5:00 0:30+3"),
                (Show(0, True, (SideTime(299_000), SideTime(30_000, 3))), "paused: 4:59 0:30+3"),
                (Show(2, False, (SideTime(1_000), SideTime(29_900))), "2 runs: 0:01 0:29"),
            ]:
                line.write(encode_for_device(show))
                shown = (each.strip() for each in run.stdout)
                # It is dark in between if this test is held up for three seconds.
                assert next(each for each in shown if each != "dark") == printed
            line.write(encode_for_device(Show()))
            assert "dark" in (each.strip() for each in run.stdout)
        run.communicate(timeout=20)
    assert run.returncode == 0


@pytest.mark.parametrize(
    ("kind", "line", "told"),
    [
        ("die", "throw 2 6", Thrown(1, (2, 6))),
        ("clock", "press 1", ClockState(2, 1, (600_000, 600_000))),
        ("clock", "press 2", ClockState(1, 1, (600_000, 600_000))),
    ],
)
def test_the_reference_device_is_a_die_and_a_clock_too(kind: str, line: str, told: Message) -> None:
    with closing(ReferenceDevice(layout.load("hex-reed"), kind)) as device:
        device.line.take_sent()
        device.execute(line)
        assert [each.message for each in FrameDecoder().feed(device.line.take_sent())] == [told]
        with pytest.raises(ValueError, match="throw N"):
            device.execute("sing")
        device.execute("")
