"""The door of the server: how many connections come in, and for how long they may keep waiting.

The server's own listener would accept until the program has no file descriptor left for its match.
Here a connection that asks for nothing has to make room for one that comes, and goes by itself
after a few seconds; one that does not read what it asked for is cut by the kernel.
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
"""… and those from one address: a page holds one for good, and up to six while it loads."""
PATIENCE: Final = 5.0
"""Seconds in which a connection has to ask for something, from its beginning or its last answer."""
ANSWER: Final = 120.0
"""Seconds in which an answer must have been taken."""
UNREAD: Final = 20_000
"""Milliseconds after which the kernel cuts a connection whose other end takes no data."""
SEND_BUFFER: Final = 64 * 1024
"""Bytes that wait in the kernel for such an end; as many wait in the program."""
MOST_PARTS: Final = 64
"""Parts that a message comes in at most; a part may be empty, so its size bounds none."""
GRACE: Final = 0.05
"""Seconds that it has in any case, also when others want its place."""
BACKLOG: Final = 512
"""Connections that wait outside while others make room: for a second at most."""
RETRY: Final = 1.0
"""Seconds until the door opens again when the system has no room."""

log = logging.getLogger(__name__)


class Connection(H11Protocol):
    """One connection that speaks HTTP, until it becomes a page's live one."""

    def __init__(self, address: str, config: Config, state: ServerState, app: dict[str, Any]):
        super().__init__(config, state, app)
        self.address = address
        self.live = False
        """Whether it has become the live connection of a page."""
        self.since = self.loop.time()
        """Since when it asks for nothing, if it does."""
        self._timer: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        """Whether it is open and asks for nothing."""
        return (
            self.transport is not None
            and not self.transport.is_closing()
            and not self.transport.get_write_buffer_size()
            and not self.live
            and (self.cycle is None or self.cycle.response_complete)
        )

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin; the first request is due soon."""
        super().connection_made(transport)
        self._allow(PATIENCE)

    def handle_events(self) -> None:
        """Take what came in; a request gets its time."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before and not self.waits:
            self._allow(ANSWER)

    def on_response_complete(self) -> None:
        """Wait for the next request, not for long."""
        self.since = self.loop.time()
        self._allow(ANSWER if self.transport.get_write_buffer_size() else PATIENCE)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Become a page's live connection, which may be silent."""
        self._allow(None)
        self.live = True
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP; it never comes to where answers get their headers."""
        if self.waits:
            headers = "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items())
            self.transport.write(
                "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
                f"Content-Length: {len(msg)}\r\nConnection: close\r\n{headers}\r\n{msg}".encode()
            )
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._allow(None)
        super().connection_lost(exc)

    def _allow(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        late = self.transport.abort
        self._timer = None if seconds is None else self.loop.call_later(seconds, late)


class Live(WebSocketsSansIOProtocol):
    """The live connection of a page."""

    async def send(self, message: Any) -> None:
        """Send; ClientDisconnected if the library has closed the connection meanwhile."""
        await self.writable.wait()
        if self.close_sent:
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # else the library logs a fault of the program

    def handle_ping(self) -> None:
        """Answer, unless the other end reads no answers: they would fill the memory."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_cont(self, event: Frame) -> None:
        """Take another part of a message."""
        super().handle_cont(event)
        if len(self.frames) > MOST_PARTS:
            self.transport.abort()


class ConnectionLimits:
    """Lets connections in from a listening socket, as many as there is room for."""

    def __init__(self, listening: socket.socket, admit: Callable[[str], Connection]) -> None:
        """`admit` makes what speaks with a connection from an address."""
        self._listening = listening
        self._admit = admit
        self._inside: dict[socket.socket, Connection] = {}
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._most = min(MOST, files // 2)  # the match needs some, too

    async def keep(self) -> None:
        """Let connections in, one after the other, until cancelled; who is inside stays."""
        self._listening.setblocking(False)
        while True:
            try:
                come, (address, _) = await asyncio.get_running_loop().sock_accept(self._listening)
            except ConnectionAbortedError:
                continue
            except OSError as error:  # no file descriptor, no memory: it would be so at once again
                log.warning("no connection can be let in now: %s", error.strerror)
                await asyncio.sleep(RETRY)
                continue
            try:
                await self._let_in(come, address)
            except OSError:  # it is gone already
                come.close()
            except asyncio.CancelledError:
                come.close()
                raise

    async def _let_in(self, come: socket.socket, address: str) -> None:
        if not await self._room_for(address):
            log.warning("too many connections; one more from %s was turned away", address)
            come.close()
            return
        connection = self._inside[come] = self._admit(address)
        come.setblocking(False)
        come.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        come.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD)
        await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, come)

    async def _room_for(self, address: str) -> bool:
        """Make room for one more from there, and return whether there is: who waits longest
        without a request goes, but not at once.
        """
        while True:
            inside = self._inside = {s: who for s, who in self._inside.items() if s.fileno() >= 0}
            crowd = [who for who in inside.values() if who.address == address]
            if len(crowd) < MOST_OF_ONE:
                if len(inside) < self._most:
                    return True
                crowd = list(inside.values())
            waiting = [who for who in crowd if who.waits]
            if not waiting:
                return False
            longest = min(waiting, key=lambda who: who.since)
            left = longest.since + GRACE - asyncio.get_running_loop().time()
            if left <= 0:
                longest.transport.abort()
            await asyncio.sleep(max(0.0, left))
