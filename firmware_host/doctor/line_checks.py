"""Checks of INT, RESET and the buttons without a person.

A chip can be made to pull INT down without a magnet: see `Mcp23017.force_interrupt`.
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
    all_deaf = len(deaf) == sum(chip in mcp23017.ADDRESSES for chip in present)
    yield finding(
        "reset-cut",
        "RESET",
        text="reset-cut-all" if all_deaf else "",
        pin=header_pin(layout.reset_gpio),
        chips=names_text([address_text(chip) for chip in deaf]),
        series=ohms_text(RESET_SERIES_OHMS),
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
        names = names_text([address_text(chip) for chip in silent])
        pull = say("Unplug the chips that do not answer: {chips}.", chips=names)
        ohms = ohms_text(INT_PULL_UP_OHMS)
        yield finding("int-low", "INT", *([pull] if silent else []), pin=int_pin, ohms=ohms)
        return
    unheard = [chip.address for chip in ready if not _heard(pins, chip)]
    if len(unheard) == len(ready):
        yield finding("int-dead", "INT", pin=int_pin, ohms=ohms_text(INT_PULL_UP_OHMS))
        return
    for address in unheard:
        yield finding("int-cut", address_text(address), chip=address_text(address), pin=int_pin)


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
        chip.force_interrupt()
        seen = pins.interrupt
        chip.end_forced_interrupt()
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
        pin, text = str(fault.address), "pin-taken-program" if fault.holder else "pin-taken"
        if fault.holder.startswith("dtoverlay="):
            text = "pin-taken-overlay"
        yield finding("pin-taken", pin, text=text, pin=pin, holder=fault.holder)


def button_findings(
    bus: I2cBus, pins: Pins, layout: Layout, present: Sequence[int]
) -> Iterator[Finding]:
    """Yield the buttons that are down although none was asked for."""
    for name in sorted(pressed(bus, pins, layout, present)):
        yield finding("button-held", name, name=name, wire=button_wire(layout, name))


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
