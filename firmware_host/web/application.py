"""Makes an application of routes and of the files of its pages, for those who may open them.

It runs under a server (`listener.py`) and without one, in a browser tab.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, StatelessLifespan

from firmware_host.web.auth import Auth, OwnNames, SecurityHeaders
from firmware_host.web.keys import Keys
from firmware_host.web.page_files import PageFiles

STATIC: Final = Path(__file__).parent / "static"
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


def guarded(
    routes: Sequence[BaseRoute],
    files: PageFiles,
    allowed_hosts: Sequence[str],
    keys: Keys | None,
    lifespan: StatelessLifespan[Starlette] | None = None,
    for_all: Collection[str] = (),
) -> ASGIApp:
    """Return an application with these routes and the files of its pages. `allowed_hosts` are the
    host names that requests may carry, without ports. With `keys` a request needs one of their
    tokens, and paths that are not in `for_all` are the host's alone.
    """
    app = Starlette(
        routes=[*routes, Route("/static/{name:path}", files.serve)],
        middleware=[
            Middleware(OwnNames, names=allowed_hosts),
            Middleware(Auth, keys=keys, for_all=for_all),
        ],
        lifespan=lifespan,
    )
    return SecurityHeaders(app)
