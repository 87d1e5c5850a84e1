"""The simulated board in a Web Worker: the same host and the same application as on a laptop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware_host.browser.analysis import StartInBrowser, worker_starter
from firmware_host.browser.exchanges import Exchange, Exchanges, Tell
from firmware_host.console import logs
from firmware_host.host.host import collect_rarely
from firmware_host.host.simulated import SimulatedHost
from firmware_host.web.application import LOOPBACK
from firmware_host.web.server import create_app


class BoardInBrowser:
    """A board that plays on; its methods take plain values of JavaScript."""

    def __init__(self, exchanges: Exchanges, running: asyncio.Future[None]) -> None:
        self._exchanges = exchanges
        self._running = running

    def request(self, method: str, target: str, headers: str, body: Any, tell: Tell) -> Exchange:
        """Ask the application for something; `headers` is a JSON object."""
        return self._exchanges.request(method, target, json.loads(headers), bytes(body), tell)

    def connect(self, target: str, headers: str, tell: Tell) -> Exchange:
        """Open a live connection."""
        return self._exchanges.connect(target, json.loads(headers), tell)


async def begin(state: str, start: StartInBrowser, failed: Callable[[str], None]) -> BoardInBrowser:
    """Resume the last match of the folder `state`, or begin one, and play on from now on.

    `start` starts a worker that searches. `failed` is told why the board has ended by itself.
    """
    logs.begin()
    collect_rarely()
    schedule_late_calls()
    start_analysis = worker_starter(start)
    host = SimulatedHost(Path(state), start_analysis=start_analysis)
    host.open(None, {}, None)
    exchanges = Exchanges(create_app(host, LOOPBACK, start_analysis=start_analysis))
    await exchanges.start()
    running = asyncio.ensure_future(host.run())
    running.add_done_callback(lambda task: failed(repr(task.exception())))
    return BoardInBrowser(exchanges, running)


def schedule_late_calls() -> None:
    """Let a call be scheduled for a time that has just passed: asyncio does so when a timeout is
    over before it begins, but the loop of Pyodide refuses it.
    """
    loop = asyncio.get_running_loop()

    def call_at(when: float, callback: Callable[..., Any], *args: Any, context: Any = None) -> Any:
        delay = max(0.0, when - loop.time())
        return loop.call_later(delay, callback, *args, context=context)

    loop.call_at = call_at  # type: ignore[method-assign, assignment]
