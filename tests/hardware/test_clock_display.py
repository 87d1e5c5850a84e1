"""Displays on serial ports: what they are sent and when, in a time of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.coprocessor import FrameDecoder, Message, Show, SideTime
from firmware_host.players.time_control import time_control
from firmware_host.session.match_clock import MatchClock
from firmware_host.session.shown_clock import ShownClock
from hardware.clock_display import AGAIN_S, message
from hardware.coprocessor import SILENT_S
from hardware.layout import SerialDevice, load
from hardware.machine import Machine
from hardware.simulated.serial_line import SimulatedLine
from tests.support.serial_boards import bench

BOARD = load("square-reed")
WIRED = SerialDevice("/dev/ttyClock", 115_200, "clock", ())


@dataclass(frozen=True)
class Running:
    """A clock whose first side began to run at 10 s, in periods of 30 s."""

    running: int | None = 0
    is_paused: bool = False
    whole: tuple[float, ...] = (65.0, 300.0)
    later: tuple[int, ...] | None = None

    def left(self, now: float) -> tuple[float, ...]:
        gone = max(0.0, now - 10.0) if self.running == 0 else 0.0
        return (max(0.0, self.whole[0] - gone), *self.whole[1:])

    def periods_left(self, now: float) -> tuple[int, ...] | None:
        return self.later


class Desk:
    """A machine with a display, and a record of what the host offers to it."""

    def __init__(self, kind: str = "display", sides: int = 4) -> None:
        self.now = 0.0
        self.line = SimulatedLine(BOARD, WIRED, clock=lambda: self.now)
        self.line.take_sent()
        self.line.connect(kind, sides)
        self.sent: list[tuple[float, Message]] = []
        self._offer = self.line.offer
        self.line.offer = self.offer  # type: ignore[method-assign]
        self.machine: Machine = bench({WIRED.port: self.line}, WIRED)

    def offer(self, data: bytes) -> bool:
        took = self._offer(data)
        if took:
            (received,) = FrameDecoder().feed(data)
            self.sent.append((self.now, received.message))
        return took

    def look(self, until: float, every: float = 0.05) -> None:
        while self.now < until - 1e-9:
            self.now = round(self.now + every, 6)
            self.machine.read(self.now)

    def shown(self) -> list[int]:
        return self.line.face.left(self.line.now_ms)


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.look(10.0)
    return desk


def test_a_display_counts_down_by_itself_and_is_corrected_once_a_second(desk: Desk) -> None:
    desk.machine.show_clock(Running())
    desk.sent.clear()
    desk.look(20.0)
    assert desk.shown() == [55_000, 300_000]
    assert [said for _, said in desk.sent[:2]] == [
        Show(1, False, (SideTime(64_950), SideTime(300_000))),
        Show(1, False, (SideTime(63_950), SideTime(300_000))),
    ]
    times = [at for at, _ in desk.sent]
    assert len(times) == 10
    assert all(b - a == pytest.approx(AGAIN_S) for a, b in pairwise(times))


@pytest.mark.parametrize("poll", [0.02, 0.06, 0.2, 0.0333])
def test_no_message_is_sent_because_of_rounding(poll: float) -> None:
    desk = Desk()
    desk.look(10.0)
    desk.machine.show_clock(Running())
    desk.sent.clear()
    desk.look(30.0, every=poll)
    assert len(desk.sent) <= 21


def test_a_change_is_sent_at_once(desk: Desk) -> None:
    desk.machine.show_clock(Running())
    desk.look(20.5)
    for number, clock in enumerate(
        [
            Running(running=1, whole=(54.5, 300.0)),
            Running(running=None, whole=(54.5, 300.0)),
            Running(running=None, is_paused=True, whole=(54.5, 300.0)),
            Running(running=None, is_paused=True, whole=(54.5, 310.0)),
            Running(running=None, is_paused=True, whole=(54.5, 310.0), later=(1, 2)),
            None,
        ]
    ):
        desk.sent.clear()
        desk.machine.show_clock(clock)
        at = 20.55 + number / 20
        desk.look(at)
        expected = Show() if clock is None else message(clock, at)
        assert desk.sent == [(pytest.approx(at), expected)]
    assert desk.shown() == []


def test_the_next_period_is_sent_as_soon_as_it_begins(desk: Desk) -> None:
    class InPeriods(Running):
        def left(self, now: float) -> tuple[float, ...]:
            return (30.0 - (now - 10.0) % 30.0, 30.0)

        def periods_left(self, now: float) -> tuple[int, ...] | None:
            return (2 - int((now - 10.0) // 30.0), 2)

    desk.machine.show_clock(InPeriods())
    desk.look(39.95)
    assert (desk.shown(), desk.line.face.later) == ([50, 30_000], [2, 2])
    desk.look(40.0)
    assert (desk.shown(), desk.line.face.later) == ([30_000, 30_000], [1, 2])


def test_a_slow_line_drops_messages_and_gets_the_times_of_the_moment_later(desk: Desk) -> None:
    desk.machine.show_clock(Running())
    desk.look(11.0)
    desk.line.busy = True
    desk.sent.clear()
    desk.machine.show_clock(Running(running=1, whole=(64.0, 300.0)))
    desk.look(12.0)
    desk.machine.show_clock(Running(running=None, whole=(64.0, 299.0)))
    desk.look(13.0)
    assert desk.sent == []
    assert desk.machine.faults == ()
    desk.line.busy = False
    desk.look(13.05)
    assert [said for _, said in desk.sent] == [
        Show(0, False, (SideTime(64_000), SideTime(299_000)))
    ]


def test_a_cable_that_is_pulled_and_plugged_in_again(desk: Desk) -> None:
    desk.machine.show_clock(Running())
    desk.look(15.0)
    desk.line.unplugged = True
    desk.look(15.1)
    (fault,) = desk.machine.read(desk.now).faults
    assert (fault.kind, fault.address) == ("unplugged", WIRED.port)
    desk.look(18.1)
    assert desk.shown() == []  # it has its own power and does not show a time that may be wrong
    desk.line.unplugged = False
    desk.look(24.0)
    assert desk.machine.read(desk.now).faults == ()
    assert desk.shown() == [51_000, 300_000]


def test_a_display_that_is_plugged_in_gets_the_times_at_once(desk: Desk) -> None:
    desk.machine.show_clock(Running())
    desk.look(14.1)
    sent_at = desk.sent[-1][0]
    desk.line.unplugged = True
    desk.look(14.15)
    desk.line.unplugged = False
    desk.line.connect("display", 4)
    desk.look(sent_at + AGAIN_S - 0.05)
    assert desk.shown() != []


def test_a_flag_that_has_fallen_is_shown_once_a_second(desk: Desk) -> None:
    desk.machine.show_clock(Running(whole=(0.0, 300.0)))
    desk.sent.clear()
    desk.look(15.0)
    assert desk.shown() == [0, 300_000]
    assert len(desk.sent) == 5


def test_a_display_that_restarts_shows_the_times_after_a_second_at_most(desk: Desk) -> None:
    desk.machine.show_clock(Running())
    desk.look(15.5)
    desk.line.connect("display", 2)
    assert desk.shown() == []
    desk.look(16.5)
    assert desk.shown() == [58_500, 300_000]


def test_a_display_that_says_nothing_gets_nothing(desk: Desk) -> None:
    desk.machine.show_clock(Running())
    desk.look(12.0)
    desk.line.read = lambda: b""  # type: ignore[method-assign]
    desk.look(12.0 + SILENT_S + 0.1)
    desk.sent.clear()
    desk.look(20.0)
    assert desk.sent == []


def test_a_program_that_starts_again_finds_the_display(desk: Desk) -> None:
    desk.machine.show_clock(Running())
    desk.look(15.0)
    desk.machine.close()
    desk.machine = bench({WIRED.port: desk.line}, WIRED)
    desk.now = 60.0
    assert desk.shown() == []
    desk.machine.show_clock(Running(running=None, is_paused=True, whole=(60.0, 300.0)))
    desk.look(60.1)
    assert (desk.shown(), desk.line.face.paused) == ([60_000, 300_000], True)


@pytest.mark.parametrize(("sides", "seats", "shows"), [(2, 2, 2), (4, 2, 2), (4, 4, 4), (2, 4, 0)])
def test_a_display_with_too_few_sides_stays_dark(sides: int, seats: int, shows: int) -> None:
    desk = Desk(sides=sides)
    desk.machine.show_clock(Running(whole=(60.0,) * seats))
    desk.look(1.0)
    assert len(desk.shown()) == shows
    assert desk.machine.read(desk.now).faults == ()


def test_a_clock_with_its_own_time_is_read_and_gets_no_message() -> None:
    desk = Desk("clock", 2)
    desk.machine.show_clock(Running())
    desk.look(5.0)
    assert desk.sent == []
    assert len(desk.machine.read(desk.now).clocks) == 1
    (fault,) = replace_by_die(desk)
    assert fault == "stranger"


def replace_by_die(desk: Desk) -> list[str]:
    desk.line.connect("die", 1)
    desk.look(desk.now + 2.0)
    return [fault.kind for fault in desk.machine.read(desk.now).faults]


def test_a_display_is_no_clock_beside_the_board(desk: Desk) -> None:
    desk.machine.show_clock(Running())
    desk.look(15.0)
    desk.line.device.introduce()  # it says what it shows
    desk.look(15.1)
    frame = desk.machine.read(desk.now)
    assert (frame.clocks, frame.faults) == ((), ())


@given(st.data())
def test_whatever_happens_the_display_shows_the_clock_at_the_end(data: st.DataObject) -> None:
    """It never has more sides than the match, and a line that works again brings the times."""
    control = time_control("20s+5s*2")
    assert control is not None
    desk = Desk()
    clock = MatchClock.begin(control, 2, 0, 0.0)
    acts = st.sampled_from(["start", "stop", "press", "pull", "plug", "busy", "free", "garble"])
    for act in data.draw(st.lists(acts, max_size=10)):
        if act in ("start", "stop"):
            clock = clock.start(desk.now) if act == "start" else clock.stop(desk.now)
        elif act == "press":
            clock = clock.press(desk.now, 1 - clock.seat)
        elif act in ("pull", "plug"):
            desk.line.unplugged = act == "pull"
        elif act in ("busy", "free"):
            desk.line.busy = act == "busy"
        else:
            desk.line.write(data.draw(st.binary(max_size=80)))
        desk.machine.show_clock(ShownClock(clock))
        desk.look(desk.now + data.draw(st.sampled_from([0.1, 0.4, 2.0, 4.0])), every=0.1)
        assert len(desk.shown()) in (0, 2)
    desk.line.unplugged = desk.line.busy = False
    desk.machine.show_clock(ShownClock(clock))
    desk.look(desk.now + 6.0, every=0.1)  # ports are tried again every two seconds
    left = [each / 1000 for each in desk.shown()]
    assert left == pytest.approx(clock.left(desk.now), abs=0.11)
    assert tuple(desk.line.face.later) == clock.periods_left(desk.now)
    assert desk.line.face.running == (clock.seat + 1 if clock.is_running else 0)


def test_times_that_are_too_long_for_the_wire_are_shown_as_the_longest() -> None:
    clock = replace(Running(running=None), whole=(1e9, 5.0), later=(500, 1))
    assert message(clock, 0.0).sides == (SideTime(2**28 - 1, 127), SideTime(5000, 1))
