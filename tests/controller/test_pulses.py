"""What a session sees of a place that changed and changed back between two looks."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games import make
from engine.reading.footprints import Sight
from firmware_host.controller.controller import BoardController, header_of, pockets_of
from firmware_host.session.events import Event, Frame
from firmware_host.session.outbox import Note
from firmware_host.session.session import Session
from firmware_host.storage.match_files import MatchFiles
from hardware import layout
from hardware.machine import Machine
from hardware.simulated.board import SimulatedBoard

STOCK = "stock.light.w"


class SeenFrames(Session):
    """Keeps what each frame reads of a stock."""

    def __init__(self, sight: Sight) -> None:
        super().__init__(sight.game, sight)
        self.stock: list[int] = []

    def handle(self, event: Event) -> list[Note]:
        """Take one event."""
        if isinstance(event, Frame):
            self.stock.append(event.readings.get(STOCK, 0))
        return super().handle(event)


@pytest.mark.parametrize("lying", [0, 1, 3])
def test_one_piece_of_a_slot_with_pockets_has_come_or_gone(tmp_path: Path, lying: int) -> None:
    made, game = layout.load("hex-reed"), make("robotory")
    board = SimulatedBoard(made)
    session = SeenFrames(Sight(game, made.sensing, (), pockets_of(game, made)))
    machine = Machine(made, board.bus, board.strip)
    files = MatchFiles(tmp_path)
    files.begin(game, made.name, header_of(game, made, game.start()))
    controller = BoardController(machine, session, files)
    place = made.game("robotory").places[STOCK]
    for _ in range(lying):
        board.put(place)
    controller.look(0.0)
    if lying:
        board.lift(place)
    board.put(place)
    if not lying:
        board.lift(place)
    controller.look(0.1)
    assert session.stock == [lying, lying - 1 if lying else 1, lying]
