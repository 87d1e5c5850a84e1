"""What readers of events get, and the numbers of a board."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx2 as httpx
import msgspec
import pytest
from starlette.testclient import TestClient

from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.web import event_stream as stream_module
from firmware_host.web import server, view
from firmware_host.web.event_stream import event_stream
from firmware_host.web.keys import Keys
from firmware_host.web.metrics import metrics
from firmware_host.web.roles import HOST, PLAYERS, WATCHER
from firmware_host.web.server import LOOPBACK, MOST_STREAMS, STREAMS_FOR_HOST, create_app, serve
from tests.support.stories import asynchronous, at_a_board
from tests.web.stub_host import HOME, StubHost

NAMES = [*LOOPBACK, "testserver"]


async def events(stream: AsyncIterator[bytes]) -> AsyncIterator[tuple[str, Any]]:
    async for each in stream:
        name, data = "", ""
        for line in each.decode().splitlines():
            field, _, value = line.partition(": ")
            name, data = (value if field == "event" else name), (value if field == "data" else data)
        if name:
            yield name, json.loads(data)


@at_a_board()
async def test_a_reader_gets_what_a_page_that_watches_gets(board: Any) -> None:
    reading = events(event_stream(board.host, "pl", lambda: True))
    name, told = await anext(reading)
    assert name == "board"
    watched = view.board(board.host, "pl", WATCHER)
    del watched["strings"]
    assert told == json.loads(msgspec.json.encode(watched))
    name, told = await anext(reading)
    assert name == "state"
    assert told == json.loads(msgspec.json.encode(view.state(board.host, "pl", role=WATCHER)))
    await board.play("C4C3")
    while not told["plies"]:
        name, told = await anext(reading)
    assert told["plies"][0]["text"] == "C4C3"
    board.host.new_game("abalone", {}, "hex-reed")
    while name != "board":
        name, told = await anext(reading)
    assert told["game"] == "abalone"


@at_a_board()
async def test_a_slow_reader_gets_the_newest_state_and_no_queue(board: Any) -> None:
    stream = event_stream(board.host, "en", lambda: True)
    reading = events(stream)
    await anext(reading)
    await anext(reading)
    await board.play("C4C3", "A1A2", "B3B2")  # it takes nothing meanwhile
    _, told = await anext(reading)
    assert [ply["text"] for ply in told["plies"]] == ["C4C3", "A1A2", "B3B2"]


@at_a_board()
async def test_a_stream_is_never_silent_for_long(board: Any) -> None:
    stream = event_stream(board.host, "en", lambda: True)
    await asyncio.sleep(3)
    for _ in range(50):
        if await anext(stream) == b":\n\n":
            return
    raise AssertionError("no heartbeat")


@at_a_board()
async def test_a_stream_ends_when_its_token_is_not_valid_any_more(board: Any) -> None:
    valid = True
    stream = event_stream(board.host, "en", lambda: valid)
    await anext(stream)
    valid = False
    assert [each async for each in stream if each != b":\n\n"] == []


@asynchronous
async def test_readers_are_counted_and_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_module, "HEARTBEAT_S", 0.1)
    host = SimulatedHost(tmp_path)
    host.open(Start("robot-duel"))
    url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    tasks = [
        asyncio.create_task(host.run()),
        asyncio.create_task(serve(host, 0, None, url.set_result)),
    ]
    async with httpx.AsyncClient(base_url=await url, timeout=20) as client:

        async def number(name: str) -> int:
            text = (await client.get("metrics")).text
            found = next(line for line in text.splitlines() if line.startswith(f"{name} "))
            return int(found.partition(" ")[2])

        readers = [client.stream("GET", "api/events") for _ in range(MOST_STREAMS)]
        taken = []  # a reader that is forgotten leaves
        for each in readers:
            answer = await each.__aenter__()
            assert answer.headers["content-type"].startswith("text/event-stream")
            taken.append(answer.aiter_lines())
            assert (await anext(taken[-1])).startswith("retry:")
        assert await number("lampion_event_streams") == MOST_STREAMS
        assert (await client.get("api/events")).status_code == 503
        for each in readers:
            await each.__aexit__(None, None, None)
        async with asyncio.timeout(20):
            while await number("lampion_event_streams"):
                await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    host.close()


@pytest.mark.parametrize("path", ["/metrics", "/api/events"])
def test_what_a_role_may_read(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def short(host: Any, language: str, may_read: Any) -> AsyncIterator[bytes]:
        yield b"retry: 1\n\n"

    monkeypatch.setattr(server, "event_stream", short)
    keys = Keys("a-secret-of-the-board")
    client = TestClient(create_app(StubHost(), NAMES, keys), base_url=HOME)
    assert client.get(path).status_code == 403
    for role in (HOST, PLAYERS[0], WATCHER):
        client.cookies.clear()
        may = path == "/api/events" or role == HOST
        answer = client.get(path, params={"token": keys.token(role)})
        assert answer.status_code == (200 if may else 403)


@at_a_board()
async def test_the_numbers_of_a_board(board: Any) -> None:
    def lines() -> dict[str, str]:
        text = metrics(board.host, 0, 0)
        return dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))

    assert lines()["lampion_reading_seconds_count"] == "0"
    await board.play("C4C3", "A1A2")
    board.host.board.refuse(next(iter(board.host.board.bus.chips)))
    await asyncio.sleep(3)
    found = lines()
    assert found['lampion_events_total{event="move"}'] == "2"
    assert found["lampion_plies"] == "2"
    assert found["lampion_reading_seconds_count"] == "2"
    assert found['lampion_reading_seconds_bucket{le="+Inf"}'] == "2"
    assert 0 < float(found["lampion_reading_seconds_sum"]) < 2
    assert int(found["lampion_frames_total"]) > 4
    assert int(found["lampion_faults"]) >= 1
    assert sum(int(n) for name, n in found.items() if name.startswith("lampion_faults_total")) >= 1


@asynchronous
async def test_watchers_leave_room_for_readers_of_the_host(tmp_path: Path) -> None:
    host = SimulatedHost(tmp_path)
    host.open(Start("robot-duel", {}, "square-reed"))
    keys = Keys("a-secret-of-the-host")
    url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(serve(host, 0, keys, url.set_result, address="127.0.0.1"))
    base = (await url).partition("?")[0]
    async with httpx.AsyncClient(base_url=base, timeout=20) as client, AsyncExitStack() as reading:
        watched, hosted = (f"api/events?token={keys.token(each)}" for each in (WATCHER, HOST))
        for address in [watched] * (MOST_STREAMS - STREAMS_FOR_HOST) + [hosted] * STREAMS_FOR_HOST:
            answer = await reading.enter_async_context(client.stream("GET", address))
            assert answer.status_code == 200
            lines = answer.aiter_lines()
            reading.push_async_callback(lines.aclose)
            assert (await anext(lines)).startswith("retry:")
            client.cookies.clear()
            if address == watched:
                continue
            async with client.stream("GET", watched) as refused:
                assert refused.status_code == 503
            client.cookies.clear()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    host.close()
