"""Drivers against parts that behave as their datasheets say, register by register, bit by bit."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import ads7830, hall, ws2812
from drivers.ads7830 import Ads7830
from drivers.bus import BusError
from drivers.cd74hc4067 import SelectLines
from drivers.mcp23017 import ChipResetError, Mcp23017, WrongChipError
from hardware.simulated.chips import SimulatedAds7830, SimulatedBus, SimulatedMcp23017
from hardware.simulated.strip import SimulatedStrip

ADDRESS = 0x21
ALL_INPUTS = 0x7F7F
PINS = [pin for pin in range(16) if ALL_INPUTS >> pin & 1]


class LoggingBus(SimulatedBus):
    """A simulated bus that records its transactions."""

    def __init__(self, chips: dict[int, SimulatedMcp23017]) -> None:
        super().__init__(chips)
        self.log: list[tuple[str, int, int]] = []

    def read_i2c_block_data(self, address: int, register: int, length: int) -> list[int]:
        self.log.append(("read", register, length))
        return super().read_i2c_block_data(address, register, length)

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        self.log.append(("write", register, len(data)))
        super().write_i2c_block_data(address, register, data)


@pytest.fixture
def part() -> SimulatedMcp23017:
    return SimulatedMcp23017()


@pytest.fixture
def bus(part: SimulatedMcp23017) -> LoggingBus:
    return LoggingBus({ADDRESS: part})


@pytest.fixture
def chip(bus: LoggingBus) -> Mcp23017:
    chip = Mcp23017(bus, ADDRESS, inputs=ALL_INPUTS)
    chip.set_up()
    return chip


# ---- MCP23017


def test_set_up_leaves_the_registers_as_the_wiring_needs_them(
    chip: Mcp23017, part: SimulatedMcp23017
) -> None:
    registers = part.registers.hex(" ").upper()
    #                            IODIR IPOL  GPINT DEFV  INTCN IOCON GPPU  INTF
    assert registers.startswith("7F 7F 00 00 7F 7F 00 00 00 00 44 44 7F 7F 00 00")
    assert registers.endswith("00 00")  # OLAT


def test_a_frame_is_one_burst_of_ten_bytes_from_iocon(chip: Mcp23017, bus: LoggingBus) -> None:
    bus.log.clear()
    chip.read()
    assert bus.log == [("read", 0x0A, 10)]


def test_all_is_open_when_nothing_is_driven(chip: Mcp23017) -> None:
    assert chip.read() == (ALL_INPUTS, 0)


@pytest.mark.parametrize("pin", PINS)
def test_a_closed_switch_pulls_its_own_pin_low(
    chip: Mcp23017, part: SimulatedMcp23017, pin: int
) -> None:
    part.drive(pin, 0)
    assert chip.read() == (ALL_INPUTS & ~(1 << pin), 1 << pin)
    part.drive(pin, None)
    assert chip.read() == (ALL_INPUTS, 1 << pin)
    assert chip.read() == (ALL_INPUTS, 0)


def test_a_pulse_between_two_reads_is_reported(chip: Mcp23017, part: SimulatedMcp23017) -> None:
    part.drive(3, 0)
    part.drive(3, None)
    assert chip.read() == (ALL_INPUTS, 1 << 3)
    assert chip.read() == (ALL_INPUTS, 0)


def test_reading_releases_the_interrupt(chip: Mcp23017, part: SimulatedMcp23017) -> None:
    assert part.interrupt is None
    part.drive(9, 0)  # on port B: only MIRROR brings it to INTA
    assert part.interrupt is True
    chip.read()
    assert part.interrupt is None


@pytest.mark.parametrize(
    "leftover",
    [
        pytest.param([(0x0A, 0x80)], id="BANK"),
        pytest.param([(0x0A, 0x20)], id="SEQOP"),
        pytest.param([(0x0A, 0xA2)], id="BANK, SEQOP, INTPOL"),
        pytest.param([(0x02, 0xFF), (0x03, 0xFF)], id="IPOL"),
        pytest.param([(0x06, 0xFF), (0x08, 0xFF)], id="DEFVAL, INTCON"),
        pytest.param([(0x00, 0x00), (0x14, 0xFF)], id="outputs high"),
    ],
)
def test_set_up_works_from_whatever_another_program_left(
    part: SimulatedMcp23017, bus: LoggingBus, leftover: list[tuple[int, int]]
) -> None:
    for register, value in leftover:
        part.write([register, value])
    chip = Mcp23017(bus, ADDRESS, inputs=ALL_INPUTS)
    chip.set_up()
    part.drive(0, 0)
    assert chip.read() == (ALL_INPUTS & ~1, 1)


def test_readings_of_a_chip_that_lost_power_do_not_count(
    chip: Mcp23017, part: SimulatedMcp23017
) -> None:
    part.power_on()
    with pytest.raises(ChipResetError, match="0x21 lost its settings"):
        chip.read()
    chip.set_up()
    assert chip.read() == (ALL_INPUTS, 0)


def test_a_silent_chip_is_named_with_its_address_pins(bus: LoggingBus) -> None:
    chip = Mcp23017(bus, 0x25, inputs=ALL_INPUTS)
    for act in (chip.set_up, chip.read, lambda: chip.write(0, 1)):
        with pytest.raises(BusError, match=r"0x25 does not answer.*A2 A1 A0 = 101"):
            act()


def test_a_chip_that_keeps_other_values_is_named(bus: LoggingBus) -> None:
    class NoPullUps(SimulatedMcp23017):
        def write(self, data: Sequence[int]) -> None:
            super().write(data)
            self.registers[0x0D] = 0

    bus.chips[ADDRESS] = NoPullUps()
    with pytest.raises(WrongChipError, match=r"0x21 keeps 0x00 in GPPUB where 0x7f was written"):
        Mcp23017(bus, ADDRESS, inputs=ALL_INPUTS).set_up()


def test_outputs_start_and_follow_as_set(bus: LoggingBus, part: SimulatedMcp23017) -> None:
    chip = Mcp23017(bus, ADDRESS, inputs=0x7F70, outputs=0x0005)
    chip.set_up()
    assert part.outputs & 0x0F == 0x05
    chip.write(0, 0x0A)
    assert part.outputs & 0x0F == 0x0A
    assert chip.read()[0] == 0x7F70


@pytest.mark.parametrize(("address", "inputs"), [(0x28, 0), (0x20, 0x80), (0x20, 0x8000)])
def test_what_no_chip_can_be_is_refused(bus: LoggingBus, address: int, inputs: int) -> None:
    with pytest.raises(ValueError, match=f"{address:#04x}"):
        Mcp23017(bus, address, inputs=inputs)


# ---- ADS7830 and multiplexers


def test_commands_are_those_of_the_datasheet() -> None:
    # Table 2 of SBAS302, single-ended, PD1 PD0 = 01.
    assert ads7830.COMMANDS == (0x84, 0xC4, 0x94, 0xD4, 0xA4, 0xE4, 0xB4, 0xF4)
    with pytest.raises(ValueError, match="inputs 0 to 7"):
        ads7830.command(8)


def test_each_input_gives_its_own_voltage() -> None:
    volts = [0.0, 0.33, 0.66, 1.1, 1.65, 2.2, 2.97, 3.3]
    part = SimulatedAds7830(
        {channel: (lambda value=value: value) for channel, value in enumerate(volts)}
    )
    adc = Ads7830(SimulatedBus({0x49: part}), 0x49)
    counts = [adc.read(channel) for channel in range(8)]
    assert counts == [min(255, int(value / 3.3 * 256 + 1e-9)) for value in volts]


def test_a_silent_converter_is_named() -> None:
    adc = Ads7830(SimulatedBus({}), 0x4A)
    with pytest.raises(BusError, match=r"ADS7830 at 0x4a does not answer.*A1 A0 = 10"):
        adc.read(0)
    with pytest.raises(ValueError, match="0x50"):
        Ads7830(SimulatedBus({}), 0x50)


def test_select_lines_carry_the_number(bus: LoggingBus, part: SimulatedMcp23017) -> None:
    chip = Mcp23017(bus, ADDRESS, inputs=0x7F7F & ~0x1E00)
    chip.set_up()
    lines = SelectLines(chip, (12, 10, 11, 9))  # B4 B2 B3 B1: in no order at all
    bus.log.clear()
    for number in range(16):
        lines.select(number)
        wire = part.outputs
        assert [wire >> pin & 1 for pin in (12, 10, 11, 9)] == [number >> s & 1 for s in range(4)]
    assert bus.log == [("write", 0x15, 1)] * 16


@pytest.mark.parametrize("pins", [(0, 1, 2, 8), (0, 1, 2, 2), (0, 1, 2)])
def test_select_lines_are_four_pins_of_one_port(bus: LoggingBus, pins: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="four pins of one port"):
        SelectLines(Mcp23017(bus, ADDRESS, inputs=0), pins)


def test_an_input_is_no_select_line(bus: LoggingBus) -> None:
    with pytest.raises(ValueError, match="output"):
        SelectLines(Mcp23017(bus, ADDRESS, inputs=0x0001), (0, 1, 2, 3))


# ---- Hall sensors


def feel(fields: list[float], zero: int = 128, scale: float = 0.43) -> list[int]:
    """Return the states of a sensor for these fields in turn."""
    tables = hall.pole_tables(zero, scale)
    said, state = [], hall.UNUSABLE
    for field in fields:
        state = tables[state][round(zero + field / scale)]
        said.append(hall.POLES[state])
    return said


def test_a_magnet_is_there_above_6_mt_and_gone_below_4() -> None:
    assert feel([0, 5.5, 6.5, 5.0, 4.4, 3.4, 5.5]) == [0, 0, 1, 1, 1, 0, 0]
    assert feel([0, -5.5, -6.5, -5.0, -4.4, -3.4, -5.5]) == [0, 0, -1, -1, -1, 0, 0]


def test_a_flipped_magnet_changes_its_pole_at_once() -> None:
    assert feel([35, -35, 35]) == [1, -1, 1]
    assert feel([35, -5, -35]) == [1, 0, -1]


def test_a_sensor_upside_down_says_the_other_pole() -> None:
    tables = hall.pole_tables(128, -0.43)
    assert tables[hall.NONE][128 + 80] == hall.SOUTH


@pytest.mark.parametrize("count", [0, 1, 3, 252, 255])
def test_a_count_at_the_rails_is_no_reading(count: int) -> None:
    for table in hall.pole_tables(128, 0.43):
        assert table[count] == hall.UNUSABLE


@given(zero=st.integers(60, 190), count=st.integers(4, 251), before=st.integers(0, 3))
def test_the_zero_shifts_everything(zero: int, count: int, before: int) -> None:
    field = (count - zero) * 0.43
    state = hall.pole_tables(zero, 0.43)[before][count]
    if abs(field) > 6.0:
        assert hall.POLES[state] == (1 if field > 0 else -1)
    elif abs(field) < 4.0:
        assert state == hall.NONE


@pytest.mark.parametrize(
    ("figures", "what"),
    [
        ((128, 0.43, 4.0, 6.0), "released"),
        ((128, 0.43, 6.0, 0.0), "released"),
        ((2, 0.43, 6.0, 4.0), "zero of 2"),
        ((128, 0.0, 6.0, 4.0), "0.0 mT"),
        ((128, float("nan"), 6.0, 4.0), "nan mT"),
    ],
)
def test_figures_that_make_no_sense_are_refused(
    figures: tuple[int, float, float, float], what: str
) -> None:
    with pytest.raises(ValueError, match=what):
        hall.pole_tables(*figures)


# ---- WS2812

LEVEL = st.integers(0, 255)
PIXELS = st.lists(st.tuples(LEVEL, LEVEL, LEVEL), min_size=1, max_size=40)


def test_a_pixel_is_green_first_most_significant_bit_first() -> None:
    # Red 1, green 128, blue 0; a bit is 110 or 100.
    bits = "110" + "100" * 7 + "100" * 7 + "110" + "100" * 8
    assert ws2812.encode_pixel((1, 128, 0)) == int(bits, 2).to_bytes(9, "big")


CODINGS = pytest.mark.parametrize("coding", ws2812.CODINGS.values(), ids=map(str, ws2812.CODINGS))


@CODINGS
@given(pixels=PIXELS, order=st.sampled_from(ws2812.ORDERS))
def test_a_chain_shows_what_it_is_sent(
    coding: ws2812.Coding, pixels: list[ws2812.Levels], order: str
) -> None:
    codes = [ws2812.encode_pixel(levels, order, coding) for levels in pixels]
    frame = ws2812.encode_frame(codes, coding)
    assert len(frame) == ws2812.frame_bytes(len(pixels), order, coding)
    strip = SimulatedStrip(len(pixels), order, coding.bits)
    strip.transfer(frame)
    assert list(strip.pixels) == pixels
    assert list(ws2812.decode_frame(frame, order, coding)) == pixels
    strip.transfer(ws2812.dark_frame(len(pixels), order, coding))
    assert set(strip.pixels) == {(0, 0, 0)}


@CODINGS
def test_a_frame_is_quiet_for_300_us_at_its_end(coding: ws2812.Coding) -> None:
    frame = ws2812.encode_frame([ws2812.encode_pixel((255, 255, 255), coding=coding)], coding)
    quiet = len(frame) - len(frame.rstrip(b"\0"))
    assert quiet * 8 / coding.clock_hz >= 300e-6


def pulses_with_gaps(data: bytes, high: bool) -> list[int]:
    """Return the length of each pulse in bits of SPI if the wire keeps its level for one bit
    between two bytes, as with an SPI that pauses.
    """
    bits = "".join(f"{byte:08b}" + (f"{byte & 1}" if high else "") for byte in data)
    return [len(pulse) for pulse in bits.split("0") if pulse]


def test_pauses_between_bytes_distort_no_pulse_of_four_bits() -> None:
    for coding, spoiled in ((ws2812.FOUR, False), (ws2812.THREE, True)):
        data = ws2812.encode_pixel((0b01101001, 255, 0), coding=coding)
        differ = pulses_with_gaps(data, high=True) != pulses_with_gaps(data, high=False)
        assert differ is spoiled


def test_chains_come_in_all_orders() -> None:
    assert len(set(ws2812.ORDERS)) == 12
    assert {"GRB", "BRG", "RGBW", "GRBW"} < set(ws2812.ORDERS)


@pytest.mark.parametrize(
    ("intended", "at_full", "at_normal", "at_dim"),
    [(255, 255, 76, 31), (235, 206, 62, 25), (190, 119, 36, 14), (170, 89, 27, 11), (0, 0, 0, 0)],
)
def test_gamma_gives_the_levels_of_the_words_of_light(
    intended: int, at_full: int, at_normal: int, at_dim: int
) -> None:
    levels = [ws2812.gamma_table(share)[intended] for share in (1.0, 0.3, 0.12)]
    assert levels == [at_full, at_normal, at_dim]


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_brightness_is_a_share(share: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        ws2812.gamma_table(share)
