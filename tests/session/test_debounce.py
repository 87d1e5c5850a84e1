"""When a reading counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.session.debounce import FLICKER_EDGES, FLICKER_WINDOW_S, HOLD_S, Debounce


def begun(**readings: int) -> Debounce:
    debounce = Debounce()
    debounce.begin(readings)
    return debounce


def test_a_place_comes_to_rest_after_the_hold() -> None:
    debounce = begun(a=1)
    assert debounce.deadline is None
    assert debounce.feed(1.0, {"b": 1}) == [("b", 1), ("a", 0)]
    assert debounce.deadline == pytest.approx(1.0 + HOLD_S)
    assert debounce.rested(1.0 + HOLD_S - 0.001) == []
    assert sorted(debounce.rested(1.0 + HOLD_S)) == [("a", 0), ("b", 1)]
    assert debounce.deadline is None
    assert debounce.rested(9.0) == []


def test_every_edge_is_told_and_starts_the_hold_anew() -> None:
    debounce = begun(a=1)
    for number in range(6):
        at = 1.0 + number * 0.01
        assert debounce.feed(at, {"a": 1} if number % 2 else {}) == [("a", number % 2)]
        assert debounce.rested(at) == []
    assert debounce.deadline == pytest.approx(1.05 + HOLD_S)
    assert debounce.rested(1.05 + HOLD_S) == [("a", 1)]


def test_what_reads_the_same_is_no_edge() -> None:
    debounce = begun(a=1, b=-1)
    assert debounce.feed(1.0, {"a": 1, "b": -1}) == []
    assert debounce.feed(1.0, {"a": 1, "b": -1, "c": 0}) == []
    assert debounce.feed(2.0, {"a": 1, "b": 1}) == [("b", 1)]  # a pole that turned
    assert debounce.feed(2.0, {"a": 0, "b": 1}) == [("a", 0)]


def test_places_rest_one_by_one() -> None:
    debounce = begun()
    debounce.feed(1.0, {"a": 1})
    debounce.feed(1.03, {"a": 1, "b": 1})
    assert debounce.rested(1.0 + HOLD_S) == [("a", 1)]
    assert debounce.deadline == pytest.approx(1.03 + HOLD_S)


def test_a_sensor_that_flickers_is_named_until_it_is_calm() -> None:
    debounce = begun()
    step = FLICKER_WINDOW_S / FLICKER_EDGES / 2
    for number in range(FLICKER_EDGES):
        assert list(debounce.flickering(number * step)) == []
        debounce.feed(number * step, {"a": 1} if number % 2 == 0 else {})
    end = FLICKER_EDGES * step
    assert list(debounce.flickering(end)) == ["a"]
    assert list(debounce.flickering(end + FLICKER_WINDOW_S)) == []


def test_no_hand_flickers_so() -> None:
    debounce = begun()
    for number in range(400):  # a piece lifted and put down as fast as can be, for a minute
        debounce.feed(number * 0.15, {"a": 1} if number % 2 else {})
        assert list(debounce.flickering(number * 0.15)) == []


readings = st.dictionaries(st.sampled_from("abcd"), st.sampled_from((-1, 0, 1)))


@given(st.lists(st.tuples(st.floats(0.0005, 0.1), readings), max_size=40))
def test_levels_end_as_the_last_reading_and_only_after_a_hold(
    frames: list[tuple[float, dict[str, int]]],
) -> None:
    debounce, at = begun(), 0.0
    levels: dict[str, int] = {}
    changed: dict[str, float] = {}
    for wait, frame in frames:
        due = at + wait
        for place, level in debounce.rested(due):
            assert due - changed[place] >= HOLD_S - 1e-6
            levels[place] = level
        at = due
        for place, _ in debounce.feed(at, frame):
            changed[place] = at
    levels.update(debounce.rested(at + 1.0))
    last = {place: value for place, value in frames[-1][1].items() if value} if frames else {}
    assert {place: level for place, level in levels.items() if level} == last


def test_places_that_do_not_count_keep_nothing_waiting() -> None:
    debounce = Debounce()
    debounce.begin({"a": 1})
    debounce.feed(1.0, {})
    assert not debounce.is_at_rest(frozenset())
    assert debounce.is_at_rest(frozenset({"a", "b"}))
    debounce.rested(1.0 + HOLD_S)
    assert debounce.is_at_rest(frozenset())
