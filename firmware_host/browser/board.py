"""The simulated board in a Web Worker: the same host and the same application as on a laptop."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware_host.browser.analysis import StartInBrowser, worker_starter
from firmware_host.browser.exchanges import Exchange, Exchanges, Tell
from firmware_host.console import logs
from firmware_host.host.process import collect_rarely
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.web.application import LOOPBACK
from firmware_host.web.server import create_app

log = logging.getLogger(__name__)


class BoardInBrowser:
    """A board that plays on; its methods take plain values of JavaScript."""

    def __init__(
        self, host: SimulatedHost, exchanges: Exchanges, failed: Callable[[str], object]
    ) -> None:
        """`failed` is told why the board has ended by itself."""
        self.host = host
        self._exchanges = exchanges
        self._failed = failed
        self._running = asyncio.ensure_future(self._run())

    def request(self, method: str, target: str, headers: str, body: Any, tell: Tell) -> Exchange:
        """Ask the application for something; `headers` is a JSON object."""
        return self._exchanges.request(method, target, json.loads(headers), bytes(body), tell)

    def connect(self, target: str, headers: str, tell: Tell) -> Exchange:
        """Open a live connection."""
        return self._exchanges.connect(target, json.loads(headers), tell)

    async def close(self) -> None:
        """End the board; the match may be resumed."""
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        await self._exchanges.close()
        self.host.close()

    async def _run(self) -> None:
        try:
            await self.host.run()
        except Exception as error:
            log.exception("the board has ended")
            self._failed(repr(error))


async def begin(
    state: str, start: StartInBrowser, failed: Callable[[str], object]
) -> BoardInBrowser:
    """Resume the last match of the folder `state`, or begin one, and play on from now on.

    `start` starts a worker that searches.
    """
    logs.begin()
    collect_rarely()
    schedule_late_calls()
    host = SimulatedHost(Path(state), start_analysis=worker_starter(start))
    host.open(Start())
    exchanges = Exchanges(create_app(host, LOOPBACK))
    await exchanges.start()
    return BoardInBrowser(host, exchanges, failed)


def schedule_late_calls() -> None:
    """Let a call be scheduled for a time that has just passed: asyncio does so when a timeout is
    over before it begins, but the loop of Pyodide refuses it.
    """
    loop = asyncio.get_running_loop()
    call_later = loop.call_later

    def call_soon_or_later(delay: float, *args: Any, **more: Any) -> asyncio.TimerHandle:
        return call_later(max(0.0, delay), *args, **more)

    loop.call_later = call_soon_or_later  # type: ignore[method-assign, assignment]
