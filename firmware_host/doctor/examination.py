"""One examination of a board: all that can be measured, and what a person is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from drivers import mcp23017, ws2812
from drivers.bus import BusError, I2cBus
from firmware_host.doctor import bus_checks, chip_checks, hand_checks, line_checks
from firmware_host.doctor.asking import AtTheTerminal, Person, answered
from firmware_host.doctor.bench import Bench, Pins, coding, machine_of
from firmware_host.doctor.bus_checks import ChipStates
from firmware_host.doctor.findings import Finding, address_text, finding
from firmware_host.doctor.hall_checks import hall_findings
from firmware_host.doctor.light_checks import light_findings
from firmware_host.doctor.magnet_walk import WHITE, walk
from firmware_host.doctor.pi_checks import pi_findings
from firmware_host.doctor.system import System
from firmware_host.i18n.messages import Message, say
from hardware.layout import Layout

FLASH_S: Final = 0.05
"""Time between two looks while magnets light their cells."""


@dataclass(slots=True)
class Examination:
    """The result of an examination."""

    layout: Layout
    findings: list[Finding] = field(default_factory=list)
    chips: dict[int, str] = field(default_factory=dict)
    """The state of each chip: `answers`, `silent`, `busy`, `timeout`, "" (not addressed)."""
    closed: set[str] = field(default_factory=set)
    """Those of I2C, GPIO and SPI that could not be used."""
    sound: list[int] = field(default_factory=list)
    """The chips that answer as they should."""
    kilohertz: float = 0.0
    """The real clock of I2C, 0 if it was not measured."""

    @property
    def causes(self) -> list[str]:
        """Return the causes of the findings, in order."""
        return [finding.cause for finding in self.findings]


def examine(system: System | None, bench: Bench) -> Examination:
    """Examine the Pi (None: a simulated one, which is healthy) and the board at its wires."""
    bench.close()  # taking the pins again pulses RESET again
    found = Examination(
        bench.layout, chips=dict.fromkeys(bus_checks.chip_addresses(bench.layout), "")
    )
    if system is not None:
        found.findings += pi_findings(system, bench.layout, bench.devices)
    if "no-pi" in found.causes:
        found.closed = {"I2C", "GPIO", "SPI"}
    else:
        _board(found, bench)
    return found


def _board(found: Examination, bench: Bench) -> None:
    layout = bench.layout
    try:
        bus = bench.bus()
    except OSError as error:
        found.closed = {"I2C", "GPIO"}
        if not {"i2c-off", "i2c-group"} & set(found.causes):
            found.findings.append(_closed("I2C", error))
        found.findings += _lights(found, bench)
        return
    before = bus_checks.chip_states(bus)
    pins: Pins | None = None
    deaf: list[int] = []
    try:
        deaf = line_checks.not_reset(bench, _answering(layout, before))
        pins = bench.pins()
    except OSError as error:
        found.closed.add("GPIO")
        if not {"gpio-off", "gpio-group"} & set(found.causes):
            found.findings.append(_closed("GPIO", error))
    after = bus_checks.chip_states(bus)
    found.chips.update({chip: after[chip] for chip in found.chips})
    found.findings += bus_checks.missing_findings(layout, before, after)
    present = _answering(layout, after)
    if pins is None or not line_checks.is_taken(pins, layout.reset_gpio):
        found.findings += line_checks.reset_findings(layout, deaf, present)
    unreliable = list(chip_checks.reliability_findings(bus, layout, present))
    found.findings += unreliable
    # Later checks would only repeat that a chip is unreliable.
    unreliable_parts = {part for finding in unreliable for part in finding.part.split(", ")}
    sound = found.sound = [chip for chip in present if address_text(chip) not in unreliable_parts]
    found.findings += _lines(bus, pins, layout, sound)
    found.findings += _clock(found, bench, sound)
    found.findings += hall_findings(bus, layout, sound)
    found.findings += _lights(found, bench)


def _answering(layout: Layout, roll: ChipStates) -> list[int]:
    return [chip for chip in bus_checks.chip_addresses(layout) if roll[chip] == "answers"]


def _lines(
    bus: I2cBus, pins: Pins | None, layout: Layout, sound: Sequence[int]
) -> Iterator[Finding]:
    if pins is None:
        return
    silent = [c.address for c in layout.expanders if c.address not in sound]
    yield from line_checks.taken_findings(pins)
    if not line_checks.is_taken(pins, layout.interrupt_gpio):
        yield from line_checks.interrupt_findings(bus, pins, layout, sound, silent)
    yield from line_checks.button_findings(bus, pins, layout, sound)


def _clock(found: Examination, bench: Bench, sound: Sequence[int]) -> Iterator[Finding]:
    chips = [chip for chip in sound if chip in mcp23017.ADDRESSES]
    if chips:
        try:
            hertz = chip_checks.clock_hz(bench, chips[0])
        except OSError:
            return  # a transfer failed: a finding already, or a single disturbance
        found.kilohertz = hertz / 1000
        yield from chip_checks.speed_findings(bench.layout, hertz)


def _lights(found: Examination, bench: Bench) -> Iterator[Finding]:
    """Send a dark picture: this shows whether SPI works, not whether a light receives it."""
    layout = bench.layout
    picture = ws2812.dark_frame(len(layout.led_positions), layout.led_order, coding(bench))
    try:
        bench.strip().transfer(picture)
    except OSError as error:
        found.closed.add("SPI")
        if not {"spi-off", "spi-group", "spidev-buffer"} & set(found.causes):
            yield _closed("SPI", error)


def _closed(device: str, error: OSError) -> Finding:
    cause = f"{device.lower()}-fails"
    return finding(cause, device, text="device-fails", device=device, error=str(error))


def unknowable(layout: Layout) -> tuple[Message, ...]:
    """Return what cannot be measured, and which command finds it out."""
    messages = [
        say(
            "Whether two chips share an address: registers look alike. A magnet shows it: "
            "lampion doctor pins"
        ),
        say("Whether INT and the buttons have their own pull-ups: those of the Pi hide it."),
        say("Whether the lights are lit, and in which colours: lampion doctor lights"),
        say("Whether each sensor sees its magnet, and where it sits: lampion doctor pins"),
    ]
    if layout.reset_gpio is None:
        messages.append(say("Whether RESET is high for certain: it is on no pin of the Pi."))
    return tuple(messages)


# ---- with a person


def ask(found: Examination, what: str | None, bench: Bench, person: Person) -> None:
    """Add to an examination what only a person can tell: about the `lights` or the `pins`."""
    try:
        if what == "lights" and "SPI" not in found.closed:
            found.findings += answered(light_findings(bench), person)
        if what == "pins" and not found.closed:
            found.findings += _by_hand(bench, person, found.sound)
    except EOFError:
        raise BusError("nobody answers: run it at a terminal") from None


def _by_hand(bench: Bench, person: Person, present: Sequence[int]) -> Iterator[Finding]:
    if not (present or bench.layout.serial):
        return  # no sensor or button would answer
    yield from answered(hand_checks.button_walk(bench, present), person)
    yield from hand_checks.walk_findings(bench.layout, answered(walk(bench), person))
    if isinstance(person, AtTheTerminal):
        flash(bench, person)


def flash(bench: Bench, person: Person, looks: int = 0) -> None:
    """Light every place that sees a magnet, until Ctrl-C, or for a number of looks."""
    machine = machine_of(bench)
    person.hear(say("Each magnet lights its cell now. Ctrl-C stops this."))
    look = 0
    try:
        while not looks or look < looks:
            now = look * FLASH_S
            seen = machine.read(now).readings
            machine.light(dict.fromkeys(seen, WHITE), now)
            bench.pause(FLASH_S)
            look += 1
    except KeyboardInterrupt:
        machine.light({}, (look + 1) * FLASH_S)
