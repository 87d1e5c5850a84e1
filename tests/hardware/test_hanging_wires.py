"""Buses that hang, chips that a driver uses, slow looks: their readings do not count."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

import pytest

from drivers.bus import BusError, BusyError, HungError, failure
from firmware_host.i18n.messages import render
from firmware_host.text.faults import fault_message
from hardware import layout
from hardware.machine import LONGEST_SCAN_S, Machine, SensorFrame
from hardware.simulated.board import SimulatedBoard


class Wire:
    """A simulated bus on which time passes: a transfer takes some time, a time-out 50 ms."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._board = board
        self.time = 0.0
        self.transfer_s = 0.0003
        self.errnos: dict[int, int] = {}
        """The errno of each address; 0 stands for all other addresses."""
        self.before: Callable[[int], None] = lambda address: None

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._board.bus, name)

        def transfer(address: int, *values: Any) -> Any:
            self.before(address)
            number = self.errnos.get(address, self.errnos.get(0, 0))
            self.time += 0.05 if number == errno.ETIMEDOUT else self.transfer_s
            if number:
                raise OSError(number, "no")
            return call(address, *values)

        return transfer


class Bench:
    def __init__(self, name: str) -> None:
        self.board = SimulatedBoard(layout.load(name))
        self.wire: Any = Wire(self.board)
        self.machine = Machine(
            self.board.layout, self.wire, self.board.strip, clock=lambda: self.wire.time
        )

    def read(self) -> SensorFrame:
        """Read as a loop does, twenty milliseconds after the end of the last read."""
        self.wire.time += 0.02
        return self.machine.read(self.wire.time)


@pytest.fixture(params=["square-reed", "square-hall"])
def bench(request: pytest.FixtureRequest) -> Bench:
    made = Bench(request.param)
    made.board.put("A1")
    assert made.read().readings == {"A1": 1}
    return made


def test_a_look_of_one_moment_is_made_of_the_second_one(bench: Bench) -> None:
    """The wires hang during a look, and meanwhile a piece moves from the chip that was read first
    to one that comes later: no frame shows both, and none shows neither.
    """
    bench.wire.before = stop = Stop(bench, after=2, for_s=5.0)
    at = bench.wire.time + 0.02
    frame = bench.read()
    assert stop.moved
    assert frame.readings == {"I9": 1}
    assert frame.at >= at + 5.0


class Stop:
    """Lets the wires hang once for a while, and moves a piece meanwhile."""

    def __init__(self, bench: Bench, after: int, for_s: float) -> None:
        self.bench, self.after, self.for_s, self.moved = bench, after, for_s, False
        self.move: Callable[[], None] = self._from_a1_to_i9

    def _from_a1_to_i9(self) -> None:
        self.bench.board.lift("A1")
        self.bench.board.put("I9")

    def __call__(self, address: int) -> None:
        self.after -= 1
        if not self.after:
            self.moved = True
            self.move()
            self.bench.wire.time += self.for_s


def test_what_a_chip_latched_while_a_look_hung_counts_for_nothing() -> None:
    """A port latches the first pin that moved, and not what came after: half of a move would pass
    for the whole.
    """
    bench = Bench("square-reed")
    bench.board.put("A1")
    bench.board.put("B1")
    bench.read()

    def touch() -> None:
        for cell in ("A1", "B1"):
            bench.board.lift(cell)
            bench.board.put(cell)

    touch()
    assert bench.read().pulsed == {"A1"}  # as far as a latch can show it
    bench.wire.before = stop = Stop(bench, after=2, for_s=5.0)
    stop.move = touch
    frame = bench.read()
    assert stop.moved
    assert frame.readings == {"A1": 1, "B1": 1}
    assert frame.pulsed == frozenset()


def test_when_no_look_is_quick_nothing_is_known(bench: Bench) -> None:
    bench.wire.transfer_s = LONGEST_SCAN_S
    frame = bench.read()
    places = bench.board.layout.places.values()
    assert frame.readings == {}
    assert frame.blind == {place.name for place in places if place.sensors}
    assert [fault.kind for fault in frame.faults] == ["slow"]
    bench.wire.transfer_s = 0.0003
    assert bench.read().readings == {"A1": 1}
    assert bench.read().faults == ()


def test_a_reset_that_a_dropped_look_found_is_still_reported() -> None:
    bench = Bench("square-reed")
    bench.read()
    bench.board.reset(0x20)
    bench.board.put("A1")
    bench.wire.before = Stop(bench, after=3, for_s=1.0)
    frame = bench.read()
    assert [(fault.kind, fault.address) for fault in frame.faults] == [("reset", 0x20)]
    assert bench.read().faults == ()


def test_wires_that_hang_are_one_fault_and_come_back_together(bench: Bench) -> None:
    bench.wire.errnos[0] = errno.ETIMEDOUT
    hung = bench.read()
    assert [(fault.kind, fault.address) for fault in hung.faults] == [("hung", None)]
    assert "A1" in hung.blind
    assert hung.readings == {}
    slowest = 0.0
    for _ in range(100):
        began = bench.wire.time
        assert bench.read().faults == hung.faults
        slowest = max(slowest, bench.wire.time - began)
    assert slowest < 0.1  # a page is served by the same thread
    bench.board.lift("A1")
    bench.board.put("I9")
    del bench.wire.errnos[0]
    frames = []
    while not frames or frames[-1].blind:
        frames.append(bench.read())
        # It is the same fault for any number of chips out of reach.
        assert {(fault.kind, fault.address) for fault in frames[-1].faults} <= {("hung", None)}
    # The first and the last change are at most one look apart.
    assert len([frame for frame in frames if frame.blind != hung.blind]) <= 2
    assert frames[-1].readings == {"I9": 1}
    assert frames[-1].faults == ()


def test_one_chip_that_times_out_does_not_blind_the_others() -> None:
    bench = Bench("square-reed")
    bench.board.put("A1")
    bench.board.put("I9")
    bench.read()
    bench.wire.errnos[0x20] = errno.ETIMEDOUT
    for _ in range(100):
        frame = bench.read()
        assert frame.readings == {"I9": 1}
        assert [(fault.kind, fault.address) for fault in frame.faults] == [("hung", None)]
        assert "A1" in frame.faults[0].places


@pytest.mark.parametrize(
    ("number", "kind", "sentence"),
    [
        (errno.EBUSY, "busy", "A driver of the system uses the chip at"),
        (errno.ETIMEDOUT, "hung", "The bus to the chips hangs: switch the board off and on"),
        (121, "silent", "does not answer: check its plug"),
        (errno.ENXIO, "silent", "does not answer: check its plug"),
        (errno.EIO, "silent", "does not answer: check its plug"),
    ],
)
@pytest.mark.parametrize("address", [0x21, 0x48])
def test_each_trouble_has_its_own_words(
    number: int, kind: str, sentence: str, address: int
) -> None:
    bench = Bench("square-reed" if address == 0x21 else "square-hall")
    bench.read()
    bench.wire.errnos[address] = number
    frame = bench.read()
    chip = None if kind == "hung" else address  # all chips share the bus
    assert [(fault.kind, fault.address) for fault in frame.faults] == [(kind, chip)]
    assert sentence in render(fault_message(frame.faults[0], {}))
    del bench.wire.errnos[address]
    bench.wire.time += 2.0
    assert bench.read().faults == ()


@pytest.mark.parametrize(
    ("number", "kind"), [(errno.EBUSY, BusyError), (errno.ETIMEDOUT, HungError), (5, BusError)]
)
def test_an_error_of_the_bus_is_recognized_by_its_number(number: int, kind: type[BusError]) -> None:
    error: Any = failure(OSError(number, "no"), "the chip", "look at it")
    assert type(error) is kind
    assert str(error).startswith("the chip ")


def test_looks_enough_are_tried_for_a_bus_that_hangs_in_mid_look() -> None:
    """Chips that were read before the bus hung are read again; only then are they lost."""
    bench = Bench("square-reed")
    bench.read()
    count = 0

    def hang(address: int) -> None:
        nonlocal count
        count += 1
        if count > 3:
            bench.wire.errnos[0] = errno.ETIMEDOUT

    bench.wire.before = hang
    frame = bench.read()
    assert [fault.kind for fault in frame.faults] == ["hung"]
    assert len(frame.blind) == 97
