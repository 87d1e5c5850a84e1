"""A board that speaks: what is said, and that nothing of it disturbs the match."""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.games import make
from firmware_host.config import config as configs
from firmware_host.host import service, speech
from firmware_host.host.speech import Speaker
from firmware_host.host.start import Start
from firmware_host.i18n.messages import say, warn
from firmware_host.text.status import Status
from hardware import layout as layouts
from hardware.simulated.board import SimulatedBoard
from tests.support import wires
from tests.support.stories import asynchronous

GAME = make("robot-duel")
STATUS = Status(
    rev=1,
    game=GAME.name,
    options=GAME.options,
    seats=GAME.seats,
    turn=0,
    dice=(),
    says=(),
    plies=(),
    turn_line=say("{seat} throws", seat=say("A")),
    next_step=(say("Put the {piece} on blue ○.", piece=say("chick")),),
)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that writes down what it says, and takes as long as the file `slow` tells."""
    file = tmp_path / "espeak-ng"
    file.write_text(
        "#!/bin/sh\n"
        f'echo "$*: $(cat)" >> {tmp_path}/said\n'
        f"if [ -e {tmp_path}/slow ]; then echo $$ > {tmp_path}/pid; sleep 60; fi\n"
    )
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


def said(program: Path) -> list[str]:
    file = program.with_name("said")
    return file.read_text().splitlines() if file.exists() else []


async def until(so: Callable[[], Any]) -> None:
    async with asyncio.timeout(10):
        while not so():
            await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def speaking(program: Path, language: str, now: list[Status]) -> AsyncIterator[None]:
    running = asyncio.create_task(Speaker(str(program), language).run(lambda: now[0]))
    try:
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@asynchronous
async def test_each_sentence_is_said_once_in_the_language_of_the_board(program: Path) -> None:
    now = [STATUS]
    async with speaking(program, "pl", now):
        await until(lambda: len(said(program)) == 2)
        now[0] = replace(STATUS, rev=2)  # the same, for instance because a light changed
        await asyncio.sleep(3 * speech.LOOK_S)
        now[0] = replace(STATUS, rev=3, next_step=())
        await asyncio.sleep(3 * speech.LOOK_S)
    first, second = said(program)
    assert first.startswith("-v pl --stdin: ")
    assert "○" not in second
    assert "A" in first


@asynchronous
async def test_an_urgent_sentence_interrupts_and_what_waits_is_dropped(program: Path) -> None:
    slow = program.with_name("slow")
    slow.touch()
    now = [STATUS]
    async with speaking(program, "en", now):
        process = await _process_of(program)
        slow.unlink()
        now[0] = replace(STATUS, rev=2, says=(warn("Check!"),), turn_line=say("Draw"))
        await until(lambda: len(said(program)) == 3)
        assert [each.partition(": ")[2] for each in said(program)] == [
            "A throws",
            "Check!",
            "Draw",
        ]
        await until(lambda: not Path(f"/proc/{process}").exists())


@asynchronous
async def test_the_queue_is_bounded_and_the_end_kills_what_is_said(program: Path) -> None:
    program.with_name("slow").touch()
    many = tuple(say("{words}", words=f"number {n}") for n in range(100))
    now = [replace(STATUS, next_step=many)]
    speaker = Speaker(str(program), "en")
    speaker.hear(now[0])
    assert len(speaker._waiting) == speech.MOST_WAITING
    async with speaking(program, "en", now):
        process = await _process_of(program)
        began = time.monotonic()
    assert time.monotonic() - began < 1
    await until(lambda: not _runs(process))


async def _process_of(program: Path) -> int:
    """Return the number of the process that speaks, once it has written that."""
    file = program.with_name("pid")
    await until(lambda: file.exists() and bool(file.read_text()))
    return int(file.read_text())


def _runs(process: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, 0)
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    return False


@pytest.mark.parametrize("fault", ["missing", "fails"])
@asynchronous
async def test_a_fault_is_logged_once_and_ends_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    program = tmp_path / "espeak-ng"
    if fault == "fails":
        program.write_text("#!/bin/sh\nexit 1\n")
        program.chmod(0o700)
    now = [STATUS]
    running = asyncio.create_task(Speaker(str(program), "en").run(lambda: now[0]))
    for rev in range(2, 5):
        await asyncio.sleep(2 * speech.LOOK_S)
        now[0] = replace(STATUS, rev=rev, turn_line=say("{words}", words=str(rev)))
    await asyncio.sleep(2 * speech.LOOK_S)
    assert not running.done()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert len([each for each in caplog.records if "silent" in each.getMessage()]) == 1


@pytest.mark.parametrize("wanted", [True, False])
@asynchronous
async def test_a_board_speaks_if_its_configuration_says_so(
    tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch, wanted: bool
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    state = tmp_path / "state"
    state.mkdir()
    config = configs.parse(
        {"page": "off", "state": str(state), "language": "cs", "sound": {"speech": wanted}}, "test"
    )
    board = SimulatedBoard(layouts.load(config.layout))
    wires.set_up(board, GAME, GAME.start())
    playing = asyncio.create_task(
        service.play(
            config, board.layout, lambda change: wires.SimulatedWires(board, change), Start()
        )
    )
    if wanted:
        await until(lambda: said(program))
        assert said(program)[0].startswith("-v cs --stdin: ")
    else:
        await asyncio.sleep(4 * speech.LOOK_S)
        assert said(program) == []
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


class Notes:
    """A conversation that keeps the notes, and ends after the first."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    async def run(self, host: object) -> None:
        await until(lambda: self.notes)


@asynchronous
async def test_a_conversation_has_standard_output_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(speech, "installed", lambda: None)
    config = configs.parse({"page": "off", "state": str(tmp_path)}, "test")
    board = SimulatedBoard(layouts.load(config.layout))
    talk = Notes()
    await service.play(
        config,
        board.layout,
        lambda change: wires.SimulatedWires(board, change),
        Start(),
        speak=True,
        conversation=talk,
    )
    assert talk.notes == [
        f"{speech.PROGRAM} is not installed, so the board is silent",
        "Robot Duel on square-reed: without a page",
    ]
    assert capsys.readouterr().out == ""
