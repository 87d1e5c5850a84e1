"""The page's server: static files, one WebSocket a page, the state as JSON for other programs.

What the session says is the truth: a command that rests on something older is refused with the
reason.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from firmware_host.i18n.messages import render, say
from firmware_host.rules_card.rules import rules_of
from firmware_host.web import view
from firmware_host.web.commands import CommandHandler
from firmware_host.web.connection import PageConnection, language_of
from firmware_host.web.host_api import HostApi
from firmware_host.web.keys import Keys, links
from firmware_host.web.lessons import all_lessons
from firmware_host.web.listener import LOOPBACK, STATIC, ServerError, guarded, serve_app, url
from firmware_host.web.pieces import PieceAccess
from firmware_host.web.protocol import AnyCommand, CalmCommand, decode
from firmware_host.web.roles import FOR_ALL, HOST, WATCHER, Role, check
from firmware_host.web.rules_card import short_rules
from firmware_host.web.virtual_table import RefusedError

__all__ = ["LOOPBACK", "Hub", "PageServer", "ServerError", "create_app", "serve"]

MOST_PAGES: Final = 32
"""Pages at a time …"""
FOR_PLAYERS: Final = 12
"""… of which watchers leave so many places to players and the host."""
RENEWED: Final = 2.0
"""Seconds between two looks whether the links were renewed."""
RENEWED_LINKS: Final = say("The links were renewed; ask the host for a new one.")


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
        """`token` is what it showed when it was let in."""
        super().__init__(socket, language, decode)
        self.name = name
        self.role = role
        self.token = token
        self.calm = False
        """Whether it wants still lights."""
        self._hub = hub
        self._pieces: PieceAccess | None = None
        self._spoken = ""
        self._known: tuple[object, ...] = ()

    async def tell(self) -> None:
        """Tell the page the board of a new match, and the state when it has changed."""
        host = self._hub.host
        self._hub.desk.note()
        status = host.status()
        pieces = host.pieces
        if pieces is not self._pieces or self.language != self._spoken:
            self._pieces, self._spoken = pieces, self.language
            self._known, self._lit = (), b""
            board = view.board(host, self.language, self.role)
            refused = render(self._refused, self.language) if self._refused else ""
            await self.send(board | {"refused": refused, "shared": self._hub.shared})
        known = (status.rev, pieces.rev, pieces.broken(), pieces.moving)
        if known != self._known:
            self._known = known
            await self.send(view.state(host, self.language, self.name, self.role))

    def light(self) -> tuple[int, bytes]:
        """Return the light of the strip, or what it would be if nothing in it moved."""
        host = self._hub.host
        return host.status().rev, host.still_pixels() if self.calm else host.pixels()

    def take(self, command: AnyCommand) -> None:
        """Do what a command asks, if this page's role may ask it."""
        check(self.role, command, self.name, self._hub.host)
        if isinstance(command, CalmCommand):
            self.calm = command.on
        else:
            self._hub.desk.take(command, self.name)
            self._refused = None


class Hub:
    """All pages of one board."""

    def __init__(self, host: HostApi, language: str = "en", keys: Keys | None = None) -> None:
        self.host = host
        self.language = language
        self._keys = keys
        self.shared = keys is not None
        """Whether others than the host may open it."""
        self.pages: dict[str, PageServer] = {}
        self.desk = CommandHandler(host, self._refuse, self._wake)
        self._numbers = 0

    async def watch(self) -> None:
        """Wake all pages whenever something changed."""
        while True:
            await self.host.wait_change()
            self.desk.note()
            self._wake()

    async def turn_out(self) -> None:
        """Close the connections of pages whose token counts no more, soon after it was renewed."""
        while self._keys is not None:
            await asyncio.sleep(RENEWED)
            for page in list(self.pages.values()):
                if self._keys.role(page.token) != page.role:
                    page.end(1008, render(RENEWED_LINKS, page.language))

    async def welcome(self, socket: WebSocket) -> None:
        """Serve one page until it goes; what it held then goes back to where it came from."""
        role, token = socket.scope["lampion.role"], socket.scope["lampion.token"]
        watches = role.among(len(self.host.game.seats)) == WATCHER
        if len(self.pages) >= MOST_PAGES - (FOR_PLAYERS if watches else 0):
            await socket.close(1013, "too many pages")
            return
        await socket.accept()
        self._numbers += 1
        name = f"page-{self._numbers}"
        language = language_of(socket, self.language)
        page = self.pages[name] = PageServer(self, socket, name, language, role, token)
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


def create_app(
    host: HostApi, allowed_hosts: Sequence[str], keys: Keys | None = None, language: str = "en"
) -> ASGIApp:
    """Return the application. `allowed_hosts` are the names by which pages may call it, without
    ports; with `keys` only pages that show one of their tokens are let in, each in its role, else
    all are the host's. `language` is spoken where a browser asks for none of ours.
    """
    hub = Hub(host, language, keys)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        work = [asyncio.create_task(each) for each in (hub.watch(), hub.turn_out())]
        try:
            yield
        finally:
            for each in work:
                each.cancel()
            await asyncio.gather(*work, return_exceptions=True)

    async def index(_: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    async def state(request: Request) -> Response:
        said, role = language_of(request, language), request.scope["lampion.role"]
        return _json(view.state(host, said, role=role))

    async def games(request: Request) -> Response:
        return _json(view.games(host, language_of(request, language)))

    async def lessons(request: Request) -> Response:
        return _json(all_lessons(host.lesson_mode, host.games(), language_of(request, language)))

    async def rules(request: Request) -> Response:
        await asyncio.to_thread(
            rules_of, host.game.name
        )  # draws them once, while the board goes on
        return _json(short_rules(host.game, language_of(request, language)))

    async def recording(_: Request) -> Response:
        headers = {"Content-Disposition": f'attachment; filename="{host.game.name}.jsonl"'}
        pieces = host.record_as_test()
        return StreamingResponse(pieces, headers=headers, media_type="application/jsonl")

    async def game(_: Request) -> Response:
        name, text = host.as_record()
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text, headers=headers, media_type="text/plain; charset=utf-8")

    async def invitations(request: Request) -> Response:
        if keys is None:
            return _json([])
        said = language_of(request, language)
        called = request.url.hostname in ("localhost", "127.0.0.1")  # no other device calls it so
        here = url("0.0.0.0", request.url.port or 80) if called else str(request.base_url)
        found = links(keys, here, host.game.seats)
        return _json([{"whose": render(each.whose, said), "url": each.address} for each in found])

    routes = [
        Route("/", index),
        Route("/api/state", state),
        Route("/api/games", games),
        Route("/api/lessons", lessons),
        Route("/api/rules", rules),
        Route("/api/recording", recording),
        Route("/api/game", game),
        Route("/api/links", invitations),
        WebSocketRoute("/ws", hub.welcome),
    ]
    return guarded(routes, allowed_hosts, keys, lifespan, FOR_ALL)


def _json(data: object) -> Response:
    return Response(msgspec.json.encode(data), media_type="application/json")


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

    def create(names: Sequence[str]) -> ASGIApp:
        return create_app(host, names, keys, language)

    await serve_app(create, port, keys, ready, address)
