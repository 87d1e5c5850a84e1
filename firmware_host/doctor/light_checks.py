"""Checks of the light chain with a person, who says what it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from drivers import ws2812
from drivers.bus import SpiBus
from drivers.ws2812 import Levels
from firmware_host.doctor.asking import NO, YES, Asking, Question
from firmware_host.doctor.bench import Bench, coding
from firmware_host.doctor.findings import Finding, copy_first, finding
from firmware_host.i18n.messages import Message, say
from hardware.layout import Layout
from hardware.wiring.netlist import DATA_SERIES_OHMS, MOSI, header_pin, ohms_text

LEVEL: Final = 40
"""Visible by daylight; a whole chain in one colour stays within the supply of a Pi's 5 V pin."""
DOT_S: Final = 0.04
COLOURS: Final = (
    say("red"),
    say("green"),
    say("blue"),
    say("nothing is lit"),
    say("several colours or another one"),
)
NOTHING = 3


class _Chain:
    """Sends pictures to the chain by the numbers of its LEDs."""

    def __init__(self, strip: SpiBus, layout: Layout, code: ws2812.Coding) -> None:
        self._strip, self._order = strip, layout.led_order
        self._code = code
        self.count = len(layout.led_positions)

    def show(self, lit: Mapping[int, Levels]) -> None:
        pixels = (lit.get(number, (0, 0, 0)) for number in range(self.count))
        frame = (ws2812.encode_pixel(levels, self._order, self._code) for levels in pixels)
        self._strip.transfer(ws2812.encode_frame(frame, self._code))


def light_findings(bench: Bench) -> Asking[list[Finding]]:
    """Ask what the chain shows, and return findings. OSError if SPI fails."""
    layout = bench.layout
    chain = _Chain(bench.strip(), layout, coding(bench))
    chain.show({})
    seen = []
    for channel, name in enumerate(COLOURS[:3]):
        levels = [0, 0, 0]
        levels[channel] = LEVEL
        red, green, blue = levels
        chain.show(dict.fromkeys(range(chain.count), (red, green, blue)))
        question = say("All lights should be {colour}. What do you see?", colour=name)
        seen.append((yield Question("colour", question, COLOURS, str(channel))))
    chain.show({})
    findings = list(_colours(bench, seen))
    if any(finding.cause != "colour-order" for finding in findings):
        return findings
    findings += (first := (yield from _first(chain)))
    findings += yield from _end(chain, bench)
    chain.show({})
    dark = Question("dark", say("Now all lights should be dark. Are they?"), (YES, NO))
    if (yield dark) and not first:
        findings.append(
            finding(
                "lights-stay",
                "lights",
                say("Lights stay lit in a dark picture."),
                say("Some lights receive no data any more, or only noise."),
                say("Check DIN and ground where the lit ones begin."),
            )
        )
    return findings


def _colours(bench: Bench, seen: list[int]) -> Iterator[Finding]:
    """Find the order of the colours from what was seen for red, green and blue."""
    layout = bench.layout
    if seen == [0, 1, 2]:
        return
    if seen == [NOTHING, 0, 1]:
        yield finding(
            "lights-late",
            "lights",
            say("Each picture is seen only when the next one is sent."),
            say("The chain does not notice the end of a picture: its line is not quiet then."),
            _quiet_line(),
            say("The 74AHCT125 needs 5 V, and its ground must be joined to the Pi's."),
        )
        return
    if set(seen) == {NOTHING}:
        yield finding(
            "lights-dead",
            "lights",
            say("No light is lit."),
            say("The chain has no supply, or receives no data."),
            say("Measure 5 V between the first light's 5 V and GND."),
            say("The grounds of the Pi, the 74AHCT125 and the lights' supply must be joined."),
            say(
                "Data goes {pin}, 1A, 1Y, {ohms}, DIN; 1OE goes to ground.",
                pin=header_pin(MOSI),
                ohms=ohms_text(DATA_SERIES_OHMS),
            ),
            say("The chain has a direction: feed it at DIN, not at DO."),
        )
        return
    order = layout.led_order
    measured = say(
        "Sent red, green, blue; seen {colours}.", colours=tuple(COLOURS[answer] for answer in seen)
    )
    if sorted(seen) == [0, 1, 2]:
        letters = {"RGB"[sent]: "RGB"[answer] for sent, answer in enumerate(seen)}
        right = "".join(letters.get(letter, letter) for letter in order)
        yield finding(
            "colour-order",
            right,
            measured,
            say("This chain takes its colours in another order than the layout says."),
            say("Put this into the table [leds] of the layout: {line}", line=f'order = "{right}"'),
            *copy_first(layout.name),
        )
        return
    white = "GRB" if "W" in order else "GRBW"
    yield finding(
        "lights-garbled",
        "lights",
        measured,
        say(
            "The lights do not read the bits that the program sends, or they have one "
            "white LED more or fewer."
        ),
        say(
            "If they are RGBW lights, or if they are not, put this into the layout: {line}",
            line=f'order = "{white}"',
        ),
        *copy_first(layout.name),
        say("The 74AHCT125 needs 5 V, and its ground must be joined to the Pi's."),
        *_pauses(bench),
        say("On a Pi 3 and a Pi 4 core_freq keeps the clock up: lampion doctor --prepare"),
    )


def _quiet_line() -> Message:
    return say(
        "Measure {pin} after a picture: it has to stay low. If not, tie it to ground with 10 kΩ.",
        pin=header_pin(MOSI),
    )


def _pauses(bench: Bench) -> Iterator[Message]:
    """Yield what to do if SPI may pause between bytes, which splits three-bit symbols."""
    if bench.devices.lights == "spi" and bench.devices.symbol_bits == 3:
        yield say(
            "SPI may pause between bytes. Lights do not mind that if this is in the table "
            "[leds] of the configuration: {line}",
            line="bits = 4",
        )


def _first(chain: _Chain) -> Asking[list[Finding]]:
    if chain.count < 2:
        return []
    chain.show({1: (LEVEL, LEVEL, LEVEL)})
    words = say("Now only the second light should be lit. Is the first one dark?")
    if not (yield Question("first", words, (YES, NO))):
        return []
    return [
        finding(
            "first-light",
            "0",
            say("The first light shines on its own."),
            say("It reads the idle level of the line as a first bit."),
            say(
                "Keep the wire from the 74AHCT125 to DIN short, with {ohms} in it.",
                ohms=ohms_text(DATA_SERIES_OHMS),
            ),
            _quiet_line(),
        )
    ]


def _end(chain: _Chain, bench: Bench) -> Asking[list[Finding]]:
    """Let a dot run along the chain; if it does not arrive, find by bisection where it stops."""
    for number in range(chain.count):
        chain.show({number: (LEVEL, LEVEL, LEVEL)})
        bench.pause(DOT_S)
    if (yield from _lit(chain, chain.count - 1)):
        return []
    good, bad = -1, chain.count - 1
    while bad - good > 1:
        middle = (good + bad) // 2
        if (yield from _lit(chain, middle)):
            good = middle
        else:
            bad = middle
    place = next((p.name for p in bench.layout.places.values() if bad in p.pixels), "?")
    return [
        finding(
            "lights-end",
            str(bad),
            say("The lights end before number {number} ({place}).", number=bad, place=place),
            say("The data from light {number} do not arrive.", number=bad - 1)
            if bad
            else say("The chain has no supply, or receives no data."),
            say(
                "Check the joint from DO of {one} to DIN of {other}, and 5 V and GND there.",
                one=max(0, bad - 1),
                other=bad,
            ),
            say(
                "If both are good, replace light {one}, then light {other}.",
                one=max(0, bad - 1),
                other=bad,
            ),
        )
    ]


def _lit(chain: _Chain, number: int) -> Asking[bool]:
    chain.show({number: (LEVEL, LEVEL, LEVEL)})
    words = say("One white light: number {number}, counted from 0. Is it lit?", number=number)
    return (yield Question("lit", words, (YES, NO), str(number))) == 0
