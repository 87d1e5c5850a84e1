"""Requests and live connections that reach the application without a server."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from firmware_host.browser.board import schedule_late_calls
from firmware_host.browser.exchanges import Exchanges
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.web.application import LOOPBACK
from firmware_host.web.server import create_app
from tests.support.stories import asynchronous

ENGLISH = {"accept-language": "en"}


class Told:
    """What a page is told of one exchange."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Any]] = []
        self._more = asyncio.Event()

    def __call__(self, kind: str, content: str | bytes) -> None:
        self.events.append((kind, content))
        self._more.set()

    async def until(self, *kinds: str) -> Any:
        """Wait for an event of one of these kinds; return its content."""
        async with asyncio.timeout(20):
            while True:
                for kind, content in self.events:
                    if kind in kinds:
                        return content
                self._more.clear()
                await self._more.wait()

    async def until_says(self, part: str) -> None:
        """Wait for a message with this part."""
        async with asyncio.timeout(20):
            while not any(isinstance(each, str) and part in each for _, each in self.events):
                self._more.clear()
                await self._more.wait()

    @property
    def body(self) -> bytes:
        return b"".join(content for kind, content in self.events if kind == "chunk")


@contextlib.asynccontextmanager
async def of_a_board(state: Path) -> AsyncIterator[Exchanges]:
    with contextlib.closing(SimulatedHost(state)) as host:
        host.open(Start("robot-duel"))
        exchanges = Exchanges(create_app(host, LOOPBACK))
        await exchanges.start()
        running = asyncio.create_task(host.run())
        try:
            yield exchanges
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await exchanges.close()


@asynchronous
async def test_a_request_is_answered_with_status_headers_and_body(tmp_path: Path) -> None:
    async with of_a_board(tmp_path) as exchanges:
        told = Told()
        exchanges.request("GET", "/api/state?lang=pl", ENGLISH, b"", told)
        await told.until("end")
        status, headers = json.loads(await told.until("start"))
        assert status == 200
        assert ["content-type", "application/json"] in headers
        assert json.loads(told.body)["turn_line"] == "Na ruchu: A"


@asynchronous
async def test_a_body_reaches_the_application(tmp_path: Path) -> None:
    async with of_a_board(tmp_path) as exchanges:
        told = Told()
        exchanges.request("POST", "/api/matches?name=x.jsonl", ENGLISH, b"nonsense", told)
        await told.until("end")
        assert json.loads(await told.until("start"))[0] == 400
        assert json.loads(told.body)["reason"]


@asynchronous
async def test_a_live_connection_carries_messages_both_ways(tmp_path: Path) -> None:
    async with of_a_board(tmp_path) as exchanges:
        told = Told()
        page = exchanges.connect("/ws?lang=fr", ENGLISH, told)
        await told.until("open")
        await told.until_says('"type":"board"')
        await told.until_says('"language":"fr"')
        page.take('{"type": "press", "n": 7, "rev": 0, "button": "nonsense"}')
        await told.until_says('"n":7')
        assert any(isinstance(each, bytes) and each[0] == 1 for _, each in told.events)  # light


@asynchronous
async def test_a_page_that_has_left_is_told_nothing_more(tmp_path: Path) -> None:
    async with of_a_board(tmp_path) as exchanges:
        told = Told()
        page = exchanges.connect("/ws", ENGLISH, told)
        await told.until("message")
        page.leave()
        await page.ended()
        number = len(told.events)
        other = Told()
        exchanges.connect("/ws", ENGLISH, other).take(
            '{"type": "player", "n": 1, "rev": 0, "seat": 0, "name": "Ania"}'
        )
        await other.until_says('"n":1')
        assert len(told.events) == number
        assert "closed" not in dict(told.events)


@asynchronous
async def test_what_fails_in_the_application_ends_the_exchange() -> None:
    async def fail(_: Request) -> Any:
        raise LookupError("nothing here")

    async def close(socket: WebSocket) -> None:
        await socket.accept()
        await socket.close(4000, "go away")

    app = Starlette(routes=[Route("/fail", fail), WebSocketRoute("/close", close)])
    exchanges = Exchanges(app)
    await exchanges.start()
    told = Told()
    exchanges.request("GET", "/fail", {}, b"", told)
    await told.until("end")
    assert json.loads(await told.until("start"))[0] == 500
    told = Told()
    exchanges.connect("/close", {}, told)
    assert json.loads(await told.until("closed")) == [4000, "go away"]
    await exchanges.close()


@asynchronous
async def test_an_answer_comes_chunk_by_chunk_until_the_page_leaves() -> None:
    begun = asyncio.Event()

    async def chunks() -> AsyncIterator[bytes]:
        yield b"one"
        begun.set()
        await asyncio.Event().wait()
        yield b"two"

    async def stream(_: Request) -> StreamingResponse:
        return StreamingResponse(chunks())

    exchanges = Exchanges(Starlette(routes=[Route("/", stream)]))
    await exchanges.start()
    told = Told()
    page = exchanges.request("GET", "/", {}, b"", told)
    assert await told.until("chunk") == b"one"
    await begun.wait()
    page.leave()
    await page.ended()
    assert [kind for kind, _ in told.events] == ["start", "chunk"]
    await exchanges.close()


def test_a_call_for_a_time_that_has_passed_is_made_soon() -> None:
    """The loop of Pyodide refuses negative delays; this one does, too."""

    class Strict(asyncio.SelectorEventLoop):
        def call_later(self, delay: float, *args: Any, **more: Any) -> asyncio.TimerHandle:
            assert delay >= 0, "in the past"
            return super().call_at(self.time() + delay, *args, **more)

        def call_at(self, when: float, *args: Any, **more: Any) -> asyncio.TimerHandle:
            return self.call_later(when - self.time(), *args, **more)

    async def run() -> None:
        schedule_late_calls()
        called = asyncio.Event()
        asyncio.get_running_loop().call_at(asyncio.get_running_loop().time() - 1, called.set)
        await called.wait()

    with asyncio.Runner(loop_factory=Strict) as runner:
        runner.run(run())
