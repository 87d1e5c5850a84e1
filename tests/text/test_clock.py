"""What people are told about the clock."""

from __future__ import annotations

import pytest

from firmware_host.i18n.messages import render, say
from firmware_host.players.time_control import time_control
from firmware_host.session.chess_clock import ChessClock
from firmware_host.session.match_clock import MatchClock
from firmware_host.session.match_timer import ClockStop
from firmware_host.session.shown_clock import ShownClock
from firmware_host.text.clock import clock_messages, clock_text


def told(clock: ShownClock, now: float) -> list[str]:
    return [render(each) for each in clock_messages(clock, lambda seat: say("AB"[seat]), now)]


def running(text: str) -> ShownClock:
    control = time_control(text)
    assert control is not None
    return ShownClock(MatchClock.begin(control, 2, 0, 0.0).start(0.0), text)


def test_little_time_and_none_are_told_in_words() -> None:
    clock = running("1m")
    assert told(clock, 49.9) == []
    assert told(clock, 50.0) == ["A has little time left."]
    assert told(clock, 60.0) == ["A has no time left."]
    assert (clock.changes_at(0.0), clock.changes_at(50.0)) == (50.0, 60.0)
    assert clock.changes_at(60.0) is None


def test_periods_that_are_left_are_time_enough() -> None:
    clock = running("1m+30s*2")
    assert told(clock, 89.0) == []
    assert told(clock, 110.0) == ["A has little time left."]


def test_a_clock_beside_the_board_is_told_of_alike() -> None:
    clock = ShownClock(ChessClock(1, (60.0, 12.0), 100.0))
    assert clock.is_beside
    assert (told(clock, 101.0), told(clock, 102.0)) == ([], ["B has little time left."])
    assert told(clock, 112.0) == ["B has no time left."]


@pytest.mark.parametrize("stopped", [None, *ClockStop])
def test_why_it_stands_is_told_where_nothing_else_says_it(stopped: ClockStop | None) -> None:
    said = {
        ClockStop.PAUSED: ["The clock is paused; the next move starts it again."],
        ClockStop.BLIND: ["The clock is stopped, because some sensors do not answer."],
    }
    clock = running("1h")
    assert told(ShownClock(clock.source, "1h", stopped), 5.0) == said.get(stopped or 0, [])  # type: ignore[call-overload]


def test_the_times_stand_on_one_line() -> None:
    assert clock_text(running("90m"), 65.5) == "1:28:54 1:30:00"
    assert clock_text(running("1m+30s*2"), 59.5) == "0:00 1:00"
