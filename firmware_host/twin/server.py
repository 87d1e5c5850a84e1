"""The page's server: static files, one WebSocket a page, the state as JSON for other programs.

Everything runs in the loop of the program it belongs to, so nothing needs a lock. A page gets the
newest state and the newest light, never a queue of old ones; only answers to its own commands are
kept, and a page that lets too many of them pile up is disconnected. What the session says is the
truth: a command that rests on something older is refused with the reason.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import anyio
import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from firmware_host.short_rules.rules import rules_of
from firmware_host.terminal import one_line
from firmware_host.twin import snapshot
from firmware_host.twin.beats import beat, check_in_time
from firmware_host.twin.commands import Desk
from firmware_host.twin.door import BACKLOG, Connection, Door, Live
from firmware_host.twin.guard import Guard, Sealed
from firmware_host.twin.lessons import all_lessons
from firmware_host.twin.pieces import Pieces
from firmware_host.twin.protocol import MAX_BYTES, Calm, Language, decode
from firmware_host.twin.short_rules import short_rules
from firmware_host.twin.snapshot import Host
from firmware_host.twin.table import RefusedError
from firmware_host.words import Message, negotiate, render, say

STATIC: Final = Path(__file__).parent / "static"
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
MOST_PAGES: Final = 32
MOST_ANSWERS: Final = 64
FRAME: Final = 1 / 30
"""The least time between two frames of light to a page, in seconds."""


class ServerError(OSError):
    """The page cannot be served; one line says why."""


class Page:
    """One connection: what its page has been told, and what it is still to be told."""

    def __init__(self, hub: Hub, socket: WebSocket, name: str, language: str) -> None:
        self.name = name
        self.language = language
        self.calm = False
        """Whether it wants still lights."""
        self._hub = hub
        self._socket = socket
        self._wake = asyncio.Event()
        self._answers: deque[dict[str, Any]] = deque()
        self._pieces: Pieces | None = None
        self._spoken = ""
        self._refused: Message | None = None
        self._known: tuple[object, ...] = ()
        self._lit = b""

    def wake(self) -> None:
        """Let the page look for news."""
        self._wake.set()

    async def run(self) -> None:
        """Talk to the page until it goes."""
        ending = None
        async with anyio.create_task_group() as both:
            for talk in (beat(self._socket.send_bytes), self._speak()):
                both.start_soon(self._until_gone, talk, both.cancel_scope)
            ending = await self._hear()
            both.cancel_scope.cancel()
        if ending is not None:  # now that nobody speaks any more
            await self._socket.close(*ending)

    async def _until_gone(self, talk: Awaitable[None], both: anyio.CancelScope) -> None:
        try:
            await talk
        except WebSocketDisconnect:
            both.cancel()

    async def _speak(self) -> None:
        while True:
            self._wake.clear()
            answers = list(self._answers)
            self._answers.clear()
            await self._tell()
            for answer in answers:  # after the state that came of the command
                await self._send(answer)
            await self._shine()
            if not self._wake.is_set():
                await self._wake.wait()

    async def _tell(self) -> None:
        host = self._hub.host
        self._hub.desk.note()
        status = host.status()
        pieces = host.pieces
        if pieces is not self._pieces or self.language != self._spoken:
            self._pieces, self._spoken = pieces, self.language
            self._known, self._lit = (), b""
            board = snapshot.board(host, self.language)
            refused = render(self._refused, self.language) if self._refused else ""
            await self._send(board | {"refused": refused})
        known = (status.rev, pieces.rev, pieces.broken(), pieces.moving)
        if known != self._known:
            self._known = known
            await self._send(snapshot.state(host, self.language, self.name))

    async def _shine(self) -> None:
        host = self._hub.host
        pixels = host.still_pixels() if self.calm else host.pixels()
        if pixels != self._lit:
            self._lit = pixels
            rev = self._hub.host.status().rev % 2**32
            await self._socket.send_bytes(b"\1" + rev.to_bytes(4) + pixels)
            await asyncio.sleep(FRAME)

    async def _send(self, message: dict[str, Any]) -> None:
        await self._socket.send_text(msgspec.json.encode(message).decode())

    async def _hear(self) -> tuple[int, str] | None:
        """Take commands until the page goes, or return the code and reason to close with."""
        while True:
            event = await self._socket.receive()
            if event["type"] == "websocket.disconnect":
                return None
            text = event.get("text")
            if text is None:
                return 1003, "commands are text"
            if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
                return 1009, f"a command has at most {MAX_BYTES} bytes"
            if len(self._answers) >= MOST_ANSWERS:
                return 1008, "too many commands without reading the answers"
            self._answers.append(self._answer(text))
            self.wake()

    def _answer(self, text: str) -> dict[str, Any]:
        """Do what a command asks and return the answer to it."""
        number = None
        try:
            command = decode(text)
            number = command.n
            check_in_time(command)
            if isinstance(command, Language):
                self.language = negotiate(command.language)
            elif isinstance(command, Calm):
                self.calm = command.on
            else:
                self._hub.desk.take(command, self.name)
                self._refused = None
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            message = say("That was no command: {why}", why=one_line(str(error)))
        except RefusedError as error:
            message = error.message
        else:
            return {"type": "answer", "n": number}
        self._refused = message
        return {"type": "refused", "n": number, "reason": render(message, self.language)}

    def refuse(self, error: RefusedError) -> None:
        """Tell the page that what it began could not be finished."""
        if len(self._answers) < MOST_ANSWERS:
            self._refused = error.message
            reason = render(error.message, self.language)
            self._answers.append({"type": "refused", "n": None, "reason": reason})
            self.wake()


class Hub:
    """All pages of one board."""

    def __init__(self, host: Host, language: str = "en") -> None:
        self.host = host
        self.language = language
        self.pages: dict[str, Page] = {}
        self.desk = Desk(host, self._refuse, self._wake)
        self._numbers = 0

    async def watch(self) -> None:
        """Wake all pages whenever something changed."""
        while True:
            await self.host.wait_change()
            self.desk.note()
            self._wake()

    async def welcome(self, socket: WebSocket) -> None:
        """Serve one page until it goes; what it held then goes back to where it came from."""
        if len(self.pages) >= MOST_PAGES:
            await socket.close(1013, "too many pages")
            return
        await socket.accept()
        self._numbers += 1
        name = f"page-{self._numbers}"
        page = self.pages[name] = Page(self, socket, name, _language(socket, self.language))
        try:
            await page.run()
        finally:
            del self.pages[name]
            self.host.pieces.release(name)

    def _wake(self) -> None:
        for page in self.pages.values():
            page.wake()

    def _refuse(self, name: str, error: RefusedError) -> None:
        if name in self.pages:
            self.pages[name].refuse(error)


def _language(connection: HTTPConnection, otherwise: str) -> str:
    """Return the language that a page wants; `otherwise` if it knows none of ours."""
    accepted = connection.headers.get("accept-language", "")
    return negotiate(connection.query_params.get("lang"), f"{accepted},{otherwise};q=0.001")


def create_app(
    host: Host, allowed_hosts: Sequence[str], token: str | None = None, language: str = "en"
) -> ASGIApp:
    """Return the application. `allowed_hosts` are the names by which pages may call it, without
    ports; with a `token` only pages that know it are let in. `language` is spoken where a browser
    asks for none of ours.
    """
    hub = Hub(host, language)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(hub.watch())
        try:
            yield
        finally:
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching

    async def index(_: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    async def state(request: Request) -> Response:
        return _json(snapshot.state(host, _language(request, language)))

    async def games(request: Request) -> Response:
        return _json(snapshot.games(host, _language(request, language)))

    async def lessons(request: Request) -> Response:
        return _json(all_lessons(host.classroom, host.games(), _language(request, language)))

    async def rules(request: Request) -> Response:
        await asyncio.to_thread(
            rules_of, host.game.name
        )  # draws them once, while the board goes on
        return _json(short_rules(host.game, _language(request, language)))

    async def recording(_: Request) -> Response:
        headers = {"Content-Disposition": f'attachment; filename="{host.game.name}.jsonl"'}
        return Response(host.record_as_test(), headers=headers, media_type="application/jsonl")

    app = Starlette(
        routes=[
            Route("/", index),
            Route("/api/state", state),
            Route("/api/games", games),
            Route("/api/lessons", lessons),
            Route("/api/rules", rules),
            Route("/api/recording", recording),
            Mount("/static", StaticFiles(directory=STATIC)),
            WebSocketRoute("/ws", hub.welcome),
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=list(allowed_hosts)),
            Middleware(Guard, token=token),
        ],
        lifespan=lifespan,
    )
    return Sealed(app)


def _json(data: object) -> Response:
    return Response(msgspec.json.encode(data), media_type="application/json")


class _Server(uvicorn.Server):
    """Lets connections in by our own door, and leaves the signals to the program it runs in."""

    def __init__(self, config: uvicorn.Config, listening: socket.socket) -> None:
        super().__init__(config)
        self.ended = asyncio.Event()
        self._door = Door(listening, self._admit)

    def _admit(self, address: str) -> Connection:
        return Connection(address, self.config, self.server_state, self.lifespan.state)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        self._keeping = asyncio.create_task(self._door.keep())

    async def main_loop(self) -> None:
        """Wait for the end; the library's own loop would wake ten times a second to look for it."""
        await self.ended.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._keeping.cancel()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(
    host: Host,
    port: int,
    token: str | None = None,
    ready: Callable[[str], None] = lambda url: None,
    *,
    address: str | None = None,
    language: str = "en",
) -> None:
    """Serve the page until cancelled; `ready` gets its address once it answers.

    Only this computer may open it, or with a `token` everybody in the network who has the address
    with it; at one `address` of this computer, if it is given. ServerError says in one line why the
    port cannot be had.
    """
    lan = token is not None
    address = address or ("0.0.0.0" if lan else "127.0.0.1")
    if not 0 <= port < 65536:
        raise ServerError(f"port {port}: a port is a number from 1 to 65535")
    try:
        listening = socket.create_server((address, port), backlog=BACKLOG)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise ServerError(f"port {port} on {address}: {why}; choose another port") from error
    port = listening.getsockname()[1]
    names = [] if address == "0.0.0.0" else [address]
    names += _own_names() if lan else []
    app = create_app(host, [*LOOPBACK, *names], token, language)
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level=logging.WARNING,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        ws=Live,
        ws_max_size=16 * MAX_BYTES,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config, listening)
    serving = asyncio.create_task(server.serve())
    try:
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        shown = names[0] if lan else "localhost"
        ready(f"http://{shown}:{port}/" + (f"?token={token}" if token else ""))
        await asyncio.shield(serving)
    finally:
        server.should_exit = True
        server.ended.set()
        with contextlib.suppress(asyncio.CancelledError):
            await serving
        listening.close()


def _own_names() -> list[str]:
    """Return the addresses and names by which the network may know this computer."""
    names: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks for the way out
        names.append(probe.getsockname()[0])
    name = socket.gethostname()
    with contextlib.suppress(OSError):
        names += socket.gethostbyname_ex(name)[2]
    names += [name, f"{name}.local"]
    return list(dict.fromkeys(names))
