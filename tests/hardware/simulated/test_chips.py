"""The simulated chips answer as their datasheets say, register by register."""

from __future__ import annotations

import pytest

from hardware.simulated.chips import (
    GPIO,
    GPPU,
    INTCAP,
    INTF,
    IOCON,
    IODIR,
    OLAT,
    SimulatedAds7830,
    SimulatedMcp23017,
)

GPINTEN, DEFVAL = 0x04, 0x06

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
    assert get(chip, 0x0B) == [0]  # no register there
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
        (0x40, False, True, True),  # push-pull: it holds the line up when idle
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


def test_captures_come_before_the_port_in_a_burst(chip: SimulatedMcp23017) -> None:
    watching(chip)
    chip.drive(0, 0)
    chip.drive(0, None)
    flags, capture, port = (get(chip, register)[0] for register in (INTF, INTCAP, GPIO))
    assert (flags, capture, port) == (0x01, 0xFE, 0xFF)


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
