"""The clock of a match as a value: no time is lost or won, in whatever order things happen."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.players.time_control import TimeControl, time_control
from firmware_host.session.match_clock import MatchClock, SeatTime
from tests.players.test_time_control import CONTROLS


def clock(text: str, seats: int = 2) -> MatchClock:
    control = time_control(text)
    assert control is not None
    return MatchClock.begin(control, seats, 0, 0.0)


def total(state: MatchClock, at: float) -> list[int]:
    return [time.total(state.control) for time in state.until(at).times]


# ---- each control


def test_sudden_death_only_counts_down() -> None:
    state = clock("1m").start(10.0)
    assert state.left(9.0) == (60.0, 60.0)
    assert state.left(25.5) == (44.5, 60.0)
    state = state.press(25.5, 1)
    assert state.left(30.5) == (44.5, 55.0)
    assert state.falls == 85.5
    assert state.fallen(85.4) == frozenset()
    assert state.fallen(85.5) == {1}
    assert state.left(1000.0) == (44.5, 0.0)
    assert state.periods_left(0.0) is None


def test_an_increment_comes_with_the_end_of_a_turn() -> None:
    state = clock("5m+3s").start(0.0).press(10.0, 1)
    assert state.left(10.0) == (293.0, 300.0)
    state = state.press(11.0, 1)  # the turn goes on: another die is to be played
    assert state.left(11.0) == (293.0, 299.0)
    assert state.press(12.0, 0).left(12.0) == (293.0, 301.0)


def test_a_period_is_whole_again_after_each_move_and_lost_when_it_runs_out() -> None:
    state = clock("1m+30s*3").start(0.0)
    assert (state.left(59.0), state.periods_left(59.0)) == ((1.0, 60.0), (3, 3))
    assert (state.left(60.0), state.periods_left(60.0)) == ((30.0, 60.0), (2, 3))
    assert (state.left(95.0), state.periods_left(95.0)) == ((25.0, 60.0), (1, 3))
    state = state.press(95.0, 1).press(96.0, 0)
    assert (state.left(96.0), state.periods_left(96.0)) == ((30.0, 59.0), (1, 3))
    assert state.falls == 156.0
    assert state.short(145.9) == frozenset()
    assert state.short(146.0) == {0}
    assert state.shortens == 146.0


def test_time_per_move_is_whole_at_each_turn() -> None:
    state = clock("30s/move").start(0.0)
    assert state.periods_left(0.0) == (0, 0)
    state = state.press(29.0, 1).press(30.0, 0)
    assert state.left(30.0) == (30.0, 30.0)
    assert state.falls == 60.0


def test_a_fallen_flag_stays_down() -> None:
    for text in ("1m+30s", "1m+30s*2", "30s/move"):
        state = clock(text).start(0.0)
        late = (state.falls or 0.0) + 1
        assert state.press(late, 1).press(late, 0).fallen(late) == {0}


def test_a_clock_that_stands_loses_nothing() -> None:
    state = clock("1m").start(0.0).stop(10.0)
    assert state.left(500.0) == (50.0, 60.0)
    assert (state.running, state.falls, state.shortens) == (None, None, None)
    assert state.start(500.0).left(510.0) == (40.0, 60.0)


@pytest.mark.parametrize("gone", [0, 1, 29_999, 30_000, 30_001, 60_000, 89_999, 90_000, 10**9])
def test_periods_are_taken_one_after_the_other(gone: int) -> None:
    control = TimeControl(0, period=30, periods=3)
    after = SeatTime(30_000, 2).spent(gone, control)
    assert after.total(control) == max(0, 90_000 - gone)
    assert bool(after.left) == (gone < 90_000)


# ---- any order of events

EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["press", "start", "stop"]),
        st.floats(0, 5000, allow_nan=False),
        st.integers(0, 3),
    ),
    max_size=30,
)


def run(state: MatchClock, events: list[tuple[str, float, int]]) -> Any:
    """Yield each event's clocks, before and after it, and its time; times may go back."""
    for what, at, seat in events:
        before = state
        if what == "press":
            state = state.press(at, seat)
        else:
            state = state.start(at) if what == "start" else state.stop(at)
        yield what, before, state, at


@given(CONTROLS, EVENTS)
def test_time_is_conserved(control: TimeControl, events: list[tuple[str, float, int]]) -> None:
    whole = MatchClock.begin(control, 4, 0, 0.0)
    for what, before, after, at in run(whole, events):
        assert after.at >= before.at
        gone = after.at - before.at if before.is_running else 0
        was, then = total(before, 0.0), total(before, at)
        for seat in range(4):
            expected = max(0, was[seat] - gone) if seat == before.seat else was[seat]
            assert then[seat] == expected
        if what != "press" or after.seat == before.seat:
            assert total(after, 0.0) == then


@given(CONTROLS, EVENTS)
def test_no_time_grows_but_by_an_increment_or_a_period(
    control: TimeControl, events: list[tuple[str, float, int]]
) -> None:
    whole = MatchClock.begin(control, 4, 0, 0.0)
    for what, before, after, at in run(whole, events):
        then, now = total(before, at), total(after, 0.0)
        for seat in range(4):
            grown = now[seat] - then[seat]
            if what == "press" and seat == before.seat != after.seat and then[seat]:
                assert 0 <= grown <= max(control.increment, control.period) * 1000
                if not control.periods:
                    assert grown == control.increment * 1000
            else:
                assert grown == 0
            assert 0 <= after.times[seat].later <= control.periods


@given(CONTROLS, EVENTS, st.floats(0, 1e6))
def test_a_stopped_clock_stands_still(
    control: TimeControl, events: list[tuple[str, float, int]], later: float
) -> None:
    for _, _, state, _ in run(MatchClock.begin(control, 4, 0, 0.0), events):
        stopped = state.stop(0.0)
        assert stopped.times == stopped.until(later).times
        assert stopped.fallen(later) == stopped.fallen(0.0)


@given(CONTROLS, st.lists(st.floats(0, 100, allow_nan=False), min_size=1, max_size=50))
def test_looking_at_a_clock_costs_nothing(control: TimeControl, times: list[float]) -> None:
    state = MatchClock.begin(control, 2, 0, 0.0).start(0.0)
    often = state
    for at in sorted(times):
        often = often.until(at)
    assert often.times == state.until(max(times)).times
