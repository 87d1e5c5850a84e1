"""The whole program on simulated wires: its reports to the service manager, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.__main__ import main
from firmware_host.config.config import Config
from firmware_host.host import service
from firmware_host.host.sd_notify import Watchdog
from firmware_host.host.start import Start
from firmware_host.web.listener import ServerError
from hardware.layout import load
from hardware.simulated.board import SimulatedBoard
from tests.support import wires
from tests.support.real_board import SOON, Standing

ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def test_the_service_manager_is_notified_of_successful_looks(
    stand: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "REPORT_S", 0.05)
    monkeypatch.setattr(service, "FIRST_REPORT_S", 0.02)
    path = tmp_path / "notify"
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(str(path))
    manager.settimeout(SOON)
    dog = Watchdog({"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "30000"})  # every 0.01 s

    async def story(at: Standing) -> None:
        async def hear() -> str:
            return (await asyncio.to_thread(manager.recv, 4096)).decode()

        reporting = asyncio.create_task(service.report(at.host, at.backend, dog, "pl"))
        heard = await hear()
        assert heard.startswith("STATUS=Robot Duel: ")
        await at.until(lambda: at.host.status().faults)
        while "Żaden układ" not in heard:  # no chip, in the chosen language
            heard = await hear()
            assert heard.startswith("STATUS="), "nothing works yet"
        at.board.repair()
        while heard.startswith("STATUS="):
            heard = await hear()
        assert heard == "READY=1"
        assert await hear() == "WATCHDOG=1"
        at.bus.hang()
        await at.until(at.bus.waiting.is_set)
        await asyncio.sleep(0.2)
        manager.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                manager.recv(4096)
        await asyncio.sleep(0.5)  # ten reports
        with pytest.raises(BlockingIOError):
            manager.recv(4096)
        reporting.cancel()

    with contextlib.closing(manager), contextlib.closing(dog):
        stand(story, silent=True)


# ---- the whole program


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start the program in a process of its own on simulated wires, without a page."""
    begun: list[subprocess.Popen[str]] = []
    config = tmp_path / "lampion.toml"
    config.write_text(f'page = "off"\nstate = "{tmp_path}/state"\ngame = "robot-duel"\n')

    def program(*moves: str) -> subprocess.Popen[str]:
        words = (sys.executable, wires.__file__, str(config), str(tmp_path / "lit"), *moves)
        root = str(Path(__file__).parents[2])
        # The process inherits ignored signals, and the tests may run with SIGINT ignored.
        before = [(each, signal.signal(each, signal.SIG_DFL)) for each in ENDINGS]
        begun.append(
            subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": root})
        )
        for each, handler in before:
            signal.signal(each, handler)
        assert begun[-1].stdout is not None
        assert begun[-1].stdout.readline() == "Robot Duel on square-reed: without a page\n"
        return begun[-1]

    yield program
    for each in begun:
        each.kill()
        each.communicate()


@pytest.mark.parametrize("ending", ENDINGS)
def test_lights_are_dark_after_signals_and_no_page_is_no_page(
    program: Any, tmp_path: Path, ending: signal.Signals
) -> None:
    playing = program("C4C3")
    assert playing.stdout.readline() == "C4C3\n"
    assert any((tmp_path / "lit").read_bytes())
    playing.send_signal(ending)
    told, _ = playing.communicate(timeout=SOON)
    assert told == "loaded:\n"  # no part of a page, and nothing of a Pi
    assert playing.returncode == 0
    assert not any((tmp_path / "lit").read_bytes())


def test_a_match_is_resumed_after_the_program_was_killed(program: Any) -> None:
    playing = program("C4C3", "A1A2")
    assert [playing.stdout.readline() for _ in range(2)] == ["C4C3\n", "A1A2\n"]
    playing.kill()
    playing.wait(SOON)
    again = program("B4A3")
    assert [again.stdout.readline() for _ in range(3)] == ["C4C3\n", "A1A2\n", "B4A3\n"]


def test_a_port_that_is_taken_ends_the_program_with_the_lights_dark(tmp_path: Path) -> None:
    board = SimulatedBoard(load("square-reed"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        config = Config(state=str(tmp_path), page=f"localhost:{taken.getsockname()[1]}")
        with pytest.raises(ServerError, match="in use; choose another port with `page` in the "):
            asyncio.run(
                service.play(
                    config, board.layout, lambda call: wires.SimulatedWires(board, call), Start()
                )
            )
    assert board.strip.transfers > 0
    assert not any(map(any, board.strip.pixels))


def test_a_broker_that_cannot_be_used_is_refused_in_one_line_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lampion.toml"
    settings = 'address = "localhost:1"\nname = "attic"\npassword_file = "/nowhere"'
    file.write_text(f"[mqtt]\n{settings}\n", "utf-8")
    assert main(["sim", "--config", str(file), "--state", str(tmp_path / "state")]) == 1
    gc.collect()  # a coroutine that was never awaited is reported now at the latest
    assert capsys.readouterr().err == (
        "lampion: mqtt.password_file: /nowhere: No such file or directory\n"
    )
