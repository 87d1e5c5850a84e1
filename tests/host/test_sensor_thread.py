"""Frames on their way from the thread that looks at the board to what makes sense of them."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.controller.controller import BoardController, header_of
from firmware_host.controller.polling import (
    ASLEEP_S,
    ASLEEP_SCAN_S,
    BUSY_S,
    IDLE_SCAN_S,
    POLL_S,
    QUIET_POLL_S,
    QUIET_S,
    SCAN_S,
    Polling,
    is_news,
)
from firmware_host.host.host import Host
from firmware_host.host.real import RealBackend
from firmware_host.host.sensor_thread import MOST_FRAMES, SensorThread, merged
from firmware_host.session.events import Tick
from firmware_host.session.session import Session
from firmware_host.storage.match_files import MatchFiles
from hardware.interrupt import InterruptLine
from hardware.layout import load
from hardware.machine import Machine, SensorFrame
from hardware.simulated.board import SimulatedBoard
from tests.support import wires
from tests.support.real_board import SOON


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
    places = [f"P{number}" for number in range(3 * MOST_FRAMES)]
    frames = [frame(0.0)]
    for number, place in enumerate(places):  # each one is touched, one after the other
        frames += [frame(number + 0.3, **{place: 1}), frame(number + 0.6)]
    watching = SensorThread(Feed(frames), time.monotonic, lambda: None)  # type: ignore[arg-type]
    watching.start()
    deadline = time.monotonic() + SOON
    while watching.looks < len(frames) and time.monotonic() < deadline:
        time.sleep(0.01)
    watching.stop()
    taken = watching.take()
    assert len(taken) == MOST_FRAMES
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


def taken_from(watching: SensorThread, number: int) -> list[SensorFrame]:
    """Take frames until there are enough, or no more come; return them."""
    found: list[SensorFrame] = []
    deadline = time.monotonic() + SOON
    while len(found) < number and time.monotonic() < deadline:
        found += watching.take()
        time.sleep(0.01)
    return found


def test_a_look_that_is_asked_for_is_told_though_nothing_is_new() -> None:
    lookout = Same(frame(0.0, A=1))
    watching = SensorThread(lookout, time.monotonic, lambda: None)  # type: ignore[arg-type]
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
    watching = SensorThread(Same(frame(0.0, pressed="1")), time.monotonic, lambda: None)  # type: ignore[arg-type]
    watching.start()
    first, second = taken_from(watching, 2)
    watching.stop()
    assert first.pressed == second.pressed
    assert second.at > first.at


def test_what_ends_the_thread_ends_the_program() -> None:
    class Broken(Feed):
        def look(self, now: float, called: bool) -> SensorFrame | None:
            raise RuntimeError("a driver is wrong")

    watching = SensorThread(Broken([]), time.monotonic, lambda: None)  # type: ignore[arg-type]
    watching.start()
    assert watching.stop()
    with pytest.raises(RuntimeError, match="a driver is wrong"):
        watching.take()


def test_nobody_need_call_a_board_that_is_looked_at_now_and_then() -> None:
    board = SimulatedBoard(load("square-reed"))
    machine = wires.SimulatedWires(board, lambda: None).machine
    lookout = Polling(machine, lambda: board.interrupt)
    assert lookout.look(0.0, False) is not None
    assert lookout.look(POLL_S / 2, False) is None
    assert lookout.look(POLL_S / 2, True) is not None
    board.miss_interrupts(1)
    board.put("A1")
    seen = lookout.look(POLL_S / 2 + 0.01, False)  # the line is low though nobody called
    assert seen is not None
    assert seen.readings == {"A1": 1}


def test_a_board_that_is_sure_to_call_is_left_alone_when_nothing_happens() -> None:
    board = SimulatedBoard(load("square-reed"))
    line = InterruptLine(lambda: board.interrupt)
    board.on_interrupt = line.note_edge
    machine = Machine(board.layout, board.bus, board.strip, interrupt=line)
    lookout = Polling(machine, lambda: board.interrupt)

    def looks(until: float) -> list[float]:
        """Return the seconds from each look to the next."""
        pauses = []
        while (now := lookout.due) < until:
            lookout.look(now, False)
            pauses.append(round(lookout.due - now, 3))
        return pauses

    looks(100.0)
    line.proven = False
    assert set(looks(200.0)[1:]) == {IDLE_SCAN_S}
    board.put("A1")
    lookout.look(200.0, True)
    assert set(looks(200.0 + QUIET_S)) == {POLL_S}
    assert set(looks(300.0)[1:]) == {QUIET_POLL_S}
    board.refuse(0x21)
    assert set(looks(400.0)[1:]) == {POLL_S}
    board.repair()
    assert set(looks(500.0)[-9:]) == {QUIET_POLL_S}
    board.lift("A1")
    assert lookout.look(500.0, True) is not None
    assert set(looks(501.0)) == {POLL_S}


def test_a_board_that_cannot_call_is_looked_at_seldom_after_ten_minutes_rest() -> None:
    quiet: dict[str, int] = {}
    machine = SimpleNamespace(
        layout=load("square-hall"),
        needs_polling=True,
        interrupts_suffice=False,
        read=lambda now: SensorFrame(now, quiet),
    )
    lookout = Polling(machine, lambda: False)  # type: ignore[arg-type]

    def looks(until: float) -> set[float]:
        pauses = set()
        while (now := lookout.due) < until:
            lookout.look(now, False)
            pauses.add(round(lookout.due - now, 3))
        return pauses

    assert looks(BUSY_S) == {SCAN_S}
    assert looks(ASLEEP_S) == {IDLE_SCAN_S}
    assert looks(ASLEEP_S + 60)  # as the clock ticks over
    assert looks(2 * ASLEEP_S) == {ASLEEP_SCAN_S}
    quiet = {"A1": 1}
    assert looks(2 * ASLEEP_S + BUSY_S) == {SCAN_S}  # from the first look on that finds it
    looks(2 * ASLEEP_S + 2 * BUSY_S)
    assert looks(3 * ASLEEP_S) == {IDLE_SCAN_S}


class Table:
    """Robot Duel on a Hall board in virtual time, looked at when it is time to."""

    def __init__(self, state: Path) -> None:
        self.board = SimulatedBoard(load("square-hall"))
        self.now = 0.0
        made, game = self.board.layout, make("robot-duel", {})
        self.places = made.game(game.name).places
        wires.set_up(self.board, game, game.start())
        files = MatchFiles(state)
        files.begin(game, made.name, header_of(game, made, game.start()))
        session = Session(game, Sight(game, made.sensing), [Match.begin(game)])
        machine = Machine(made, self.board.bus, self.board.strip, clock=lambda: self.now)
        self.controller = BoardController(machine, session, files)
        self.lookout = Polling(machine, lambda: False)

    def pass_time(self, seconds: float) -> None:
        """Let time go by as the loop of the program does."""
        ends = round(self.now + seconds, 3)
        while True:
            controller = self.controller
            confirm, deadline = controller.confirm, controller.session.deadline
            due = [self.lookout.due, *[at for at in (confirm or deadline,) if at is not None]]
            if min(due) > ends:
                break
            self.now = max(self.now, min(due))
            frame = self.lookout.look(self.now, confirm is not None and self.now >= confirm)
            if frame is not None:
                controller.take(frame)
            deadline = controller.session.deadline
            if controller.confirm is None and deadline is not None and deadline <= self.now:
                controller.handle(Tick(deadline))
        self.now = ends

    def rest(self, phase: float) -> None:
        """Let ten minutes go by at once, up to a moment `phase` seconds after a look."""
        self.pass_time(3.0)
        self.lookout._news_at -= ASLEEP_S
        self.pass_time(2 * ASLEEP_SCAN_S)
        self.pass_time(self.lookout.due - ASLEEP_SCAN_S + phase - self.now + ASLEEP_SCAN_S)

    def move(self, start: str, end: str, takes: str = "") -> None:
        """Move a piece in 80 ms, and take what stands there first, as quickly."""
        places, board = self.places, self.board
        taken = ()
        if takes:
            taken = board.lying(places[end])
            board.lift(places[end])
            self.pass_time(0.08)
        pole = board.lying(places[start])[-1]
        board.lift(places[start])
        self.pass_time(0.08)
        board.put(places[end], pole)
        if takes:
            self.pass_time(0.08)
            board.put(places[takes], taken[-1])


@pytest.mark.parametrize("phase", [0.07, 0.19])
def test_a_quick_move_after_a_long_rest_is_read_rightly(tmp_path: Path, phase: float) -> None:
    table = Table(tmp_path)
    for move in (("C4", "C3"), ("A1", "A2"), ("B3", "B2", "hand.A.C"), ("B1", "B2", "hand.B.C")):
        table.rest(phase)
        table.move(*move)
        assert table.lookout.due - table.now <= ASLEEP_SCAN_S + 0.001
    table.pass_time(5.0)
    match = table.controller.session.view.match
    assert match.moves() == ["C4C3", "A1A2", "B3B2", "B1B2"]


def test_pages_have_their_turn_while_there_is_much_to_find_out(tmp_path: Path) -> None:
    board = SimulatedBoard(load("square-reed"))

    class Busy:
        """A board that has much to do before it can take what the sensors say."""

        session = SimpleNamespace(deadline=0.0)
        clock = SimpleNamespace(notice=lambda now: None)
        left = 30

        def counts_at(self, frame: SensorFrame) -> float:
            return frame.at

        def handle(self, event: Any) -> None:
            time.sleep(0.01)
            self.left -= 1
            self.session.deadline = 0.0 if self.left else None

    async def run() -> None:
        backend = RealBackend(board.layout, lambda call: wires.SimulatedWires(board, call))
        turns = 0

        async def page() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        with contextlib.closing(Host(backend, tmp_path)) as host:
            host.controller = Busy()  # type: ignore[assignment]
            waiting = asyncio.create_task(page())
            await host._catch_up(host.controller, frame(1.0))
            waiting.cancel()
        assert turns >= 5

    asyncio.run(run())
