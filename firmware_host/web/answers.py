"""Answers to requests: JSON, and chunks that are made while the page reads them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import msgspec
from starlette.responses import Response


def json_answer(data: object, status: int = 200) -> Response:
    """Return data as JSON."""
    return Response(msgspec.json.encode(data), status, media_type="application/json")


async def in_thread(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield chunks that are made one by one in a thread of the event loop, so that the board is not
    held up.

    The library would start threads of its own for a plain iterator; a browser tab has none.
    """
    while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
        yield chunk
