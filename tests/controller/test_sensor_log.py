"""The log of what the sensors did: edges at once, levels when they have held."""

from __future__ import annotations

import pytest

from firmware_host.controller.sensor_log import MOST_ENTRIES, SensorLog
from firmware_host.session.debounce import HOLD_S
from hardware.machine import SensorFrame


def kinds(log: SensorLog, since: int, now: float) -> list[tuple[str, str, int]]:
    return [(entry.kind, entry.name, entry.reading) for entry in log.since(since, now)]


def test_an_edge_is_noted_at_once_and_its_level_when_it_has_held() -> None:
    log = SensorLog()
    log.take(SensorFrame(1.0, {"A1": 1}))
    assert kinds(log, 0, 1.0) == [("edge", "A1", 1)]
    assert (log.raw("A1"), log.rested("A1", 1.0)) == (1, 0)
    assert log.rested("A1", 1.0 + HOLD_S) == 1
    entries = list(log.since(0, 2.0))
    assert [entry.kind for entry in entries] == ["edge", "rest"]
    assert entries[1].at == pytest.approx(1.0 + HOLD_S)


def test_a_contact_that_bounces_makes_edges_but_no_level() -> None:
    log = SensorLog()
    for step in range(6):
        log.take(SensorFrame(1 + step / 100, {"A1": 1} if step % 2 == 0 else {}))
    found = kinds(log, 0, 2.0)
    assert found.count(("edge", "A1", 1)) == 3
    assert found.count(("edge", "A1", 0)) == 3
    assert not [entry for entry in found if entry[0] == "rest"]


def test_buttons_pulses_and_blind_places_are_noted() -> None:
    log = SensorLog()
    log.take(SensorFrame(1.0, {}, pressed=frozenset({"hint"}), pulsed=frozenset({"B2"})))
    log.take(SensorFrame(1.1, {}, blind=frozenset({"C3"})))
    assert kinds(log, 0, 1.2) == [
        ("pulse", "B2", 0),
        ("pressed", "hint", 0),
        ("unknown", "C3", 0),
        ("released", "hint", 0),
    ]
    assert log.raw("C3") is log.rested("C3", 1.2) is None
    log.take(SensorFrame(1.3, {}))
    assert kinds(log, 4, 1.3) == [("known", "C3", 0)]


def test_the_log_is_bounded_and_keeps_the_newest() -> None:
    log = SensorLog()
    for step in range(MOST_ENTRIES + 10):
        log.take(SensorFrame(step / 1000, {"A1": 1} if step % 2 == 0 else {}))
    kept = list(log.since(0, MOST_ENTRIES))
    assert len(kept) == MOST_ENTRIES
    assert kept[-1].number == log.count - 1
    assert [entry.number for entry in log.since(log.count - 3, 0)] == [
        log.count - 3, log.count - 2, log.count - 1
    ]  # fmt: skip
    assert list(log.since(log.count + 5, 0)) == []
