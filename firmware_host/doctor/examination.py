"""One examination of a board: everything that can be measured without a hand or an eye."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from drivers import mcp23017, ws2812
from drivers.bus import I2cBus
from firmware_host.doctor import bus_checks, chip_checks, line_checks
from firmware_host.doctor.bench import Bench, Pins, coding
from firmware_host.doctor.bus_checks import Roll
from firmware_host.doctor.findings import Finding, address_text
from firmware_host.doctor.hall_checks import hall_findings
from firmware_host.doctor.pi_checks import pi_findings
from firmware_host.doctor.system import System
from firmware_host.i18n.messages import Message, say
from hardware.layout import Layout


@dataclass(slots=True)
class Examination:
    """What an examination found."""

    layout: Layout
    findings: list[Finding] = field(default_factory=list)
    chips: dict[int, str] = field(default_factory=dict)
    """Each chip of the layout: `answers`, `silent`, `busy`, `timeout`; "" if nothing was asked."""
    closed: set[str] = field(default_factory=set)
    """Which of I2C, GPIO and SPI could not be used."""
    sound: list[int] = field(default_factory=list)
    """The chips that answer as they should."""
    kilohertz: float = 0.0
    """The real clock of I2C, 0 if it was not measured."""

    @property
    def causes(self) -> list[str]:
        """Return the causes of the findings, in order."""
        return [finding.cause for finding in self.findings]


def examine(system: System | None, bench: Bench) -> Examination:
    """Examine the Pi (None: a simulated one, which is well) and the board at its wires."""
    bench.close()  # what takes the pins anew pulses RESET anew
    found = Examination(bench.layout, chips=dict.fromkeys(bus_checks.wanted(bench.layout), ""))
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
    before = bus_checks.roll(bus)
    pins: Pins | None = None
    deaf: list[int] = []
    try:
        deaf = line_checks.not_reset(bench, _answering(layout, before))
        pins = bench.pins()
    except OSError as error:
        found.closed.add("GPIO")
        if not {"gpio-off", "gpio-group"} & set(found.causes):
            found.findings.append(_closed("GPIO", error))
    after = bus_checks.roll(bus)
    found.chips.update({chip: after[chip] for chip in found.chips})
    found.findings += bus_checks.missing(layout, before, after)
    present = _answering(layout, after)
    if pins is None or not line_checks.is_taken(pins, layout.reset_gpio):
        found.findings += line_checks.reset_findings(layout, deaf, present)
    unreliable = list(chip_checks.reliability(bus, layout, present))
    found.findings += unreliable
    # What does not answer reliably would only be said again by what follows.
    spoilt = {part for finding in unreliable for part in finding.part.split(", ")}
    sound = found.sound = [chip for chip in present if address_text(chip) not in spoilt]
    found.findings += _lines(bus, pins, layout, sound)
    found.findings += _clock(found, bench, sound)
    found.findings += hall_findings(bus, layout, sound)
    found.findings += _lights(found, bench)


def _answering(layout: Layout, roll: Roll) -> list[int]:
    return [chip for chip in bus_checks.wanted(layout) if roll[chip] == "answers"]


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
            return  # a transfer failed: said already, or a single one
        found.kilohertz = hertz / 1000
        yield from chip_checks.speed(bench.layout, hertz)


def _lights(found: Examination, bench: Bench) -> Iterator[Finding]:
    """Send a dark picture: that shows whether SPI takes one, not whether a light hears it."""
    layout = bench.layout
    picture = ws2812.dark_frame(len(layout.led_positions), layout.led_order, coding(bench))
    try:
        bench.strip().transfer(picture)
    except OSError as error:
        found.closed.add("SPI")
        if not {"spi-off", "spi-group", "spidev-buffer"} & set(found.causes):
            yield _closed("SPI", error)


def _closed(device: str, error: OSError) -> Finding:
    return Finding(
        f"{device.lower()}-fails",
        say("{device} cannot be used: {error}", device=device, error=str(error)),
        say("The system does not let the program use the device."),
        (
            say("lampion doctor --prepare prints what belongs in the Pi's configuration."),
            say("If Lampion runs already, end it first: sudo systemctl stop lampion"),
        ),
        device,
    )


def unknowable(layout: Layout) -> tuple[Message, ...]:
    """Return what no measurement shows, and what does."""
    said = [
        say(
            "Whether two chips share an address: registers look alike. A magnet shows it: "
            "lampion doctor pins"
        ),
        say("Whether INT and the buttons have their own pull-ups: those of the Pi hide it."),
        say("Whether the lights are lit, and in which colours: lampion doctor lights"),
        say("Whether each sensor sees its magnet, and where it sits: lampion doctor pins"),
    ]
    if layout.reset_gpio is None:
        said.append(say("Whether RESET is high for certain: it is on no pin of the Pi."))
    return tuple(said)
