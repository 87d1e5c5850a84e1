"""The board and its states as server-sent events, for readers that need no WebSocket.

Each event is what a page that watches gets. A reader gets the newest state, never a queue: the next
one is made when the one before has been taken.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import msgspec

from firmware_host.web import view
from firmware_host.web.host_api import HostApi
from firmware_host.web.roles import WATCHER

RETRY_MS: Final = 2000
"""A reader connects again this long after the stream has ended."""
HEARTBEAT_S: Final = 4.0
"""A stream is never silent for longer, so that both ends notice when the other one is gone."""
EVERY_S: Final = 1 / 30
"""The least time between two states."""


async def event_stream(
    host: HostApi, language: str, may_read: Callable[[], bool]
) -> AsyncIterator[bytes]:
    """Yield events as long as the reader may read."""
    yield f"retry: {RETRY_MS}\n\n".encode()
    seen, pieces, sent = 0, None, None
    while may_read():
        status = host.status()
        if host.pieces is not pieces:
            pieces, sent = host.pieces, None
            board = view.board(host, language, WATCHER)
            del board["strings"]  # the sentences of the page's own files
            yield _event("board", board)
        current = status.rev, pieces.rev, pieces.broken(), pieces.moving
        if current != sent:
            sent = current
            yield _event("state", view.state(host, language, role=WATCHER))
            await asyncio.sleep(EVERY_S)
        try:
            async with asyncio.timeout(HEARTBEAT_S):
                seen = await host.wait_change(seen)
        except TimeoutError:
            yield b":\n\n"


def _event(name: str, what: dict[str, Any]) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(what))
