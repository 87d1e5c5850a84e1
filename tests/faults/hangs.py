"""A bus that hangs under the program as it runs on a real board: the thread that looks, the loop,
the server, a page that asks, and hands that play on; all in real time.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from engine.games import make
from firmware_host.host.host import Host
from firmware_host.host.real import RealBackend
from firmware_host.web.server import serve
from hardware import layout as layouts
from hardware.interrupt import InterruptLine
from hardware.machine import Machine
from hardware.simulated.board import SimulatedBoard
from tests.faults.backend import Costs, set_up
from tests.faults.gaps import PlaysOn, nothing_else
from tests.faults.play import FaultyTable, through

ASKS: Final = 0.05
"""Seconds between two questions of the page."""
REST: Final = 8.0


class HangingBus:
    """A bus of which a transfer may hang, and then fails as the kernel says it."""

    def __init__(self, bus: Any) -> None:
        self._bus = bus
        self._for = 0.0
        self._over = threading.Event()
        self.hung = 0
        """How many transfers have hung."""

    def hang(self, seconds: float) -> None:
        """Let the next transfer take so long."""
        self._for = seconds

    def go_on(self) -> None:
        """Let nothing hang any more."""
        self._over.set()

    @property
    def hanging(self) -> bool:
        """Whether a transfer hangs, or will."""
        return self._for > 0.0

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._bus, name)

        def transfer(*values: Any) -> Any:
            if self._for:
                self._over.wait(self._for)
                self._for = 0.0
                self.hung += 1
                raise OSError(110, "Connection timed out")
            return call(*values)

        return transfer


class HangingWires:
    """What `RaspberryPi` is on a Pi, for a RealGround."""

    def __init__(self, board: SimulatedBoard, bus: HangingBus, called: Callable[[], None]) -> None:
        self._board = board
        line = InterruptLine(lambda: board.interrupt)

        def fell() -> None:
            line.fell()
            called()

        board.on_interrupt = fell
        self.machine = Machine(board.layout, bus, board.strip, interrupt=line)  # type: ignore[arg-type]

    @property
    def interrupt(self) -> bool:
        """Whether the interrupt line is low."""
        return self._board.interrupt

    def close(self) -> None:
        """There is nothing to give back."""


class FakePage(threading.Thread):
    """Asks for the state of the board, again and again, and notes how long each answer took."""

    def __init__(self, port: int, hanging: Callable[[], bool]) -> None:
        super().__init__(daemon=True)
        self._port, self._hanging = port, hanging
        self._ended = threading.Event()
        self.answers: list[tuple[float, bool]] = []
        """Seconds, and whether the bus hung."""
        self.error = ""

    def run(self) -> None:
        """Ask until told to stop."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        try:
            while not self._ended.wait(ASKS):
                began, hanging = time.perf_counter(), self._hanging()
                line.request("GET", "/api/state", headers={"Host": "localhost"})
                line.getresponse().read()
                self.answers.append((time.perf_counter() - began, hanging))
        except Exception as error:
            self.error = f"{type(error).__name__}: {error}"
        finally:
            line.close()

    def stop(self) -> None:
        """Ask no more."""
        self._ended.set()
        self.join(20)


def play(
    game: str, layout: str, seed: object, hangs: Sequence[float], plies: int = 1000
) -> tuple[FaultyTable, FakePage, int]:
    """Let hands play on while the bus hangs for each of these seconds in turn; return what came
    of the game, what a page was answered meanwhile, and how often the bus has hung. The game is
    over after `plies` plies at most.
    """

    async def story(state: Path) -> tuple[FaultyTable, FakePage, int]:
        rng, made = Random(f"{game} {layout} {seed}"), make(game)
        board = set_up(layouts.load(layout), made, made.start())
        bus = HangingBus(board.bus)
        backend = RealBackend(board.layout, lambda called: HangingWires(board, bus, called))
        host = Host(backend, state)
        with contextlib.closing(host):
            table = PlaysOn(hangs, host, game, layout, Costs(time.perf_counter), rng, plies)
            table.board, table.hang = board, bus.hang
            address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            serving = asyncio.create_task(serve(host, 0, ready=address.set_result))
            port = int((await address).rsplit(":", 1)[1].rstrip("/"))
            page = FakePage(port, lambda: bus.hanging)
            page.start()
            try:
                await through(table, nothing_else(table, rng), REST)
            finally:
                bus.go_on()
                page.stop()
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)
            return table, page, bus.hung

    with TemporaryDirectory() as state:
        return asyncio.run(story(Path(state)))
