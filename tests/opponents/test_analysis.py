"""The analysis adviser: a search in a process of its own that nothing waits for."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.games import NAMES, make
from engine.match import Match
from engine.search.explain import MoveReason
from firmware_host.i18n.messages import render
from firmware_host.opponents.analysis import (
    COMMAND,
    MOST_CRASHES,
    OVERDUE_S,
    AnalysisClient,
    AnalysisRequest,
)
from firmware_host.opponents.protocol import (
    EARLIER,
    Analysis,
    RatedMove,
    read_answer,
    read_task,
    task,
    write,
)
from firmware_host.opponents.subprocess_client import SubprocessClient
from firmware_host.opponents.worker import LARGEST_BYTES, Inbox, Worker
from tests.support.stories import asynchronous


class Adviser(AnalysisClient):
    """An adviser whose process is running, and that can be waited for."""

    def __init__(self, *command: str) -> None:
        self.changed = asyncio.Event()
        super().__init__(self.changed.set, command or COMMAND)

    async def until(self, so: Callable[[], object]) -> None:
        async with asyncio.timeout(30):
            while not so():
                self.changed.clear()
                await self.changed.wait()

    async def answered(self, asked: AnalysisRequest) -> Analysis:
        await self.until(lambda: asked.answer or asked.failed)
        assert asked.answer is not None
        return asked.answer


def start_of(name: str) -> Match:
    match = Match.begin(make(name))
    while match.turn < 0:
        match = match.play(match.legal[0])
    return match


# ---- its own process


@pytest.mark.deep
@asynchronous
async def test_one_process_judges_all_games_one_after_the_other() -> None:
    with contextlib.closing(Adviser()) as adviser:
        pids = set()
        for name in NAMES:
            match = start_of(name)
            answer = await adviser.answered(adviser.ask(name, match, 0.0))
            texts = {match.game.move_text(match.position, move) for move in match.legal}
            assert {each.move for each in answer.moves} == texts
            assert answer.moves[0].grade == "best"
            pids.add(adviser.pid)
        assert len(pids) == 1  # the search before was stopped, the process not ended


@asynchronous
async def test_it_gives_way_to_others_and_its_memory_is_limited() -> None:
    with contextlib.closing(Adviser()) as adviser:
        await adviser.answered(adviser.ask(1, start_of("robot-duel"), 0.0))
        assert adviser.pid is not None
        ours, its = (os.getpriority(os.PRIO_PROCESS, each) for each in (0, adviser.pid))
        assert its > min(ours, 18), "19 is the last to be served"
        limits = resource.prlimit(adviser.pid, resource.RLIMIT_DATA)
        assert limits == (LARGEST_BYTES, LARGEST_BYTES) == (64 * 1024 * 1024,) * 2


@asynchronous
async def test_the_same_question_again_goes_on_with_the_search() -> None:
    with contextlib.closing(Adviser()) as adviser:
        match = start_of("shogi")
        asked = adviser.ask("here", match, 0.0)
        assert adviser.ask("here", match, 1.0) is asked
        first = await adviser.answered(asked)
        await adviser.until(lambda: asked.answer is not first)


@asynchronous
async def test_a_crash_is_said_once_and_it_goes_on() -> None:
    with contextlib.closing(Adviser()) as adviser:
        await adviser.answered(adviser.ask(1, start_of("robot-duel"), 0.0))
        assert adviser.pid is not None
        asked = adviser.ask(2, start_of("shogi"), 0.0)
        os.kill(adviser.pid, 9)
        await adviser.until(lambda: asked.failed)
        assert adviser.fault is not None
        assert "failed" in render(adviser.fault)
        answer = await adviser.answered(adviser.ask(3, start_of("robot-duel"), 0.0))
        assert answer.moves


@asynchronous
async def test_an_adviser_that_crashes_again_and_again_is_asked_no_more(tmp_path: Path) -> None:
    started = tmp_path / "started"
    code = f"open({str(started)!r}, 'a').write('x')"
    with contextlib.closing(Adviser(sys.executable, "-c", code)) as adviser:
        for number in range(MOST_CRASHES + 2):
            asked = adviser.ask(number, start_of("robot-duel"), 0.0)
            await adviser.until(lambda asked=asked: asked.failed)  # type: ignore[misc]
        assert started.read_text() == "x" * MOST_CRASHES
        adviser.begin()  # in the next match it may be asked again
        assert adviser.fault is None


@asynchronous
async def test_an_adviser_that_does_not_answer_is_ended() -> None:
    with contextlib.closing(Adviser("sleep", "60")) as adviser:
        asked = adviser.ask(1, start_of("robot-duel"), 10.0, seconds=2.0)
        pid = adviser.pid
        assert pid is not None
        assert adviser.look(10.0) == adviser.look(12.0) == 12.0 + OVERDUE_S
        assert adviser.look(12.0 + OVERDUE_S) is None
        assert asked.failed
        assert adviser.pid is None
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize("command", [("/nowhere/at/all",), ("echo", '{\n[1]\n"x"')])
@asynchronous
async def test_a_program_that_is_missing_or_says_nonsense_fails(command: tuple[str, ...]) -> None:
    with contextlib.closing(Adviser(*command)) as adviser:
        asked = adviser.ask(1, start_of("robot-duel"), 0.0)
        await adviser.until(lambda: asked.failed)
        assert asked.answer is None
        assert adviser.fault is not None


@asynchronous
async def test_a_program_that_says_more_than_a_line_can_hold_is_ended() -> None:
    ended = asyncio.Event()
    command = (sys.executable, "-c", "while True: print('x' * 9999, end='')")
    child = SubprocessClient(command, lambda line: None, ended.set)
    await asyncio.wait_for(ended.wait(), 30)
    assert not child.runs


def test_an_answer_to_an_earlier_question_is_left_alone() -> None:
    told: list[int] = []
    adviser = AnalysisClient(lambda: told.append(1))
    adviser._asked = AnalysisRequest(2, "now", 0.0)
    adviser._receive(b'{"number": 1, "moves": [], "chosen": ""}')
    assert adviser._asked.answer is None
    adviser._receive(b'{"number": 2, "moves": [], "chosen": ""}')
    assert adviser._asked.answer is not None
    assert told == [1]


# ---- what the process does


@pytest.fixture
def worker() -> tuple[Worker, int]:
    """Return a worker, and the end to write lines for it into."""
    read, end = os.pipe()
    return Worker(Inbox(read)), end


def test_it_stops_when_another_line_waits(worker: tuple[Worker, int]) -> None:
    made, end = worker
    answers = made.answers(task(1, start_of("shogi")))
    next(answers)
    os.write(end, b"\n")
    assert list(answers) == []


def test_an_opponent_chooses_a_legal_move(worker: tuple[Worker, int]) -> None:
    match = start_of("robot-duel")
    (answer,) = worker[0].answers(task(7, match, level="first-steps", seed=3, seconds=5.0))
    texts = {match.game.move_text(match.position, move) for move in match.legal}
    assert answer.number == 7
    assert answer.chosen in texts


def test_the_moves_of_the_lifted_piece_are_explained(worker: tuple[Worker, int]) -> None:
    game = make("shogi")
    match = Match.begin(game, game.parse_position("4k4/9/9/4p4/4R4/9/9/9/3K5 b - 1"))
    answers = worker[0].answers(task(1, match, lifted=("6i7i", "6i7h")))
    first, answer = next(answers), next(answers)
    assert not any(each.why for each in first.moves[1:])  # too soon to be sure
    rated = {each.move: each for each in answer.moves}
    assert rated["6i7i"].why == MoveReason("still-attacked", ("5e", "5d"), ("R", "P"))
    others = [each for each in answer.moves[1:] if not each.move.startswith("6i7")]
    assert not any(each.why for each in others)


# ---- its messages


def test_messages_come_back_as_they_were() -> None:
    match = start_of("robot-duel")
    for text in ("B3B2", "B1B2"):
        match = match.play(match.game.parse_move(match.position, text))
    asked = task(5, match, lifted=("C4C3",), level="plans")
    assert read_task(write(asked)).position == asked.position
    assert list(read_task(write(asked)).earlier) == list(asked.earlier)
    assert len(asked.earlier) == 2 <= EARLIER
    rated = RatedMove("C4C3", 0.5, "fine", MoveReason("saves", ("C3",), ("G",)), ("C4C3",))
    again = read_answer(write(Analysis(5, (rated,))))
    assert again.moves[0].why == rated.why


def test_a_game_is_named_by_its_class_wherever_that_is() -> None:
    asked = task(1, start_of("robot-duel"))
    assert (asked.home, asked.kind) == ("engine.games.robot_duel", "RobotDuel")
