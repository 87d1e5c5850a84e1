"""Limits on connections: how many are accepted, and how long one may stay idle.

The server's own listener would accept until the program has no file descriptor left for its match.
Here an idle connection has to make room for a new one, and is closed after a few seconds anyway. A
connection that does not read its answer is cut by the kernel.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
from collections.abc import Callable
from typing import Any, Final

from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame

from firmware_host.web.auth import HEADERS

MOST: Final = 64
"""Connections at a time, pages and requests together …"""
MOST_OF_ONE: Final = 24
"""… and from one address: a page keeps one, and opens up to six while it loads."""
IDLE_S: Final = 5.0
"""The time in which a connection has to send a request, from its start or its last answer."""
ANSWER_S: Final = 120.0
"""The time in which an answer must have been read."""
LASTING: Final = frozenset({"/api/events"})
"""The paths whose answers go on as long as somebody reads them."""
UNREAD_MS: Final = 20_000
"""The time after which the kernel cuts a connection whose other end reads nothing."""
SEND_BUFFER_BYTES: Final = 64 * 1024
"""The data that waits in the kernel for such an end; as much waits in the program."""
MOST_PARTS: Final = 64
"""The parts of one message. A part may be empty, so the size of the message does not limit them."""
GRACE_S: Final = 0.05
"""The time that a connection has in any case, even if others need its place."""
BACKLOG: Final = 512
"""Connections that wait in the kernel while others make room: for a second at most."""
RETRY_S: Final = 1.0
"""The time to wait when the system has no room for another connection."""

log = logging.getLogger(__name__)


class HttpConnection(H11Protocol):
    """One HTTP connection, until it becomes a page's WebSocket."""

    def __init__(self, address: str, config: Config, state: ServerState, app: dict[str, Any]):
        super().__init__(config, state, app)
        self.address = address
        self.live = False
        """Whether it has become the WebSocket of a page."""
        self.idle_since = self.loop.time()
        """When it became idle, if it is."""
        self._timer: asyncio.TimerHandle | None = None

    @property
    def idle(self) -> bool:
        """Whether it is open and has no request."""
        return (
            self.transport is not None
            and not self.transport.is_closing()
            and not self.transport.get_write_buffer_size()
            and not self.live
            and (self.cycle is None or self.cycle.response_complete)
        )

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time for the first request."""
        super().connection_made(transport)
        self._allow(IDLE_S)

    def handle_events(self) -> None:
        """Handle input; a request starts the time for its answer."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before and not self.idle:
            self._allow(None if self.scope["path"] in LASTING else ANSWER_S)

    def on_response_complete(self) -> None:
        """Start the time for the next request."""
        self.idle_since = self.loop.time()
        self._allow(ANSWER_S if self.transport.get_write_buffer_size() else IDLE_S)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Become a page's WebSocket, which may be idle."""
        self._allow(None)
        self.live = True
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP. The headers are added here: SecurityHeaders never sees this."""
        if self.idle:
            headers = "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items())
            self.transport.write(
                "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
                f"Content-Length: {len(msg)}\r\nConnection: close\r\n{headers}\r\n{msg}".encode()
            )
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._allow(None)
        super().connection_lost(exc)

    def _allow(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        abort = self.transport.abort
        self._timer = None if seconds is None else self.loop.call_later(seconds, abort)


class LiveConnection(WebSocketsSansIOProtocol):
    """The WebSocket of a page."""

    async def send(self, message: Any) -> None:
        """Send; ClientDisconnected if the library has closed the connection meanwhile."""
        await self.writable.wait()
        if self.close_sent:
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # else the library logs an error of the program

    def handle_ping(self) -> None:
        """Answer, unless the other end does not read: the answers would fill the memory."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_cont(self, event: Frame) -> None:
        """Handle another part of a message."""
        super().handle_cont(event)
        if len(self.frames) > MOST_PARTS:
            self.transport.abort()


class ConnectionLimits:
    """Accepts connections from a listening socket, as many as there is room for."""

    def __init__(self, listening: socket.socket, admit: Callable[[str], HttpConnection]) -> None:
        """`admit` makes the protocol of a connection from an address."""
        self._listening = listening
        self._admit = admit
        self._inside: dict[socket.socket, HttpConnection] = {}
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._most = min(MOST, files // 2)  # the match needs some as well

    async def accept(self) -> None:
        """Accept connections, one after the other, until cancelled; accepted ones stay."""
        self._listening.setblocking(False)
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, (address, _) = await loop.sock_accept(self._listening)
            except ConnectionAbortedError:
                continue
            except OSError as error:  # no file descriptor or memory: a retry would fail at once
                log.warning("no connection can be let in now: %s", error.strerror)
                await asyncio.sleep(RETRY_S)
                continue
            try:
                await self._let_in(accepted, address)
            except OSError:  # it is gone already
                accepted.close()
            except asyncio.CancelledError:
                accepted.close()
                raise

    async def _let_in(self, accepted: socket.socket, address: str) -> None:
        if not await self._room_for(address):
            log.warning("too many connections; one more from %s was turned away", address)
            accepted.close()
            return
        connection = self._inside[accepted] = self._admit(address)
        accepted.setblocking(False)
        accepted.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
        # Else the kernel holds the second part of an answer until the first is acknowledged.
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, accepted)

    async def _room_for(self, address: str) -> bool:
        """Make room for another connection from an address, and return whether there is any. The
        connection that has been idle longest is closed, after its grace time.
        """
        while True:
            inside = self._inside = {
                each: connection for each, connection in self._inside.items() if each.fileno() >= 0
            }
            crowd = [each for each in inside.values() if each.address == address]
            if len(crowd) < MOST_OF_ONE:
                if len(inside) < self._most:
                    return True
                crowd = list(inside.values())
            idle = [each for each in crowd if each.idle]
            if not idle:
                return False
            longest = min(idle, key=lambda each: each.idle_since)
            left = longest.idle_since + GRACE_S - asyncio.get_running_loop().time()
            if left <= 0:
                longest.transport.abort()
            await asyncio.sleep(max(0.0, left))
