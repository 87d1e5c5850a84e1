"""The board as a Web Worker begins it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware_host.browser.board import begin
from tests.support.stories import asynchronous

MISSING = ("uvicorn", "websockets", "h11", "click", "resource")
"""What Python in a browser does not have."""


def test_it_needs_nothing_that_a_browser_lacks() -> None:
    program = (
        f"import sys; sys.modules.update(dict.fromkeys({MISSING})); "
        "import firmware_host.browser.analysis, firmware_host.browser.board"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@asynchronous
async def test_it_plays_on_and_says_why_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []
    told: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()

    def tell(kind: str, content: str | bytes) -> None:
        told.put_nowait((kind, content))

    board = await begin(str(tmp_path), lambda received, failed: None, ended.append)  # type: ignore[arg-type, return-value]
    try:
        board.request("GET", "/api/state", '{"accept-language": "cs"}', b"", tell)
        async with asyncio.timeout(20):
            events = [await told.get() for _ in range(3)]
        assert [kind for kind, _ in events] == ["start", "chunk", "end"]
        page = board.connect("/ws", "{}", tell)
        async with asyncio.timeout(20):
            assert await told.get() == ("open", "")
        page.leave()
        await page.ended()
        monkeypatch.setattr(board.host, "now", lambda: 1 / 0)
        board.host.pieces.release("nobody")
        board.host.seating.rename(0, "Ania")  # wakes it
        async with asyncio.timeout(20):
            while not ended:
                await asyncio.sleep(0)
        assert "division by zero" in ended[0]
    finally:
        await board.close()
