"""The interrupt line: calls that reads confirm prove it, and a silent line is reported once."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.controller.controller import CONFIRM_S, BoardController, header_of
from firmware_host.controller.polling import IDLE_SCAN_S, QUIET_S, Polling
from firmware_host.i18n.messages import render
from firmware_host.session.events import Tick
from firmware_host.session.session import Session
from firmware_host.storage.match_files import MatchFiles
from firmware_host.text.faults import fault_message
from hardware import layout
from hardware.interrupt import FAULTY_AFTER, InterruptLine
from hardware.machine import Machine, SensorFrame
from hardware.sensing import PROVEN_AFTER
from hardware.simulated.board import SimulatedBoard
from tests.support.machines import Bench


class LineBench(Bench):
    """A simulated board whose interrupt line can be cut or held."""

    def __init__(self, name: str = "square-reed") -> None:
        board = SimulatedBoard(layout.load(name))
        self.cut = self.grounded = False
        self.line = InterruptLine(lambda: self.grounded or (board.interrupt and not self.cut))
        board.on_interrupt = lambda: self.fell()
        super().__init__(board, interrupt=self.line)
        self.cells = iter(board.layout.cells * 2)

    def fell(self) -> None:
        if not (self.cut or self.grounded):
            self.line.note_edge()

    def put(self, times: int = 1) -> SensorFrame:
        """Put pieces down, one after the other, and look for a third of a second after each."""
        for _ in range(times):
            self.board.put(next(self.cells))
            for _ in range(16):
                frame = self.read()
        return frame


@pytest.fixture
def bench() -> LineBench:
    made = LineBench()
    made.read()
    return made


def kinds(frame: SensorFrame) -> list[str]:
    return [fault.kind for fault in frame.faults]


def test_a_line_is_proven_before_any_hand_has_moved(bench: LineBench) -> None:
    assert not bench.machine.needs_polling
    assert not bench.board.interrupt  # and it is released again
    for _ in range(20):
        assert bench.read().faults == ()
    assert bench.put().faults == ()
    assert not bench.machine.needs_polling


def test_a_line_is_proven_by_a_call_that_a_look_confirms() -> None:
    bench = LineBench()
    bench.cut = True
    for _ in range(20):
        assert bench.read().faults == ()
    assert bench.machine.needs_polling  # the first calls of the chips have not been heard
    bench.cut = False
    bench.line.note_edge()  # a disturbance: no chip has called
    bench.read()
    assert bench.machine.needs_polling
    assert bench.put().faults == ()
    assert not bench.machine.needs_polling


def test_an_edge_may_come_a_little_after_the_look(bench: LineBench) -> None:
    bench.board.on_interrupt = lambda: None
    for _ in range(FAULTY_AFTER + 2):
        bench.board.put(next(bench.cells))
        for _ in range(8):
            bench.read()
        bench.line.note_edge()
        assert bench.read().faults == ()
        assert not bench.machine.needs_polling


def test_a_cut_line_is_reported_once_and_works_again_with_the_first_call(bench: LineBench) -> None:
    bench.put()
    bench.cut = True
    assert bench.put(FAULTY_AFTER - 1).faults == ()
    frame = bench.put()
    assert kinds(frame) == ["unheard"]
    assert frame.blind == frozenset()
    assert "INT does not report" in render(fault_message(frame.faults[0], {}))
    assert bench.machine.needs_polling
    assert bench.put(5).faults == frame.faults  # the same fault as long as it lasts
    bench.cut = False
    assert bench.put().faults == ()
    assert not bench.machine.needs_polling


def test_a_line_that_is_held_is_reported_and_cleared(bench: LineBench) -> None:
    bench.put()
    bench.grounded = True
    bench.put(2)
    for _ in range(FAULTY_AFTER):
        frame = bench.read()
    assert kinds(frame) == ["held"]
    assert "INT stays low" in render(fault_message(frame.faults[0], {}))
    assert bench.machine.needs_polling
    for _ in range(FAULTY_AFTER + 2):
        assert kinds(bench.put()) == ["held"]  # and not as cut, too
    bench.grounded = False
    assert bench.read().faults == ()
    assert bench.machine.needs_polling  # until it has called again
    bench.put()
    assert not bench.machine.needs_polling


def test_a_silent_chip_that_holds_the_line_is_reported_alone(bench: LineBench) -> None:
    bench.put()
    bench.board.put("B1")
    bench.board.refuse(0x20)
    for _ in range(FAULTY_AFTER):
        frame = bench.read()
    assert kinds(frame) == ["silent"]
    assert bench.machine.needs_polling  # no other chip can call
    for cell in ("A9", "B9", "C9", "D9"):
        bench.board.put(cell)
        for _ in range(16):
            assert kinds(bench.read()) == ["silent"]  # their calls have no edge: no fault of theirs
    bench.board.repair()
    for _ in range(120):
        frame = bench.read()
    assert kinds(frame) == []


def test_a_hall_board_is_polled_and_needs_no_line() -> None:
    bench = LineBench("square-hall")
    bench.cut = True
    assert bench.put(10).faults == ()
    assert bench.machine.needs_polling


def test_a_machine_without_a_given_line_relies_on_calls() -> None:
    board = SimulatedBoard(layout.load("square-reed"))
    assert not Machine(board.layout, board.bus, board.strip).needs_polling


@pytest.fixture
def duel(bench: LineBench, tmp_path: Path) -> BoardController:
    """Robot Duel, with the pieces set up, on a board whose interrupt line is cut."""
    bench.cut = True
    made, game = bench.board.layout, make("robot-duel", {})
    places = made.game(game.name).places
    for place in game.pieces(game.start()):
        bench.board.put(places[place])
    files = MatchFiles(tmp_path)
    files.begin(game, made.name, header_of(game, made, game.start()))
    session = Session(game, Sight(game, made.sensing), [Match.begin(game)])
    controller = BoardController(bench.machine, session, files)
    for step in range(100):
        controller.look(step / 50)
    return controller


@pytest.mark.parametrize("late", [0.0, 0.2, 5.0])
def test_levels_are_read_again_before_they_count(
    duel: BoardController, bench: LineBench, late: float
) -> None:
    """A piece that is put down and taken back between two looks has not moved."""
    places = duel.map.places
    bench.board.lift(places["C4"])
    bench.board.put(places["C3"])
    duel.look(2.0)
    settles = duel.session.deadline
    assert settles is not None
    assert duel.confirm == pytest.approx(settles - CONFIRM_S)
    bench.board.lift(places["C3"])
    bench.board.put(places["C4"])
    assert duel.confirm is not None
    duel.look(duel.confirm + late)  # a loop may be late
    assert duel.session.record == ()
    for step in range(100):
        deadline = duel.session.deadline
        if deadline is not None:
            notes = duel.handle(Tick(deadline))
            assert not [note for note in notes if note.event == "move"]
        duel.look(10 + step / 50)
    assert duel.session.view.match.moves() == []


def test_what_has_just_been_read_is_not_read_again(duel: BoardController, bench: LineBench) -> None:
    places = duel.map.places
    bench.board.lift(places["C4"])
    bench.board.put(places["C3"])
    duel.look(2.0)
    confirm = duel.confirm
    assert confirm is not None
    duel.look(confirm)
    assert duel.confirm is None
    while (settles := duel.session.deadline) is not None and settles < 5.0:
        if duel.confirm is not None:
            duel.look(duel.confirm)
        duel.handle(Tick(settles))
    assert duel.session.view.match.moves() == ["C4C3"]


# ---- each chip has a wire of its own to the line


class OwnWires(LineBench):
    """A board on which the INT wires of single chips may be off."""

    def __init__(self, off: set[int]) -> None:
        super().__init__()
        self.off = off
        self.line = self.machine._interrupt = InterruptLine(self.is_low)
        for bank in self.machine._banks:
            bank._line_is_low = self.is_low

    def is_low(self) -> bool:
        chips = self.board.bus.chips.items()
        return any(getattr(chip, "interrupt", False) for at, chip in chips if at not in self.off)

    def fell(self) -> None:
        if self.is_low():
            self.line.note_edge()


def test_one_chip_s_edges_do_not_prove_another_s() -> None:
    bench = OwnWires({0x23})
    for _ in range(20):
        frame = bench.read()
    assert bench.line.proven  # others are heard
    assert bench.machine.needs_polling
    assert not bench.machine.interrupts_suffice  # so the board is never left alone for four seconds
    assert [(fault.kind, fault.address) for fault in frame.faults] == [("unheard", 0x23)]
    assert "the chip at 0x23, the wire INT does not report" in render(
        fault_message(frame.faults[0], {})
    )
    for _ in range(3):
        bench.put()  # on 0x20
    assert bench.machine.needs_polling


def test_what_an_unheard_chip_sees_is_found_as_soon_as_on_a_board_without_the_wire() -> None:
    bench = OwnWires({0x23})
    lookout = Polling(bench.machine, bench.is_low)
    now = 0.0
    while now < 2 * QUIET_S:
        now = bench.now = max(lookout.due, now + 0.001)
        lookout.look(now, called=False)
    bench.board.put("C6")  # on 0x23
    assert not bench.is_low()
    assert lookout.due - now == pytest.approx(IDLE_SCAN_S)
    bench.now = lookout.due
    frame = lookout.look(lookout.due, called=False)
    assert frame is not None
    assert frame.readings == {"C6": 1}


def test_a_chip_whose_wire_comes_off_later_is_polled_from_then_on() -> None:
    bench = OwnWires(set())
    bench.read()
    assert bench.machine.interrupts_suffice
    bench.off.add(0x20)
    bench.put()  # it calls, and the line does not fall
    assert bench.machine.needs_polling
    assert bench.read().faults == ()
    frame = bench.put(PROVEN_AFTER - 1)
    assert [fault.kind for fault in frame.faults] == ["unheard"]
    bench.off.clear()
    assert bench.put().faults == ()
    assert bench.machine.interrupts_suffice


def test_chips_are_tested_again_once_the_line_works() -> None:
    bench = OwnWires({0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26})
    bench.read()
    assert bench.machine.needs_polling
    bench.off.clear()
    assert bench.put().faults == ()
    assert bench.machine.interrupts_suffice
    assert not bench.board.interrupt
