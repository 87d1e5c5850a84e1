"""Who is let in: pages of our own only, with a token where one is asked for, and by which names.

Every answer, also one that refuses, carries the headers that keep the page to itself.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Collection, Sequence
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

from firmware_host.web.keys import Keys
from firmware_host.web.roles import FOR_ALL, HOST, Role, may_ask

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-cache",
}
"""What keeps the page to itself."""

GUESSES: Final = 10
"""Different wrong tokens that one address may show …"""
LOCKED: Final = 60.0
"""… until it has to wait, in seconds from the last one. A right token is let in all the same:
any web page can have a browser show wrong ones.
"""
MOST_ADDRESSES: Final = 256


class Sealed:
    """Adds the headers to every answer, also to one that turns a live connection away."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve."""
        accepted = False

        async def sealed(event: Event) -> None:
            nonlocal accepted
            accepted = accepted or event["type"] == "websocket.accept"
            if event["type"] == "websocket.close" and not accepted:
                # The library would answer by a bare 403.
                refused = PlainTextResponse(f"Refused: {event.get('reason') or 'not here'}.\n", 403)
                await refused(scope, receive, sealed)
                return
            if event["type"] in ("http.response.start", "websocket.http.response.start"):
                MutableHeaders(scope=event).update(HEADERS)
            await send(event)

        await self._app(scope, receive, sealed)


class OwnNames:
    """Lets in only those who call this computer by one of its names, or by the address at which
    they reach it: that one may be younger than the program.
    """

    def __init__(self, app: ASGIApp, names: Sequence[str]) -> None:
        """`names` are without ports."""
        self._app = app
        self._names = frozenset(each.lower() for each in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, or refuse."""
        if scope["type"] in ("http", "websocket"):
            called = Headers(scope=scope).get("host", "")
            name = re.sub(r":\d*$", "", called).lower()
            reached = (scope.get("server") or ("",))[0]
            if name not in self._names and name not in (reached, f"[{reached}]"):
                await PlainTextResponse("Invalid host header", 400)(scope, receive, send)
                return
        await self._app(scope, receive, send)


class Auth:
    """Lets in only pages of our own, and those who show a token where there are keys, each to what
    the role may ask for. The role stands in the scope as `lampion.role`, the token that was shown
    as `lampion.token`.
    """

    def __init__(
        self,
        app: ASGIApp,
        keys: Keys | None,
        clock: Callable[[], float] = time.monotonic,
        for_all: Collection[str] = FOR_ALL,
    ) -> None:
        """`for_all` are the paths that are not the host's alone."""
        self._app = app
        self._keys = keys
        self._guesses = Guesses(clock)
        self._for_all = for_all

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, or refuse."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if not _own(connection.headers):
            await _refuse(scope, receive, send, "this page is not from here")
            return
        if self._keys is None:
            scope["lampion.role"], scope["lampion.token"] = HOST, ""
            await self._app(scope, receive, send)
            return
        asked = connection.query_params.get("token")
        shown = [each for each in (asked, connection.cookies.get(_cookie(scope))) if each]
        for token in shown:  # before anything is held against an address that others share
            if (role := self._keys.role(token)) is not None:
                scope["lampion.role"], scope["lampion.token"] = role, token
                await self._let_in(role, scope, receive, send, token if asked else "")
                return
        address = connection.client.host if connection.client else ""
        locked = self._guesses.locked(address)
        if shown and locked:
            await _refuse(scope, receive, send, "too many wrong tokens; wait a minute", 429)
            return
        self._guesses.wrong(address, shown)
        await _refuse(scope, receive, send, "open the address with the token in it")

    async def _let_in(
        self, role: Role, scope: Scope, receive: Receive, send: Send, token: str
    ) -> None:
        if not may_ask(role, scope["path"], self._for_all):
            await _refuse(scope, receive, send, "only the host may see that")
            return
        await self._app(scope, receive, _remembering(scope, send, token) if token else send)


class Guesses:
    """Wrong tokens by address. One that is shown again and again, as by a page that was left
    open, counts once.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._tried: dict[str, tuple[float, set[bytes]]] = {}

    def locked(self, address: str) -> bool:
        """Whether an address that shows a wrong token has to wait."""
        at, tried = self._tried.get(address, (0.0, set()))
        if tried and self._clock() - at >= LOCKED:
            del self._tried[address]
            return False
        return len(tried) >= GUESSES

    def wrong(self, address: str, shown: list[str]) -> None:
        """Count what an address has shown."""
        _, tried = self._tried.get(address, (0.0, set()))
        fresh = {hashlib.sha256(each.encode()).digest() for each in shown} - tried
        if fresh:
            self._tried.pop(address, None)
            self._tried[address] = (self._clock(), tried | fresh)
        if len(self._tried) > MOST_ADDRESSES:
            del self._tried[next(iter(self._tried))]


def _own(headers: Headers) -> bool:
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:  # "http://[::1"
        return False
    return parts.netloc == headers.get("host", "") and parts.scheme in ("http", "https")


async def _refuse(scope: Scope, receive: Receive, send: Send, why: str, status: int = 403) -> None:
    await PlainTextResponse(f"Refused: {why}.\n", status)(scope, receive, send)


def _cookie(scope: Scope) -> str:
    """Return what the cookie is called: a browser keeps those of all ports of a computer together,
    and another board may be served there.
    """
    return f"lampion-{scope['server'][1]}"


def _remembering(scope: Scope, send: Send, token: str) -> Send:
    """Give the page the cookie that stands for the token: Lax, for the page takes the token out of
    its address and is loaded again without it, also when a message led to it.
    """

    async def remembering(event: Event) -> None:
        if event["type"] == "http.response.start":
            cookie = f"{_cookie(scope)}={token}; Path=/; HttpOnly; SameSite=Lax"
            MutableHeaders(scope=event).append("Set-Cookie", cookie)
        await send(event)

    return remembering
