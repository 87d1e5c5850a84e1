"""The two ends of an analysis that runs in a Web Worker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from firmware_host.browser import analysis
from firmware_host.browser.analysis import LOOK_S, Lines, work, worker_starter
from firmware_host.opponents.analysis import MOST_CRASHES, OVERDUE_S, AnalysisClient
from firmware_host.opponents.protocol import read_answer, task, write
from tests.support.stories import asynchronous


class FakeWorker:
    """A Web Worker that answers what the test says."""

    def __init__(self, received: Callable[[str], None], failed: Callable[[], None]) -> None:
        self.received, self.failed = received, failed
        self.sent: list[str] = []
        self.ended = False

    def send(self, line: str) -> None:
        self.sent.append(line)

    def end(self) -> None:
        self.ended = True


class Workers:
    """All workers that were started."""

    def __init__(self) -> None:
        self.all: list[FakeWorker] = []
        self.changes = 0
        self.client = AnalysisClient(self._changed, start=worker_starter(self._start))

    def _start(self, received: Callable[[str], None], failed: Callable[[], None]) -> FakeWorker:
        self.all.append(FakeWorker(received, failed))
        return self.all[-1]

    def _changed(self) -> None:
        self.changes += 1


def duel() -> Match:
    return Match.begin(make("robot-duel"))


def test_answers_of_the_worker_reach_the_client() -> None:
    workers = Workers()
    asked = workers.client.ask("a", duel(), 0.0)
    (worker,) = workers.all
    assert len(worker.sent) == 1
    worker.received('{"number": 1, "moves": [], "final": true}')
    assert asked.answer is not None
    assert asked.answer.final
    assert workers.changes == 1
    workers.client.drop()
    assert worker.sent[1] == ""


def test_a_worker_that_fails_is_started_again_until_it_fails_too_often() -> None:
    workers = Workers()
    for number in range(MOST_CRASHES):
        asked = workers.client.ask(number, duel(), 0.0)
        workers.all[-1].failed()
        assert asked.failed
        assert workers.all[-1].ended
    assert workers.client.ask("again", duel(), 0.0).failed
    assert len(workers.all) == MOST_CRASHES


def test_a_worker_that_was_ended_says_nothing_more() -> None:
    workers = Workers()
    asked = workers.client.ask("a", duel(), 0.0)
    workers.client.close()
    (worker,) = workers.all
    assert worker.ended
    worker.received('{"number": 1, "moves": [], "final": true}')
    worker.failed()
    assert asked.answer is None
    assert not asked.failed


def test_no_answer_is_overdue_before_python_has_started() -> None:
    workers = Workers()
    client = workers.client
    asked = client.ask("a", duel(), 0.0)
    (worker,) = workers.all
    assert client.look(10 * OVERDUE_S) == 11 * OVERDUE_S
    worker.received("")
    assert client.look(11 * OVERDUE_S - 1) == 11 * OVERDUE_S
    assert client.look(11 * OVERDUE_S) is None
    assert asked.failed
    assert worker.ended


# ---- inside the worker


class Inside:
    """The lines of a worker, with a clock of the test's own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses = 0
        self.lines = Lines(self._pause, lambda: self.now)
        self.told: list[Any] = []

    async def _pause(self) -> None:
        self.pauses += 1
        await asyncio.sleep(0)

    def tell(self, line: str) -> None:
        if line:
            self.told.append(read_answer(line.encode()))


@asynchronous
async def test_tasks_are_answered_one_after_the_other() -> None:
    inside = Inside()
    working = asyncio.create_task(work(inside.lines, inside.tell))
    for number in (1, 2):
        inside.lines.put("")
        inside.lines.put(write(task(number, duel(), seconds=0.1)).decode())
        async with asyncio.timeout(30):
            while not inside.told or inside.told[-1].number != number:
                await asyncio.sleep(0)
    working.cancel()
    assert len(inside.told[0].moves) == len(duel().legal)


@asynchronous
async def test_it_looks_for_a_new_line_while_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    inside = Inside()
    came = [""]
    monkeypatch.setattr(analysis, "suspend_for", lambda pause: inside.lines.put(came.pop()))
    assert not inside.lines.waiting  # it has looked just now
    assert came
    inside.now += LOOK_S
    assert inside.lines.waiting
    assert not came
    inside.now += LOOK_S
    assert inside.lines.waiting  # without a look: the line is there
