"""A stick die on four switches: what it falls on is the throw, on simulated wires."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.controller.controller import BoardController, header_of
from firmware_host.controller.stick_die import StickDie
from firmware_host.session.session import Session
from firmware_host.storage.match_files import MatchFiles
from hardware import layout
from hardware.machine import Machine
from hardware.simulated.board import SimulatedBoard

FILE = layout.SHIPPED / "square-reed.toml"
DIE = "[dice]\n2 = 'GPIO16'\n3 = 'GPIO20'\n4 = 'GPIO21'\n5 = '0x26.B6'\n\n[buttons]"


class Table:
    """Chaturaji on a board that has a stick die, looked at fifty times a second."""

    def __init__(self, state: Path, lies: int | None = None, **options: object) -> None:
        made = layout.parse(FILE.read_text("utf-8").replace("[buttons]", DIE), "x.toml")
        self.now = 0.0
        self.board = SimulatedBoard(made)
        self.lay(lies)
        game = make("chaturaji", options)
        places = made.game(game.name).places
        for place in game.pieces(game.start()):
            if place in places:
                self.board.put(places[place])
        sight = Sight(game, made.sensing, [tray for tray in game.trays() if tray not in places])
        machine = Machine(
            made,
            self.board.bus,
            self.board.strip,
            buttons=self.board.held,
            clock=lambda: self.now,
        )
        files = MatchFiles(state)
        files.begin(game, made.name, header_of(game, made, game.start()))
        self.controller = BoardController(machine, Session(game, sight, [Match.begin(game)]), files)
        self.wait(1.0)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.02)):
            self.now += 0.02
            self.controller.look(self.now)

    def lay(self, face: int | None) -> None:
        """Let the die lie with that number up; None takes it up."""
        for number, reed in self.board.layout.dice.items():
            (self.board.press if number == face else self.board.release)(reed.name)

    def throw(self, face: int, up: float = 0.5) -> None:
        """Take the die up and let it fall: it rolls over other faces, bounces and lies still."""
        self.lay(None)
        self.wait(up)
        for shown in (2, 4, None, 3, face, None):
            self.lay(shown)
            self.wait(0.04)
        self.lay(face)
        self.wait(0.5)

    @property
    def thrown(self) -> list[str]:
        record = self.controller.session.record
        return [entry.texts[0] for entry in record if entry.kind == "throw"]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.mark.parametrize("face", [2, 3, 4, 5])
def test_the_face_that_it_rests_on_is_thrown(table: Table, face: int) -> None:
    assert table.thrown == []
    table.throw(face)
    assert table.thrown == [str(face)]


def test_a_die_that_lies_there_from_the_start_is_no_throw(tmp_path: Path) -> None:
    table = Table(tmp_path, lies=3)
    table.wait(3.0)
    assert table.thrown == []
    table.throw(3)
    assert table.thrown == ["3"]


def test_a_player_who_bumps_into_the_table_has_not_thrown(table: Table) -> None:
    table.throw(3)
    for away in (0.06, 0.2, 0.06):
        table.lay(None)
        table.wait(away)
        table.lay(3)
        table.wait(1.0)
    assert table.thrown == ["3"]


def test_the_same_face_again_is_a_throw_if_it_was_up_meanwhile(table: Table) -> None:
    die = StickDie(table.board.layout.dice)
    told = []
    for step in range(200):
        at = step / 50
        lies = not (0.5 <= at < 0.6 or 2.0 <= at < 2.5)
        told.append((at, die.look(frozenset({"die 3"} if lies else ()), at)))
    assert [face for at, face in told if face] == [3]
    assert next(at for at, face in told if face) == pytest.approx(2.9)


def test_two_dice_are_thrown_one_after_the_other(tmp_path: Path) -> None:
    table = Table(tmp_path, dice=2)
    table.throw(5)
    assert table.thrown == []
    table.throw(5)
    assert table.thrown == ["5+5"]
