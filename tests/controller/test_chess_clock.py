"""A clock on a serial port: its times on the page, and who may say that the time is up."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from drivers.coprocessor import ClockState
from firmware_host.session.chess_clock import ChessClock, clock_of
from firmware_host.session.events import Claimed
from firmware_host.web.view import state
from tests.support.serial_boards import serial_text
from tests.support.stories import at_a_board

CLOCK = '\n[[serial]]\nport = "/dev/ttyClock"\nkind = "clock"\n'


def test_only_who_thinks_loses_time() -> None:
    clock = clock_of([ClockState(2, 7, (60_000, 2_500))], 2, at=100.0)
    assert clock == ChessClock(1, (60.0, 2.5), 100.0)
    assert clock.left(99.0) == (60.0, 2.5)
    assert clock.left(101.0) == (60.0, 1.5)
    assert clock.fallen(102.4) == frozenset()
    assert clock.left(150.0) == (60.0, 0.0)
    assert clock.fallen(102.5) == {1}
    assert clock.falls == 102.5
    stopped = clock_of([ClockState(0, 0, (0, 5))], 2, at=0.0)
    assert stopped is not None
    assert (stopped.falls, stopped.fallen(1000.0)) == (None, {0})


def test_a_clock_for_others_is_none() -> None:
    assert clock_of([], 2, 0.0) is None
    assert clock_of([ClockState(1, 0, (5,)), ClockState(3, 0, (5, 5))], 2, 0.0) is None


def test_a_clock_on_a_port_runs_on_the_page_until_a_flag_falls(sit: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(serial_text("square-reed", extra=CLOCK), encoding="utf-8")

    async def story(board: Any) -> None:
        host = board.host
        clock = host.board.open_port(host.layout.serial[1]).device
        await asyncio.sleep(1)
        clock.clock(1, [30_000, 20_000], True)
        await asyncio.sleep(2)
        told = state(host, "en")["clock"]
        assert told["running"] == 0
        assert told["seconds_left"][0] == pytest.approx(28.0, abs=0.3)
        assert told["seconds_left"][1] == 20.0
        assert "flag" not in host.status().claims[0]
        await board.play("7g7f")
        clock.clock(2, [27_000, 20_000], True)
        await asyncio.sleep(25)
        assert state(host, "en")["clock"]["seconds_left"] == (27.0, 0.0)
        assert "flag" in host.status().claims[1]
        assert "flag" not in host.status().claims[0]
        host.post(Claimed(host.now(), "flag", 1))
        assert host.status().outcome.reason == "flag"

    sit(story, str(file), "shogi")


@at_a_board(layout="square-reed", game="shogi")
async def test_a_board_without_a_clock_tells_of_none(board: Any) -> None:
    assert state(board.host, "en")["clock"] is None
