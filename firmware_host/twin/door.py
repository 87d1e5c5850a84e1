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

from firmware_host.twin.guard import HEADERS

MOST: Final = 64
"""Connections at a time, pages and requests together …"""
MOST_OF_ONE: Final = 24
"""… and those from one address: a page holds one for good, and up to six while it loads."""
PATIENCE: Final = 5.0
"""Seconds in which a connection has to ask for something, from its beginning or its last answer."""
ANSWER: Final = 60.0
"""Seconds in which an answer must have been taken."""
UNREAD: Final = 20_000
"""Milliseconds after which the kernel cuts a connection whose other end takes no data."""
SEND_BUFFER: Final = 64 * 1024
"""Bytes that wait in the kernel for such an end; as many wait in the program."""
AT_ONCE: Final = 4
"""Connections that are let in before those inside are looked at again."""
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
        self._timer: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        """Whether it is open and asks for nothing."""
        return (
            self.transport is not None
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
        self._allow(PATIENCE)
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


class Door:
    """Lets connections in from a listening socket, as many as there is room for."""

    def __init__(self, listening: socket.socket, admit: Callable[[str], Connection]) -> None:
        """`admit` makes what speaks with a connection from an address."""
        self._listening = listening
        self._admit = admit
        self._inside: dict[socket.socket, Connection] = {}
        self._coming: set[asyncio.Task[None]] = set()
        self._retry: asyncio.TimerHandle | None = None
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._most = min(MOST, files // 2)  # the match needs some, too

    def open(self) -> None:
        """Let connections in from now on."""
        self._listening.setblocking(False)
        asyncio.get_running_loop().add_reader(self._listening, self._accept)

    def close(self) -> None:
        """Let nobody in any more; who is inside stays."""
        asyncio.get_running_loop().remove_reader(self._listening)
        if self._retry is not None:
            self._retry.cancel()
        for each in self._coming:
            each.cancel()

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                come, (address, _port) = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:  # no file descriptor, no memory: it would be so at once again
                log.warning("no connection can be let in now: %s", error.strerror)
                loop = asyncio.get_running_loop()
                loop.remove_reader(self._listening)
                self._retry = loop.call_later(RETRY, self.open)
                return
            if self._room_for(address):
                self._let_in(come, address)
            else:
                log.warning("too many connections; one more from %s was turned away", address)
                come.close()

    def _room_for(self, address: str) -> bool:
        """Whether one more may come from there; who waits longest without a request makes room."""
        self._inside = {each: who for each, who in self._inside.items() if each.fileno() >= 0}
        same = [who for who in self._inside.values() if who.address == address]
        if len(same) >= MOST_OF_ONE:
            crowd = same
        elif len(self._inside) >= self._most:
            crowd = list(self._inside.values())
        else:
            return True
        for who in crowd:
            if who.waits and not who.transport.is_closing():
                who.transport.abort()
                return True
        return False

    def _let_in(self, come: socket.socket, address: str) -> None:
        connection = self._inside[come] = self._admit(address)

        async def enter() -> None:
            try:
                come.setblocking(False)
                come.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
                come.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD)
                loop = asyncio.get_running_loop()
                await loop.connect_accepted_socket(lambda: connection, come)
            except OSError:  # it is gone already
                come.close()

        task = asyncio.create_task(enter())
        self._coming.add(task)
        task.add_done_callback(self._coming.discard)
