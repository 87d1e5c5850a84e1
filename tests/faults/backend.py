"""The ground that games with faults are played on: a board behind faulty wires, and their time."""

from __future__ import annotations

import asyncio
import contextlib
import selectors
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

from engine.match import AnyGame, Match
from firmware_host.controller.polling import Polling
from firmware_host.host.simulated import SimulatedBackend
from hardware.layout import Layout
from hardware.machine import Machine, SensorFrame
from hardware.simulated.board import SimulatedBoard
from tests.faults.wires import FaultyWires


class VirtualClock(asyncio.SelectorEventLoop):
    """An event loop in the time of wires: where it would wait, that time goes by."""

    def __init__(self, backend: FaultyBackend) -> None:
        self._backend = backend
        super().__init__(_Waiting(self._wait))

    def time(self) -> float:
        """Return the time of the wires, in seconds."""
        return self._backend.wires.seconds if hasattr(self._backend, "wires") else 0.0

    def _wait(self, seconds: float) -> None:
        self._backend.wires.seconds += seconds


class _Waiting(selectors.SelectSelector):
    def __init__(self, wait: Callable[[float], None]) -> None:
        super().__init__()
        self._wait = wait

    def select(self, timeout: float | None = None) -> Any:
        found = super().select(0)
        assert found or timeout is not None, "nothing will ever happen"
        if not found and timeout:
            self._wait(timeout)
        return found


class FaultyBackend(SimulatedBackend):
    """A simulated board behind faulty wires."""

    wires: FaultyWires

    def __init__(self, costs: Costs) -> None:
        super().__init__()
        self.costs = costs

    def lay_out(
        self, game: AnyGame, layout: Layout, match: Match, as_it_lies: bool, kept: bool
    ) -> Machine:
        """Build a board, and put the men onto it."""
        self.board = set_up(layout, game, match.position)
        wires = self.wires = FaultyWires(self.board, self._moved)
        machine = Machine(
            layout,
            wires.faulty,
            wires.strip,
            interrupt=wires.line,
            clock=lambda: wires.seconds,
        )
        self._lookout = Polling(machine, lambda: wires.interrupt)
        return machine

    def frames(self, now: float, called: bool) -> Iterator[SensorFrame]:
        """Look at the board, if it is time, and count what that costs."""
        with self.costs.frame():
            frame = self._lookout.look(now, called)
            if frame is None:
                return
            self.costs.frames += 1
            yield frame


def set_up(layout: Layout, game: AnyGame, position: Any) -> SimulatedBoard:
    """Return a board with the men of a position on it, those that have a place there."""
    board, places = SimulatedBoard(layout), layout.game(game.name).places
    for place, piece in game.pieces(position).items():
        for _ in range(piece.count if place in places else 0):
            board.put(places[place], piece.pole)
    return board


class Costs:
    """CPU seconds."""

    def __init__(self, clock: Callable[[], float] = process_time) -> None:
        """To ask for CPU time takes long: another `clock` costs less, and tells less."""
        self._clock = clock
        self.frames = 0
        """Looks at a board."""
        self.longest_frame = 0.0
        """The most that a look took with all that was made of it at once."""
        self.longest_call = 0.0
        """The most that one call of a session took."""
        self.calls = 0

    @contextlib.contextmanager
    def frame(self) -> Iterator[None]:
        """Count a frame."""
        began = self._clock()
        yield
        self.longest_frame = max(self.longest_frame, self._clock() - began)

    def call(self, handle: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return a call that is counted."""

        def counted(event: Any) -> Any:
            began = self._clock()
            try:
                return handle(event)
            finally:
                self.calls += 1
                self.longest_call = max(self.longest_call, self._clock() - began)

        return counted
