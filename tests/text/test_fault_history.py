"""What did not work, and when: in the log, and on the page."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

import pytest

from firmware_host.i18n.messages import Message, render, say
from firmware_host.text.fault_history import MOST, FaultHistory
from firmware_host.text.faults import fault_message
from hardware.sensing import Fault


def silent(chip: str) -> Message:
    return say("The chip at {chip} does not answer.", chip=chip)


def test_a_fault_is_said_as_it_begins_and_as_it_ends(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    history = FaultHistory(lambda: now)
    for _ in range(3):
        history.note({"0x20": silent("0x20")})
    assert history.past == ()
    now = 65.0
    for _ in range(3):
        history.note({"0x21": silent("0x21")})
    told = [(each.levelno, each.getMessage()) for each in caplog.records]
    assert told == [
        (logging.WARNING, "The chip at 0x20 does not answer."),
        (logging.WARNING, "The chip at 0x21 does not answer."),
        (logging.WARNING, "over: The chip at 0x20 does not answer."),
    ]
    (past,) = history.past
    begin, end = (time.strftime("%H:%M:%S", time.localtime(at)) for at in (0, 65))
    assert render(past) == f"{begin} to {end}: The chip at 0x20 does not answer."


def test_the_history_is_bounded_and_the_latest_comes_first() -> None:
    history = FaultHistory()
    for number in range(MOST + 5):
        history.note({number: silent(f"{number:#04x}")})
    assert len(history.past) == MOST
    assert f"{MOST + 3:#04x}" in render(history.past[0])


def test_what_failed_stays_in_the_history_over_matches(
    sit: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(board: Any) -> None:
        board.host.board.unplug(0x22)
        await asyncio.sleep(5)
        assert board.host.status().past_faults == ()
        board.host.board.plug_in(0x22)
        await asyncio.sleep(5)
        board.host.new_game("shogi", {}, "square-reed")
        await asyncio.sleep(5)
        past = [render(each) for each in board.host.status().past_faults]
        assert any("0x22 does not answer" in each for each in past)

    sit(story, "square-reed")
    told = [each.getMessage() for each in caplog.records if "0x22 does not" in each.getMessage()]
    assert [each.startswith("over: ") for each in told] == [False, True]


def test_what_the_system_said_of_it_is_in_the_log(
    sit: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(board: Any) -> None:
        board.host.board.strip.broken = "the kernel's own words"
        await asyncio.sleep(5)
        assert "Nothing reaches the lights" in board.says

    sit(story, "square-reed")
    assert sum("the kernel's own words" in each for each in caplog.messages) == 1


def test_places_that_are_not_played_on_are_counted() -> None:
    """They may have the names of others that are: of Robot Duel's B4 the board says E3."""

    def said(*places: str, chip: int | None = 0x22) -> str:
        fault = Fault("silent", chip, "", places)
        return render(fault_message(fault, {"E3": "B4", "E5": "B2"}))

    assert said("B4", "E5", "E3", "C4").endswith("Not seen now: B2, B4 and 2 more.")
    assert said("E5", "E3").endswith("Not seen now: B2, B4.")
    assert said("B4", "C4").endswith("Not seen now: 2 places that are not played on.")
    assert said("E5", "C4", chip=None).startswith("No chip answers: check the board's supply")
    assert said("E5", "C4", chip=None).endswith("Not seen now: B2 and 1 more.")
