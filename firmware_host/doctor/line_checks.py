"""Checks of INT, RESET and the buttons without a person.

A chip can be made to pull INT down without a magnet: see `Mcp23017.call`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from drivers import mcp23017
from drivers.bus import BusError, I2cBus
from drivers.mcp23017 import ChipResetError, Mcp23017
from firmware_host.doctor.bench import Bench, Pins
from firmware_host.doctor.bus_checks import expander
from firmware_host.doctor.findings import Finding, address_text, finding, names_text
from firmware_host.i18n.messages import say
from hardware.layout import Layout
from hardware.wiring.netlist import INT_PULL_UP_OHMS, RESET_SERIES_OHMS, header_pin, ohms_text


def not_reset(bench: Bench, present: Sequence[int]) -> list[int]:
    """Set up all expanders, pulse RESET, and return those that kept their settings."""
    bus, layout = bench.bus(), bench.layout
    ready = [expander(bus, layout, each) for each in present if each in mcp23017.ADDRESSES]
    kept = []
    for chip in ready:
        try:
            chip.set_up()
        except BusError:
            kept.append(chip.address)  # another check reports it
    bench.pins()
    deaf = []
    for chip in ready:
        try:
            chip.read()
        except ChipResetError:
            continue
        except BusError:
            continue
        if chip.address not in kept:
            deaf.append(chip.address)
    return deaf


def reset_findings(
    layout: Layout, deaf: Sequence[int], present: Sequence[int]
) -> Iterator[Finding]:
    """Yield a finding about the expanders that a pulse on RESET did not reach."""
    if not deaf or layout.reset_gpio is None:
        return
    pin = header_pin(layout.reset_gpio)
    means = say("The RESET pin of these chips is not joined to the others.")
    do = say("Connect RESET of every MCP23017; an open one resets the chip at random.")
    if len(deaf) == sum(chip in mcp23017.ADDRESSES for chip in present):
        means = say("The wire from {pin} to RESET is off.", pin=pin)
        do = say(
            "Check the {series} between {pin} and RESET, and whether RESET touches 3.3 V.",
            series=ohms_text(RESET_SERIES_OHMS),
            pin=pin,
        )
    chips = names_text([address_text(chip) for chip in deaf])
    yield finding(
        "reset-cut",
        "RESET",
        say("A pulse on RESET ({pin}) did nothing to {chips}.", pin=pin, chips=chips),
        means,
        do,
    )


def interrupt_findings(
    bus: I2cBus, pins: Pins, layout: Layout, present: Sequence[int], silent: Sequence[int]
) -> Iterator[Finding]:
    """Let every expander pull INT down in turn; yield those that the Pi does not see. If the line
    stays low, the finding names the chips that do not answer.
    """
    int_pin = header_pin(layout.interrupt_gpio)
    chips = [expander(bus, layout, each) for each in present if each in mcp23017.ADDRESSES]
    ready = [chip for chip in chips if _quiet(chip)]
    if not ready:
        return
    if pins.interrupt:
        do = [
            say(
                "Measure INT against ground: at rest it has 3.3 V through {ohms}.",
                ohms=ohms_text(INT_PULL_UP_OHMS),
            )
        ]
        if silent:
            names = names_text([address_text(chip) for chip in silent])
            do.insert(0, say("Pull off the chips that do not answer: {chips}.", chips=names))
        yield finding(
            "int-low",
            "INT",
            say("INT ({pin}) stays low, though every chip has been read.", pin=int_pin),
            say(
                "A short to ground or a silent chip pulls it down: the program has to "
                "read the chips all the time."
            ),
            *do,
        )
        return
    unheard = [chip.address for chip in ready if not _heard(pins, chip)]
    if len(unheard) == len(ready):
        yield finding(
            "int-dead",
            "INT",
            say("No chip's INT reaches {pin}.", pin=int_pin),
            say(
                "The wire is cut, or something pulls it up: the program has to read the "
                "chips all the time."
            ),
            say(
                "INTA of every MCP23017 goes to {pin}, with {ohms} to 3.3 V.",
                ohms=ohms_text(INT_PULL_UP_OHMS),
                pin=int_pin,
            ),
            say("Nothing else may be on that wire, not even another board."),
        )
        return
    for address in unheard:
        yield finding(
            "int-cut",
            address_text(address),
            say(
                "INT of {chip} does not reach {pin}; others do.",
                chip=address_text(address),
                pin=int_pin,
            ),
            say(
                "The wire of this chip's INTA is off: the program has to read the board "
                "all the time."
            ),
            say("Solder INTA of {chip} (not INTB) to the others.", chip=address_text(address)),
        )


def _quiet(chip: Mcp23017) -> bool:
    """Set a chip up and read it, so that it releases INT; False if it fails."""
    try:
        chip.set_up()
        chip.read()
    except BusError:
        return False
    return True


def _heard(pins: Pins, chip: Mcp23017) -> bool:
    """Let a chip interrupt by a changed comparison level; say whether the Pi saw it."""
    try:
        chip.call()
        seen = pins.interrupt
        chip.hush()
        chip.read()
    except OSError:
        return True  # another check reports that it does not answer
    return seen and not pins.interrupt


def is_taken(pins: Pins, gpio: int | None) -> bool:
    """Say whether another program or the kernel uses a pin of the header."""
    return gpio is not None and any(
        str(fault.address).startswith(header_pin(gpio)) for fault in pins.taken
    )


def taken_findings(pins: Pins) -> Iterator[Finding]:
    """Yield the pins of the header that another program or the kernel uses."""
    for fault in pins.taken:
        do = say("Stop that program, or choose another pin.")
        if fault.holder.startswith("dtoverlay="):
            do = say("Remove that line from config.txt and restart, or choose another pin.")
        yield finding(
            "pin-taken",
            str(fault.address),
            say("The pin {pin} is in use.", pin=str(fault.address)),
            say("The kernel says what uses it: {holder}", holder=fault.holder)
            if fault.holder
            else say("A dtoverlay= line in config.txt uses it, or another running program."),
            do,
        )


def button_findings(
    bus: I2cBus, pins: Pins, layout: Layout, present: Sequence[int]
) -> Iterator[Finding]:
    """Yield the buttons that are down although none was asked for."""
    for name in sorted(pressed(bus, pins, layout, present)):
        yield finding(
            "button-held",
            name,
            say("The button {name} is down.", name=name),
            say("It is stuck, or its wire touches ground; or somebody holds it."),
            say(
                "Let go of it and look again; otherwise check its wire: {wire}.",
                wire=button_wire(layout, name),
            ),
        )


def pressed(bus: I2cBus, pins: Pins, layout: Layout, present: Sequence[int]) -> frozenset[str]:
    """Return the buttons that are down, on the header and on expanders."""
    down = set(pins.held())
    levels: dict[int, int] = {}
    for button in layout.buttons.values():
        address = button.expander
        if address is None or address not in present:
            continue
        if address not in levels:
            chip = expander(bus, layout, address)
            levels[address] = chip.read()[0] if _quiet(chip) else 0xFFFF
        if not levels[address] >> button.pin & 1:
            down.add(button.name)
    return frozenset(down)


def button_wire(layout: Layout, name: str) -> str:
    """Return the pin that a button is on."""
    from hardware.wiring.netlist import port_pin

    button = layout.buttons[name]
    if button.gpio is not None:
        return header_pin(button.gpio)
    assert button.expander is not None
    return f"{address_text(button.expander)} {port_pin(button.pin)}"
