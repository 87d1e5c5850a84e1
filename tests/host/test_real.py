"""A real board: a thread that watches it, what ends and begins it, and what pages see of it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.games import UNFINISHED
from firmware_host.controller.controller import BoardController
from firmware_host.host import sensor_thread
from firmware_host.i18n.messages import render
from firmware_host.lessons.loader import lessons_of
from firmware_host.session.events import Press
from firmware_host.web.server import serve
from hardware.simulated.serial_line import SimulatedLine
from tests.support.real_board import SOON, Standing
from tests.support.serial_boards import serial_text
from tests.support.stories import at_a_real_board


@pytest.mark.parametrize("layout", ["square-reed", "square-hall"])
@at_a_real_board()
async def test_a_move_on_real_wires_is_read(at: Standing, layout: str) -> None:
    assert at.host.controller.session.view.repair.settling or not at.host.controller.seen
    await at.ready()
    await at.move("C4", "C3")
    await at.until(lambda: at.moves == ["C4C3"])
    assert any(map(any, at.board.strip.pixels))


@at_a_real_board()
async def test_another_match_on_the_same_board_knows_at_once_what_lies_there(at: Standing) -> None:
    at.set_up()
    await at.until(lambda: at.host.controller.seen and at.host.controller.seen.readings)
    before = at.host.controller
    at.host.new_game("robot-duel", {}, "square-reed")
    assert at.host.controller is not before
    await at.until(lambda: at.host.controller.seen)
    assert at.host.controller.seen is not None
    assert len(at.host.controller.seen.readings) == 8
    await at.until(lambda: not at.host.controller.session.view.repair.settling)


def test_a_board_on_a_serial_line_is_played_and_its_port_given_back(
    stand: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[SimulatedLine] = []
    monkeypatch.setattr(SimulatedLine, "close", lambda line: closed.append(line))
    file = tmp_path / "mine.toml"
    file.write_text(serial_text("square-reed"), encoding="utf-8")

    async def story(at: Standing) -> None:
        await at.ready()
        await at.move("C4", "C3")
        await at.until(lambda: at.moves == ["C4C3"])
        assert not closed

    stand(story, str(file))
    assert len(closed) == 1


def test_a_lesson_is_played_on_a_real_board_and_the_match_returns(
    stand: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed: list[str] = []
    handle = BoardController.handle

    def handled(controller: BoardController, event: Any) -> Any:
        if isinstance(event, Press):
            pressed.append(event.button)
        return handle(controller, event)

    monkeypatch.setattr(BoardController, "handle", handled)

    async def story(at: Standing) -> None:
        host = at.host
        stage = lambda: (lesson := host.status().lesson) and lesson.stage  # noqa: E731
        await at.ready()
        await at.move("C4", "C3")
        await at.until(lambda: at.moves == ["C4C3"])
        host.lesson_mode.learn("robot-duel-01")
        for place in at.board.save():
            at.board.lift(place)
        at.set_up()
        await at.until(lambda: host.controller.seen)
        await at.until(lambda: not host.controller.session.view.repair.settling)
        assert stage() == "task"
        await at.move("C4", "C3")
        await at.until(lambda: stage() == "done")
        at.board.press("yes")
        await at.until(lambda: host.lesson_mode.lesson is lessons_of("robot-duel")[1])
        await at.until(lambda: host.controller.seen and host.controller.seen.pressed)
        assert pressed == [], "a button that is still held was pressed in the lesson before"
        at.board.release("yes")
        await at.until(lambda: not host.controller.seen.pressed)
        at.board.press("hint")
        await at.until(lambda: pressed == ["hint"])
        host.lesson_mode.learn("")
        assert at.moves == ["C4C3"]
        assert host.status().lesson is None

    stand(story)


@at_a_real_board()
async def test_a_board_serves_what_its_layout_serves(at: Standing) -> None:
    assert set(at.host.games()) - UNFINISHED == {"robot-duel", "shogi", "chaturaji"}
    assert {b.name for boards in at.host.games().values() for b in boards} == {"square-reed"}
    with pytest.raises(ValueError, match="this board is square-reed"):
        at.host.new_game("shogi", {}, "square-hall")
    with pytest.raises(ValueError, match="it serves"):
        at.host.new_game("abalone", {}, "square-reed")


# ---- a bus that hangs


@at_a_real_board()
async def test_the_page_answers_while_the_bus_hangs(at: Standing) -> None:
    at.set_up()
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(serve(at.host, 0, ready=address.set_result))
    port = int((await address).rsplit(":", 1)[1].rstrip("/"))
    await at.until(lambda: at.host.controller.seen and at.host.controller.seen.readings)
    at.bus.hang()
    await at.until(at.bus.waiting.is_set)
    for _ in range(20):  # all of them in one and the same look
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = await asyncio.wait_for(reader.read(), SOON)
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["plies"] == []
        writer.close()
    await at.until(lambda: at.host.status().faults)
    assert "The bus to the chips hangs" in render(at.host.status().faults[0])
    at.bus.go_on()
    await at.until(lambda: not at.host.status().faults)
    assert len(at.host.status().past_faults) == 1
    await at.until(lambda: not at.host.controller.session.view.repair.settling)
    await at.move("C4", "C3")
    await at.until(lambda: at.moves == ["C4C3"])
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


@at_a_real_board()
async def test_what_a_hung_bus_could_not_read_is_a_fault_that_passes(at: Standing) -> None:
    at.set_up()
    await at.until(lambda: at.host.controller.seen and at.host.controller.seen.readings)
    looks = at.backend.looks
    at.board.refuse(0x22)
    await at.until(lambda: at.host.status().faults)
    assert at.host.status().masked
    await at.until(lambda: at.backend.looks > looks)  # the other chips answer
    at.board.repair()
    await at.until(lambda: not at.host.status().faults)
    assert at.host.status().past_faults


def test_a_look_that_hangs_for_good_does_not_keep_the_program_from_ending(
    stand: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sensor_thread, "STOP_WAIT_S", 0.05)

    async def story(at: Standing) -> None:
        await at.until(lambda: at.host.controller.seen)
        at.bus.hang()
        await at.until(at.bus.waiting.is_set)
        at.host.close()
        assert not at.backend._wires.closed  # type: ignore[attr-defined]
        assert not any(map(any, at.board.strip.pixels))

    stand(story)


@pytest.mark.deep  # what else the machine does wakes it, too
@at_a_real_board()
async def test_an_idle_board_wakes_the_computer_five_times_a_second_at_most(at: Standing) -> None:
    at.set_up()
    await at.until(lambda: at.host.controller.seen and at.host.controller.seen.readings)
    await asyncio.sleep(1.5)  # until what was set up has been thought over
    woken = 0
    machine, controller = at.backend._machine, at.host.controller
    read, draw = machine.read, controller.draw

    def count(call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(now: float) -> Any:
            nonlocal woken
            woken += 1
            return call(now)

        return counted

    machine.read, controller.draw = count(read), count(draw)  # type: ignore[method-assign]
    began = time.monotonic()
    await asyncio.sleep(3.0)
    assert 2 <= woken <= 5 * (time.monotonic() - began) + 1
