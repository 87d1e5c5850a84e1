"""A simulated board with a machine that reads and lights it, in a time that a test sets."""

from __future__ import annotations

from typing import Any

from hardware import layout
from hardware.layout import Layout
from hardware.lighting import Colour
from hardware.machine import Machine, SensorFrame
from hardware.simulated.board import SimulatedBoard


class Bench:
    """A board, its machine, and the time."""

    def __init__(self, board: SimulatedBoard | str, bus: Any = None, **settings: Any) -> None:
        self.board = SimulatedBoard(layout.load(board)) if isinstance(board, str) else board
        self.now = 0.0
        self.machine = Machine(
            self.board.layout,
            bus or self.board.bus,
            self.board.strip,
            buttons=self.board.held,
            clock=lambda: self.now,
            **settings,
        )

    @property
    def layout(self) -> Layout:
        return self.board.layout

    def read(self, later: float = 0.02) -> SensorFrame:
        self.now += later
        return self.machine.read(self.now)

    def light(self, colours: dict[str, Colour], later: float = 0.02) -> bool:
        self.now += later
        return self.machine.light(colours, self.now)
