"""The clock of a match on a serial display, on the whole path from hands to what it shows."""

from __future__ import annotations

import asyncio
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from drivers.bus import SerialLine
from firmware_host.players.time_control import time_control
from firmware_host.session.events import Dice, Press
from hardware.layout import SerialDevice, load
from hardware.pi.serial_port import open_port
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.reference_device import ReferenceDevice
from hardware.simulated.serial_line import SimulatedLine
from tests.support.real_board import Standing
from tests.support.serial_boards import serial_text

PORT = "/dev/ttyClock"
CLOCK = f'\n[[serial]]\nport = "{PORT}"\nkind = "clock"\n'
BESIDE = CLOCK.replace(PORT, "/dev/ttyBeside")


@pytest.fixture
def board_file(tmp_path: Path) -> str:
    file = tmp_path / "mine.toml"
    file.write_text(serial_text("square-reed", extra=CLOCK), encoding="utf-8")
    return str(file)


def line_of(board: Any, port: str = PORT) -> SimulatedLine:
    wired = next(each for each in board.host.layout.serial if each.port == port)
    line: SimulatedLine = board.host.board.open_port(wired)
    return line


async def display_at(board: Any, control: str, sides: int = 4) -> SimulatedLine:
    """Plug a display in, and choose a clock."""
    line = line_of(board)
    line.connect("display", sides)
    board.host.time_with(time_control(control))
    await asyncio.sleep(1)
    return line


def check(board: Any, line: SimulatedLine) -> None:
    """The display shows what the host knows, to a tenth of a second."""
    host, face = board.host, line.face
    clock = host.controller.clock.shown
    left = [each / 1000 for each in face.left(line.now_ms)]
    assert left == pytest.approx(clock.left(host.now()), abs=0.1)
    assert face.running - 1 == (-1 if clock.running is None else clock.running)
    assert face.paused == clock.is_paused
    assert tuple(face.later) == (clock.periods_left(host.now()) or (0,) * len(left))


def seconds(line: SimulatedLine) -> list[int]:
    return [round(left / 1000) for left in line.face.left(line.now_ms)]


def test_moves_press_a_clock_with_an_increment_and_a_takeback_sets_it(
    sit: Any, board_file: str
) -> None:
    async def story(board: Any) -> None:
        line = await display_at(board, "5m+3s")
        assert (seconds(line), line.face.running) == ([300, 300], 0)
        await board.play("C4C3", rest=10)
        check(board, line)
        assert (seconds(line), line.face.running) == ([300, 290], 2)
        await board.play("A1A2", rest=5)
        check(board, line)
        assert (seconds(line), line.face.running) == ([295, 293], 1)
        board.host.post(Press(board.host.now(), "back"))
        await asyncio.sleep(0.3)
        check(board, line)
        assert seconds(line) == [300, 290]
        assert line.face.running == 0  # hands must first take the move back
        await board.hands("A2- A1+ 3")
        check(board, line)
        assert line.face.running == 2

    sit(story, board_file)


def test_a_pause_is_shown_and_the_next_move_ends_it(sit: Any, board_file: str) -> None:
    async def story(board: Any) -> None:
        line = await display_at(board, "10m")
        await board.play("C4C3", rest=5)
        board.host.pause(True)
        await asyncio.sleep(30)
        check(board, line)
        assert (line.face.paused, seconds(line)) == (True, [600, 595])
        await board.play("A1A2", rest=5)
        check(board, line)
        assert (line.face.paused, seconds(line)) == (False, [595, 595])

    sit(story, board_file)


def test_the_periods_of_byo_yomi_are_counted_and_a_flag_falls(sit: Any, board_file: str) -> None:
    async def story(board: Any) -> None:
        line = await display_at(board, "10s+5s*3")
        await board.play("C4C3", rest=0.75)  # no check falls on the end of a period
        ended = board.host.now() + 24.5
        seen = set()
        while board.host.now() < ended:
            check(board, line)
            seen.add((line.face.later[1], seconds(line)[1]))
            await asyncio.sleep(0.5)
        assert {(3, 9), (3, 1), (2, 5), (1, 5), (0, 5), (0, 1)} <= seen
        await asyncio.sleep(2)
        assert board.host.status().outcome.reason == "flag"
        assert (line.face.left(line.now_ms)[1], line.face.running) == (0, 0)

    sit(story, board_file)


@pytest.mark.parametrize("sides", [2, 4])
def test_four_seats_need_four_sides(sit: Any, board_file: str, sides: int) -> None:
    async def story(board: Any) -> None:
        line = await display_at(board, "5m", sides)
        board.host.post(Dice(board.host.now(), (5,)))
        await board.hands("d2- d3+ 5")
        if sides == 2:
            assert line.face.left(line.now_ms) == []
            return
        check(board, line)
        assert (seconds(line), line.face.running) == ([300, 295, 300, 300], 2)

    sit(story, board_file, game="chaturaji")


def test_a_cable_is_pulled_in_a_match_and_plugged_in_again(sit: Any, board_file: str) -> None:
    async def story(board: Any) -> None:
        line = await display_at(board, "5m")
        await board.play("C4C3", rest=5)
        line.unplugged = True
        await asyncio.sleep(4)
        assert f"Nothing is plugged in at {PORT}: check the cable." in board.says
        assert line.face.left(line.now_ms) == []
        await board.play("A1A2", rest=3)  # the match goes on
        assert board.moves == ["C4C3", "A1A2"]
        line.unplugged = False
        await asyncio.sleep(5)
        check(board, line)
        assert line.face.running == 1
        assert "plugged" not in board.says

    sit(story, board_file)


def test_after_a_restart_the_clock_is_shown_as_paused(sit: Any, board_file: str) -> None:
    async def first(board: Any) -> None:
        line = await display_at(board, "5m")
        await board.play("C4C3", rest=10)
        check(board, line)

    async def second(board: Any) -> None:
        line = line_of(board)
        line.connect("display", 4)
        await asyncio.sleep(2)
        check(board, line)
        assert line.face.paused
        assert seconds(line)[1] in range(285, 296)
        await board.play("A1A2", rest=2)
        check(board, line)
        assert (line.face.paused, line.face.running) == (False, 1)

    sit(first, board_file, kill=True)
    sit(second, board_file, game=None)


def test_a_display_is_dark_without_a_clock_and_in_lessons(sit: Any, board_file: str) -> None:
    async def story(board: Any) -> None:
        line = await display_at(board, "5m")
        assert line.face.left(line.now_ms) != []
        board.host.time_with(None)
        await asyncio.sleep(0.5)
        assert line.face.left(line.now_ms) == []
        board.host.time_with(time_control("5m"))
        await asyncio.sleep(0.5)
        assert line.face.left(line.now_ms) != []
        board.host.lesson_mode.learn("robot-duel-01")
        line = line_of(board)
        line.connect("display", 4)
        await asyncio.sleep(2)
        assert line.face.left(line.now_ms) == []

    sit(story, board_file)


def test_a_display_shows_a_clock_that_keeps_its_own_time(sit: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(serial_text("square-reed", extra=CLOCK + BESIDE), encoding="utf-8")

    async def story(board: Any) -> None:
        line = line_of(board)
        line.connect("display", 4)
        beside = line_of(board, "/dev/ttyBeside").device
        beside.clock(1, [30_000, 20_000], True)
        await asyncio.sleep(3)
        assert board.host.controller.clock.shown.is_beside
        check(board, line)
        assert (seconds(line), line.face.running) == ([27, 20], 1)
        board.host.time_with(time_control("5m"))  # the match has a clock of its own now
        await asyncio.sleep(1)
        check(board, line)
        assert (seconds(line), line.face.running) == ([300, 300], 0)
        line_of(board, "/dev/ttyBeside").connect("display", 2)  # plugged in where the clock was
        board.host.time_with(None)
        await asyncio.sleep(2)
        assert board.host.controller.clock.shown is None
        assert line.face.left(line.now_ms) == []

    sit(story, str(file))


def test_the_thread_of_a_real_board_sends_the_times_through_a_real_port(
    stand: Any, board_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = SimulatedBoard.open_port

    def opened(board: SimulatedBoard, wired: SerialDevice) -> SerialLine:
        if wired.port != PORT:
            return simulated(board, wired)
        return open_port(replace(wired, port=device.path))

    async def story(at: Standing) -> None:
        def shows(text: str) -> bool:
            device.serve(time.monotonic())
            return device.shown().startswith(text)

        at.host.time_with(time_control("10m"))
        await at.until(lambda: shows("stands: 10:00 10:00"))
        await at.ready()
        await at.move("C4", "C3")
        await at.until(lambda: shows("2 runs: 10:00 "))
        at.host.pause(True)
        await at.until(lambda: shows("paused: 10:00 "))

    device = ReferenceDevice(load("square-reed"), "display")
    monkeypatch.setattr(SimulatedBoard, "open_port", opened)
    with closing(device):
        stand(story, board_file)
