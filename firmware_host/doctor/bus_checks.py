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


# ---- who is missing


def missing_findings(layout: Layout, before: ChipStates, after: ChipStates) -> Iterator[Finding]:
    """Yield findings from the chips that answer before and after RESET was driven high."""
    chips = chip_addresses(layout)
    answers = {address: after[address] for address in chips}
    states = set(answers.values())
    if states == {"timeout"}:
        yield _bus_held()
        return
    if states == {"silent"}:
        yield _all_silent(layout, len(chips))
        return
    woken = [chip for chip in chips if before[chip] == "silent" and after[chip] == "answers"]
    if woken and layout.reset_gpio is not None:
        yield _reset_floats(layout, woken)
    hung = [address_text(chip) for chip, state in answers.items() if state == "timeout"]
    if hung:
        yield hanging_finding(", ".join(hung))
    strangers = [a for a in EVERY_ADDRESS if a not in chips and after[a] == "answers"]
    for chip, state in answers.items():
        if state == "busy":
            yield _busy(chip)
        elif state == "silent":
            yield _silent(chip, chips, after, strangers)
    for stranger in strangers:
        yield finding(
            "stranger",
            address_text(stranger),
            say(
                "A chip answers at {chip}, where the layout has none.", chip=address_text(stranger)
            ),
            say("It is no part of this board, or the layout is that of another board."),
            say("Compare the chips with the layout: lampion layouts {name}", name=layout.name),
        )


def _bus_held() -> Finding:
    return finding(
        "bus-held",
        "I2C",
        say("Every transfer on I2C times out."),
        say("SDA or SCL is held low: by a short, or by a chip that is stuck or has no supply."),
        say("Switch everything off and on again: that frees a chip that got stuck."),
        say("Pull off one chip after the other until the bus is free."),
        say(
            "Measure SDA (pin {sda}) and SCL (pin {scl}): at rest both have 3.3 V.",
            sda=HEADER[SDA_GPIO],
            scl=HEADER[SCL_GPIO],
        ),
    )


def hanging_finding(chip: str) -> Finding:
    """Return the finding about chips whose transfers time out."""
    return finding(
        "bus-hangs",
        chip,
        say("Transfers with {chip} time out.", chip=chip),
        say("A chip holds SDA or SCL low for a while: its supply dips, or the wires are too long."),
        say(
            "Give each chip its {farads} right at its pins; keep SDA and SCL below 50 cm.",
            farads=DECOUPLING,
        ),
        say("Remove the extra pull-ups: see hardware/WIRING.md."),
    )


def _all_silent(layout: Layout, count: int) -> Finding:
    reset = "" if layout.reset_gpio is None else header_pin(layout.reset_gpio)
    return finding(
        "all-silent",
        "I2C",
        say("The bus works, but none of the {n} chips answers.", n=count),
        say("Something that all chips share is not connected: SDA, SCL, 3.3 V, ground or RESET."),
        say(
            "SDA goes to pin {sda}, SCL to pin {scl}: exchange them if they are the wrong way "
            "round.",
            sda=HEADER[SDA_GPIO],
            scl=HEADER[SCL_GPIO],
        ),
        say("Measure 3.3 V between VDD and VSS of a chip."),
        say(
            "Measure 3.3 V at RESET: {up} to 3.3 V, {series} to {pin}.",
            up=ohms_text(RESET_PULL_UP_OHMS),
            series=ohms_text(RESET_SERIES_OHMS),
            pin=reset or "-",
        ),
    )


def _reset_floats(layout: Layout, chips: Sequence[int]) -> Finding:
    assert layout.reset_gpio is not None
    return finding(
        "reset-floats",
        "RESET",
        say(
            "Silent until {pin} drove RESET high: {chips}.",
            pin=header_pin(layout.reset_gpio),
            chips=names_text([address_text(chip) for chip in chips]),
        ),
        say("RESET has no pull-up, so chips stay in reset until the program runs."),
        say("Solder {ohms} from RESET to 3.3 V.", ohms=ohms_text(RESET_PULL_UP_OHMS)),
    )


def _busy(chip: int) -> Finding:
    return finding(
        "busy",
        address_text(chip),
        say("A driver of the system uses the address {chip}.", chip=address_text(chip)),
        say("An overlay gave this chip to the kernel; the program cannot use it."),
        say("Take the dtoverlay= line for this chip out of /boot/firmware/config.txt."),
        say("Then restart: sudo reboot"),
    )


def _silent(chip: int, chips: Sequence[int], after: ChipStates, strangers: list[int]) -> Finding:
    """Return a finding with the address that a chip may have: an unused one, or another chip's."""
    name = address_text(chip)
    family = mcp23017.ADDRESSES if chip in mcp23017.ADDRESSES else ads7830.ADDRESSES
    there = [each for each in strangers if each in family]
    if there:
        stray = there[0]
        strangers.remove(stray)
        return finding(
            "address-pins",
            name,
            say(
                "{chip} is silent, and {other} answers, where no chip should be.",
                chip=name,
                other=address_text(stray),
            ),
            say("The chip is there, but its address pins are tied differently."),
            *tuple(_tie(chip, bit) for bit in range(3) if (chip ^ stray) >> bit & 1),
        )
    alike = [
        address_text(each)
        for each in chips
        if each in family and after[each] == "answers" and (each ^ chip).bit_count() == 1
    ]
    bits = chip & (7 if family is mcp23017.ADDRESSES else 3)
    do: list[Message] = [
        say("Check its plug, 3.3 V and ground at its pins, at SDA, SCL and RESET."),
        say("Its address pins are A2 A1 A0 = {bits}.", bits=f"{bits:03b}"),
    ]
    if alike:
        do.append(
            say(
                "Two chips at one address look like one. Pull off {others} one by one: if its "
                "address still answers, this chip has it.",
                others=", ".join(alike),
            )
        )
    return finding(
        "chip-silent",
        name,
        say("{chip} does not answer; others do.", chip=name),
        say("This chip is not plugged in, has no supply, or has another address."),
        *tuple(do),
    )


def _tie(chip: int, bit: int) -> Message:
    if chip >> bit & 1:
        return say("Tie {pin} of the chip to 3.3 V.", pin=f"A{bit}")
    return say("Tie {pin} of the chip to ground.", pin=f"A{bit}")
