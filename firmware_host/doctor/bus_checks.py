"""Which chips answer on I2C, and which should but do not."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from drivers import ads7830, mcp23017
from drivers.bus import I2cBus
from drivers.mcp23017 import Mcp23017
from firmware_host.doctor.findings import Finding, address_text, finding, names_text
from firmware_host.i18n.messages import Message, say
from hardware.layout import Layout
from hardware.wiring.netlist import (
    DECOUPLING,
    HEADER,
    RESET_PULL_UP_OHMS,
    RESET_SERIES_OHMS,
    SCL_GPIO,
    SDA_GPIO,
    header_pin,
    ohms_text,
)

Answer: TypeAlias = Literal["answers", "silent", "busy", "timeout"]
ChipStates: TypeAlias = Mapping[int, Answer]


EVERY_ADDRESS: Final = (*mcp23017.ADDRESSES, *ads7830.ADDRESSES)


def chip_addresses(layout: Layout) -> tuple[int, ...]:
    """Return the addresses of a layout's chips on I2C."""
    adcs = dict.fromkeys(chip.adc for chip in layout.multiplexers)
    return (*(chip.address for chip in layout.expanders), *adcs)


def chip_states(bus: I2cBus) -> ChipStates:
    """Return the state of every address that one of our chips can have."""
    return {address: _answer(bus, address) for address in EVERY_ADDRESS}


def _answer(bus: I2cBus, address: int) -> Answer:
    code: int | None = 0
    for _ in range(2):  # a single disturbed transfer is no finding here
        try:
            bus.read_byte_data(address, 0)
            return "answers"
        except OSError as error:
            code = error.errno
    if code == errno.EBUSY:
        return "busy"
    return "timeout" if code == errno.ETIMEDOUT else "silent"


def expander(bus: I2cBus, layout: Layout, address: int) -> Mcp23017:
    """Return one of the layout's expanders, configured as in play."""
    select = layout.select
    outputs = select.pins if select is not None and select.expander == address else ()
    inputs = 0xFFFF & ~mcp23017.NO_INPUT & ~sum(1 << pin for pin in outputs)
    return Mcp23017(bus, address, inputs=inputs)


# ---- which are missing


def missing_findings(layout: Layout, before: ChipStates, after: ChipStates) -> Iterator[Finding]:
    """Yield findings from the chips that answer before and after RESET was driven high."""
    chips = chip_addresses(layout)
    answers = {address: after[address] for address in chips}
    states = set(answers.values())
    if states == {"timeout"}:
        yield finding("bus-held", "I2C", sda=HEADER[SDA_GPIO], scl=HEADER[SCL_GPIO])
        return
    if states == {"silent"}:
        yield finding(
            "all-silent",
            "I2C",
            n=len(chips),
            sda=HEADER[SDA_GPIO],
            scl=HEADER[SCL_GPIO],
            up=ohms_text(RESET_PULL_UP_OHMS),
            series=ohms_text(RESET_SERIES_OHMS),
            pin="-" if layout.reset_gpio is None else header_pin(layout.reset_gpio),
        )
        return
    woken = [chip for chip in chips if before[chip] == "silent" and after[chip] == "answers"]
    if woken and layout.reset_gpio is not None:
        yield finding(
            "reset-floats",
            "RESET",
            pin=header_pin(layout.reset_gpio),
            chips=names_text([address_text(chip) for chip in woken]),
            ohms=ohms_text(RESET_PULL_UP_OHMS),
        )
    yield from hanging_findings([chip for chip, state in answers.items() if state == "timeout"])
    strangers = [a for a in EVERY_ADDRESS if a not in chips and after[a] == "answers"]
    for chip, state in answers.items():
        if state == "busy":
            yield finding("busy", address_text(chip), chip=address_text(chip))
        elif state == "silent":
            yield _silent(chip, chips, after, strangers)
    for stranger in strangers:
        yield finding(
            "stranger", address_text(stranger), chip=address_text(stranger), name=layout.name
        )


def hanging_findings(chips: Sequence[int]) -> Iterator[Finding]:
    """Yield a finding about chips whose transfers time out, if there are any."""
    if chips:
        names = ", ".join(map(address_text, chips))
        yield finding("bus-hangs", names, chip=names, farads=DECOUPLING)


def _silent(chip: int, chips: Sequence[int], after: ChipStates, strangers: list[int]) -> Finding:
    """Return a finding with the address that a chip may have: an unused one, or another chip's."""
    name = address_text(chip)
    family = mcp23017.ADDRESSES if chip in mcp23017.ADDRESSES else ads7830.ADDRESSES
    there = [each for each in strangers if each in family]
    if there:
        stray = there[0]
        strangers.remove(stray)
        ties = (_tie(chip, bit) for bit in range(3) if (chip ^ stray) >> bit & 1)
        return finding("address-pins", name, *ties, chip=name, other=address_text(stray))
    alike = [
        address_text(each)
        for each in chips
        if each in family and after[each] == "answers" and (each ^ chip).bit_count() == 1
    ]
    twins = say(
        "Two chips at one address look like one. Unplug {others} one by one: if its address still "
        "answers, this chip has it.",
        others=", ".join(alike),
    )
    more = [twins] if alike else []
    if family is ads7830.ADDRESSES:
        return finding(
            "chip-silent", name, *more, text="chip-silent-adc", chip=name, bits=f"{chip & 3:02b}"
        )
    return finding("chip-silent", name, *more, chip=name, bits=f"{chip & 7:03b}")


def _tie(chip: int, bit: int) -> Message:
    if chip >> bit & 1:
        return say("Tie {pin} of the chip to 3.3 V.", pin=f"A{bit}")
    return say("Tie {pin} of the chip to ground.", pin=f"A{bit}")
