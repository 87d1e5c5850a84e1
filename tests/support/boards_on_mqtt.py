"""Two simulated boards that play one match over a broker, in real time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from engine.games import make
from firmware_host.config.config import MqttTable
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.mqtt.broker import BrokerClient
from firmware_host.players.kinds import PlayerKind
from tests.conftest import Board

SOON_S = 30.0
"""Seconds that a test waits for what comes at once, on whatever machine."""


class BoardOnMqtt(Board):
    """A simulated board on a broker."""

    def __init__(
        self, state: Path, settings: MqttTable, kinds: dict[str, str], **opened: Any
    ) -> None:
        players = {seat: PlayerKind(board=name) for seat, name in kinds.items()}
        super().__init__(SimulatedHost(state, player_kinds=players))
        self.host.open(Start(**{"game": "robot-duel", "layout": "square-hall", **opened}))
        self.client = BrokerClient(self.host, settings, "en")

    async def run(self) -> None:
        await asyncio.gather(self.host.run(), self.client.run())

    async def until(self, so: Callable[[], Any]) -> None:
        """Wait until something is so."""
        async with asyncio.timeout(SOON_S):
            while not so():
                await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def at_a_broker(*boards: BoardOnMqtt) -> AsyncIterator[None]:
    """Run boards; what goes wrong in them is raised."""
    running = [asyncio.create_task(each.run()) for each in boards]
    try:
        for each in boards:
            await each.until(lambda each=each: each.host.opponents.linked.connected)
        yield
    finally:
        for task in running:
            if task.done():
                task.result()
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for each in boards:
            each.host.close()


def two_boards(folder: Path, port: int, **opened: Any) -> tuple[BoardOnMqtt, BoardOnMqtt]:
    """Return the boards `attic`, with the first seat, and `kitchen`, with the second."""
    boards = []
    first, second = make(opened.get("game", "robot-duel")).seats
    for name, other in (("attic", {second: "kitchen"}), ("kitchen", {first: "attic"})):
        state = folder / name
        state.mkdir(exist_ok=True)
        settings = MqttTable(address=f"127.0.0.1:{port}", name=name)
        boards.append(BoardOnMqtt(state, settings, other, **opened))
    return boards[0], boards[1]


async def play_at_both(boards: tuple[BoardOnMqtt, BoardOnMqtt], number: int, text: str) -> None:
    """Make move `number`, from 0, at the board of its seat, and at the other as soon as it is lit
    there.
    """
    mover, other = boards if number % 2 == 0 else boards[::-1]
    await mover.until(lambda: len(mover.moves) == number)
    await mover.play(text, rest=0.1)
    await mover.until(lambda: mover.moves[-1:] == [text])
    await other.until(lambda: other.host.status().request == text)
    await other.play(text, rest=0.1)
    await other.until(lambda: other.moves[-1:] == [text])
