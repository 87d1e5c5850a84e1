"""A real board in a thread of its own, simulated chips at the end of its wires, and its page."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

from firmware_host.host.host import Host
from firmware_host.host.real import RealBackend
from firmware_host.host.start import Start
from firmware_host.web.keys import Keys
from firmware_host.web.server import serve
from hardware.layout import load
from hardware.simulated.board import SimulatedBoard
from tests.support import wires


class ServedBoard:
    """A real board in a thread of its own, with simulated chips at the end of its wires."""

    def __init__(self, state: Path, keys: Keys | None = None) -> None:
        self._keys = keys
        self.board = SimulatedBoard(load("square-reed"))
        self.places = self.board.layout.game("robot-duel").places
        self._state = state
        self._up = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=lambda: self._loop.run_until_complete(self._run()))
        self._thread.start()
        assert self._up.wait(20), "the board did not start"

    async def _run(self) -> None:
        backend = RealBackend(
            self.board.layout, lambda on_change: wires.SimulatedWires(self.board, on_change)
        )
        self._host = host = Host(backend, self._state)
        host.open(Start("robot-duel", {}, "square-reed"))
        wires.set_up(self.board, host.game, host.position())

        def ready(url: str) -> None:
            self.url = f"http://localhost:{url.rpartition(':')[2].partition('/')[0]}/"
            self._up.set()

        self._tasks = [
            asyncio.create_task(host.run()),
            asyncio.create_task(serve(host, 0, self._keys, ready)),
        ]
        await asyncio.gather(*self._tasks, return_exceptions=True)
        host.close()

    @property
    def host(self) -> Host:
        """The host of the board."""
        return self._host

    def stop(self) -> None:
        for task in self._tasks:
            self._loop.call_soon_threadsafe(task.cancel)
        self._thread.join(20)
        self._loop.close()

    def set_up(self) -> None:
        """Clear the board, and set up the pieces of the game that is played."""
        for place in (*self.board.layout.cells, *self.board.layout.slots):
            while self.board.lying(place):
                self.board.lift(place)
        wires.set_up(self.board, self._host.game, self._host.position())

    def move(self, start: str, end: str) -> None:
        """Move a piece with a hand, by the game's names of places."""
        pole = self.board.lying(self.places[start])[-1]
        self.board.lift(self.places[start])
        time.sleep(0.1)
        self.board.put(self.places[end], pole)
