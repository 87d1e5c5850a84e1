"""How reliably each chip answers, and how fast the bus is."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from drivers import ads7830
from drivers.ads7830 import Ads7830
from drivers.bus import BusError, HungError, I2cBus
from drivers.mcp23017 import ChipResetError, Mcp23017, WrongChipError
from firmware_host.doctor.bench import Bench
from firmware_host.doctor.bus_checks import expander, hanging_findings
from firmware_host.doctor.findings import Finding, address_text, finding
from hardware.layout import Layout
from hardware.wiring.netlist import DECOUPLING

LOOKS: Final = 40
"""The number of reads that show whether a chip always answers."""
TIMINGS: Final = 25
LONG_READ_BYTES: Final = 32
"""The size of the longer of the two reads from which the clock is measured."""
SLOWEST_LOOK_S: Final = 0.020
"""The interval at which the program reads busy sensors; a read of the whole board has to fit in."""


@dataclass(slots=True)
class _Looks:
    """The failures of a chip that was read many times."""

    wrong: bool = False
    silent: int = 0
    hung: int = 0
    lost: int = 0


def reliability_findings(bus: I2cBus, layout: Layout, present: Sequence[int]) -> Iterator[Finding]:
    """Set up the chips that answer and read each many times; yield those that fail."""
    looks = {address: _looks(bus, layout, address) for address in present}
    yield from hanging_findings([address for address, look in looks.items() if look.hung])
    for address, look in looks.items():
        name = address_text(address)
        if look.wrong:
            yield finding("wrong-chip", name, chip=name)
        elif look.silent and not look.hung:
            yield finding("chip-loose", name, chip=name, n=look.silent, of=LOOKS)
        elif look.lost and not look.hung:
            yield finding(
                "settings-lost", name, chip=name, n=look.lost, of=LOOKS, farads=DECOUPLING
            )


def _looks(bus: I2cBus, layout: Layout, address: int) -> _Looks:
    look = _Looks()
    if address in ads7830.ADDRESSES:
        adc = Ads7830(bus, address)
        for _ in range(LOOKS):
            try:
                adc.read(0)
            except BusError as error:
                _failed(look, error)
        return look
    chip = expander(bus, layout, address)
    look.wrong = not _set_up(chip, look)
    for _ in range(0 if look.wrong else LOOKS):
        try:
            chip.read()
        except ChipResetError:
            look.lost += 1
            _set_up(chip, look)
        except BusError as error:
            _failed(look, error)
    return look


def _set_up(chip: Mcp23017, look: _Looks) -> bool:
    """Set a chip up, with a second and a third try; False if it never keeps its settings."""
    for _ in range(3):
        try:
            chip.set_up()
            return True
        except WrongChipError:
            continue
        except BusError as error:
            _failed(look, error)
    return bool(look.silent)


def _failed(look: _Looks, error: BusError) -> None:
    look.silent += 1
    look.hung += isinstance(error, HungError)


# ---- how fast


def clock_hz(bench: Bench, address: int) -> float:
    """Return the real clock of the bus, from the difference of a long and a short read."""
    bus = bench.bus()

    def median(length: int) -> float:
        times = []
        for _ in range(TIMINGS):
            began = bench.clock()
            bus.read_i2c_block_data(address, 0, length)
            times.append(bench.clock() - began)
        return statistics.median(times)

    took = median(LONG_READ_BYTES) - median(1)
    return (LONG_READ_BYTES - 1) * 9 / took if took > 0 else 0.0


def speed_findings(layout: Layout, hertz: float) -> Iterator[Finding]:
    """Yield a finding if the bus is too slow to read the board in time."""
    look = layout.scan_seconds(round(hertz)) if hertz >= 1 else 0.0
    if look > SLOWEST_LOOK_S:
        yield finding(
            "slow-bus",
            "I2C",
            khz=round(hertz / 1000),
            ms=round(look * 1000),
            file="/boot/firmware/config.txt",
            line="dtparam=i2c_arm=on,i2c_arm_baudrate=400000",
        )
