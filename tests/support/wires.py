"""A real board's wires that end in simulated chips; also a program that plays on them.

python wires.py CONFIG LAST_FRAME [MOVE …]

plays as `lampion run` does. Hands set the pieces up as the match has them, and make the moves once
the board stands; each ply that stands is printed, and LAST_FRAME holds what the lights were sent
last.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardware import layout as layouts
from hardware.machine import Machine
from hardware.simulated.board import SimulatedBoard


class SimulatedWires:
    """What a RealBackend has for wires here; on a Pi that is a `RaspberryPi`."""

    def __init__(
        self, board: SimulatedBoard, on_change: Callable[[], None], bus: Any = None
    ) -> None:
        board.on_interrupt = on_change
        self._board = board
        self.machine = Machine(
            board.layout,
            bus or board.bus,
            board.strip,
            buttons=board.held,
            open_port=board.open_port,
            brightness=0.5,
        )
        self.closed = False

    @property
    def interrupt(self) -> bool:
        return self._board.interrupt

    def close(self) -> None:
        self.closed = True


class HangingBus:
    """A bus on which every transfer waits while it hangs, and then fails as the kernel says it."""

    def __init__(self, bus: Any) -> None:
        self._bus = bus
        self._free = threading.Event()
        self._free.set()
        self.waiting = threading.Event()
        """A transfer is held up."""

    def hang(self) -> None:
        self._free.clear()

    def go_on(self) -> None:
        self._free.set()

    @property
    def hanging(self) -> bool:
        """Whether a transfer hangs, or would."""
        return not self._free.is_set()

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._bus, name)

        def transfer(*values: Any) -> Any:
            if not self._free.is_set():
                self.waiting.set()
                self._free.wait(20)
                raise OSError(110, "Connection timed out")
            return call(*values)

        return transfer


def set_up(board: SimulatedBoard, game: Any, position: Any) -> None:
    """Lay the pieces of a position onto the board, those that have a place there."""
    places = board.layout.game(game.name).places
    for place, piece in game.pieces(position).items():
        for _ in range(piece.count if place in places else 0):
            board.put(places[place], piece.pole)


def main(config_file: str, last_frame: str, *moves: str) -> None:
    from firmware_host.config import config as configs
    from firmware_host.host import host as loop
    from firmware_host.host import service
    from firmware_host.host.start import Start
    from firmware_host.storage.state_lock import lock

    config = configs.read(Path(config_file))
    board = SimulatedBoard(layouts.load(config.layout))
    transfer = board.strip.transfer

    def kept(data: bytes) -> None:
        transfer(data)
        Path(last_frame).write_bytes(b"".join(map(bytes, board.strip.pixels)))

    board.strip.transfer = kept  # type: ignore[method-assign]

    async def hands(host: Any) -> None:
        set_up(board, host.game, host.position())
        told, todo = 0, list(moves)
        places = host.layout.game(host.game.name).places
        while True:
            plies = host.status().plies
            for ply in plies[told:]:
                print(ply.text, flush=True)
            told = len(plies)
            if todo and not host.controller.session.view.repair.settling:
                await asyncio.sleep(0.5)
                start, end = (places[name] for name in (todo[0][:2], todo[0][2:4]))
                pole = board.lying(start)[-1]
                board.lift(start)
                await asyncio.sleep(0.1)
                board.put(end, pole)
                del todo[0]
            await asyncio.sleep(0.05)

    run = loop.Host.run

    async def run_with_hands(host: loop.Host) -> None:
        moving = asyncio.create_task(hands(host))
        try:
            await run(host)
        finally:
            moving.cancel()

    loop.Host.run = run_with_hands  # type: ignore[method-assign]
    with lock(Path(config.state)):
        asyncio.run(
            service.play(
                config, board.layout, lambda on_change: SimulatedWires(board, on_change), Start()
            )
        )
    names = ("starlette", "uvicorn", "websockets", "firmware_host.web", "smbus2", "gpiozero")
    print("loaded:", *(name for name in names if name in sys.modules), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
