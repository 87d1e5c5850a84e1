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
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, StatelessLifespan

from firmware_host.twin.door import BACKLOG, Connection, Door, Live
from firmware_host.twin.guard import Guard, Sealed
from firmware_host.twin.protocol import MAX_BYTES

STATIC: Final = Path(__file__).parent / "static"
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


class ServerError(OSError):
    """The page cannot be served; one line says why."""


def guarded(
    routes: Sequence[BaseRoute],
    allowed_hosts: Sequence[str],
    token: str | None,
    lifespan: StatelessLifespan[Starlette] | None = None,
) -> ASGIApp:
    """Return an application of these routes and the static files. `allowed_hosts` are the names by
    which pages may call it, without ports; with a `token` only pages that know it are let in.
    """
    app = Starlette(
        routes=[*routes, Mount("/static", StaticFiles(directory=STATIC))],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=list(allowed_hosts)),
            Middleware(Guard, token=token),
        ],
        lifespan=lifespan,
    )
    return Sealed(app)


class _Server(uvicorn.Server):
    """Lets connections in by our own door, and leaves the signals to the program it runs in."""

    def __init__(self, config: uvicorn.Config, listening: socket.socket) -> None:
        super().__init__(config)
        self.ended = asyncio.Event()
        self._door = Door(listening, self._admit)

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
    token: str | None,
    ready: Callable[[str], None],
    address: str | None = None,
) -> None:
    """Serve until cancelled what is created for the names by which pages may call it; `ready` gets
    its address once it answers.

    Only this computer may open it, or with a `token` everybody in the network who has the address
    with it; at one `address` of this computer, if a configuration gives it. ServerError says in
    one line why the port cannot be had.
    """
    lan = token is not None
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
        shown = names[0] if lan else "localhost"
        ready(f"http://{shown}:{port}/" + (f"?token={token}" if token else ""))
        await asyncio.shield(serving)
    finally:
        server.should_exit = True
        server.ended.set()
        with contextlib.suppress(asyncio.CancelledError):
            await serving
        listening.close()


def _own_names() -> list[str]:
    """Return the addresses and names by which the network may know this computer."""
    names: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks for the way out
        names.append(probe.getsockname()[0])
    name = socket.gethostname()
    with contextlib.suppress(OSError):
        names += socket.gethostbyname_ex(name)[2]
    names += [name, f"{name}.local"]
    return list(dict.fromkeys(names))
