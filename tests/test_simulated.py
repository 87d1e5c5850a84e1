"""The simulated parts behave as their datasheets say, so that a wrong driver fails on a laptop."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache

import pytest

from drivers import ads7830, mcp23017, ws2812
from drivers.mcp23017 import Mcp23017
from hardware import layout, sensing
from hardware.layout import Layout
from hardware.machine import Machine, SensorFrame
from hardware.simulated import Injury, SimulatedBoard, SimulationError
from hardware.simulated_chips import (
    ABSENT_ERRNOS,
    GPIO,
    GPPU,
    INTCAP,
    INTF,
    IOCON,
    IODIR,
    OLAT,
    SimulatedAds7830,
    SimulatedBus,
    SimulatedMcp23017,
)
from hardware.simulated_strip import GarbledError, SimulatedStrip

GPINTEN, DEFVAL, INTCON = 0x04, 0x06, 0x08


@cache
def board(name: str) -> Layout:
    return layout.load(name)


def machine_on(simulated: SimulatedBoard) -> Machine:
    return Machine(simulated.layout, simulated.bus, simulated.strip, buttons=simulated.held)


@pytest.fixture
def reed() -> SimulatedBoard:
    return SimulatedBoard(board("square-reed"))


@pytest.fixture
def hall() -> SimulatedBoard:
    return SimulatedBoard(board("square-hall"))


# ---- MCP23017, register by register


@pytest.fixture
def chip() -> SimulatedMcp23017:
    return SimulatedMcp23017()


def get(chip: SimulatedMcp23017, register: int, length: int = 1) -> list[int]:
    chip.write([register])
    return chip.read(length)


def test_power_on_values(chip: SimulatedMcp23017) -> None:
    assert get(chip, 0, 22) == [0xFF, 0xFF] + [0] * 20


def test_writes_advance_and_wrap_round(chip: SimulatedMcp23017) -> None:
    chip.write([0x14, 0x01, 0x02, 0x03])
    assert get(chip, OLAT, 2) == [0x01, 0x02]
    assert get(chip, IODIR) == [0x03]
    assert get(chip, 0x15, 2) == [0x02, 0x03]


def test_iocon_is_one_register_at_two_addresses(chip: SimulatedMcp23017) -> None:
    chip.write([0x0B, 0x45])
    assert get(chip, IOCON, 2) == [0x44, 0x44]


def test_byte_mode_toggles_between_the_ports(chip: SimulatedMcp23017) -> None:
    chip.write([IOCON, 0x20])
    chip.write([GPPU, 0x0F, 0xF0])
    assert get(chip, GPPU, 4) == [0x0F, 0xF0, 0x0F, 0xF0]
    assert get(chip, IODIR, 3) == [0xFF] * 3


def test_other_addresses_with_bank(chip: SimulatedMcp23017) -> None:
    chip.write([IOCON, 0x80])
    chip.write([0x06, 0x11])  # GPPUA
    chip.write([0x16, 0x22])  # GPPUB
    assert get(chip, 0x10) == [0xFF]  # IODIRB
    assert get(chip, 0x0B) == [0]  # nothing there
    chip.write([0x05, 0x00])  # IOCON
    assert get(chip, GPPU, 2) == [0x11, 0x22]


def test_outputs_are_written_through_gpio_and_latch(chip: SimulatedMcp23017) -> None:
    chip.write([IODIR, 0x0F, 0xFF])
    chip.write([GPIO, 0xA5])
    assert get(chip, OLAT) == [0xA5]
    assert chip.outputs == 0xA0  # only where the pins are outputs
    assert get(chip, GPIO) == [0xA0]
    chip.write([OLAT, 0x50])
    assert chip.outputs == 0x50


def test_a_pin_without_pull_up_floats_low(chip: SimulatedMcp23017) -> None:
    assert get(chip, GPIO, 2) == [0x00, 0x00]
    chip.write([GPPU, 0xFF, 0x0F])
    assert get(chip, GPIO, 2) == [0xFF, 0x0F]
    chip.drive(0, 0)
    chip.drive(15, 1)
    assert get(chip, GPIO, 2) == [0xFE, 0x8F]


def test_polarity_turns_inputs_only(chip: SimulatedMcp23017) -> None:
    chip.write([IODIR, 0x0F])
    chip.write([0x02, 0xFF])
    assert get(chip, GPIO) == [0x0F]


def test_flags_and_captures_cannot_be_written(chip: SimulatedMcp23017) -> None:
    chip.write([INTF, 0xFF, 0xFF, 0xFF, 0xFF])
    assert get(chip, INTF, 4) == [0, 0, 0, 0]


def watching(chip: SimulatedMcp23017) -> SimulatedMcp23017:
    chip.write([GPPU, 0xFF, 0xFF])
    chip.write([IOCON, 0x44])
    get(chip, GPIO, 2)
    chip.write([GPINTEN, 0xFF, 0xFF])
    return chip


def test_the_first_change_is_captured_until_it_is_read(chip: SimulatedMcp23017) -> None:
    watching(chip)
    chip.drive(3, 0)
    chip.drive(5, 0)
    assert get(chip, INTF, 4) == [0x08, 0, 0xF7, 0]
    assert chip.interrupt is None  # reading the capture clears it, too
    assert get(chip, GPIO) == [0xD7]  # pin 5 is seen only here


def test_reading_a_port_leaves_the_other_ones_interrupt(chip: SimulatedMcp23017) -> None:
    watching(chip)
    chip.drive(0, 0)
    chip.drive(8, 0)
    get(chip, GPIO)
    assert get(chip, INTF, 2) == [0x00, 0x01]
    assert chip.interrupt is True
    get(chip, GPIO + 1)
    assert chip.interrupt is None


def test_compare_mode_holds_on_while_the_pin_differs(chip: SimulatedMcp23017) -> None:
    watching(chip)
    chip.write([DEFVAL, 0xFF, 0xFF, 0x01])  # DEFVALA, DEFVALB, INTCONA
    chip.drive(0, 0)
    for _ in range(3):
        get(chip, GPIO)
        assert chip.interrupt is True
    chip.drive(0, None)
    get(chip, GPIO)
    assert chip.interrupt is None


def test_only_enabled_inputs_interrupt(chip: SimulatedMcp23017) -> None:
    watching(chip)
    chip.write([GPINTEN, 0xFE])
    chip.drive(0, 0)
    assert chip.interrupt is None
    chip.write([IODIR, 0xFD])
    chip.drive(1, 0)
    assert chip.interrupt is None


@pytest.mark.parametrize(
    ("control", "idle", "port_a", "port_b"),
    [
        (0x44, None, True, True),  # MIRROR, open drain
        (0x04, None, True, None),  # open drain: INTA is port A's alone
        (0x40, False, True, True),  # push-pull: idle it holds the line up
        (0x42, True, False, False),  # push-pull, active high
    ],
)
def test_the_int_pin(
    control: int, idle: bool | None, port_a: bool | None, port_b: bool | None
) -> None:
    for pin, pulls in ((0, port_a), (8, port_b)):
        chip = watching(SimulatedMcp23017())
        chip.write([IOCON, control])
        assert chip.interrupt is idle
        chip.drive(pin, 0)
        assert chip.interrupt is pulls


def test_a_burst_reads_as_its_bytes_one_by_one() -> None:
    def busy() -> SimulatedMcp23017:
        chip = watching(SimulatedMcp23017())
        for pin in (1, 9, 12):
            chip.drive(pin, 0)
        return chip

    burst = get(busy(), IOCON, 10)
    single = busy()
    assert burst == [get(single, register)[0] for register in range(IOCON, IOCON + 10)]
    wrapped = get(busy(), OLAT, 3)  # past the end, so not in one piece
    assert wrapped == [0, 0, 0xFF]


def test_power_loss_forgets_registers_but_not_the_world(chip: SimulatedMcp23017) -> None:
    watching(chip)
    chip.drive(2, 0)
    chip.power_on()
    assert get(chip, 0, 22) == [0xFF, 0xFF] + [0] * 20
    watching(chip)
    assert get(chip, GPIO) == [0xFB]


# ---- ADS7830


def test_the_internal_reference_is_another_scale() -> None:
    adc = SimulatedAds7830({0: lambda: 1.65})
    adc.write([0x84])
    assert adc.read(2) == [128, 128]
    adc.write([0x8C])
    assert adc.read(1) == [168]


def test_differential_inputs() -> None:
    adc = SimulatedAds7830({2: lambda: 2.0, 3: lambda: 0.5})
    adc.write([0x14])
    assert adc.read(1) == [116]
    adc.write([0x54])
    assert adc.read(1) == [0]


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


def test_a_chip_can_refuse_so_many_times(reed: SimulatedBoard) -> None:
    reed.refuse(0x22, 2)
    assert reed.broken() == (Injury("silent", "0x22"),)
    for _ in range(2):
        with pytest.raises(OSError, match="0x22"):
            reed.bus.read_byte_data(0x22, 0)
    assert reed.bus.read_byte_data(0x22, 0) == 0xFF
    assert reed.broken() == ()


# ---- the strip


def frame(pixels: Sequence[ws2812.Levels]) -> bytes:
    return ws2812.encode_frame(ws2812.encode_pixel(levels) for levels in pixels)


RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def test_a_cut_chain_keeps_its_old_colours_behind_the_cut() -> None:
    strip = SimulatedStrip(4)
    strip.transfer(frame([RED] * 4))
    strip.cut(2)
    strip.transfer(frame([BLUE] * 4))
    assert strip.pixels == (BLUE, BLUE, RED, RED)
    strip.cut(None)
    strip.transfer(frame([BLUE] * 4))
    assert strip.pixels == (BLUE,) * 4


def test_a_short_frame_leaves_the_rest_and_a_long_one_runs_out() -> None:
    strip = SimulatedStrip(3)
    strip.transfer(frame([RED] * 3))
    strip.transfer(frame([GREEN]))
    assert strip.pixels == (GREEN, RED, RED)
    strip.transfer(frame([BLUE] * 9))
    assert strip.pixels == (BLUE,) * 3


def test_without_a_zero_ahead_the_first_led_is_green() -> None:
    strip = SimulatedStrip(2)
    strip.transfer(frame([(0, 0, 0), (0, 0, 0)])[1:])
    assert strip.pixels == ((0, 128, 0), (0, 0, 0))


def test_without_silence_nothing_is_shown() -> None:
    strip = SimulatedStrip(1)
    strip.transfer(frame([RED]).rstrip(b"\0") + bytes(83))  # 277 us
    assert strip.pixels == ((0, 0, 0),)
    strip.transfer(frame([RED]).rstrip(b"\0") + bytes(84))
    assert strip.pixels == (RED,)


def test_other_pulses_are_garbage() -> None:
    with pytest.raises(GarbledError, match="ffffff"):
        SimulatedStrip(1).transfer(b"\0" + b"\xff" * 9 + bytes(90))


def test_the_colour_order_is_the_chains() -> None:
    strip = SimulatedStrip(1, "RGB")
    strip.transfer(frame([RED]))  # sent as green, red, blue
    assert strip.pixels == (GREEN,)


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
    assert machine_on(other).read(0.0).readings == {"A1": -1, "north.2": 3}


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
        machine = machine_on(simulated)
        assert machine.read(0.0).pressed == frozenset()
        simulated.press("yes")
        simulated.press("south")
        assert machine.read(0.1).pressed == {"yes", "south"}
        simulated.release("yes")
        assert machine.read(0.2).pressed == {"south"}
        with pytest.raises(SimulationError, match="no button 'maybe'"):
            simulated.press("maybe")


# ---- the interrupt line


def test_the_line_falls_once_and_rises_when_the_chip_is_read(reed: SimulatedBoard) -> None:
    machine = machine_on(reed)
    machine.read(0.0)
    calls = []
    reed.on_interrupt = lambda: calls.append(reed.interrupt)
    for place in ("A1", "B1", "I9"):
        reed.put(place)
    assert calls == [True]
    machine.read(0.1)
    assert not reed.interrupt
    reed.lift("B1")
    assert calls == [True, True]


def test_a_missed_interrupt_leaves_the_line_low(reed: SimulatedBoard) -> None:
    machine = machine_on(reed)
    machine.read(0.0)
    calls: list[None] = []
    reed.on_interrupt = lambda: calls.append(None)
    reed.miss_interrupts(1)
    reed.put("A1")
    assert (calls, reed.interrupt) == ([], True)
    machine.read(0.1)
    reed.lift("A1")
    assert len(calls) == 1


def test_a_chip_that_was_reset_holds_the_line_up(reed: SimulatedBoard) -> None:
    machine = machine_on(reed)
    machine.read(0.0)
    reed.reset(0x26)
    reed.put("A1")  # at 0x20
    assert not reed.interrupt
    machine.read(0.1)  # sets 0x26 up again
    reed.lift("A1")
    assert reed.interrupt


def test_hands_and_scans_may_come_from_two_threads(reed: SimulatedBoard) -> None:
    machine = machine_on(reed)
    done = threading.Event()
    frames: list[SensorFrame] = []

    def scan() -> None:
        while not done.is_set():
            frames.append(machine.read(0.0))

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
    assert machine.read(0.0).readings == {}


# ---- what is broken on purpose


def test_stuck_sensors(reed: SimulatedBoard, hall: SimulatedBoard) -> None:
    for simulated in (reed, hall):
        machine = machine_on(simulated)
        simulated.put("B2")
        simulated.stick("B2", False)
        simulated.stick("C3", True)
        assert machine.read(0.0).readings == {"C3": 1}
        assert simulated.broken() == (Injury("stuck off", "B2"), Injury("stuck on", "C3"))
        simulated.mend()
        assert machine.read(0.1).readings == {"B2": 1}


def test_a_pocket_can_stick_by_itself(hall: SimulatedBoard) -> None:
    hall.stick("south.1/3", True)
    hall.put("south.1")
    assert machine_on(hall).read(0.0).readings == {"south.1": 2}


@pytest.mark.parametrize("name", ["square-reed", "square-hall"])
def test_bouncing_goes_through_its_levels_and_ends_in_the_truth(name: str) -> None:
    simulated = SimulatedBoard(board(name))
    machine = machine_on(simulated)
    machine.read(0.0)
    simulated.put("E5")
    simulated.bounce("E5", [True, False, True, False])
    seen = [machine.read(0.1).readings.get("E5", 0) for _ in range(6)]
    assert seen == [1, 0, 1, 0, 1, 1]
    assert simulated.broken() == ()


def test_a_cut_wire(reed: SimulatedBoard, hall: SimulatedBoard) -> None:
    reed.put("E5")
    reed.cut_wire("E5")
    assert machine_on(reed).read(0.0).readings == {}
    hall.put("E5")
    hall.cut_wire("E5")
    frame = machine_on(hall).read(0.0)
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


def test_mending_mends_everything(reed: SimulatedBoard) -> None:
    machine = machine_on(reed)
    machine.read(0.0)
    reed.put("A1")
    reed.unplug(0x20)
    reed.refuse(0x21)
    reed.stick("I9", True)
    reed.cut_wire("I8")
    reed.bounce("I7", [True] * 50)
    reed.cut_chain(5)
    reed.strip.broken = "no clock"
    machine.read(0.1)
    assert len(reed.broken()) == 7
    reed.mend()
    assert reed.broken() == ()
    frame = machine.read(9.0)
    assert (frame.readings, frame.blind) == ({"A1": 1}, frozenset())


# ---- drivers with mistakes in them do not get away with it


def reads_right(simulated: SimulatedBoard) -> bool:
    """Say whether a machine reads an empty board, one magnet, and one on another port."""
    machine = machine_on(simulated)
    if machine.read(0.0).readings:
        return False
    for place in ("A1", "H1", "I9"):
        simulated.put(place)
        if machine.read(0.1).readings != {place: 1}:
            return False
        simulated.lift(place)
    return not machine.read(0.2).readings


class NoPullUps(Mcp23017):
    """Leaves GPPU at its power-on value, and reads back nothing."""

    def _registers(self) -> list[int]:
        return [*super()._registers()[:-2], 0, 0]


class OtherPort(Mcp23017):
    """Takes port A for port B."""

    def read(self) -> tuple[int, int]:
        pins, interrupted = super().read()
        return pins >> 8 | (pins & 0xFF) << 8, interrupted


class NeverChecks(Mcp23017):
    """Believes whatever pins it is shown."""

    def read(self) -> tuple[int, int]:
        burst = self._bus.read_i2c_block_data(self.address, mcp23017.IOCON, mcp23017.BURST)
        return (burst[8] | burst[9] << 8) & self.inputs, burst[4] | burst[5] << 8


class ForgetsBank(Mcp23017):
    """Sets up as if the chip came fresh from power-on."""

    def set_up(self) -> None:
        self._bus.write_i2c_block_data(self.address, mcp23017.IODIR, self._settings)


class NoMirror(Mcp23017):
    """Has each port interrupt on a pin of its own, of which one is wired."""

    def _registers(self) -> list[int]:
        registers = super()._registers()
        registers[IOCON : IOCON + 2] = [0x04, 0x04]
        return registers


class PushPull(Mcp23017):
    """Drives INT both ways, against its neighbours."""

    def _registers(self) -> list[int]:
        registers = super()._registers()
        registers[IOCON : IOCON + 2] = [0x40, 0x40]
        return registers


class NoInterrupts(Mcp23017):
    """Leaves GPINTEN at its power-on value."""

    def _registers(self) -> list[int]:
        registers = super()._registers()
        registers[GPINTEN : GPINTEN + 2] = [0, 0]
        return registers


def test_the_real_driver_reads_right(reed: SimulatedBoard) -> None:
    assert reads_right(reed)


@pytest.mark.parametrize("broken", [NoPullUps, OtherPort])
def test_a_driver_that_reads_wrong_is_caught(
    reed: SimulatedBoard, monkeypatch: pytest.MonkeyPatch, broken: type[Mcp23017]
) -> None:
    monkeypatch.setattr(sensing, "Mcp23017", broken)
    assert not reads_right(reed)


@pytest.mark.parametrize(("driver", "phantoms"), [(Mcp23017, 0), (NeverChecks, 14)])
def test_a_driver_that_ignores_a_reset_sees_phantoms(
    reed: SimulatedBoard,
    monkeypatch: pytest.MonkeyPatch,
    driver: type[Mcp23017],
    phantoms: int,
) -> None:
    monkeypatch.setattr(sensing, "Mcp23017", driver)
    machine = machine_on(reed)
    machine.read(0.0)
    reed.reset(0x23)
    assert len(machine.read(0.1).readings) == phantoms


@pytest.mark.parametrize(("driver", "blind"), [(Mcp23017, 0), (ForgetsBank, 14)])
def test_a_driver_that_trusts_the_bank_bit_stays_blind(
    reed: SimulatedBoard, monkeypatch: pytest.MonkeyPatch, driver: type[Mcp23017], blind: int
) -> None:
    monkeypatch.setattr(sensing, "Mcp23017", driver)
    reed.bus.write_byte_data(0x20, IOCON, 0x80)
    assert len(machine_on(reed).read(0.0).blind) == blind


@pytest.mark.parametrize(
    ("driver", "place", "heard"),
    [
        (Mcp23017, "A1", True),
        (Mcp23017, "H1", True),
        (NoMirror, "A1", True),
        (NoMirror, "H1", False),  # on port B
        (PushPull, "A1", False),
        (NoInterrupts, "A1", False),
    ],
)
def test_a_driver_with_wrong_interrupts_is_not_heard(
    reed: SimulatedBoard,
    monkeypatch: pytest.MonkeyPatch,
    driver: type[Mcp23017],
    place: str,
    heard: bool,
) -> None:
    monkeypatch.setattr(sensing, "Mcp23017", driver)
    machine_on(reed).read(0.0)
    calls: list[None] = []
    reed.on_interrupt = lambda: calls.append(None)
    reed.put(place)
    assert bool(calls) is heard


@pytest.mark.parametrize("bits", [0x08, 0x00])
def test_a_driver_with_the_wrong_reference_or_input_order_reads_nonsense(
    hall: SimulatedBoard, monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    hall.put("A2")
    right = machine_on(hall).read(0.0).readings
    assert right == {"A2": 1}
    commands = [
        0x80 | channel << 4 | 0x04 | bits if not bits else ads7830.command(channel) | bits
        for channel in range(8)
    ]
    monkeypatch.setattr(ads7830, "COMMANDS", commands)
    assert machine_on(hall).read(0.0).readings != right


def test_select_lines_that_stand_still_show_one_input_everywhere(
    hall: SimulatedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.put("A2")  # input 0 of its multiplexer
    monkeypatch.setattr(Mcp23017, "write", lambda *_: None)
    readings = machine_on(hall).read(0.0).readings
    assert {"A2", "B2", "I2"} <= set(readings)


def test_a_driver_may_only_use_the_four_calls() -> None:
    calls = {name for name in vars(SimulatedBus) if not name.startswith("_")}
    assert calls == {
        "read_byte_data",
        "write_byte_data",
        "read_i2c_block_data",
        "write_i2c_block_data",
    }


def test_captures_come_before_the_port_in_a_burst(chip: SimulatedMcp23017) -> None:
    watching(chip)
    chip.drive(0, 0)
    chip.drive(0, None)
    flags, capture, port = (get(chip, register)[0] for register in (INTF, INTCAP, GPIO))
    assert (flags, capture, port) == (0x01, 0xFE, 0xFF)
