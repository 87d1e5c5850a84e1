"""Limits on connections: their number, the time they may be idle; and that play goes on."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import functools
import json
import socket
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.web import connection_limits
from firmware_host.web.auth import HEADERS
from firmware_host.web.server import serve
from tests.support.real_board import SOON
from tests.support.stories import told_by

at_a_served_board = functools.partial(told_by, "serve_board")
MANY = 400
GET = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Served:
    """A served board, and connections to it."""

    def __init__(self, host: SimulatedHost, port: int) -> None:
        self.host = host
        self.port = port
        self._open: list[socket.socket] = []

    async def connect(self, source: str = "127.0.0.1") -> socket.socket:
        """Return a connection without a request."""
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.setblocking(False)
        one.bind((source, 0))
        await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", self.port))
        self._open.append(one)
        return one

    async def hear(self, one: socket.socket, most: int = 65536) -> bytes:
        """Return the next data; nothing if the other end is gone."""
        try:
            async with asyncio.timeout(SOON):
                return await asyncio.get_running_loop().sock_recv(one, most)
        except ConnectionResetError:
            return b""

    async def ask(self, one: socket.socket, request: bytes = GET) -> bytes:
        """Return the first bytes of the answer to a request; nothing if there is none."""
        try:
            await asyncio.get_running_loop().sock_sendall(one, request)
        except (ConnectionResetError, BrokenPipeError):
            return b""
        return await self.hear(one)

    def close(self) -> None:
        for each in self._open:
            each.close()


Story = Callable[[Served], Awaitable[None]]


@pytest.fixture
def serve_board(tmp_path: Path) -> Callable[[Story], None]:
    """Run a test at a board that is served on the loopback."""

    async def told(story: Story) -> None:
        host = SimulatedHost(tmp_path)
        host.open(Start("robot-duel"))
        address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(serve(host, 0, ready=address.set_result))
        running = asyncio.create_task(host.run())
        served = Served(host, int((await address).split(":")[2].strip("/")))
        try:
            async with asyncio.timeout(240):
                await story(served)
        finally:
            served.close()
            for each in (serving, running):
                each.cancel()
            await asyncio.gather(serving, running, return_exceptions=True)
            host.close()

    return lambda story: asyncio.run(told(story))


@at_a_served_board()
async def test_an_idle_connection_is_closed_soon(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limits, "IDLE_S", 0.1)
    silent, slow = await served.connect(), await served.connect()
    await asyncio.get_running_loop().sock_sendall(slow, GET[:20])
    assert await served.hear(silent) == b""
    assert await served.hear(slow) == b""
    kept = await served.connect()
    assert (await served.ask(kept)).startswith(b"HTTP/1.1 200")
    await asyncio.get_running_loop().sock_sendall(kept, b"G")  # half of another request
    while await served.hear(kept):
        pass


@at_a_served_board()
async def test_the_kernel_sends_each_part_of_an_answer_at_once(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    delays = []
    made = connection_limits.HttpConnection.connection_made

    def begun(self: connection_limits.HttpConnection, transport: Any) -> None:
        sending = transport.get_extra_info("socket")
        delays.append(not sending.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        made(self, transport)

    monkeypatch.setattr(connection_limits.HttpConnection, "connection_made", begun)
    assert (await served.ask(await served.connect())).startswith(b"HTTP/1.1 200")
    assert delays == [False]


@at_a_served_board()
async def test_an_idle_connection_makes_room_for_a_new_one(served: Served) -> None:
    silent = [await served.connect() for _ in range(3 * connection_limits.MOST_OF_ONE)]
    for _ in range(3):
        assert (await served.ask(await served.connect())).startswith(b"HTTP/1.1 200")
    assert await served.hear(silent[0]) == b""


@at_a_served_board()
async def test_one_address_cannot_take_all_places(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limits, "MOST_OF_ONE", 3)
    pages = [await served.connect() for _ in range(3)]
    for each in pages:
        assert (await served.ask(each, upgrade())).startswith(b"HTTP/1.1 101")
    assert await served.ask(await served.connect()) == b"", "pages keep their places"
    other = await served.connect("127.0.0.2")
    assert (await served.ask(other)).startswith(b"HTTP/1.1 200")
    pages[0].close()
    for _ in range(100):
        if await served.ask(await served.connect()):
            return
        await asyncio.sleep(0.02)
    raise AssertionError("a page that has gone keeps its place")


@at_a_served_board()
async def test_a_connection_that_does_not_read_its_answer_is_closed(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limits, "ANSWER_S", 0.2)
    read = []

    def pieces(_: Any) -> Iterator[bytes]:
        for number in range(MANY):
            read.append(number)
            yield bytes(50_000)

    monkeypatch.setattr(SimulatedHost, "record_as_test", pieces)
    one = await served.connect()
    heard = len(await served.ask(one, GET.replace(b"state", b"recording")))
    await asyncio.sleep(0.5)
    while more := len(await served.hear(one)):
        heard += more
    assert heard < MANY * 50_000
    assert len(read) < MANY // 10, "what it does not take fills no memory"


def upgrade(headers: str = "") -> bytes:
    """Return the request that opens a page's WebSocket."""
    return (
        "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n{headers}\r\n"
    ).encode()


def test_a_refused_websocket_is_not_logged(
    serve_board: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(served: Served) -> None:
        request = upgrade("Origin: http://elsewhere\r\n")
        one = await served.connect()
        assert (await served.ask(one, request)).startswith(b"HTTP/1.1 403")
        while await served.hear(one):
            pass

    serve_board(story)
    assert caplog.records == []


def test_connections_from_all_addresses_together_are_limited(
    serve_board: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limits, "MOST", 4)

    async def story(served: Served) -> None:
        for number in range(4):
            page = await served.connect(f"127.0.0.{number + 2}")
            assert (await served.ask(page, upgrade())).startswith(b"HTTP/1.1 101")
        assert await served.ask(await served.connect()) == b""

    serve_board(story)


def test_a_system_without_file_descriptors_is_logged_and_tried_again(
    serve_board: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connection_limits, "RETRY_S", 0.1)
    full = True

    def accept(self: socket.socket) -> Any:
        if full:
            raise OSError(errno.EMFILE, "Too many open files")
        return real(self)

    real = socket.socket.accept
    monkeypatch.setattr(socket.socket, "accept", accept)

    async def story(served: Served) -> None:
        nonlocal full
        one = await served.connect()
        await asyncio.sleep(0.15)
        assert 1 <= len(caplog.records) <= 3
        assert {each.getMessage() for each in caplog.records} == {
            "no connection can be let in now: Too many open files"
        }
        full = False
        assert (await served.ask(one)).startswith(b"HTTP/1.1 200")

    serve_board(story)


def frame(command: dict[str, Any]) -> bytes:
    """Return a message as a page sends it, masked by zeros."""
    text = json.dumps(command).encode()
    assert len(text) < 126
    return bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text


@at_a_served_board()
async def test_a_page_that_does_not_read_is_cut_and_the_piece_it_held_goes_back(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limits, "UNREAD_MS", 300)
    one = await served.connect()
    assert (await served.ask(one, upgrade())).startswith(b"HTTP/1.1 101")
    table = served.host.table
    held, other = table.pieces[:2]
    lift = frame({"type": "lift", "n": 1, "rev": table.rev, "piece": held.number})
    await asyncio.get_running_loop().sock_sendall(one, lift)
    while not held.hand:
        await asyncio.sleep(0.01)
    while held.hand:
        table.flip(other.number, "")  # gives every page news
        await asyncio.sleep(0.01)


@at_a_served_board()
async def test_unread_answers_to_pings_do_not_pile_up(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[connection_limits.LiveConnection] = []
    begin = connection_limits.LiveConnection.connection_made

    def begun(self: connection_limits.LiveConnection, transport: Any) -> None:
        made.append(self)
        begin(self, transport)

    monkeypatch.setattr(connection_limits.LiveConnection, "connection_made", begun)
    pings = (bytes((0x89, 0xFD, 0, 0, 0, 0)) + bytes(125)) * 40_000
    one = await served.connect()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    assert (await served.ask(one, upgrade())).startswith(b"HTTP/1.1 101")
    piece = served.host.table.pieces[0]
    lift = {"type": "lift", "n": 1, "rev": served.host.table.rev, "piece": piece.number}
    await asyncio.get_running_loop().sock_sendall(one, pings + frame(lift))
    while not piece.hand:  # until then some pings may be unread
        await asyncio.sleep(0.01)
    assert made[0].transport.get_write_buffer_size() < len(pings) // 20


@at_a_served_board()
async def test_a_message_in_too_many_parts_ends_the_connection(served: Served) -> None:
    one = await served.connect()
    assert (await served.ask(one, upgrade())).startswith(b"HTTP/1.1 101")
    empty = bytes((0x00, 0x80, 0, 0, 0, 0))
    first = bytes((0x01, 0x80, 0, 0, 0, 0))
    await asyncio.get_running_loop().sock_sendall(one, first + empty * connection_limits.MOST_PARTS)
    async with asyncio.timeout(10):
        while await served.hear(one):
            await asyncio.get_running_loop().sock_sendall(one, empty)


@pytest.mark.parametrize("garbage", [b"\0\1\2\r\n\r\n", b"GET / HTTP/1.1\r\nA: a\r\n: b\r\n\r\n"])
@at_a_served_board()
async def test_input_that_is_not_http_is_refused_with_the_security_headers(
    served: Served, garbage: bytes
) -> None:
    answer = await served.ask(await served.connect(), garbage)
    assert answer.startswith(b"HTTP/1.1 400")
    for name, value in HEADERS.items():
        assert f"{name}: {value}".lower().encode() in answer.lower()


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (bytes((0x82, 0x81, 0, 0, 0, 0, 7)), 1003),
        (bytes((0x81, 0xFE, 0x17, 0x70, 0, 0, 0, 0)) + b" " * 6000, 1009),
        (bytes((0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0x86, 0xA0, 0, 0, 0, 0)), 1009),
        (bytes((0x81, 0x82, 0, 0, 0, 0, 0xC3, 0x28)), 1007),
        (bytes((0xF7, 0x80, 0, 0, 0, 0)), 1002),
    ],
)
def test_closing_a_connection_for_what_it_sent_logs_nothing(
    serve_board: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    message: bytes,
    code: int,
) -> None:
    monkeypatch.setattr(connection_limits, "UNREAD_MS", 600_000)  # a busy machine reads late

    async def story(served: Served) -> None:
        loop = asyncio.get_running_loop()
        one = await served.connect()
        await loop.sock_sendall(one, upgrade())
        table = served.host.table
        for _ in range(40):
            table.flip(table.pieces[0].number, "")  # the page gets more than it reads
            await asyncio.sleep(0.005)
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            await loop.sock_sendall(one, message)
        for _ in range(40):
            table.flip(table.pieces[0].number, "")
            await asyncio.sleep(0.005)
        told = b""
        while code.to_bytes(2) not in told[-200:] and (more := await served.hear(one)):
            told += more
            table.flip(table.pieces[0].number, "")
        assert code.to_bytes(2) in told[-200:]
        assert (await served.ask(await served.connect())).startswith(b"HTTP/1.1 200")

    serve_board(story)
    assert [each for each in caplog.records if each.exc_info and code != 1007] == []
