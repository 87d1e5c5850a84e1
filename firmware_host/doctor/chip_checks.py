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
from firmware_host.doctor.bus_checks import expander, hanging_finding
from firmware_host.doctor.findings import Finding, address_text, finding
from firmware_host.i18n.messages import say
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
    hung = [address_text(address) for address, look in looks.items() if look.hung]
    if hung:
        yield hanging_finding(", ".join(hung))
    for address, look in looks.items():
        if look.wrong:
            yield _wrong(address_text(address))
        elif look.silent and not look.hung:
            yield _loose(address_text(address), look.silent)
        elif look.lost and not look.hung:
            yield _lost(address_text(address), look.lost)


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


def _wrong(name: str) -> Finding:
    return finding(
        "wrong-chip",
        name,
        say("{chip} answers, but does not keep what is written to it.", chip=name),
        say("The chip that answers there is not an MCP23017."),
        say("Look at what is printed on the chip at {chip}.", chip=name),
    )


def _loose(name: str, times: int) -> Finding:
    return finding(
        "chip-loose",
        name,
        say("{chip} did not answer {n} of {of} times.", chip=name, n=times, of=LOOKS),
        say("A plug is loose, or the bus is at its limits."),
        say("Press its plug and its solder joints while lampion doctor --watch runs."),
        say("Remove the extra pull-ups: see hardware/WIRING.md."),
    )


def _lost(name: str, times: int) -> Finding:
    return finding(
        "settings-lost",
        name,
        say("{chip} lost its settings {n} of {of} times.", chip=name, n=times, of=LOOKS),
        say("Its 3.3 V dips, or RESET gets pulses."),
        say(
            "Give each chip its {farads} right at its pins; keep SDA and SCL below 50 cm.",
            farads=DECOUPLING,
        ),
        say("Measure 3.3 V at the chip while the lights are on."),
    )


# ---- how fast


def clock_hz(bench: Bench, address: int) -> float:
    """Return the real clock of the bus, from the difference of two reads: it excludes the call
    itself.
    """
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
            say(
                "I2C runs at {khz} kHz; one reading of all sensors takes {ms} ms.",
                khz=round(hertz / 1000),
                ms=round(look * 1000),
            ),
            say("That is too slow: a quick hand causes questions, or is read wrongly."),
            say(
                "Put this line into {file}: {line}",
                file="/boot/firmware/config.txt",
                line="dtparam=i2c_arm=on,i2c_arm_baudrate=400000",
            ),
            say("On a Pi 3 and a Pi 4 core_freq keeps the clock up: lampion doctor --prepare"),
            say("Then restart: sudo reboot"),
        )
