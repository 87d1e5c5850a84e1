"""Serving pages: who may open them, from where, on which port. What is on them is not known here.

Everything runs in the loop of the program that it belongs to, so nothing needs a lock.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import socket
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, StatelessLifespan

from firmware_host.web.auth import Auth, OwnNames, Sealed
from firmware_host.web.connection_limits import BACKLOG, Connection, ConnectionLimits, Live
from firmware_host.web.keys import Keys
from firmware_host.web.protocol import MAX_BYTES
from firmware_host.web.roles import HOST

STATIC: Final = Path(__file__).parent / "static"
LOOK: Final = 5.0
"""Seconds between two looks whether this computer has another address in the network."""
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


class ServerError(OSError):
    """The page cannot be served; one line says why."""


def guarded(
    routes: Sequence[BaseRoute],
    allowed_hosts: Sequence[str],
    keys: Keys | None,
    lifespan: StatelessLifespan[Starlette] | None = None,
    for_all: Collection[str] = (),
) -> ASGIApp:
    """Return an application of these routes and the static files. `allowed_hosts` are the names by
    which pages may call it, without ports; with `keys` only pages that show one of their tokens are
    let in, and only the host to other paths than those `for_all`.
    """
    app = Starlette(
        routes=[*routes, Mount("/static", StaticFiles(directory=STATIC))],
        middleware=[
            Middleware(OwnNames, names=allowed_hosts),
            Middleware(Auth, keys=keys, for_all=for_all),
        ],
        lifespan=lifespan,
    )
    return Sealed(app)


class _Server(uvicorn.Server):
    """Lets connections in by our own door, and leaves the signals to the program it runs in."""

    def __init__(self, config: uvicorn.Config, listening: socket.socket) -> None:
        super().__init__(config)
        self.ended = asyncio.Event()
        self._door = ConnectionLimits(listening, self._admit)

    def _admit(self, address: str) -> Connection:
        return Connection(address, self.config, self.server_state, self.lifespan.state)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        self._keeping = asyncio.create_task(self._door.keep())

    async def main_loop(self) -> None:
        """Wait for the end; the library's own loop would wake ten times a second to look for it."""
        await self.ended.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._keeping.cancel()
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
    """Serve until cancelled what is created for the names by which pages may call it; `ready` gets
    the host's address of it once it answers, and again when that is another one, as where the
    network comes later.

    Only this computer may open it, or with `keys` everybody in the network who has a link with a
    token; at one `address` of this computer, if it is given. ServerError says in one line why the
    port cannot be had.
    """
    lan = keys is not None
    how = "`page` in the configuration" if address else "--port"
    address = address or ("0.0.0.0" if lan else "127.0.0.1")
    if not 0 <= port < 65536:
        raise ServerError(f"port {port}: a port is a number from 1 to 65535")
    try:
        listening = socket.create_server((address, port), backlog=BACKLOG)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        what = "address" if error.errno == errno.EADDRNOTAVAIL else "port"
        said = f"port {port} on {address}: {why}; choose another {what} with {how}"
        raise ServerError(said) from error
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
        ws=Live,
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
            telling = asyncio.create_task(_tell_link(keys, address, port, ready))
            try:
                await asyncio.shield(serving)
            finally:
                telling.cancel()
    finally:
        server.should_exit = True
        server.ended.set()
        with contextlib.suppress(asyncio.CancelledError):
            await serving
        listening.close()


async def _tell_link(keys: Keys, address: str, port: int, ready: Callable[[str], None]) -> None:
    """Tell the host's link now, and again whenever it has become another."""
    told = ""
    while True:
        link = f"{url(address, port)}?token={keys.token(HOST)}"
        if link != told:
            told = link
            ready(link)
        await asyncio.sleep(LOOK)


def url(address: str, port: int) -> str:
    """Return the page's address for other devices of the network, if it is served at that address
    of this computer, 0.0.0.0 for all: by its number in the network now, else by its name.
    """
    if address == "0.0.0.0":
        address = way_out() or f"{socket.gethostname()}.local"
    return f"http://{address}:{port}/"


def way_out() -> str:
    """Return the address of this computer in the network; empty as long as it has none."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks for the way out
        return str(probe.getsockname()[0])
    return ""


def _own_names() -> list[str]:
    """Return the addresses and names by which the network may know this computer, as far as it has
    them by now; the address that is really reached is let in without.
    """
    name = socket.gethostname()
    names = [name, f"{name}.local"]
    with contextlib.suppress(OSError):
        names += socket.gethostbyname_ex(name)[2]
    return list(dict.fromkeys(names))
