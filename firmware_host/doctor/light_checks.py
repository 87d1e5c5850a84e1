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
        findings.append(finding("lights-stay", "lights"))
    return findings


def _colours(bench: Bench, seen: list[int]) -> Iterator[Finding]:
    """Find the order of the colours from what was seen for red, green and blue."""
    layout = bench.layout
    if seen == [0, 1, 2]:
        return
    if seen == [NOTHING, 0, 1]:
        yield finding("lights-late", "lights", pin=header_pin(MOSI))
        return
    if set(seen) == {NOTHING}:
        yield finding(
            "lights-dead", "lights", pin=header_pin(MOSI), ohms=ohms_text(DATA_SERIES_OHMS)
        )
        return
    order = layout.led_order
    colours = tuple(COLOURS[answer] for answer in seen)
    if sorted(seen) == [0, 1, 2]:
        letters = {"RGB"[sent]: "RGB"[answer] for sent, answer in enumerate(seen)}
        right = "".join(letters.get(letter, letter) for letter in order)
        line = f'order = "{right}"'
        yield finding("colour-order", right, *copy_first(layout.name), colours=colours, line=line)
        return
    line = f'order = "{"GRB" if "W" in order else "GRBW"}"'
    more = (*copy_first(layout.name), *_pauses(bench))
    yield finding("lights-garbled", "lights", *more, colours=colours, line=line)


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
    ohms = ohms_text(DATA_SERIES_OHMS)
    return [finding("first-light", "0", ohms=ohms, pin=header_pin(MOSI))]


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
    if bad:
        one, other = bad - 1, bad
        return [finding("lights-end", str(bad), number=bad, place=place, one=one, other=other)]
    pin, ohms = header_pin(MOSI), ohms_text(DATA_SERIES_OHMS)
    first = "lights-end-first"
    return [finding("lights-end", "0", text=first, number=0, place=place, pin=pin, ohms=ohms)]


def _lit(chain: _Chain, number: int) -> Asking[bool]:
    chain.show({number: (LEVEL, LEVEL, LEVEL)})
    words = say("One white light: number {number}, counted from 0. Is it lit?", number=number)
    return (yield Question("lit", words, (YES, NO), str(number))) == 0
