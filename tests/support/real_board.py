"""A real board that stands in this process, with simulated chips at the end of its wires."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_host.controller.controller import BOUNCE_S
from firmware_host.host.host import Host
from firmware_host.host.real import RealBackend
from firmware_host.host.start import Start
from hardware.layout import load
from hardware.simulated.board import SimulatedBoard
from tests.support import wires

SOON = 20.0
"""Seconds that a test waits for what comes at once, on whatever machine."""


class Standing:
    """A real board that stands in this process, with simulated chips at the end of its wires."""

    def __init__(self, state: Path, layout: str, game: str, silent: bool = False) -> None:
        self.board = SimulatedBoard(load(layout))
        for chip in self.board.bus.chips if silent else ():
            self.board.refuse(chip)
        self.bus = wires.HangingBus(self.board.bus)
        self.backend = RealBackend(
            self.board.layout,
            lambda on_change: wires.SimulatedWires(self.board, on_change, self.bus),
        )
        self.host = Host(self.backend, state)
        self.host.open(Start(game, {}, self.board.layout.name))
        self.places = self.board.layout.game(game).places

    def set_up(self) -> None:
        wires.set_up(self.board, self.host.game, self.host.position())

    async def ready(self) -> None:
        """Set up the pieces, until the match can go on."""
        self.set_up()
        await self.until(lambda: self.host.controller.seen and self.host.controller.seen.readings)
        await self.until(lambda: not self.host.controller.session.view.repair.settling)

    async def move(self, start: str, end: str) -> None:
        pole = self.board.lying(self.places[start])[-1]
        self.board.lift(self.places[start])
        await asyncio.sleep(0.1)
        self.board.put(self.places[end], pole)

    async def push(self, button: str) -> None:
        """Press a button, and release it."""
        for act, down in ((self.board.press, True), (self.board.release, False)):
            act(button)
            await self.until(
                lambda down=down: (seen := self.host.controller.seen) and bool(seen.pressed) == down
            )
        await asyncio.sleep(2 * BOUNCE_S)  # else the next press has bounced

    async def see(self) -> None:
        """Take what the watch sees, where no host runs, until that is all that lies there."""
        async with asyncio.timeout(SOON):
            while self.host.controller.seen is None or set(
                self.host.controller.seen.readings
            ) != set(self.board.save()):
                for each in self.backend.frames(0.0, False):
                    self.host.controller.take(each)
                await asyncio.sleep(0.01)

    @property
    def moves(self) -> list[str]:
        return [ply.text for ply in self.host.status().plies]

    async def until(self, so: Callable[[], Any]) -> None:
        async with asyncio.timeout(SOON):
            while not so():
                await asyncio.sleep(0.01)


@pytest.fixture
def stand(tmp_path: Path) -> Callable[..., None]:
    """Tell a story at a real board, in a loop of its own and in real time."""

    def stand(
        story: Callable[[Standing], Awaitable[None]],
        layout: str = "square-reed",
        game: str = "robot-duel",
        silent: bool = False,
    ) -> None:
        async def run() -> None:
            standing = Standing(tmp_path, layout, game, silent)
            with contextlib.closing(standing.host):
                running = asyncio.create_task(standing.host.run())
                try:
                    await story(standing)
                finally:
                    standing.bus.go_on()
                    running.cancel()
                    await asyncio.gather(running, return_exceptions=True)
            assert not any(map(any, standing.board.strip.pixels)), "the lights are dark at the end"

        asyncio.run(run())

    return stand
