"""The page's server: static files, a WebSocket for each page, JSON for other programs."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from engine.games import NAMES
from firmware_host.games import DRAWINGS, game_file
from firmware_host.i18n.messages import RefusedError, render, say
from firmware_host.rules_card.rules import rules_of
from firmware_host.web import home_api, learning, puzzle_api, sensors, view
from firmware_host.web.answers import in_thread, json_answer
from firmware_host.web.application import LOOPBACK, STATIC, guarded
from firmware_host.web.commands import CommandHandler
from firmware_host.web.connection import PageConnection, language_of
from firmware_host.web.event_stream import event_stream
from firmware_host.web.host_api import HostApi, PieceAccess
from firmware_host.web.keys import Keys, links, url
from firmware_host.web.library_api import LibraryApi
from firmware_host.web.metrics import CONTENT_TYPE, metrics
from firmware_host.web.moves import moves_from
from firmware_host.web.page_files import COMPRESSION, PageFiles
from firmware_host.web.protocol import AnyCommand, MotionCommand, decode
from firmware_host.web.roles import FOR_ALL, HOST, WATCHER, Role, check

__all__ = ["LOOPBACK", "Hub", "PageServer", "create_app", "serve"]

MOST_PAGES: Final = 32
"""Pages at a time …"""
FOR_PLAYERS: Final = 12
"""… of which this number is reserved for players and the host."""
MOST_STREAMS: Final = 8
"""Readers of events at a time …"""
STREAMS_FOR_HOST: Final = 4
"""… of which this number is reserved for readers with the host's link."""
EVENT_STREAM: Final = "text/event-stream"
ONLY_SHOWN: Final = ("overlay", "wall")
"""The views of a page that only show the match, whatever the role of the link (`shown.js`)."""
RENEWAL_CHECK_S: Final = 2.0
"""The time between two checks whether the links were renewed."""
RENEWED_LINKS: Final = say("The links have changed; ask the host for a new one.")


class PageServer(PageConnection[AnyCommand]):
    """A page of the board in play."""

    def __init__(
        self,
        hub: Hub,
        socket: WebSocket,
        name: str,
        language: str,
        role: Role = HOST,
        token: str = "",
    ) -> None:
        """`role` is that of the `token` with which it was let in; a view that only shows the match
        has that of a watcher.
        """
        super().__init__(socket, language, decode)
        self.name = name
        self.entered_as = role
        self.role = WATCHER if socket.query_params.get("view") in ONLY_SHOWN else role
        self.token = token
        self.reduced_motion = False
        """Whether nothing in the lights may move on this page."""
        self._hub = hub
        self._pieces: PieceAccess | None = None
        self._sent_language = ""
        self._sent: tuple[object, ...] = ()

    async def update(self) -> None:
        """Send the board of a new match, and the state when it has changed."""
        host = self._hub.host
        self._hub.commands.note()
        status = host.status()
        pieces = host.pieces
        if pieces is not self._pieces or self.language != self._sent_language:
            self._pieces, self._sent_language = pieces, self.language
            self._sent, self._lit = (), b""
            board = view.board(host, self.language, self.role)
            refused = render(self._refused, self.language) if self._refused else ""
            await self.send(board | {"refused": refused, "shared": self._hub.keys is not None})
        current = (status.rev, pieces.rev, pieces.broken(), pieces.moving)
        if current != self._sent:
            self._sent = current
            await self.send(view.state(host, self.language, self.name, self.role))

    def light(self) -> tuple[int, bytes]:
        """Return the light of the strip, or as it would be if nothing in it moved."""
        host = self._hub.host
        return host.status().rev, host.still_pixels() if self.reduced_motion else host.pixels()

    def take(self, command: AnyCommand) -> None:
        """Do what a command asks, if this page's role allows it."""
        check(self.role, command, self.name, self._hub.host)
        if isinstance(command, MotionCommand):
            self.reduced_motion = command.reduced
        else:
            self._hub.commands.take(command, self.name)
            self._refused = None


class Hub:
    """All pages of one board."""

    def __init__(self, host: HostApi, language: str = "en", keys: Keys | None = None) -> None:
        self.host = host
        self.language = language
        self.keys = keys
        """None if only this computer may open the board."""
        self.pages: dict[str, PageServer] = {}
        self.streams = 0
        """How many readers have a stream of events."""
        self.commands = CommandHandler(host, self._refuse, self._wake)
        self._page_count = 0

    async def watch(self) -> None:
        """Wake all pages whenever something has changed."""
        seen = 0
        while True:
            seen = await self.host.wait_change(seen)
            self.commands.note()
            self._wake()

    async def disconnect_outdated(self) -> None:
        """Close the connections of pages whose token is no longer valid, soon after the renewal."""
        while self.keys is not None:
            await asyncio.sleep(RENEWAL_CHECK_S)
            for page in list(self.pages.values()):
                if self.keys.role(page.token) != page.entered_as:
                    page.end(1008, render(RENEWED_LINKS, page.language))

    async def welcome(self, socket: WebSocket) -> None:
        """Serve one page until it goes; a piece that it held then goes back where it came from."""
        role, token = socket.scope["lampion.role"], socket.scope["lampion.token"]
        watches = role.among(len(self.host.game.seats)) == WATCHER
        if len(self.pages) >= MOST_PAGES - (FOR_PLAYERS if watches else 0):
            await socket.close(1013, "too many pages")
            return
        await socket.accept()
        self._page_count += 1
        name = f"page-{self._page_count}"
        language = language_of(socket, self.language)
        page = self.pages[name] = PageServer(self, socket, name, language, role, token)
        try:
            await page.run()
        finally:
            del self.pages[name]
            self.host.pieces.release(name)

    async def stream(self, request: Request) -> AsyncIterator[bytes]:
        """Yield the events for one reader, until its token is no longer valid."""
        entered_as, token = request.scope["lampion.role"], request.scope["lampion.token"]

        def may_read() -> bool:
            return self.keys is None or self.keys.role(token) == entered_as

        self.streams += 1
        try:
            language = language_of(request, self.language)
            async for event in event_stream(self.host, language, may_read):
                yield event
        finally:
            self.streams -= 1

    def _wake(self) -> None:
        for page in self.pages.values():
            page.wake()

    def _refuse(self, name: str, error: RefusedError) -> None:
        if name in self.pages:
            self.pages[name].refuse(error)


class BoardApi:
    """The routes for the board in play."""

    def __init__(self, hub: Hub, files: PageFiles) -> None:
        self._hub = hub
        self._host = hub.host
        self._files = files

    def routes(self) -> list[Route]:
        """Return them."""
        compressed = [Middleware(GZipMiddleware, compresslevel=COMPRESSION)]
        return [
            Route("/", self._index),
            Route("/api/state", self._state),
            Route("/api/events", self._events),
            Route("/metrics", self._metrics),
            Route("/api/games", self._games, middleware=compressed),
            Route("/api/lessons", self._lessons),
            Route("/api/rules", self._rules),
            Route("/api/moves", self._moves),
            Route("/api/recording", self._recording),
            Route("/api/game", self._record),
            Route("/api/links", self._links),
        ]

    def _language(self, request: Request) -> str:
        return language_of(request, self._hub.language)

    async def _index(self, request: Request) -> Response:
        return self._files.page("index.html", request)

    async def _state(self, request: Request) -> Response:
        role = request.scope["lampion.role"]
        return json_answer(view.state(self._host, self._language(request), role=role))

    async def _events(self, request: Request) -> Response:
        reserved = 0 if request.scope["lampion.role"] == HOST else STREAMS_FOR_HOST
        if self._hub.streams >= MOST_STREAMS - reserved:
            return Response("Refused: too many readers.\n", 503, media_type="text/plain")
        events, headers = self._hub.stream(request), {"Cache-Control": "no-store"}
        return StreamingResponse(events, headers=headers, media_type=EVENT_STREAM)

    async def _metrics(self, _: Request) -> Response:
        text = metrics(self._host, len(self._hub.pages), self._hub.streams)
        return Response(text, headers={"Content-Type": CONTENT_TYPE})

    async def _games(self, request: Request) -> Response:
        return json_answer(learning.games(self._host, self._language(request)))

    async def _lessons(self, request: Request) -> Response:
        mode, games = self._host.lesson_mode, self._host.games()
        learner = request.query_params.get("learner", "")
        return json_answer(learning.all_lessons(mode, games, self._language(request), learner))

    async def _rules(self, request: Request) -> Response:
        # The first call draws the pictures, in a thread, so that the board is not held up.
        await asyncio.to_thread(rules_of, self._host.game.name)
        return json_answer(learning.rules_card(self._host.game, self._language(request)))

    async def _moves(self, request: Request) -> Response:
        place = request.query_params.get("from", "")
        return json_answer(moves_from(self._host, place, self._language(request)))

    async def _recording(self, _: Request) -> Response:
        headers = {"Content-Disposition": f'attachment; filename="{self._host.game.name}.jsonl"'}
        chunks = in_thread(self._host.record_as_test())
        return StreamingResponse(chunks, headers=headers, media_type="application/jsonl")

    async def _record(self, _: Request) -> Response:
        name, text = self._host.as_record()
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text, headers=headers, media_type="text/plain; charset=utf-8")

    async def _links(self, request: Request) -> Response:
        if self._hub.keys is None:
            return json_answer([])
        language = self._language(request)
        local = request.url.hostname in ("localhost", "127.0.0.1")  # a name for this computer only
        page = url("0.0.0.0", request.url.port or 80) if local else str(request.base_url)
        found = [
            {
                "recipient": render(each.recipient, language),
                "url": each.address,
                "qr": each.qr_svg(),
            }
            for each in links(self._hub.keys, page, self._host.game.seats)
        ]
        return json_answer(found)


def create_app(
    host: HostApi, allowed_hosts: Sequence[str], keys: Keys | None = None, language: str = "en"
) -> ASGIApp:
    """Return the application. `allowed_hosts` are the host names that requests may carry, without
    ports. With `keys` a page needs one of their tokens, which gives its role; without them every
    page is the host's. `language` is for browsers that ask for no language that we have.
    """
    hub = Hub(host, language, keys)
    library = LibraryApi(host, language)
    files = PageFiles(STATIC, _drawings())

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(each) for each in (hub.watch(), hub.disconnect_outdated())]
        try:
            yield
        finally:
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, library.close(), return_exceptions=True)

    routes = [
        *BoardApi(hub, files).routes(),
        home_api.route(host, language),
        puzzle_api.route(host, language),
        *library.routes(),
        *sensors.routes(host),
        WebSocketRoute("/ws", hub.welcome),
    ]
    return guarded(routes, files, allowed_hosts, keys, lifespan, FOR_ALL)


def _drawings() -> dict[str, Path]:
    """Return where the games keep the drawings of their pieces, by their names for the page."""
    paths = {f"pieces/{name}.svg": game_file(name, DRAWINGS) for name in NAMES}
    return {name: path for name, path in paths.items() if path.is_file()}


async def serve(
    host: HostApi,
    port: int,
    keys: Keys | None = None,
    ready: Callable[[str], None] = lambda url: None,
    *,
    address: str | None = None,
    language: str = "en",
) -> None:
    """Serve the page until cancelled, as `serve_app` does."""
    from firmware_host.web.listener import serve_app  # in a browser tab there is no server

    def create(names: Sequence[str]) -> ASGIApp:
        return create_app(host, names, keys, language)

    await serve_app(create, port, keys, ready, address)
