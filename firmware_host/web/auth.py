"""Lets in requests of our own pages only, under our own host names, with a token where needed.

Every answer, also a refusal, carries the security headers.
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
"""They isolate the page from other sites, and forbid browsers to cache answers that do not allow
it.
"""

MOST_GUESSES: Final = 10
"""Different wrong tokens that one address may show …"""
LOCKED_S: Final = 60.0
"""… before it has to wait, from the last one on. A right token is let in nevertheless, because any
web page can make a browser show wrong ones.
"""
MOST_ADDRESSES: Final = 256


class SecurityHeaders:
    """Adds the security headers to every answer, also to one that refuses a WebSocket."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve."""
        accepted = False

        async def with_headers(event: Event) -> None:
            nonlocal accepted
            accepted = accepted or event["type"] == "websocket.accept"
            if event["type"] == "websocket.close" and not accepted:
                # The library would answer by a bare 403.
                refused = PlainTextResponse(f"Refused: {event.get('reason') or 'not here'}.\n", 403)
                await refused(scope, receive, with_headers)
                return
            if event["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=event)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(event)

        await self._app(scope, receive, with_headers)


class OwnNames:
    """Lets in requests with a host name of this computer, or with the address that they reached:
    the computer may have got it after the program was started.
    """

    def __init__(self, app: ASGIApp, names: Sequence[str]) -> None:
        """`names` have no ports."""
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
    """Lets in requests of our own pages only, and with keys only those with a token, each to the
    paths of its role. The role is put into the scope as `lampion.role`, the token as
    `lampion.token`.
    """

    def __init__(
        self,
        app: ASGIApp,
        keys: Keys | None,
        clock: Callable[[], float] = time.monotonic,
        for_all: Collection[str] = FOR_ALL,
    ) -> None:
        """Paths that are not in `for_all` are the host's alone."""
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
        for token in shown:  # first: a locked address may be shared with others
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
    """Wrong tokens by address. A token that is shown repeatedly, as by a page that was left open,
    counts once.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._tried: dict[str, tuple[float, set[bytes]]] = {}

    def locked(self, address: str) -> bool:
        """Whether an address has shown too many wrong tokens."""
        at, tried = self._tried.get(address, (0.0, set()))
        if tried and self._clock() - at >= LOCKED_S:
            del self._tried[address]
            return False
        return len(tried) >= MOST_GUESSES

    def wrong(self, address: str, shown: list[str]) -> None:
        """Count the wrong tokens that an address has shown."""
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
    """Return the name of the cookie. It has the port in it, because a browser shares cookies among
    the ports of a computer, and another board may be served on one of them.
    """
    return f"lampion-{scope['server'][1]}"


def _remembering(scope: Scope, send: Send, token: str) -> Send:
    """Set the cookie that replaces the token. It is SameSite=Lax, because the page removes the
    token from its address and is loaded again without it, also from a link in a message.
    """

    async def remembering(event: Event) -> None:
        if event["type"] == "http.response.start":
            cookie = f"{_cookie(scope)}={token}; Path=/; HttpOnly; SameSite=Lax"
            MutableHeaders(scope=event).append("Set-Cookie", cookie)
        await send(event)

    return remembering
