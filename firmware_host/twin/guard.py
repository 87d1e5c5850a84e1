"""Who is let in: pages of our own only, with the token where one is asked for.

Every answer, also one that refuses, carries the headers that keep the page to itself.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

from hardware import regular_file

COOKIE: Final = "lampion"
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
"""… until nothing is looked at that it shows, for so many seconds from the last one."""
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


class Guard:
    """Lets in only pages of our own: the right Origin, and the token where one is asked for."""

    def __init__(
        self, app: ASGIApp, token: str | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._app = app
        self._token = token
        self._guesses = Guesses(clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, or refuse."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if not _own(connection.headers):
            await _refuse(scope, receive, send, "this page is not from here")
            return
        if self._token is None:
            await self._app(scope, receive, send)
            return
        address = connection.client.host if connection.client else ""
        asked = connection.query_params.get("token")
        shown = [each for each in (asked, connection.cookies.get(COOKIE)) if each]
        if shown and self._guesses.locked(address):
            await _refuse(scope, receive, send, "too many wrong tokens; wait a minute", 429)
        elif any(secrets.compare_digest(each.encode(), self._token.encode()) for each in shown):
            await self._app(scope, receive, _remembering(send, self._token) if asked else send)
        else:
            self._guesses.wrong(address, shown)
            await _refuse(scope, receive, send, "open the address with the token in it")


class Guesses:
    """Wrong tokens by address. One that is shown again and again, as by a page that was left
    open, counts once.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._tried: dict[str, tuple[float, set[bytes]]] = {}

    def locked(self, address: str) -> bool:
        """Whether nothing is looked at that an address shows now."""
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


def _remembering(send: Send, token: str) -> Send:
    """Give the page the cookie that stands for the token."""

    async def remembering(event: Event) -> None:
        if event["type"] == "http.response.start":
            cookie = f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict"
            MutableHeaders(scope=event).append("Set-Cookie", cookie)
        await send(event)

    return remembering


def token_kept_in(directory: Path) -> str:
    """Return the token of this board, the same after a restart; OSError if it cannot be kept."""
    path = directory / "token"
    try:
        kept = regular_file.read(path, 100).decode("ascii", "replace").strip()
        if re.fullmatch(r"[\w-]{16,64}", kept, re.ASCII):
            return kept
    except FileNotFoundError:
        pass
    token = secrets.token_urlsafe(12)
    beside = path.with_name("token.new")
    beside.unlink(missing_ok=True)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w") as file:
        file.write(token + "\n")
        file.flush()
        os.fsync(descriptor)
    os.replace(beside, path)
    return token
