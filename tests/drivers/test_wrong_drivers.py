"""The simulated chips reveal drivers with a mistake."""

from __future__ import annotations

import pytest

from drivers import ads7830, mcp23017
from drivers.mcp23017 import Mcp23017
from hardware import sensing
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.chips import IOCON, SimulatedBus
from tests.support.machines import Bench

GPINTEN = 0x04


def reads_right(simulated: SimulatedBoard) -> bool:
    """Say whether a machine reads an empty board, one magnet, and one on another port."""
    bench = Bench(simulated)
    if bench.read().readings:
        return False
    for place in ("A1", "H1", "I9"):
        simulated.put(place)
        if bench.read().readings != {place: 1}:
            return False
        simulated.lift(place)
    return not bench.read().readings


class NoPullUps(Mcp23017):
    """Leaves GPPU at its power-on value, and reads back nothing."""

    def _registers(self) -> list[int]:
        return [*super()._registers()[:-2], 0, 0]


class OtherPort(Mcp23017):
    """Confuses port A with port B."""

    def read(self) -> tuple[int, int]:
        pins, interrupted = super().read()
        return pins >> 8 | (pins & 0xFF) << 8, interrupted


class NeverChecks(Mcp23017):
    """Accepts any levels without a check of the settings."""

    def read(self) -> tuple[int, int]:
        burst = self._bus.read_i2c_block_data(self.address, mcp23017.IOCON, mcp23017.BURST_BYTES)
        return (burst[8] | burst[9] << 8) & self.inputs, burst[4] | burst[5] << 8


class ForgetsBank(Mcp23017):
    """Sets up as if the chip were always in its state after power-on."""

    def set_up(self) -> None:
        self._bus.write_i2c_block_data(self.address, mcp23017.IODIR, self._settings)


class NoMirror(Mcp23017):
    """Lets each port interrupt on its own pin, of which only one is wired."""

    def _registers(self) -> list[int]:
        registers = super()._registers()
        registers[IOCON : IOCON + 2] = [0x04, 0x04]
        return registers


class PushPull(Mcp23017):
    """Drives INT high and low, against other chips."""

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
    bench = Bench(reed)
    bench.read()
    reed.reset(0x23)
    assert len(bench.read().readings) == phantoms


@pytest.mark.parametrize(("driver", "blind"), [(Mcp23017, 0), (ForgetsBank, 14)])
def test_a_driver_that_trusts_the_bank_bit_stays_blind(
    reed: SimulatedBoard, monkeypatch: pytest.MonkeyPatch, driver: type[Mcp23017], blind: int
) -> None:
    monkeypatch.setattr(sensing, "Mcp23017", driver)
    reed.bus.write_byte_data(0x20, IOCON, 0x80)
    assert len(Bench(reed).read().blind) == blind


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
def test_interrupts_of_a_wrong_driver_do_not_arrive(
    reed: SimulatedBoard,
    monkeypatch: pytest.MonkeyPatch,
    driver: type[Mcp23017],
    place: str,
    heard: bool,
) -> None:
    monkeypatch.setattr(sensing, "Mcp23017", driver)
    Bench(reed).read()
    calls: list[None] = []
    reed.on_interrupt = lambda: calls.append(None)
    reed.put(place)
    assert bool(calls) is heard


@pytest.mark.parametrize("bits", [0x08, 0x00])
def test_a_driver_with_the_wrong_reference_or_input_order_reads_nonsense(
    hall: SimulatedBoard, monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    hall.put("A2")
    right = Bench(hall).read().readings
    assert right == {"A2": 1}
    commands = [
        0x80 | channel << 4 | 0x04 | bits if not bits else ads7830.command(channel) | bits
        for channel in range(8)
    ]
    monkeypatch.setattr(ads7830, "COMMANDS", commands)
    assert Bench(hall).read().readings != right


def test_select_lines_that_stand_still_show_one_input_everywhere(
    hall: SimulatedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.put("A2")  # input 0 of its multiplexer
    monkeypatch.setattr(Mcp23017, "write", lambda *_: None)
    readings = Bench(hall).read().readings
    assert {"A2", "B2", "I2"} <= set(readings)


def test_a_driver_may_only_use_the_four_calls() -> None:
    calls = {name for name in vars(SimulatedBus) if not name.startswith("_")}
    assert calls == {
        "read_byte_data",
        "write_byte_data",
        "read_i2c_block_data",
        "write_i2c_block_data",
    }
