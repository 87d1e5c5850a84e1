"""What the controller does with each of the many steps of a search."""

from __future__ import annotations

from pathlib import Path

from engine.games import make
from engine.reading.footprints import Sight
from firmware_host.controller.controller import BoardController, header_of
from firmware_host.session.events import Tick
from firmware_host.session.session import Session
from firmware_host.session.view import SessionView
from firmware_host.storage.match_files import MatchFiles
from hardware import layout
from hardware.machine import Machine
from hardware.simulated.board import SimulatedBoard


class CountedViews(Session):
    """Counts how often somebody looks at it."""

    looks = 0

    @property
    def view(self) -> SessionView:
        """What the session shows."""
        self.looks += 1
        return super().view


def test_no_step_of_a_search_makes_a_view_if_no_clock_runs(tmp_path: Path) -> None:
    made, game = layout.load("square-reed"), make("robot-duel")
    board = SimulatedBoard(made)
    session, files = CountedViews(game, Sight(game)), MatchFiles(tmp_path)
    files.begin(game, made.name, header_of(game, made, game.start()))
    controller = BoardController(Machine(made, board.bus, board.strip), session, files)
    places = made.game(game.name).places
    for place in Sight(game).readings(game.start()):
        board.put(places[place])
    controller.look(0.0)
    board.lift(places["B3"])
    controller.look(1.0)
    steps = 0
    while (due := session.deadline) is not None and due < 1.2:
        thinking, session.looks = session.thinking, 0
        controller.handle(Tick(due))
        if thinking:
            steps += 1
            assert session.looks == 0
    assert steps > 1
