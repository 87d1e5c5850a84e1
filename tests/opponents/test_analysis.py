"""The analysis client: a search in a process of its own that nothing waits for."""

from __future__ import annotations

import asyncio
import os
import resource
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from engine.games import NAMES, make
from engine.match import Match
from engine.search.explain import MoveReason
from firmware_host.i18n.messages import render
from firmware_host.opponents.analysis import (
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

Story = Callable[[AnalysisClient, asyncio.Event], Coroutine[Any, Any, None]]


def with_a_client(story: Story, *command: str) -> None:
    async def run() -> None:
        changed = asyncio.Event()
        client = AnalysisClient(changed.set, command) if command else AnalysisClient(changed.set)
        try:
            await story(client, changed)
        finally:
            client.close()

    asyncio.run(run())


async def answered(asked: AnalysisRequest, changed: asyncio.Event) -> Analysis:
    while asked.answer is None and not asked.failed:
        changed.clear()
        await asyncio.wait_for(changed.wait(), 30)
    assert asked.answer is not None
    return asked.answer


def start_of(name: str) -> Match:
    match = Match.begin(make(name))
    while match.turn < 0:
        match = match.play(match.legal[0])
    return match


# ---- its own process


@pytest.mark.deep
def test_it_judges_all_games_one_after_the_other_and_drops_what_nobody_wants_any_more() -> None:
    async def story(client: AnalysisClient, changed: asyncio.Event) -> None:
        pids = set()
        for name in NAMES:
            match = start_of(name)
            answer = await answered(client.ask(name, match, 0.0), changed)
            texts = {match.game.move_text(match.position, move) for move in match.legal}
            assert {each.move for each in answer.moves} == texts
            assert answer.moves[0].grade == "best"
            pids.add(client.pid)
        assert len(pids) == 1  # the one before was stopped, not ended

    with_a_client(story)


def test_it_gives_way_and_has_so_much_memory_and_no_more() -> None:
    async def story(client: AnalysisClient, changed: asyncio.Event) -> None:
        await answered(client.ask(1, start_of("robot-duel"), 0.0), changed)
        assert client.pid is not None
        ours, its = (os.getpriority(os.PRIO_PROCESS, each) for each in (0, client.pid))
        assert its > min(ours, 18), "19 is the last to be served"
        limits = resource.prlimit(client.pid, resource.RLIMIT_DATA)
        assert limits == (LARGEST_BYTES, LARGEST_BYTES) == (64 * 1024 * 1024,) * 2

    with_a_client(story)


def test_what_is_asked_again_goes_on_and_what_is_known_grows() -> None:
    async def story(client: AnalysisClient, changed: asyncio.Event) -> None:
        match = start_of("shogi")
        asked = client.ask("here", match, 0.0)
        assert client.ask("here", match, 1.0) is asked
        await answered(asked, changed)
        first = asked.answer
        while asked.answer is first:
            changed.clear()
            await asyncio.wait_for(changed.wait(), 30)

    with_a_client(story)


def test_a_crash_is_said_once_and_it_goes_on() -> None:
    async def story(client: AnalysisClient, changed: asyncio.Event) -> None:
        asked = client.ask(1, start_of("robot-duel"), 0.0)
        await answered(asked, changed)
        assert client.pid is not None
        asked = client.ask(2, start_of("shogi"), 0.0)
        os.kill(client.pid, 9)
        while not asked.failed:
            changed.clear()
            await asyncio.wait_for(changed.wait(), 30)
        assert client.fault is not None
        assert "failed" in render(client.fault)
        answer = await answered(client.ask(3, start_of("robot-duel"), 0.0), changed)
        assert answer.moves

    with_a_client(story)


def test_who_crashes_again_and_again_is_asked_no_more(tmp_path: Path) -> None:
    started = tmp_path / "started"

    async def story(client: AnalysisClient, changed: asyncio.Event) -> None:
        for number in range(MOST_CRASHES + 2):
            asked = client.ask(number, start_of("robot-duel"), 0.0)
            while not asked.failed:
                changed.clear()
                await asyncio.wait_for(changed.wait(), 30)
        assert started.read_text() == "x" * MOST_CRASHES
        client.begin()  # in the next match it may be asked again
        assert client.fault is None

    code = f"open({str(started)!r}, 'a').write('x')"
    with_a_client(story, sys.executable, "-c", code)


def test_who_does_not_answer_is_ended() -> None:
    async def story(client: AnalysisClient, changed: asyncio.Event) -> None:
        asked = client.ask(1, start_of("robot-duel"), 10.0, seconds=2.0)
        pid = client.pid
        assert pid is not None
        assert client.look(10.0) == client.look(12.0) == 12.0 + OVERDUE_S
        assert client.look(12.0 + OVERDUE_S) is None
        assert asked.failed
        assert client.pid is None
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

    with_a_client(story, sys.executable, "-c", "import time; time.sleep(60)")


def test_a_program_that_is_missing_is_said() -> None:
    async def story(client: AnalysisClient, changed: asyncio.Event) -> None:
        assert client.ask(1, start_of("robot-duel"), 0.0).failed
        assert client.fault is not None

    with_a_client(story, "/nowhere/at/all")


def test_nonsense_is_no_answer() -> None:
    async def story(client: AnalysisClient, changed: asyncio.Event) -> None:
        asked = client.ask(1, start_of("robot-duel"), 0.0)
        while not asked.failed:  # it ends after that
            changed.clear()
            await asyncio.wait_for(changed.wait(), 30)
        assert asked.answer is None

    with_a_client(story, sys.executable, "-c", "print('{'); print('[1]'); print('\"x\"')")


def test_who_says_more_than_a_line_can_hold_is_ended() -> None:
    async def run() -> None:
        ended = asyncio.Event()
        command = (sys.executable, "-c", "while True: print('x' * 9999, end='')")
        child = SubprocessClient(command, lambda line: None, ended.set)
        await asyncio.wait_for(ended.wait(), 30)
        assert not child.runs

    asyncio.run(run())


# ---- what the process does


def worker(*lines: bytes) -> tuple[Worker, int]:
    """Return a worker, before which lines wait, and the end to write more into."""
    read, write_end = os.pipe()
    os.write(write_end, b"".join(lines))
    return Worker(Inbox(read)), write_end


def test_it_stops_when_another_line_waits() -> None:
    made, end = worker()
    answers = made.answers(task(1, start_of("shogi")))
    next(answers)
    os.write(end, b"\n")
    assert list(answers) == []


def test_an_opponent_chooses_a_legal_move() -> None:
    match = start_of("robot-duel")
    made, _ = worker()
    (answer,) = made.answers(task(7, match, level="first-steps", seed=3, seconds=5.0))
    texts = {match.game.move_text(match.position, move) for move in match.legal}
    assert answer.number == 7
    assert answer.chosen in texts


def test_the_moves_of_the_lifted_piece_are_explained() -> None:
    game = make("shogi")
    match = Match.begin(game, game.parse_position("4k4/9/9/4p4/4R4/9/9/9/3K5 b - 1"))
    made, _ = worker()
    first, answer, *_ = made.answers(task(1, match, lifted=("6i7i", "6i7h")))
    assert not any(each.why for each in first.moves[1:])  # too soon to be sure
    rated = {each.move: each for each in answer.moves}
    assert rated["6i7i"].why == MoveReason("still-attacked", ("5e", "5d"), ("R", "P"))
    others = [each for each in answer.moves[1:] if not each.move.startswith("6i7")]
    assert not any(each.why for each in others)


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


def test_a_game_that_was_added_needs_nothing_to_be_added_here() -> None:
    """It is named by its class, wherever that is."""
    asked = task(1, start_of("robot-duel"))
    assert (asked.home, asked.kind) == ("engine.games.robot_duel", "RobotDuel")
