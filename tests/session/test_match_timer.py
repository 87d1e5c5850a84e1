"""The clock of a live match: moves press it, and nobody loses time while play cannot go on."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.players.time_control import time_control
from firmware_host.session.events import Frame, Tick
from firmware_host.session.match_timer import ClockStop, MatchTimer
from tests.conftest import Timeline
from tests.session.test_styles_are_read import events, read


class Timed:
    """A board with a clock: `hands` and the rest are those of the timeline."""

    def __init__(self, board: Any, control: str = "5m+3s") -> None:
        self.board = board
        found = time_control(control)
        assert found is not None
        first = board.session.view.match.acting
        self.timer = MatchTimer(found, len(board.game.seats), first, board.now)
        self.by_hand = False
        handle = board.session.handle

        def followed(event: Any) -> Any:
            notes = []
            while (due := board.session.deadline) is not None and due <= event.at:
                notes += handle(Tick(due))
                self.follow()
            notes += handle(event)
            self.follow()
            return notes

        board.session.handle = followed

    def follow(self) -> None:
        self.timer.follow(self.board.session.view, self.board.session.now, by_hand=self.by_hand)

    @property
    def left(self) -> tuple[float, ...]:
        return tuple(round(each, 3) for each in self.timer.clock.left(self.board.now))

    @property
    def running(self) -> int | None:
        return self.timer.clock.running

    def pause(self, on: bool) -> None:
        self.timer.pause(on)
        self.board.rest(0.0)

    def flag(self) -> int | None:
        return self.timer.flag(self.board.session.view, self.board.session.now)


def robot_duel(control: str = "5m+3s", **options: Any) -> Timed:
    return Timed(Timeline("robot-duel", "polarity", **options), control)


# ---- moves press the clock


def test_the_first_move_costs_nothing_and_starts_the_clock() -> None:
    timed = robot_duel()
    timed.board.rest(100.0)
    assert (timed.left, timed.running) == ((300.0, 300.0), None)
    assert timed.timer.stopped is ClockStop.NOT_BEGUN
    timed.board.hands("C4- 0.5 C3+").rest(10.0)
    assert (timed.left, timed.running) == ((300.0, 290.0), 1)


def test_a_move_counts_with_its_last_edge_not_when_it_is_read() -> None:
    timed = robot_duel()
    timed.board.hands("C4- 0.5 C3+").rest(10.0).hands("A1- 0.5 A2+")
    timed.board.rest(0.02)
    assert timed.running == 1  # nobody has read it yet
    timed.board.rest(1.98)
    assert timed.board.moves == ["C4C3", "A1A2"]
    assert (timed.left, timed.running) == ((298.0, 292.5), 0)


def test_a_hand_that_slides_on_is_charged_up_to_its_end() -> None:
    rook = "ln2kgsn1/1rgs3bl/p1p1ppp1p/1p1p3p1/9/3P5/PPP1PPPPP/1B6R/LNSGKGSNL b - 1"
    timed = Timed(Timeline("shogi", "presence", rook), "5m")
    board = timed.board
    board.hands("1 1h- 0.5 6h+").rest(2.0).hands("4a- 0.5 4b+").rest(4.0)
    assert timed.left == (296.0, 297.5)
    board.hands("6h- 0.5 5h+").rest(2.0)
    assert (timed.running, timed.left) == (1, (295.5, 295.5))
    board.hands("0.0 4h+ 0.1 5h-").rest(1.0)
    assert board.moves[-1] == "6h4h"
    assert (timed.running, timed.left) == (1, (293.5, 296.4))


def test_a_turn_of_several_plies_is_one_press() -> None:
    timed = Timed(Timeline("chaturaji", "polarity", dice=2), "5m+3s")
    board = timed.board
    board.rest(9.0).throw(5, 5).rest(5.0)
    assert timed.left == (300.0,) * 4  # a throw starts nothing
    board.hands("0.0 d2- 0.5 d3+").rest(2.0)
    assert (timed.left[0], timed.running) == (298.0, 0)
    board.hands("0.0 c2- 0.5 c3+").rest(2.0)
    assert board.moves == ["d2d3", "c2c3"]
    assert (timed.left, timed.running) == ((300.5, 298.0, 300.0, 300.0), 1)
    board.throw(5, 5).rest(1.0)
    assert (timed.left[1], timed.running) == (297.0, 1)


def test_a_claim_does_not_press_out_of_turn_and_a_lost_turn_goes_on() -> None:
    timed = Timed(Timeline("chaturaji", "polarity"), "5m+3s")
    board = timed.board
    board.throw(4).rest(1.0)  # moves nobody: the turn is lost
    assert timed.running == 1
    board.claim("resign", 3).rest(2.0)
    assert (timed.left, timed.running) == ((300.0, 297.0, 300.0, 300.0), 1)
    board.claim("resign", 1).rest(2.0)
    assert (timed.left[2], timed.running) == (298.0, 2)


# ---- when no time runs


def test_a_pause_stops_all_and_the_next_move_ends_it() -> None:
    timed = robot_duel()
    timed.pause(True)
    assert not timed.timer.is_paused  # nothing has begun
    timed.board.hands("C4- 0.5 C3+").rest(10.0)
    timed.pause(True)
    timed.board.rest(1000.0)
    assert (timed.left, timed.timer.stopped) == ((300.0, 290.0), ClockStop.PAUSED)
    timed.pause(False)
    timed.board.rest(5.0)
    assert timed.left == (300.0, 285.0)
    timed.pause(True)
    timed.board.rest(1000.0).hands("0.0 A1- 0.5 A2+").rest(3.0)
    assert (timed.left, timed.running) == ((297.0, 288.0), 0)


def test_no_time_runs_while_the_board_is_put_right() -> None:
    timed = robot_duel()
    timed.board.hands("C4- 0.5 C3+").rest(10.0)
    timed.board.hands("0.0 A1- 0.5 B2- C4+").rest(30.0)  # no move does that
    assert timed.timer.stopped is ClockStop.REPAIR
    left = timed.left
    assert left[1] == pytest.approx(289.1, abs=0.1)  # it stands since the last edge
    timed.board.rest(100.0)
    assert timed.left == left


def test_time_before_the_board_is_set_up_again_is_charged() -> None:
    timed = robot_duel()
    board = timed.board
    board.hands("C4- 0.5 C3+").rest(100.0)
    moved = {place: value for place, value in board.readings.items() if value}
    for start, end in (("A1", "A3"), ("C1", "C2"), ("A4", "B4"), ("B1", "A2")):
        moved[end] = moved.pop(start)
    board.feed(Frame(board.now, moved, gap=True))  # the board was not read, and all is mixed up
    board.rest(30.0)
    assert timed.timer.stopped is ClockStop.REPAIR
    assert timed.left == (300.0, pytest.approx(200.0, abs=0.1))


def test_no_time_runs_while_sensors_do_not_answer() -> None:
    timed = robot_duel()
    board = timed.board
    board.hands("C4- 0.5 C3+").rest(10.0)
    shown = {place: value for place, value in board.readings.items() if value}
    board.feed(Frame(board.now, shown, blind=frozenset({"A1"})))
    board.rest(60.0)
    assert (timed.left, timed.timer.stopped) == ((300.0, 290.0), ClockStop.BLIND)
    board.feed(Frame(board.now, shown))
    board.rest(7.0)
    assert timed.left == (300.0, 283.0)


def test_no_time_runs_while_people_are_asked_and_the_answer_costs_nobody_time() -> None:
    promotes = "lnsgkgsnl/1r5b1/ppppppp1p/9/9/7p1/PPPPPPP1P/1B5R1/LNSGKGSNL b P 1"
    timed = Timed(Timeline("shogi", "presence", promotes), "5m")
    board = timed.board
    board.hands("1 7g- 0.5 7f+").rest(10.0).hands("0.0 2f- 0.5 2g+").rest(8.0)
    assert board.asked
    assert timed.timer.stopped is ClockStop.QUESTION
    board.rest(60.0)
    board.choose("2f2g+")
    assert board.moves == ["7g7f", "2f2g+"]
    board.rest(4.0)
    assert timed.running == 0
    assert timed.left[1] == 289.5
    assert 295.0 < timed.left[0] <= 296.0


def test_no_time_runs_while_hands_make_the_machines_move() -> None:
    timed = robot_duel()
    timed.board.hands("C4- 0.5 C3+").rest(10.0)
    timed.by_hand = True
    timed.board.rest(0.0).rest(30.0).hands("0.0 A1- 0.5 A2+").rest(0.5)
    timed.by_hand = False
    timed.board.rest(0.0).rest(5.0)
    assert (timed.left, timed.running) == ((295.0, 293.0), 0)


def test_no_time_runs_after_the_end() -> None:
    timed = robot_duel()
    timed.board.hands("C4- 0.5 C3+").rest(10.0).claim("resign", 1).rest(50.0)
    assert (timed.left, timed.timer.stopped) == ((300.0, 290.0), ClockStop.OVER)


def test_time_in_which_nobody_looked_is_not_charged() -> None:
    timed = robot_duel()
    timed.board.hands("C4- 0.5 C3+").rest(10.0)
    timed.board.now += 3600.0  # the computer is suspended
    timed.timer.pause_since(timed.board.session.now)
    timed.board.rest(0.0).rest(9.0)
    assert (timed.left, timed.timer.stopped) == ((300.0, 290.0), ClockStop.PAUSED)


# ---- takebacks


def test_a_takeback_restores_what_the_clock_said_when_the_ply_was_made() -> None:
    timed = robot_duel()
    board = timed.board
    board.hands("C4- 0.5 C3+").rest(10.0).hands("0.0 A1- 0.5 A2+").rest(20.0)
    assert timed.left == (280.0, 292.5)  # 289.5 and the increment
    board.press("back").rest(8.0)  # hands are guided
    assert (timed.left, timed.timer.stopped) == ((300.0, 289.5), ClockStop.REPAIR)
    board.hands("0.0 A2- 0.5 A1+").rest(5.0)
    assert timed.running == 1
    assert timed.left[0] == 300.0
    assert 284.0 < timed.left[1] < 285.5


def test_a_takeback_of_two_plies_goes_back_to_the_first() -> None:
    timed = robot_duel()
    board = timed.board
    board.hands("C4- 0.5 C3+").rest(10.0).hands("0.0 A1- 0.5 A2+").rest(20.0)
    board.hands("0.0 B3- B2- 0.4 B2+ hand.A.C+").rest(5.0)
    assert board.moves == ["C4C3", "A1A2", "B3B2"]
    board.press("back").press("back").rest(1.0)
    assert timed.left == (300.0, 289.5)


def test_time_per_move_is_whole_after_a_takeback() -> None:
    timed = robot_duel("30s/move")
    board = timed.board
    board.hands("C4- 0.5 C3+").rest(25.0).hands("0.0 A1- 0.5 A2+").rest(5.0)
    board.press("back").rest(1.0)
    assert timed.left == (30.0, 30.0)


# ---- flags


def test_a_flag_falls_once() -> None:
    timed = robot_duel("1m")
    timed.board.hands("C4- 0.5 C3+").rest(59.9)
    assert timed.flag() is None
    timed.board.rest(0.2)
    assert (timed.flag(), timed.flag()) == (1, None)
    assert timed.left == (60.0, 0.0)


def test_no_flag_falls_while_a_move_that_was_made_in_time_is_read() -> None:
    timed = robot_duel("1m")
    board = timed.board
    board.hands("C4- 0.5 C3+").rest(59.3).hands("0.0 A1- 0.5 A2+")
    board.rest(0.05)  # its places are at rest; it has not been read yet
    board.now += 0.16
    assert timed.timer.clock.fallen(board.now) == {1}
    seen = []
    for _ in range(100):
        seen.append(timed.flag())
        board.rest(0.02)
    assert set(seen) == {None}
    assert board.moves == ["C4C3", "A1A2"]
    assert timed.left[1] == pytest.approx(0.2, abs=0.05)


# ---- restarts


def test_a_match_is_resumed_paused_at_the_times_that_were_kept() -> None:
    timed = robot_duel()
    board = timed.board
    board.hands("C4- 0.5 C3+").rest(10.0).hands("0.0 A1- 0.5 A2+").rest(20.0)
    sheet = timed.timer.sheet(board.now)
    again = MatchTimer(timed.timer.control, 2, 0, 0.0)
    again.resume(board.session.record, sheet, 5.0)
    assert again.clock.left(1000.0) == (280.0, 292.5)
    assert again.is_paused
    assert again.sheet(0.0) == sheet
    board.press("back").rest(1.0)
    again.follow(board.session.view, 50.0)
    assert again.clock.left(50.0) == (300.0, 289.5)


def test_a_match_without_kept_times_begins_with_whole_ones() -> None:
    timed = robot_duel()
    timed.board.hands("C4- 0.5 C3+").rest(10.0)
    again = MatchTimer(timed.timer.control, 2, 0, 0.0)
    again.resume(timed.board.session.record, None, 5.0)
    assert again.clock.left(9.0) == (300.0, 300.0)


# ---- properties

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["move", "move", "pause", "back", "restart", "suspend"]),
        st.floats(3.0, 40.0),
    ),
    max_size=12,
)
THERE_AND_BACK = (("C4", "C3"), ("A1", "A2"), ("C3", "C4"), ("A2", "A1"))


@given(STEPS, st.sampled_from(["10m", "10m+5s"]))
def test_the_clock_says_what_everybody_thought(
    steps: list[tuple[str, float]], control: str
) -> None:
    """What each side thought is added up beside the clock, from last edge to last edge."""
    timed = robot_duel(control)
    board, given_back = timed.board, timed.timer.control.increment
    left = [600.0, 600.0]
    at_plies: list[list[float]] = []  # what was left when each ply was made
    for what, long in steps:
        seconds, plies = round(long, 1), len(at_plies)
        if what == "move" and plies < 7:
            start, end = THERE_AND_BACK[plies % 4]
            board.hands(f"0.0 {start}- 0.5 {end}+")
            if plies:
                left[plies % 2] -= 0.5
            at_plies.append([*left])
            left[plies % 2] += given_back if plies else 0
            board.rest(seconds)
            left[1 - plies % 2] -= seconds
        elif what == "pause" and plies:
            timed.pause(True)
            board.rest(seconds)
            timed.pause(False)
        elif what == "restart":
            sheet = timed.timer.sheet(board.now)
            timed.timer = MatchTimer(timed.timer.control, 2, 0, board.now)
            timed.timer.resume(board.session.record, sheet, board.now)
            board.rest(seconds)
            timed.pause(False)
        elif what == "suspend" and plies:
            timed.timer.pause_since(board.now)
            board.now += 1000 * seconds
            board.rest(0.0)
            timed.pause(False)
        elif what == "back" and plies:
            start, end = THERE_AND_BACK[(plies - 1) % 4]
            board.press("back").hands(f"{seconds} {end}- 0.5 {start}+")
            timed.pause(True)  # from when the board is right is tested above
            board.rest(3.0)
            timed.pause(False)
            left = at_plies.pop()
        assert timed.left == pytest.approx(tuple(left), abs=0.002), (what, plies)


@pytest.mark.parametrize(
    ("name", "seed"), [("robot-duel", 0), ("robot-duel", 1), ("chaturaji", 0), ("abalone", 0)]
)
def test_no_more_time_goes_than_passes_with_hands_of_all_kinds(name: str, seed: int) -> None:
    recorded, _, _ = read(name, "polarity", seed, answers=True)
    timed = Timed(Timeline(name, "polarity"), "1h")
    session, timer = timed.board.session, timed.timer
    for event in events(recorded, answers=True):
        session.handle(event)
        clock = timer.clock.until(session.now)
        spent = sum(3600 - time.left / 1000 for time in clock.times)
        turns = sum(entry.kind == "move" for entry in session.record)
        assert 0 <= spent <= session.now + 0.001
        assert len(timer.sheet(session.now).played) == len(session.record)
    assert turns > 5
    assert spent > 0
