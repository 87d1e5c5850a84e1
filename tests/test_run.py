"""A real board: a thread that watches it, what ends and begins it, and what pages see of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import wires
from serial_boards import serial_text
from starlette.testclient import TestClient

from firmware_host import play, watch
from firmware_host.advice import company
from firmware_host.advice.sitters import PERSON
from firmware_host.board import Board
from firmware_host.config import Config
from firmware_host.lookout import POLL, Lookout, is_news
from firmware_host.loop import Host
from firmware_host.real_board import RealGround
from firmware_host.sitting.events import Press
from firmware_host.twin.server import LOOPBACK, ServerError, create_app, serve
from firmware_host.watch import MOST, Watch, merged
from firmware_host.watchdog import Watchdog
from firmware_host.words import render
from hardware.layout import load
from hardware.machine import SensorFrame
from hardware.simulated import SimulatedBoard
from hardware.simulated_line import SimulatedLine

SOON = 20.0
"""Seconds that a test waits for what comes at once, on whatever machine."""


class Standing:
    """A real board that stands in this process, with simulated chips at the end of its wires."""

    def __init__(self, state: Path, layout: str, game: str, silent: bool = False) -> None:
        self.board = SimulatedBoard(load(layout))
        for chip in self.board.bus.chips if silent else ():
            self.board.refuse(chip)
        self.bus = wires.HangingBus(self.board.bus)
        self.ground = RealGround(
            self.board.layout,
            lambda on_change: wires.SimulatedWires(self.board, on_change, self.bus),
        )
        self.host = Host(self.ground, state)
        self.host.open(game, {}, self.board.layout.name)
        self.places = self.board.layout.game(game).places

    def set_up(self) -> None:
        wires.set_up(self.board, self.host.game, self.host.position())

    async def move(self, start: str, end: str) -> None:
        pole = self.board.lying(self.places[start])[-1]
        self.board.lift(self.places[start])
        await asyncio.sleep(0.1)
        self.board.put(self.places[end], pole)

    async def see(self) -> None:
        """Take what the watch sees, where no host runs, until that is all that lies there."""
        async with asyncio.timeout(SOON):
            while self.host.sitting.seen is None or set(self.host.sitting.seen.readings) != set(
                self.board.save()
            ):
                for each in self.ground.frames(0.0, False):
                    self.host.sitting.take(each)
                await asyncio.sleep(0.01)

    @property
    def moves(self) -> list[str]:
        return [ply.text for ply in self.host.status().plies]

    async def until(self, so: Callable[[], Any]) -> None:
        async with asyncio.timeout(SOON):
            while not so():
                await asyncio.sleep(0.01)


@pytest.fixture
def stand(tmp_path: Path) -> Callable[..., None]:
    """Tell a story at a real board, in a loop of its own and in real time."""

    def stand(
        story: Callable[[Standing], Awaitable[None]],
        layout: str = "square-reed",
        game: str = "robot-duel",
        silent: bool = False,
    ) -> None:
        async def run() -> None:
            standing = Standing(tmp_path, layout, game, silent)
            with contextlib.closing(standing.host):
                running = asyncio.create_task(standing.host.run())
                try:
                    await story(standing)
                finally:
                    standing.bus.go_on()
                    running.cancel()
                    await asyncio.gather(running, return_exceptions=True)
            assert not any(map(any, standing.board.strip.pixels)), "the lights are dark at the end"

        asyncio.run(run())

    return stand


@pytest.mark.parametrize("layout", ["square-reed", "square-hall"])
def test_a_move_on_real_wires_is_read(stand: Any, layout: str) -> None:
    async def story(at: Standing) -> None:
        assert at.host.sitting.session.putting_right.settling or not at.host.sitting.seen
        at.set_up()
        await at.until(lambda: at.host.sitting.seen and at.host.sitting.seen.readings)
        await at.until(lambda: not at.host.sitting.session.putting_right.settling)
        await at.move("C4", "C3")
        await at.until(lambda: at.moves == ["C4C3"])
        assert any(map(any, at.board.strip.pixels))

    stand(story, layout)


def test_another_match_on_the_same_board_knows_at_once_what_lies_there(stand: Any) -> None:
    async def story(at: Standing) -> None:
        at.set_up()
        await at.until(lambda: at.host.sitting.seen and at.host.sitting.seen.readings)
        before = at.host.sitting
        at.host.new_game("robot-duel", {}, "square-reed")
        assert at.host.sitting is not before
        await at.until(lambda: at.host.sitting.seen)
        assert at.host.sitting.seen is not None
        assert len(at.host.sitting.seen.readings) == 8
        await at.until(lambda: not at.host.sitting.session.putting_right.settling)

    stand(story)


def test_a_board_on_a_serial_line_is_played_and_its_port_given_back(
    stand: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[SimulatedLine] = []
    monkeypatch.setattr(SimulatedLine, "close", lambda line: closed.append(line))
    file = tmp_path / "mine.toml"
    file.write_text(serial_text("square-reed"), encoding="utf-8")

    async def story(at: Standing) -> None:
        at.set_up()
        await at.until(lambda: at.host.sitting.seen and at.host.sitting.seen.readings)
        await at.until(lambda: not at.host.sitting.session.putting_right.settling)
        await at.move("C4", "C3")
        await at.until(lambda: at.moves == ["C4C3"])
        assert not closed

    stand(story, str(file))
    assert len(closed) == 1


def test_a_lesson_is_played_on_a_real_board_and_the_match_returns(
    stand: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed: list[str] = []
    handle = Board.handle

    def handled(sitting: Board, event: Any) -> Any:
        if isinstance(event, Press):
            pressed.append(event.button)
        return handle(sitting, event)

    monkeypatch.setattr(Board, "handle", handled)

    async def story(at: Standing) -> None:
        host = at.host
        stage = lambda: (lesson := host.status().lesson) and lesson.stage  # noqa: E731
        at.set_up()
        await at.until(lambda: host.sitting.seen and host.sitting.seen.readings)
        await at.until(lambda: not host.sitting.session.putting_right.settling)
        await at.move("C4", "C3")
        await at.until(lambda: at.moves == ["C4C3"])
        host.classroom.learn("robot-duel-01")
        for place in at.board.save():
            at.board.lift(place)
        at.set_up()
        await at.until(lambda: host.sitting.seen)
        await at.until(lambda: not host.sitting.session.putting_right.settling)
        assert stage() == "task"
        await at.move("C4", "C3")
        await at.until(lambda: stage() == "done")
        at.board.press("yes")
        await at.until(lambda: host.classroom.lesson.name == "robot-duel-02")
        await at.until(lambda: host.sitting.seen and host.sitting.seen.pressed)
        assert pressed == [], "a button that is still held was pressed in the lesson before"
        at.board.release("yes")
        await at.until(lambda: not host.sitting.seen.pressed)
        at.board.press("hint")
        await at.until(lambda: pressed == ["hint"])
        host.classroom.learn("")
        assert at.moves == ["C4C3"]
        assert host.status().lesson is None

    stand(story)


def test_a_board_serves_what_its_layout_serves(stand: Any) -> None:
    async def story(at: Standing) -> None:
        assert set(at.host.games()) == {"robot-duel", "shogi", "chaturaji"}
        assert {b.name for boards in at.host.games().values() for b in boards} == {"square-reed"}
        with pytest.raises(ValueError, match="this board is square-reed"):
            at.host.new_game("shogi", {}, "square-hall")
        with pytest.raises(ValueError, match="it serves"):
            at.host.new_game("abalone", {}, "square-reed")

    stand(story)


# ---- a bus that hangs


def test_the_page_answers_while_the_bus_hangs(stand: Any) -> None:
    async def story(at: Standing) -> None:
        at.set_up()
        address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(serve(at.host, 0, ready=address.set_result))
        port = int((await address).rsplit(":", 1)[1].rstrip("/"))
        await at.until(lambda: at.host.sitting.seen and at.host.sitting.seen.readings)
        at.bus.hang()
        await at.until(at.bus.waiting.is_set)
        for _ in range(20):  # all of them in one and the same look
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            answer = await asyncio.wait_for(reader.read(), SOON)
            assert json.loads(answer.partition(b"\r\n\r\n")[2])["plies"] == []
            writer.close()
        await at.until(lambda: at.host.status().faults)
        assert "The wires to the chips hang" in render(at.host.status().faults[0])
        at.bus.go_on()
        await at.until(lambda: not at.host.status().faults)
        assert len(at.host.status().past_faults) == 1
        await at.until(lambda: not at.host.sitting.session.putting_right.settling)
        await at.move("C4", "C3")
        await at.until(lambda: at.moves == ["C4C3"])
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    stand(story)


def test_what_a_hung_bus_could_not_read_is_a_fault_that_passes(stand: Any) -> None:
    async def story(at: Standing) -> None:
        at.set_up()
        await at.until(lambda: at.host.sitting.seen and at.host.sitting.seen.readings)
        looks = at.ground.looks
        at.board.refuse(0x22)
        await at.until(lambda: at.host.status().faults)
        assert at.host.status().masked
        await at.until(lambda: at.ground.looks > looks)  # the other chips answer
        at.board.mend()
        await at.until(lambda: not at.host.status().faults)
        assert at.host.status().past_faults

    stand(story)


def test_a_look_that_hangs_for_good_does_not_keep_the_program_from_ending(
    stand: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "PATIENCE", 0.05)

    async def story(at: Standing) -> None:
        await at.until(lambda: at.host.sitting.seen)
        at.bus.hang()
        await at.until(at.bus.waiting.is_set)
        at.host.close()
        assert not at.ground._wires.closed  # type: ignore[attr-defined]
        assert not any(map(any, at.board.strip.pixels))

    stand(story)


@pytest.mark.deep  # what else the machine does wakes it, too
def test_an_idle_board_wakes_the_computer_five_times_a_second_at_most(stand: Any) -> None:
    async def story(at: Standing) -> None:
        at.set_up()
        await at.until(lambda: at.host.sitting.seen and at.host.sitting.seen.readings)
        await asyncio.sleep(1.5)  # until what was set up has been thought over
        woken = 0
        machine, sitting = at.ground._machine, at.host.sitting
        read, draw = machine.read, sitting.draw

        def count(call: Callable[..., Any]) -> Callable[..., Any]:
            def counted(now: float) -> Any:
                nonlocal woken
                woken += 1
                return call(now)

            return counted

        machine.read, sitting.draw = count(read), count(draw)  # type: ignore[method-assign]
        began = time.monotonic()
        await asyncio.sleep(3.0)
        assert 2 <= woken <= 5 * (time.monotonic() - began) + 1

    stand(story)


def test_pages_have_their_turn_while_there_is_much_to_find_out(tmp_path: Path) -> None:
    board = SimulatedBoard(load("square-reed"))

    class Busy:
        """A board that has much to do before it can take what the sensors say."""

        session = SimpleNamespace(deadline=0.0)
        left = 30

        def counts_at(self, frame: SensorFrame) -> float:
            return frame.at

        def handle(self, event: Any) -> None:
            time.sleep(0.01)
            self.left -= 1
            self.session.deadline = 0.0 if self.left else None

    async def run() -> None:
        ground = RealGround(board.layout, lambda call: wires.SimulatedWires(board, call))
        turns = 0

        async def page() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        with contextlib.closing(Host(ground, tmp_path)) as host:
            host.sitting = Busy()  # type: ignore[assignment]
            waiting = asyncio.create_task(page())
            await host._catch_up(host.sitting, frame(1.0))
            waiting.cancel()
        assert turns >= 5

    asyncio.run(run())


def test_a_port_that_is_taken_ends_the_program_with_the_lights_dark(tmp_path: Path) -> None:
    board = SimulatedBoard(load("square-reed"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        config = Config(state=str(tmp_path), page=f"localhost:{taken.getsockname()[1]}")
        with pytest.raises(ServerError, match="Address already in use; choose another port"):
            asyncio.run(
                play.play(config, board.layout, lambda call: wires.SimulatedWires(board, call))
            )
    assert board.strip.transfers > 0
    assert not any(map(any, board.strip.pixels))


# ---- frames on their way


def frame(at: float, pulsed: str = "", pressed: str = "", **readings: int) -> SensorFrame:
    seen = {place: value for place, value in readings.items() if value}
    return SensorFrame(
        at, seen, pulsed=frozenset(pulsed.split()), pressed=frozenset(pressed.split())
    )


@pytest.mark.parametrize(
    ("first", "second", "pulsed", "pressed"),
    [
        (frame(1, A=1, B=1), frame(2, A=1, B=1), "", ""),
        (frame(1, B=1), frame(2, A=1, B=1), "A", ""),  # lifted and put back
        (frame(1, A=1), frame(2, A=1), "", ""),  # B is off, and stays so
        (frame(1, A=1, B=1, C=1), frame(2, A=1, B=1), "C", ""),  # put down and taken off
        (frame(1, "B", A=1, B=1), frame(2, A=1, B=1), "B", ""),  # latched by the chip
        (frame(1, A=-1, B=1), frame(2, A=1, B=1), "A", ""),  # turned over and back
        (frame(1, pressed="yes", A=1, B=1), frame(2, A=1, B=1), "", "yes"),
        (frame(1, pressed="yes", A=1, B=1), frame(2, pressed="no", A=1, B=1), "", "yes no"),
    ],
)
def test_two_frames_in_one_lose_nothing_that_was_felt(
    first: SensorFrame, second: SensorFrame, pulsed: str, pressed: str
) -> None:
    both = merged(frame(0, A=1, B=1), first, second)
    assert (both.at, both.readings) == (second.at, second.readings)
    assert both.pulsed == frozenset(pulsed.split())
    assert both.pressed == frozenset(pressed.split())


def test_what_dice_fell_on_is_in_two_frames_in_one() -> None:
    first = replace(frame(1), thrown=((3,), (5,)))
    assert is_news(first, frame(0))
    both = merged(frame(0), first, replace(frame(2), thrown=((1,),)))
    assert both.thrown == ((3,), (5,), (1,))


def test_a_button_held_before_is_not_pressed_anew_by_a_merged_frame() -> None:
    both = merged(frame(0, pressed="yes"), frame(1, pressed="yes"), frame(2))
    assert both.pressed == frozenset()


class Feed:
    """A lookout that sees one frame after the other."""

    def __init__(self, frames: list[SensorFrame]) -> None:
        self._frames = iter(frames)
        self.due = 0.0

    def look(self, now: float, called: bool) -> SensorFrame | None:
        seen = next(self._frames, None)
        if seen is None:
            self.due = now + 60
        return seen

    def answers(self, frame: SensorFrame) -> bool:
        return True


def test_a_host_that_is_busy_for_long_still_learns_of_every_touch() -> None:
    places = [f"P{number}" for number in range(3 * MOST)]
    frames = [frame(0.0)]
    for number, place in enumerate(places):  # each one is touched, one after the other
        frames += [frame(number + 0.3, **{place: 1}), frame(number + 0.6)]
    watching = Watch(Feed(frames), time.monotonic, lambda: None)  # type: ignore[arg-type]
    watching.start()
    deadline = time.monotonic() + SOON
    while watching.looks < len(frames) and time.monotonic() < deadline:
        time.sleep(0.01)
    watching.stop()
    taken = watching.take()
    assert len(taken) == MOST
    felt = {place for each in taken for place in (*each.readings, *each.pulsed)}
    assert felt == set(places)
    assert [each.at for each in taken] == sorted(each.at for each in taken)
    assert watching.take() == []


class Same(Feed):
    """A lookout that sees the same each time that it is asked."""

    def __init__(self, seen: SensorFrame) -> None:
        super().__init__([])
        self._seen = seen
        self.looks = 0
        self.due = 0.0

    def look(self, now: float, called: bool) -> SensorFrame | None:
        if not called and now < self.due:
            return None
        self.looks += 1
        self.due = now + (60 if self.looks > 1 or not self._seen.pressed else 0)
        return replace(self._seen, at=now)


def taken_from(watching: Watch, number: int) -> list[SensorFrame]:
    """Return what is taken until there are so many frames, or none come any more."""
    found: list[SensorFrame] = []
    deadline = time.monotonic() + SOON
    while len(found) < number and time.monotonic() < deadline:
        found += watching.take()
        time.sleep(0.01)
    return found


def test_a_look_that_is_asked_for_is_told_though_nothing_is_new() -> None:
    lookout = Same(frame(0.0, A=1))
    watching = Watch(lookout, time.monotonic, lambda: None)  # type: ignore[arg-type]
    watching.start()
    assert len(taken_from(watching, 1)) == 1
    at = time.monotonic() + 0.05
    watching.look_by(at)
    watching.look_by(at)
    (asked,) = taken_from(watching, 1)
    assert asked.at >= at
    watching.call()  # nothing is new, and nobody has asked
    time.sleep(0.1)
    watching.stop()
    assert lookout.looks == 3
    assert watching.take() == []


def test_a_switch_that_is_held_is_told_again_and_again() -> None:
    watching = Watch(Same(frame(0.0, pressed="1")), time.monotonic, lambda: None)  # type: ignore[arg-type]
    watching.start()
    first, second = taken_from(watching, 2)
    watching.stop()
    assert first.pressed == second.pressed
    assert second.at > first.at


def test_what_ends_the_thread_ends_the_program() -> None:
    class Broken(Feed):
        def look(self, now: float, called: bool) -> SensorFrame | None:
            raise RuntimeError("a driver is wrong")

    watching = Watch(Broken([]), time.monotonic, lambda: None)  # type: ignore[arg-type]
    watching.start()
    assert watching.stop()
    with pytest.raises(RuntimeError, match="a driver is wrong"):
        watching.take()


def test_nobody_need_call_a_board_that_is_looked_at_now_and_then() -> None:
    board = SimulatedBoard(load("square-reed"))
    machine = wires.SimulatedWires(board, lambda: None).machine
    lookout = Lookout(machine, lambda: board.interrupt)
    assert lookout.look(0.0, False) is not None
    assert lookout.look(POLL / 2, False) is None
    assert lookout.look(POLL / 2, True) is not None
    board.miss_interrupts(1)
    board.put("A1")
    seen = lookout.look(POLL / 2 + 0.01, False)  # the line is low though nobody called
    assert seen is not None
    assert seen.readings == {"A1": 1}


# ---- the page of a real board


@pytest.fixture
def paged(tmp_path: Path) -> Callable[..., Any]:
    """Return what a page is told of a board on which the men of a game stand, with changes."""

    def told(game: str = "robot-duel", layout: str = "square-reed", **changes: int) -> Any:
        async def run() -> Any:
            at = Standing(tmp_path, layout, game)
            with contextlib.closing(at.host):
                at.set_up()
                for place, number in changes.items():
                    if number:
                        at.board.put(place)
                    else:
                        at.board.lift(at.places[place])
                await at.see()
                with TestClient(create_app(at.host, LOOPBACK), base_url="http://localhost") as web:
                    state = web.get("/api/state").json()
                    refused = []
                    with web.websocket_connect("ws://localhost/ws") as page:
                        board = _next(page, "board")
                        for command in COMMANDS:
                            page.send_text(json.dumps({"n": 1, "rev": 10**6, **command}))
                            refused.append(_next(page, "refused")["reason"])
            return board, state, refused

        return asyncio.run(run())

    return told


COMMANDS = (
    {"type": "lift", "man": 1},
    {"type": "flip", "man": 1},
    {"type": "fault", "fault": "none"},
    {"type": "setup"},
)


def _next(page: Any, kind: str) -> Any:
    while True:
        event = page.receive()
        if event.get("text") and (message := json.loads(event["text"]))["type"] == kind:
            return message


def test_a_page_of_a_real_board_has_no_hands(paged: Any) -> None:
    board, _, refused = paged()
    assert board["hands"] is False
    assert board["chips"] == []
    assert set(refused) == {"These pieces are real: only hands at the board move them."}


def test_men_are_known_missing_or_dots(paged: Any) -> None:
    _, state, _ = paged(C4=0, A9=1)
    men = {man["place"]: man for man in state["men"]}
    assert len(men) == 8
    (missing,) = (place for place, man in men.items() if man["missing"])
    assert missing == load("square-reed").game("robot-duel").places["C4"]
    assert men[missing]["kind"] == "G"
    assert state["dots"] == ["A9"]


@pytest.mark.parametrize("layout", ["square-reed", "square-hall"])
def test_men_in_trays_are_counted_as_far_as_sensors_count(paged: Any, layout: str) -> None:
    _, state, _ = paged("shogi", layout)
    assert not any(man["missing"] for man in state["men"])
    assert state["dots"] == []
    assert len(state["men"]) == 40


def test_a_blind_place_is_not_called_empty(stand: Any) -> None:
    async def story(at: Standing) -> None:
        at.set_up()
        at.board.unplug(0x22)
        await at.until(lambda: at.host.status().masked)
        pieces = at.host.pieces
        await at.until(lambda: not any(man["missing"] for man in pieces.men()))
        assert pieces.dots() == []
        at.board.plug_in(0x22)
        await at.until(lambda: not at.host.status().masked)
        rev = pieces.rev
        at.board.lift(at.places["C4"])
        await at.until(lambda: any(man["missing"] for man in pieces.men()))
        assert pieces.rev > rev

    stand(story)


def test_a_man_stays_the_same_man_as_he_moves(stand: Any) -> None:
    async def story(at: Standing) -> None:
        at.set_up()
        await at.until(lambda: not at.host.sitting.session.putting_right.settling)
        before = {man["place"]: man["id"] for man in at.host.pieces.men()}
        await at.move("C4", "C3")
        await at.until(lambda: at.moves)
        after = {man["place"]: man["id"] for man in at.host.pieces.men()}
        assert after[at.places["C3"]] == before[at.places["C4"]]
        assert len(after) == len(before) == 8

    stand(story)


def test_a_captive_that_nobody_has_put_down_is_missing_from_its_tray(stand: Any) -> None:
    async def story(at: Standing) -> None:
        at.set_up()
        await at.until(lambda: not at.host.sitting.session.putting_right.settling)
        at.board.lift(at.places["B2"])
        await asyncio.sleep(0.1)
        await at.move("B3", "B2")
        await at.until(lambda: at.moves == ["B3B2"])
        men = {man["place"]: man for man in at.host.pieces.men()}
        captive = men[at.places["hand.A.C"]]
        assert (captive["owner"], captive["missing"]) == ("A", True)
        at.board.put(at.places["hand.A.C"])
        await at.until(lambda: not any(man["missing"] for man in at.host.pieces.men()))

    stand(story)


# ---- which match is played


def begun(tmp_path: Path, config: Config, **asked: Any) -> tuple[str, list[str], Any]:
    """Return the game, the moves and the options with which a board begins to play."""
    board = SimulatedBoard(load("square-reed"))
    told: list[Any] = []

    async def look(host: Host) -> None:
        host_moves = [ply.text for ply in host.status().plies]
        told.append((host.game.name, host_moves, host.game.options))
        if host.game.name == "robot-duel" and not host_moves:
            wires.set_up(board, host.game, host.position())
            places = board.layout.game("robot-duel").places
            async with asyncio.timeout(SOON):
                running = asyncio.create_task(Host.run_for_real(host))  # type: ignore[attr-defined]
                await asyncio.sleep(0.5)
                board.lift(places["C4"])
                board.put(places["C3"])
                while not host.status().plies:
                    await asyncio.sleep(0.01)
                running.cancel()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Host, "run_for_real", Host.run, raising=False)
        patch.setattr(Host, "run", look)
        asyncio.run(
            play.play(
                config,
                board.layout,
                lambda on_change: wires.SimulatedWires(board, on_change),
                **asked,
            )
        )
    return told[0]  # type: ignore[no-any-return]


def test_a_match_that_goes_on_is_gone_on_with_whatever_the_file_says(tmp_path: Path) -> None:
    state = str(tmp_path)
    first = Config(state=state, page="off", game="robot-duel")
    assert begun(tmp_path, first)[:2] == ("robot-duel", [])  # and C4C3 is played
    shogi = Config(state=state, page="off", game="shogi", options={"impasse": "off"})
    assert begun(tmp_path, shogi)[:2] == ("robot-duel", ["C4C3"])
    name, moves, options = begun(tmp_path, shogi, new=True)
    assert (name, moves, options["impasse"]) == ("shogi", [], "off")
    # Nothing was played in that: the file says what is begun.
    assert begun(tmp_path, Config(state=state, page="off", game="chaturaji"))[0] == "chaturaji"
    name, _, options = begun(tmp_path, shogi, game="shogi", options={"sennichite": "4_consecutive"})
    assert (name, options["impasse"], options["sennichite"]) == (
        "shogi",
        "off",
        "4_consecutive",
    )


def test_levels_of_help_hold_for_every_match(tmp_path: Path) -> None:
    board = SimulatedBoard(load("square-reed"))

    async def run() -> None:
        ground = RealGround(board.layout, lambda on_change: wires.SimulatedWires(board, on_change))
        with contextlib.closing(Host(ground, tmp_path, assist=[0, 3])) as host:
            host.open("robot-duel", {}, "square-reed")
            assert host.status().assist == (0, 3)
            host.new_game("chaturaji", {}, "square-reed")
            assert host.status().assist == (0, 3, 3, 3)

    asyncio.run(run())


# ---- who plays


def test_people_make_the_moves_of_the_machine_that_the_file_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(company, "random", Random(0))  # it takes nobody then
    board = SimulatedBoard(load("square-reed"))
    places = board.layout.game("robot-duel").places

    async def look(host: Host) -> None:
        seated = host.status().company
        assert seated is not None
        assert seated.sitters == ("level:first-steps", "person")
        assert seated.hands is None
        wires.set_up(board, host.game, host.position())
        running = asyncio.create_task(run_for_real(host))
        try:
            async with asyncio.timeout(SOON):
                while (errand := host.company._errand) is None:
                    await asyncio.sleep(0.01)
            start, end = errand.text[:2], errand.text[2:4]
            while not host.sitting.advice.errand:
                await asyncio.sleep(0.01)
            assert set(host.sitting.advice.errand) == {start, end}
            pole = board.lying(places[start])[-1]
            board.lift(places[start])
            await asyncio.sleep(0.1)
            board.put(places[end], pole)
            async with asyncio.timeout(SOON):
                while not host.status().plies:
                    await asyncio.sleep(0.01)
            assert [ply.text for ply in host.status().plies] == [errand.text]
            host.seat(0, PERSON)
            host.new_game("robot-duel", {}, "square-reed")
            seated = host.status().company
            assert seated is not None
            assert seated.sitters == ("person", "person"), "who was chosen stays chosen"
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    run_for_real = Host.run
    monkeypatch.setattr(Host, "run", look)
    config = Config(
        state=str(tmp_path), page="off", game="robot-duel", seats={"A": "level:first-steps"}
    )
    asyncio.run(play.play(config, board.layout, lambda call: wires.SimulatedWires(board, call)))


# ---- the service manager


def test_the_service_manager_hears_of_looks_that_worked(
    stand: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "REPORT", 0.05)
    monkeypatch.setattr(play, "WAITING", 0.02)
    path = tmp_path / "notify"
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(str(path))
    manager.settimeout(SOON)
    dog = Watchdog({"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "30000"})  # every 0.01 s

    async def story(at: Standing) -> None:
        async def hear() -> str:
            return (await asyncio.to_thread(manager.recv, 4096)).decode()

        reporting = asyncio.create_task(play.report(at.host, at.ground, dog, "pl"))
        heard = await hear()
        assert heard.startswith("STATUS=Robot Duel: ")
        await at.until(lambda: at.host.status().faults)
        while "Układ" not in heard:  # the chip, in the language that was wished for
            heard = await hear()
            assert heard.startswith("STATUS="), "nothing works yet"
        at.board.mend()
        while heard.startswith("STATUS="):
            heard = await hear()
        assert heard == "READY=1"
        assert await hear() == "WATCHDOG=1"
        at.bus.hang()
        await at.until(at.bus.waiting.is_set)
        await asyncio.sleep(0.2)
        manager.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                manager.recv(4096)
        await asyncio.sleep(0.5)  # ten reports
        with pytest.raises(BlockingIOError):
            manager.recv(4096)
        reporting.cancel()

    with contextlib.closing(manager), contextlib.closing(dog):
        stand(story, silent=True)


# ---- the whole program


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Begin to play as a program of its own on simulated wires, without a page."""
    begun: list[subprocess.Popen[str]] = []
    config = tmp_path / "lampion.toml"
    config.write_text(f'page = "off"\nstate = "{tmp_path}/state"\ngame = "robot-duel"\n')

    def program(*moves: str) -> subprocess.Popen[str]:
        words = (sys.executable, wires.__file__, str(config), str(tmp_path / "lit"), *moves)
        root = str(Path(__file__).parent.parent)
        begun.append(
            subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": root})
        )
        assert begun[-1].stdout is not None
        assert begun[-1].stdout.readline() == "Robot Duel on square-reed: without a page\n"
        return begun[-1]

    yield program
    for each in begun:
        each.kill()
        each.communicate()


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_lights_are_dark_after_signals_and_no_page_is_no_page(
    program: Any, tmp_path: Path, ending: signal.Signals
) -> None:
    playing = program("C4C3")
    assert playing.stdout.readline() == "C4C3\n"
    assert any((tmp_path / "lit").read_bytes())
    playing.send_signal(ending)
    assert playing.stdout.read() == "loaded:\n"  # no part of a page, and nothing of a Pi
    assert playing.wait(SOON) == 0
    assert not any((tmp_path / "lit").read_bytes())


def test_a_match_goes_on_after_the_program_was_killed(program: Any) -> None:
    playing = program("C4C3", "A1A2")
    assert [playing.stdout.readline() for _ in range(2)] == ["C4C3\n", "A1A2\n"]
    playing.kill()
    playing.wait(SOON)
    again = program("B4A3")
    assert [again.stdout.readline() for _ in range(3)] == ["C4C3\n", "A1A2\n", "B4A3\n"]
