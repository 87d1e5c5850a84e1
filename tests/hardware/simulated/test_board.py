"""The simulated board: its bus, magnets, the interrupt line, and breakages on purpose."""

from __future__ import annotations

import threading

import pytest

from hardware import layout
from hardware.machine import SensorFrame
from hardware.simulated.board import Breakage, SimulatedBoard, SimulationError
from hardware.simulated.chips import ABSENT_ERRNOS, SimulatedBus
from tests.support.machines import Bench

# ---- the wire


def test_an_absent_chip_fails_as_differently_as_adapters_do(reed: SimulatedBoard) -> None:
    seen = []
    for _ in range(8):
        with pytest.raises(OSError, match="0x50") as refused:
            reed.bus.read_byte_data(0x50, 0)
        seen.append(refused.value.errno)
    assert set(seen) == set(ABSENT_ERRNOS)


def test_a_block_has_at_most_32_bytes(reed: SimulatedBoard) -> None:
    with pytest.raises(ValueError, match="33"):
        reed.bus.read_i2c_block_data(0x20, 0, 33)
    with pytest.raises(ValueError, match="33"):
        reed.bus.write_i2c_block_data(0x20, 0, [0] * 33)
    with pytest.raises(ValueError, match="256"):
        reed.bus.write_byte_data(0x20, 0, 256)


def test_a_driver_may_only_use_the_four_calls() -> None:
    calls = {name for name in vars(SimulatedBus) if not name.startswith("_")}
    assert calls == {
        *("read_byte_data", "write_byte_data"),
        *("read_i2c_block_data", "write_i2c_block_data"),
    }


def test_a_chip_can_refuse_so_many_times(reed: SimulatedBoard) -> None:
    reed.refuse(0x22, 2)
    assert reed.broken() == (Breakage("silent", "0x22"),)
    for _ in range(2):
        with pytest.raises(OSError, match="0x22"):
            reed.bus.read_byte_data(0x22, 0)
    assert reed.bus.read_byte_data(0x22, 0) == 0xFF
    assert reed.broken() == ()


# ---- hands and magnets


def test_a_cell_takes_one_and_a_slot_takes_many(reed: SimulatedBoard) -> None:
    reed.put("E5")
    with pytest.raises(SimulationError, match="something lies on E5"):
        reed.put("E5")
    for _ in range(9):
        reed.put("south.1", -1)
    assert reed.lying("south.1") == (-1,) * 9
    reed.lift("E5")
    with pytest.raises(SimulationError, match="nothing lies on E5"):
        reed.lift("E5")
    for place in ("K1", "edge.south"):
        with pytest.raises(SimulationError, match=f"no place '{place}'"):
            reed.put(place)
    with pytest.raises(SimulationError, match="not 2"):
        reed.put("E6", 2)


def test_magnets_are_saved_and_loaded(hall: SimulatedBoard) -> None:
    hall.put("A1", -1)
    for _ in range(3):
        hall.put("north.2")
    saved = hall.save()
    assert saved == {"A1": [-1], "north.2": [1, 1, 1]}
    other = SimulatedBoard(hall.layout)
    other.put("I9")
    other.load(saved)
    assert Bench(other).read().readings == {"A1": -1, "north.2": 3}


@pytest.mark.parametrize(
    ("magnets", "message"),
    [
        ([], "magnets are an object"),
        ({"K1": [1]}, "no place 'K1'"),
        ({"A1": [1, 1]}, "A1: a cell holds one"),
        ({"A1": [2]}, "A1: poles are"),
        ({"A1": 1}, "A1: poles are"),
    ],
)
def test_bad_magnets_are_refused_and_change_nothing(
    reed: SimulatedBoard, magnets: object, message: str
) -> None:
    reed.put("C3")
    with pytest.raises(SimulationError, match=message):
        reed.load(magnets)
    assert reed.save() == {"C3": [1]}


def test_buttons_on_the_header_and_on_the_front_panel(
    reed: SimulatedBoard, hall: SimulatedBoard
) -> None:
    for simulated in (reed, hall):
        bench = Bench(simulated)
        assert bench.read().pressed == frozenset()
        simulated.press("yes")
        simulated.press("south")
        assert bench.read().pressed == {"yes", "south"}
        simulated.release("yes")
        assert bench.read().pressed == {"south"}
        with pytest.raises(SimulationError, match="no button 'maybe'"):
            simulated.press("maybe")


# ---- the interrupt line


def test_the_line_falls_once_and_rises_when_the_chip_is_read(reed: SimulatedBoard) -> None:
    bench = Bench(reed)
    bench.read()
    calls = []
    reed.on_interrupt = lambda: calls.append(reed.interrupt)
    for place in ("A1", "B1", "I9"):
        reed.put(place)
    assert calls == [True]
    bench.read()
    assert not reed.interrupt
    reed.lift("B1")
    assert calls == [True, True]


def test_a_missed_interrupt_leaves_the_line_low(reed: SimulatedBoard) -> None:
    bench = Bench(reed)
    bench.read()
    calls: list[None] = []
    reed.on_interrupt = lambda: calls.append(None)
    reed.miss_interrupts(1)
    reed.put("A1")
    assert (calls, reed.interrupt) == ([], True)
    bench.read()
    reed.lift("A1")
    assert len(calls) == 1


def test_a_chip_that_was_reset_holds_the_line_up(reed: SimulatedBoard) -> None:
    bench = Bench(reed)
    bench.read()
    reed.reset(0x26)
    reed.put("A1")  # at 0x20
    assert not reed.interrupt
    bench.read()  # sets 0x26 up again
    reed.lift("A1")
    assert reed.interrupt


def test_hands_and_scans_may_come_from_two_threads(reed: SimulatedBoard) -> None:
    bench = Bench(reed)
    done = threading.Event()
    frames: list[SensorFrame] = []

    def scan() -> None:
        while not done.is_set():
            frames.append(bench.read())

    thread = threading.Thread(target=scan)
    thread.start()
    for _ in range(300):
        for place in ("A1", "E5", "I9"):
            reed.put(place)
        for place in ("A1", "E5", "I9"):
            reed.lift(place)
    done.set()
    thread.join()
    assert frames
    assert not any(frame.faults or frame.blind for frame in frames)
    assert bench.read().readings == {}


# ---- what is broken on purpose


def test_stuck_sensors(reed: SimulatedBoard, hall: SimulatedBoard) -> None:
    for simulated in (reed, hall):
        bench = Bench(simulated)
        simulated.put("B2")
        simulated.stick("B2", False)
        simulated.stick("C3", True)
        assert bench.read().readings == {"C3": 1}
        assert simulated.broken() == (Breakage("stuck off", "B2"), Breakage("stuck on", "C3"))
        simulated.repair()
        assert bench.read().readings == {"B2": 1}


def test_a_pocket_can_stick_by_itself(hall: SimulatedBoard) -> None:
    hall.stick("south.1/3", True)
    hall.put("south.1")
    assert Bench(hall).read().readings == {"south.1": 2}


@pytest.mark.parametrize("name", ["square-reed", "square-hall"])
def test_bouncing_goes_through_its_levels_and_ends_in_the_truth(name: str) -> None:
    simulated = SimulatedBoard(layout.load(name))
    bench = Bench(simulated)
    bench.read()
    simulated.put("E5")
    simulated.bounce("E5", [True, False, True, False])
    seen = [bench.read().readings.get("E5", 0) for _ in range(6)]
    assert seen == [1, 0, 1, 0, 1, 1]
    assert simulated.broken() == ()


def test_a_cut_wire(reed: SimulatedBoard, hall: SimulatedBoard) -> None:
    reed.put("E5")
    reed.cut_wire("E5")
    assert Bench(reed).read().readings == {}
    hall.put("E5")
    hall.cut_wire("E5")
    frame = Bench(hall).read()
    assert (frame.readings, frame.blind) == ({}, {"E5"})


def test_breaking_what_is_not_there_is_refused(reed: SimulatedBoard) -> None:
    for act in (
        lambda: reed.unplug(0x48),
        lambda: reed.reset(0x48),
        lambda: reed.stick("K1", True),
        lambda: reed.bounce("edge.south", [True]),
        lambda: reed.cut_chain(101),
    ):
        with pytest.raises(SimulationError, match="no"):
            act()


def test_mend_repairs_everything(reed: SimulatedBoard) -> None:
    bench = Bench(reed)
    bench.read()
    reed.put("A1")
    reed.unplug(0x20)
    reed.refuse(0x21)
    reed.stick("I9", True)
    reed.cut_wire("I8")
    reed.bounce("I7", [True] * 50)
    reed.cut_chain(5)
    reed.strip.broken = "no clock"
    bench.read()
    assert len(reed.broken()) == 7
    reed.repair()
    assert reed.broken() == ()
    frame = bench.read(9.0)
    assert (frame.readings, frame.blind) == ({"A1": 1}, frozenset())
