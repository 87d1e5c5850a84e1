"""Passes requests and live connections of a page to the application, without a server.

The script of the page sends plain values (`tools/site/play_page/page.js`). Here they become the
events of ASGI that a server would make of them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import unquote, urlsplit

import msgspec
from starlette.types import ASGIApp

Tell: TypeAlias = Callable[[str, str | bytes], object]
"""Gets the kind of each event of an exchange, with its content.

`start` has the status and the headers of an answer as JSON, `chunk` is a part of its body, `end`
ends it. `open` says that a connection can be used, `message` is one of its messages, and `closed`
ends it with code and reason as JSON.
"""
NAME: Final = "localhost"
"""The host name that requests carry: a tab has none."""

log = logging.getLogger(__name__)


class Exchange:
    """One request with its answer, or one live connection."""

    def __init__(self, app: ASGIApp, scope: dict[str, Any], first: dict[str, Any], tell: Tell):
        """`first` is the first event that the application receives."""
        self._tell = tell
        self._received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._received.put_nowait(first)
        self._live = scope["type"] == "websocket"
        self._ended = False
        self._task = asyncio.ensure_future(self._run(app, scope))

    def take(self, text: str) -> None:
        """Pass on a message of the page."""
        self._received.put_nowait({"type": "websocket.receive", "text": text})

    def leave(self) -> None:
        """Tell the application that the page has gone, or wants no more of the answer."""
        self._ended = True
        kind = "websocket.disconnect" if self._live else "http.disconnect"
        self._received.put_nowait({"type": kind, "code": 1001})

    async def ended(self) -> None:
        """Wait until the application is done with it."""
        await self._task

    async def _run(self, app: ASGIApp, scope: dict[str, Any]) -> None:
        try:
            await app(scope, self._received.get, self._send)
        except Exception:
            log.exception("a request of the page failed")
        self._end(1011, "")

    async def _send(self, event: Any) -> None:
        if self._ended:
            return
        match event["type"]:
            case "http.response.start":
                self._tell("start", _json([event["status"], _headers(event)]))
            case "http.response.body":
                if event.get("body"):
                    self._tell("chunk", bytes(event["body"]))
                if not event.get("more_body"):
                    self._end(0, "")
            case "websocket.accept":
                self._tell("open", "")
            case "websocket.send":
                text = event.get("text")
                self._tell("message", bytes(event["bytes"]) if text is None else text)
            case "websocket.close":
                self._end(event.get("code", 1000), event.get("reason") or "")

    def _end(self, code: int, reason: str) -> None:
        if not self._ended:
            self._ended = True
            self._tell("closed" if self._live else "end", _json([code, reason]))


class Exchanges:
    """The exchanges of a page with an application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._ending = asyncio.Event()

    async def start(self) -> None:
        """Let the application begin its own work."""
        started = asyncio.Event()
        first = iter([{"type": "lifespan.startup"}])

        async def receive() -> Any:
            if (event := next(first, None)) is not None:
                return event
            await self._ending.wait()
            return {"type": "lifespan.shutdown"}

        async def send(_: Any) -> None:
            started.set()

        scope = {"type": "lifespan", "asgi": {"version": "3.0"}}
        self._life = asyncio.ensure_future(self._app(scope, receive, send))
        await started.wait()

    async def close(self) -> None:
        """Let the application end its own work."""
        self._ending.set()
        await self._life

    def request(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes, tell: Tell
    ) -> Exchange:
        """Ask for `target`, a path with its query."""
        scope = {"type": "http", "method": method, "scheme": "http"} | _scope(target, headers)
        event = {"type": "http.request", "body": body, "more_body": False}
        return Exchange(self._app, scope, event, tell)

    def connect(self, target: str, headers: Mapping[str, str], tell: Tell) -> Exchange:
        """Open a live connection."""
        scope = {"type": "websocket", "scheme": "ws", "subprotocols": []} | _scope(target, headers)
        return Exchange(self._app, scope, {"type": "websocket.connect"}, tell)


def _scope(target: str, headers: Mapping[str, str]) -> dict[str, Any]:
    address = urlsplit(target)
    named = {"host": NAME} | {name.lower(): value for name, value in headers.items()}
    return {
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "path": unquote(address.path),
        "raw_path": address.path.encode(),
        "root_path": "",
        "query_string": address.query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in named.items()],
        "client": None,
        "server": (NAME, None),
        "extensions": {"websocket.http.response": {}},
    }


def _headers(event: Any) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in event["headers"]]


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
