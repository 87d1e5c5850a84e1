"""Serves an application on a port.

Everything runs in the event loop of the program, so nothing needs a lock.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from firmware_host.web.application import LOOPBACK
from firmware_host.web.connection_limits import (
    BACKLOG,
    ConnectionLimits,
    HttpConnection,
    LiveConnection,
)
from firmware_host.web.keys import Keys, url
from firmware_host.web.protocol import MAX_BYTES
from firmware_host.web.roles import HOST

ADDRESS_CHECK_S: Final = 5.0
"""The time between two checks whether this computer has another address in the network."""


class ServerError(OSError):
    """The page cannot be served; the message is one line that says why."""


class _Server(uvicorn.Server):
    """Accepts connections through ConnectionLimits, and leaves signals to the program."""

    def __init__(self, config: uvicorn.Config, listening: socket.socket) -> None:
        super().__init__(config)
        self.ended = asyncio.Event()
        self._limits = ConnectionLimits(listening, self._admit)

    def _admit(self, address: str) -> HttpConnection:
        return HttpConnection(address, self.config, self.server_state, self.lifespan.state)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        self._accepting = asyncio.create_task(self._limits.accept())

    async def main_loop(self) -> None:
        """Wait for the end. The library's own loop would wake ten times a second for it."""
        await self.ended.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._accepting.cancel()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve_app(
    create: Callable[[Sequence[str]], ASGIApp],
    port: int,
    keys: Keys | None,
    ready: Callable[[str], None],
    address: str | None = None,
) -> None:
    """Serve an application until cancelled. `create` makes it for the allowed host names. `ready`
    gets the host's link once the server answers, and again when the link changes, for instance
    because the network came up later.

    Without `keys` only this computer can open it, with them everybody in the network who has a link
    with a token. With `address` it is served at that address of this computer alone. ServerError
    says in one line why the port is not available.
    """
    lan = keys is not None
    how = "`page` in the configuration" if address else "--port"
    address = address or ("0.0.0.0" if lan else "127.0.0.1")
    listening = _listen(address, port, how)
    port = listening.getsockname()[1]
    names = [] if address == "0.0.0.0" else [address]
    names += _own_names() if lan else []
    config = uvicorn.Config(
        create([*LOOPBACK, *names]),
        log_config=None,
        log_level=logging.WARNING,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        ws=LiveConnection,
        ws_max_size=16 * MAX_BYTES,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config, listening)
    serving = asyncio.create_task(server.serve())
    try:
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        if keys is None:
            ready(f"http://localhost:{port}/")
            await asyncio.shield(serving)
        else:
            reporting = asyncio.create_task(_report_link(keys, address, port, ready))
            try:
                await asyncio.shield(serving)
            finally:
                reporting.cancel()
    finally:
        server.should_exit = True
        server.ended.set()
        with contextlib.suppress(asyncio.CancelledError):
            await serving
        listening.close()


def _listen(address: str, port: int, how: str) -> socket.socket:
    """Return a socket that listens there; ServerError says why not, and `how` to choose another."""
    if not 0 <= port < 65536:
        raise ServerError(f"port {port}: a port is a number from 1 to 65535")
    try:
        return socket.create_server((address, port), backlog=BACKLOG)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        what = "address" if error.errno == errno.EADDRNOTAVAIL else "port"
        said = f"port {port} on {address}: {why}; choose another {what} with {how}"
        raise ServerError(said) from error


async def _report_link(keys: Keys, address: str, port: int, ready: Callable[[str], None]) -> None:
    """Report the host's link now, and again whenever it changes."""
    reported = ""
    while True:
        link = f"{url(address, port)}?token={keys.token(HOST)}"
        if link != reported:
            reported = link
            ready(link)
        await asyncio.sleep(ADDRESS_CHECK_S)


def _own_names() -> list[str]:
    """Return the addresses and names that this computer has in the network by now. OwnNames also
    allows the address that a request really reached.
    """
    name = socket.gethostname()
    names = [name, f"{name}.local"]
    with contextlib.suppress(OSError):
        names += socket.gethostbyname_ex(name)[2]
    return list(dict.fromkeys(names))
