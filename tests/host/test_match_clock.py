"""The clock of a match on the whole path: hands, flags, files, lights and what people are told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from firmware_host.cli import replay
from firmware_host.controller.board_clock import BoardClock
from firmware_host.host.host import Host
from firmware_host.players.kinds import player_kind
from firmware_host.players.time_control import time_control
from firmware_host.session.events import Claimed, NewMatch, Tick
from firmware_host.session.match_timer import ClockStop, MatchTimer
from firmware_host.storage import recording
from firmware_host.storage.journal import resume
from firmware_host.web.view import state
from tests.support.advisers import AtOnce


def clock(board: Any) -> dict[str, Any]:
    return dict(state(board.host, "en")["clock"])


def left(board: Any) -> tuple[float, ...]:
    return tuple(clock(board)["seconds_left"])


def choose(board: Any, control: str) -> None:
    board.host.time_with(time_control(control))


def test_a_match_is_played_with_a_clock(sit: Any) -> None:
    async def story(board: Any) -> None:
        choose(board, "5m+3s")
        await asyncio.sleep(20)
        assert (clock(board)["stopped"], left(board)) == ("not-begun", (300.0, 300.0))
        await board.play("C4C3", rest=10)
        assert clock(board)["running"] == 1
        assert left(board) == (300.0, pytest.approx(290.0, abs=0.05))
        await board.play("A1A2", rest=5)
        assert left(board) == pytest.approx((295.0, 292.7), abs=0.1)

    sit(story)


@pytest.mark.parametrize("ends", [True, False])
def test_a_flag_that_falls_ends_the_match_or_is_told(sit: Any, ends: bool) -> None:
    async def story(board: Any) -> None:
        board.host.controller.flag_ends = ends
        choose(board, "1m")
        await board.play("C4C3", rest=49.0)
        assert board.colour("edge.north") == "white"
        await asyncio.sleep(2.0)
        assert "B has little time left." in board.says
        assert await board.seen("edge.north") == {"yellow"}
        await asyncio.sleep(10.0)
        assert clock(board)["flagged"] == [1]
        assert left(board) == (60.0, 0.0)
        if ends:
            assert "A wins: the opponent's time is up." in board.says
            return
        assert "B has no time left." in board.says
        assert board.host.status().outcome is None
        assert "flag" in board.host.status().claims[1]
        assert "flag" not in board.host.status().claims[0]
        await board.play("A1A2")  # the host lets them go on
        assert board.moves == ["C4C3", "A1A2"]
        assert clock(board)["running"] == 0

    sit(story)


def test_a_flag_in_chaturaji_takes_its_seat_out(sit: Any) -> None:
    async def story(board: Any) -> None:
        from firmware_host.session.events import Dice

        choose(board, "30s/move")
        board.host.post(Dice(board.host.now(), (5,)))
        await board.hands("d2- d3+ 1")
        assert board.host.status().turn == -1
        await asyncio.sleep(40)
        assert [ply.text for ply in board.host.status().plies] == ["d2d3", "flag"]
        assert board.host.status().outcome is None
        assert clock(board)["running"] == 2

    sit(story, game="chaturaji")


def test_a_flag_replays_to_the_same_result(sit: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"

    async def story(board: Any) -> None:
        choose(board, "30s/move")
        await board.play("C4C3", "A1A2", rest=40)
        assert board.host.status().outcome.reason == "flag"

    sit(story, record=file)
    again = recording.read(file)
    session = replay.begin(again)
    list(replay.replay(again, session))
    ending = replay.ending(session)
    assert ending["moves"] == ["C4C3"]
    assert ending["outcome"] == {"winners": ["A"], "reason": "flag"}


# ---- restarts, suspended computers


@pytest.mark.parametrize("after", [0.2, 0.9, 1.5, 4.0, 7.7, 11.0, 20.0])
def test_a_program_that_was_killed_goes_on_paused_with_the_last_times(
    sit: Any, after: float
) -> None:
    said: tuple[float, ...] = ()

    async def first(board: Any) -> None:
        nonlocal said
        choose(board, "5m+3s")
        await board.play("C4C3", rest=30.0)
        await board.hands(f"A1- A2+ {after}")
        said = left(board)

    async def second(board: Any) -> None:
        await asyncio.sleep(100)
        now = clock(board)
        assert (now["paused"], now["running"], now["control"]) == (True, None, "5m+3s")
        for was, kept in zip(said, left(board), strict=True):
            assert was - 0.01 <= kept <= was + 5.1  # the last seconds may not be on the disk
        assert "The clock is paused" in board.says
        kept = left(board)
        turn = board.host.status().turn
        board.host.pause(False)
        await asyncio.sleep(3)
        assert left(board)[turn] == pytest.approx(kept[turn] - 3, abs=0.05)
        assert left(board)[1 - turn] == kept[1 - turn]

    sit(first, kill=True)
    sit(second, layout=None, game=None)


def test_the_next_move_ends_the_pause_after_a_restart(sit: Any) -> None:
    async def first(board: Any) -> None:
        choose(board, "5m")
        await board.play("C4C3", rest=10.0)

    async def second(board: Any) -> None:
        await asyncio.sleep(50)
        await board.play("A1A2", rest=5.0)
        assert clock(board)["running"] == 0
        assert left(board)[0] == pytest.approx(295.0, abs=0.1)
        assert left(board)[1] == pytest.approx(290.0, abs=5.1)

    sit(first)
    sit(second, layout=None, game=None)


def test_a_suspended_computer_takes_no_time(sit: Any) -> None:
    async def story(board: Any) -> None:
        choose(board, "5m")
        await board.play("C4C3", rest=10.0)
        before = left(board)
        loop: Any = asyncio.get_running_loop()
        loop.jump(7200.0)
        await asyncio.sleep(20.0)
        assert board.host.status().outcome is None
        assert clock(board)["paused"]
        assert left(board) == pytest.approx(before, abs=1.1)
        await board.play("A1A2", rest=5.0)
        assert left(board)[0] == pytest.approx(295.0, abs=0.1)

    sit(story)


def test_a_search_that_takes_long_is_no_suspended_computer() -> None:
    now, ticks = 10.0, 0
    control = time_control("5m")
    assert control is not None
    clock = BoardClock()
    clock.timer = MatchTimer(control, 2, 0, now)
    clock.timer.clock = clock.timer.clock.start(now)
    clock.notice(now)
    paused = []
    clock.timer.pause_since = paused.append  # type: ignore[method-assign]

    def handle(event: Tick) -> None:
        nonlocal now, ticks
        now, ticks = now + 2.0, ticks + 1
        clock.notice(event.at)

    class Busy:
        @property
        def deadline(self) -> float | None:
            return 10.5 if ticks < 10 else None

    controller = SimpleNamespace(
        session=Busy(), clock=clock, handle=handle, counts_at=lambda frame: 11.0
    )
    host = SimpleNamespace(controller=controller, now=lambda: now, _clock=lambda: now)
    asyncio.run(Host._catch_up(host, controller, None))  # type: ignore[arg-type]
    clock.notice(now)
    assert (ticks, paused) == (10, [])
    clock.notice(now + 60.0)
    assert paused == [now]


def test_a_wall_clock_that_jumps_changes_nothing(sit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(board: Any) -> None:
        choose(board, "5m")
        await board.play("C4C3", rest=10.0)
        for jump in (1e9, 0.0, -1e9):
            monkeypatch.setattr("time.time", lambda jump=jump: 1.8e9 + jump)
            await asyncio.sleep(10.0)
        assert left(board)[1] == pytest.approx(260.0, abs=0.1)

    sit(story)


# ---- matches, lessons, machines


def test_the_clock_is_chosen_before_the_first_move_and_stays(sit: Any, tmp_path: Path) -> None:
    async def story(board: Any) -> None:
        choose(board, "10m")
        choose(board, "30s/move")
        await board.play("C4C3", rest=10.0)
        with pytest.raises(ValueError, match="before the match begins"):
            choose(board, "10m")
        board.host.post(NewMatch(board.host.now()))
        await asyncio.sleep(1)
        assert (clock(board)["control"], left(board)) == ("30s/move", (30.0, 30.0))
        choose(board, "none")
        assert state(board.host, "en")["clock"] is None

    sit(story)
    kept = [resume(file) for file in tmp_path.glob("match*.jsonl")]
    assert sorted(each.head.clock for each in kept if each) == ["", "30s/move"]


def test_a_match_that_is_set_up_by_hand_begins_with_whole_times(sit: Any) -> None:
    async def story(board: Any) -> None:
        choose(board, "5m")
        await board.play("C4C3", rest=30.0)
        board.host.post(Claimed(board.host.now(), "resign", 1))
        await asyncio.sleep(5)
        assert clock(board)["stopped"] == "over"
        assert left(board)[1] == pytest.approx(270.0, abs=0.1)
        board.host.controller.handle(NewMatch(board.host.now()))
        await board.hands("C3- 0.4 C4+ 3")
        assert (clock(board)["stopped"], left(board)) == ("not-begun", (300.0, 300.0))

    sit(story)


def test_the_clock_waits_for_the_end_of_a_lesson(sit: Any) -> None:
    async def story(board: Any) -> None:
        choose(board, "5m")
        await board.play("C4C3", rest=10.0)
        before = left(board)
        board.host.lesson_mode.learn("robot-duel-01")
        await asyncio.sleep(100)
        assert state(board.host, "en")["clock"] is None
        with pytest.raises(ValueError, match="before the match begins"):
            choose(board, "10m")
        board.host.lesson_mode.learn("")
        await asyncio.sleep(20)
        assert clock(board)["paused"]
        assert left(board) == pytest.approx(before, abs=0.05)

    sit(story)


def test_a_machine_has_a_clock_but_not_while_hands_make_its_move(sit: Any) -> None:
    async def story(board: Any) -> None:
        choose(board, "5m")
        host = board.host
        host.opponents.analysis = AtOnce(host.opponents._changed)
        host.seating.set_kind(1, player_kind("level:first-steps"))
        host.seating.set_hands_move(False)
        await board.play("C4C3", rest=0.5)
        seen = set()
        for _ in range(300):
            await asyncio.sleep(0.05)
            seen.add(host.controller.clock.timer.stopped)
        assert seen == {None, ClockStop.MACHINE}
        before = left(board)
        assert before[1] > 285.0
        await asyncio.sleep(200)
        assert left(board) == before

    sit(story)


def test_everybody_moves_to_the_next_seat(sit: Any, tmp_path: Path) -> None:
    async def two(board: Any) -> None:
        host = board.host
        host.seating.rename(0, "Ada")
        host.seating.set_kind(1, player_kind("level:plans"))
        host.seating.swap()
        assert host.status().players == ("", "Ada")
        assert host.status().opponents.player_kinds == ("level:plans", "person")
        host.seating.swap()
        assert host.status().players == ("Ada", "")

    async def two_matches(board: Any) -> None:
        host = board.host
        host.seating.rename(0, "Ada")
        host.seating.rename(1, "Bo")
        await board.play("C4C3")
        host.seating.swap()
        host.post(NewMatch(host.now()))
        await asyncio.sleep(1)
        await board.play("C4C3")

    async def four(board: Any) -> None:
        host = board.host
        for seat, name in enumerate(["Ada", "Bo", "Cid", "Dot"]):
            host.seating.rename(seat, name)
        host.seating.swap()
        assert host.status().players == ("Dot", "Ada", "Bo", "Cid")

    sit(two)
    sit(two_matches)
    kept = [resume(tmp_path / "match.jsonl"), *map(resume, tmp_path.glob("match-*.jsonl"))]
    assert [[p.name for p in each.players] for each in kept if each] == [
        ["Bo", "Ada"],
        ["Ada", "Bo"],
    ]
    sit(four, game="chaturaji")


# ---- files


def test_the_journal_of_a_match_without_a_clock_has_no_times(sit: Any, tmp_path: Path) -> None:
    async def story(board: Any) -> None:
        await board.play("C4C3", "A1A2", rest=20)

    sit(story)
    text = (tmp_path / "match.jsonl").read_text()
    assert text.count("\n") == 3
    assert "clock" not in text


def test_the_times_are_written_every_few_seconds(sit: Any, tmp_path: Path) -> None:
    read: list[Callable[[], str]] = []

    async def story(board: Any) -> None:
        choose(board, "10m")
        await board.play("C4C3", rest=60)
        read.append((tmp_path / "match.jsonl").read_text)
        assert 10 <= read[0]().count("\n") <= 18
        before = read[0]()
        board.host.pause(True)
        await asyncio.sleep(600)
        assert read[0]().count("\n") == before.count("\n") + 1

    sit(story)
