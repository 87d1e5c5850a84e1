"""Boards that play one match, over a wire that can be cut, in a time that passes by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from engine.games import make
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.mqtt.host_link import link_host
from firmware_host.players.kinds import PERSON, PlayerKind
from tests.conftest import Board, SelfPassingTime

DELAY_S = 0.01


class Wire:
    """Carries the latest message of each board to all others, as a broker does."""

    def __init__(self) -> None:
        self.boards: dict[str, Board] = {}
        self.kept: dict[str, bytes] = {}
        self.whole = True

    def join(self, name: str, board: Board) -> None:
        self.boards[name] = board
        link = board.host.opponents.linked
        assert link is not None
        link.connected = True
        link.published = lambda: self.publish(name)
        for sender, message in self.kept.items():
            link.take(sender, message)

    def publish(self, name: str) -> None:
        link = self.boards[name].host.opponents.linked
        assert link is not None
        if self.whole and link.message:
            asyncio.get_running_loop().call_later(DELAY_S, self._carry, name, link.message)

    def _carry(self, name: str, message: bytes) -> None:
        self.kept[name] = message
        for board in self.boards.values():
            assert board.host.opponents.linked is not None
            board.host.opponents.linked.take(name, message)
            board.host.wake()

    def cut(self) -> None:
        self.whole = False
        self._connect(False)

    def mend(self) -> None:
        """Carry again; every board publishes what it has."""
        self.whole = True
        self._connect(True)
        for name in self.boards:
            self.publish(name)

    def _connect(self, connected: bool) -> None:
        for board in self.boards.values():
            assert board.host.opponents.linked is not None
            board.host.opponents.linked.connected = connected


Story = Callable[[dict[str, Board], Wire], Awaitable[None]]


def play_linked(
    folder: Path, story: Story, game: str = "robot-duel", layout: str = "square-reed", **rules: str
) -> None:
    """Tell a story at boards `a`, `b` …, one for each seat; what they leave in the folder is there
    for the next story.
    """

    async def run() -> None:
        loop = asyncio.get_running_loop()
        names = [chr(97 + seat) for seat in range(len(make(game).seats))]
        wire, boards, tasks = Wire(), {}, []
        for seat, name in enumerate(names):
            state = folder / name
            state.mkdir(exist_ok=True)
            host = SimulatedHost(state, clock=loop.time)
            host.open(Start(game, rules, layout))
            link_host(host, name)
            for other, board in enumerate(names):
                host.seating.set_kind(other, PERSON if other == seat else PlayerKind(board=board))
            boards[name] = Board(host)
            wire.join(name, boards[name])
            tasks.append(asyncio.create_task(host.run()))
        await asyncio.sleep(0.5)
        told = asyncio.ensure_future(story(boards, wire))
        await asyncio.wait([told, *tasks], return_when=asyncio.FIRST_COMPLETED)
        for each in tasks:
            if each.done():
                each.result()
            each.cancel()
        told.result()
        for board in boards.values():
            board.host.close()

    with asyncio.Runner(loop_factory=SelfPassingTime) as runner:
        runner.run(run())
