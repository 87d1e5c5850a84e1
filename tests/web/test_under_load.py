"""Play goes on whatever others send: idle connections, pages that do not read, and nonsense.

A little of it in every run; the whole with `make deep`, which prints the memory it took with `-s`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import random
import re
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from engine.games import make
from engine.match import Match
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.web.connection import BURST, RATE, RateLimit
from firmware_host.web.server import serve

MOST_GROWTH = 60_000
"""kB by which the program may grow, whatever it gets."""


class Page:
    """A page without a browser that reads its messages."""

    def __init__(self, live: ClientConnection) -> None:
        self._live = live
        self._number = 0
        self.state: dict[str, Any] = {}

    async def hear(self, kind: str = "state") -> dict[str, Any]:
        """Return the next message of a kind."""
        while True:
            message = await asyncio.wait_for(self._live.recv(), 20)
            if isinstance(message, bytes):
                continue
            told: dict[str, Any] = json.loads(message)
            if told["type"] == "state":
                self.state = told
            if told["type"] == kind or (kind == "done" and told["type"] in ("answer", "refused")):
                return told

    async def ask(self, kind: str, **fields: Any) -> str:
        """Send a command; return "", or why it was refused."""
        self._number += 1
        command = {"type": kind, "n": self._number, "rev": self.state["rev"], **fields}
        await self._live.send(json.dumps(command))
        while (done := await self.hear("done"))["n"] != self._number:
            pass
        return str(done.get("reason", ""))

    @property
    def moves(self) -> list[str]:
        return [ply["text"] for ply in self.state["plies"] if not ply["candidates"]]

    async def play(self, move: str) -> None:
        """Let hands make a move, and wait until the board has it."""
        wanted = [*self.moves, move]
        async with asyncio.timeout(60):
            while why := await self.ask("play", move=move):
                assert "went on meanwhile" in why or "moving pieces already" in why, why
                await self.hear()
            while self.moves != wanted or self.state["hands_moving"]:
                await self.hear()


@contextlib.asynccontextmanager
async def page_at(port: int) -> Any:
    async with connect(f"ws://127.0.0.1:{port}/ws", max_queue=None) as live:
        page = Page(live)
        await page.hear()
        yield page


# ---- many connections


@pytest.fixture
def board(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int, Path]]:
    """The program, its port, and its log."""
    complaints = tmp_path / "stderr"
    command = [sys.executable, "-m", "firmware_host", "sim", "--port", "0", "--state"]
    with (
        complaints.open("w") as file,
        subprocess.Popen(
            [*command, str(tmp_path / "state")], stdout=subprocess.PIPE, stderr=file, text=True
        ) as program,
    ):
        assert program.stdout is not None
        found = re.search(r":(\d+)/", program.stdout.readline())
        assert found is not None
        try:
            yield program, int(found[1]), complaints
        finally:
            program.terminate()
            assert program.wait(60) == 0


def memory(program: subprocess.Popen[str], name: str) -> int:
    """Return an entry of the kernel's status of a program, in kB."""
    status = Path(f"/proc/{program.pid}/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0])


def crowd(port: int, idle: int, deaf: int, ended: threading.Event) -> None:
    """Keep that number of idle connections open, and of pages that never read."""
    upgrade = (
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )

    def come(request: bytes) -> socket.socket:
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.settimeout(10)
        with contextlib.suppress(OSError):
            one.connect(("127.0.0.1", port))
            one.sendall(request)
        one.setblocking(False)
        return one

    def gone(one: socket.socket) -> bool:
        try:
            return one.recv(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    requests = [upgrade] * deaf + [b""] * idle
    kept: list[socket.socket] = []
    for request in requests:
        if not ended.is_set():
            kept.append(come(request))
    while not ended.wait(0.5):
        for index, one in enumerate(kept):
            if not ended.is_set() and gone(one):
                one.close()
                kept[index] = come(requests[index])
    for one in kept:
        one.close()


@pytest.mark.parametrize(
    ("idle", "deaf", "seconds"),
    [(200, 20, 2.0), pytest.param(1300, 20, 120.0, marks=pytest.mark.deep)],
)
def test_a_game_is_played_among_idle_connections(
    board: tuple[subprocess.Popen[str], int, Path], idle: int, deaf: int, seconds: float
) -> None:
    program, port, complaints = board
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    rng, game = random.Random(1), make("robot-duel")
    played = 0

    async def story() -> None:
        nonlocal played
        ended = threading.Event()
        crowding = asyncio.create_task(asyncio.to_thread(crowd, port, idle, deaf, ended))
        try:
            await asyncio.sleep(0.5)
            end = time.monotonic() + seconds
            async with page_at(port) as page:  # it comes last
                while time.monotonic() < end or not played:
                    assert await page.ask("match") == ""
                    while page.moves or page.state["outcome"]:
                        await page.hear()
                    match = Match.begin(game)
                    while match.legal and (time.monotonic() < end + 1 or not played):
                        move = rng.choice(match.legal)
                        await page.play(game.move_text(match.position, move))
                        match = match.play(move)
                        played += 1
                    assert page.moves == match.moves()
        finally:
            ended.set()
            await crowding

    before = memory(program, "VmRSS")
    try:
        asyncio.run(story())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    most = memory(program, "VmHWM")
    print(f"{played} moves; {before} kB before, {most} kB at most")
    assert most - before <= MOST_GROWTH
    said = complaints.read_text()
    assert "Traceback" not in said
    assert said.count("\n") < 40 + seconds


# ---- nonsense

SOUND: list[dict[str, Any]] = [
    {"type": "lift", "piece": 1},
    {"type": "put", "piece": 1, "place": "A1"},
    {"type": "back", "piece": 1},
    {"type": "flip", "piece": 2},
    {"type": "turn", "piece": 2},
    {"type": "press", "button": "yes"},
    {"type": "choose", "move": "B3B2"},
    {"type": "report", "move": "B3B2"},
    {"type": "claim", "seat": 0, "claim": "resign"},
    {"type": "throw", "dice": [2]},
    {"type": "assist", "seat": 0, "level": 2},
    {"type": "match"},
    {"type": "game", "game": "robot-duel", "layout": "square-reed", "options": {}},
    {"type": "play", "move": "B3B2"},
    {"type": "setup"},
    {"type": "fault", "fault": "missing", "chip": 32},
    {"type": "fault", "fault": "stuck_on", "place": "E4"},
    {"type": "fault", "fault": "none"},
    {"type": "light", "place": "E4"},
    {"type": "language", "language": "pl"},
]
ODD: list[Any] = [
    None, True, -1, 0, 1, 2**53, 2**70, 1e300, 0.5, "", "\0", "\x1b[2J", "\u202e", "é" * 150, "A1",
    "box", "x" * 201, "../../etc/passwd", "/dev/zero.toml", "{0.__class__}", "%s%n", [], [[]], {},
    {"a": {}}, ["A1"] * 9, "hex-hall", "shogi", "abalone", "chaturaji", "back", "no", 7, 127, 1000,
]  # fmt: skip


def nonsense(rng: random.Random) -> str | bytes:
    """Return a message: a valid command, one with a few errors, or nonsense."""
    if rng.random() < 0.04:
        return rng.randbytes(rng.randrange(200))
    command = {"n": rng.randrange(9), "rev": 10**6 * rng.randrange(2), **rng.choice(SOUND)}
    for _ in range(rng.randrange(4)):
        key = rng.choice([*command, "place", "piece", "extra", "type"])
        what = rng.random()
        if what < 0.2:
            command.pop(key, None)
        elif what < 0.3:
            command[key] = rng.choice(SOUND)
        elif what < 0.5:
            command[key] = rng.randrange(300)
        else:
            command[key] = rng.choice(ODD)
    text = json.dumps(command, ensure_ascii=rng.random() < 0.5)
    what = rng.random()
    if what < 0.05:
        return text[: rng.randrange(len(text))]
    if what < 0.1:
        at = rng.randrange(len(text))
        return text[:at] + rng.choice(["[" * 1000, '{"a":' * 700, '"', "\\ud800", "\0"]) + text[at:]
    if what < 0.12:
        return text + " " * rng.choice([100, 5000, 80_000])
    return text


@pytest.mark.parametrize("messages", [300, pytest.param(10_000, marks=pytest.mark.deep)])
def test_nonsense_does_not_stop_a_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, messages: int
) -> None:
    rng = random.Random(messages)

    async def send_all(port: int) -> None:
        left = messages
        while left:
            # The answers do not matter, but they have to be read.
            async with connect(f"ws://127.0.0.1:{port}/ws", max_queue=None) as live:
                with contextlib.suppress(ConnectionClosed):
                    while left:
                        left -= 1
                        await live.send(nonsense(rng))
                        told: str | bytes = b""
                        while isinstance(told, bytes) or '"type":"state"' in told:
                            told = await asyncio.wait_for(live.recv(), 20)

    async def story() -> None:
        host = SimulatedHost(tmp_path)
        host.open(Start("robot-duel"))
        address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        running = asyncio.create_task(host.run())
        serving = asyncio.create_task(serve(host, 0, ready=address.set_result))
        port = int((await address).split(":")[2].strip("/"))
        try:
            await send_all(port)
            assert not running.done()
            assert not serving.done()
            async with page_at(port) as page:
                assert await page.ask("fault", fault="none") == ""
                begun = {"game": "robot-duel", "layout": "square-reed", "options": {}}
                while await page.ask("game", **begun):
                    await page.hear()
                while page.state["plies"] or page.state["outcome"]:
                    await page.hear()
                for move in ("B3B2", "B1B2"):
                    await page.play(move)
        finally:
            for each in (serving, running):
                each.cancel()
            await asyncio.gather(serving, running, return_exceptions=True)
            host.close()

    asyncio.run(story())
    assert [each.getMessage() for each in caplog.records if each.exc_info] == []
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []


# ---- commands without a pause

SLOW_DISK = """
import os, sys, time
for name in ("fsync", "fdatasync"):
    def slow(descriptor, real=getattr(os, name)):
        time.sleep(0.03)
        real(descriptor)
    setattr(os, name, slow)
from firmware_host.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def test_the_commands_of_one_connection_have_a_rate_limit() -> None:
    now = 0.0
    pace = RateLimit(lambda: now)
    waits = [pace.wait() for _ in range(BURST + 2)]
    assert waits[:BURST] == [0.0] * BURST
    assert waits[BURST:] == [1 / RATE, 2 / RATE]
    now += 2 / RATE + 10 / RATE
    assert [pace.wait() for _ in range(11)] == [0.0] * 10 + [1 / RATE]


RENAMING = """
import asyncio, itertools, json, sys
from websockets.asyncio.client import connect

async def rename(port):
    async with connect(f"ws://127.0.0.1:{port}/ws", max_queue=None) as live:
        for number in itertools.count():
            command = {"type": "player", "n": number, "rev": 0, "seat": 0, "name": f"A{number}"}
            await live.send(json.dumps(command))
            while f'"n":{number}' not in str(await live.recv()):
                pass

async def all_of_them(port, pages):
    await asyncio.gather(*(rename(port) for _ in range(pages)), return_exceptions=True)

asyncio.run(all_of_them(*map(int, sys.argv[1:])))
"""


async def play_six(port: int) -> list[float]:
    """Return how long each of six moves took until the board had it, from when a page's hands
    were done with it.
    """
    took = []
    async with page_at(port) as page:
        for move in ("B3B2", "B1B2", "C4C3", "A1A2", "B4A3", "A2A3"):
            wanted = [*page.moves, move]
            assert await page.ask("play", move=move) == ""
            began = time.monotonic()
            while page.state["hands_moving"] or page.moves != wanted:
                await page.hear()
                if page.state["hands_moving"]:
                    began = time.monotonic()
            took.append(time.monotonic() - began)
    return took


@pytest.mark.deep
def test_pages_that_rename_players_hold_up_no_move(tmp_path: Path) -> None:
    """A disk needs 30 ms to sync, and ten pages only rename players."""
    command = [sys.executable, "-c", SLOW_DISK, "sim", "--port", "0", "--state", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        found = re.search(r":(\d+)/", program.stdout.readline())
        assert found is not None
        pages = subprocess.Popen([sys.executable, "-c", RENAMING, found[1], "10"])
        try:
            time.sleep(3)
            took = asyncio.run(play_six(int(found[1])))
            assert pages.poll() is None
        finally:
            pages.terminate()
            pages.wait()
            program.terminate()
    print(f"slowest of {len(took)} moves: {max(took):.2f} s")
    assert max(took) < 0.5
