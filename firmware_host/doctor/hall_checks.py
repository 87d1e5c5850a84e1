"""Checks of multiplexers and Hall sensors without a magnet: their counts tell about their wires.

An open input reads 0, because the common pin has a resistor to ground (the bleeder). Without the
bleeder it repeats the count that was read before it. If a select line is stuck, two inputs that
differ in this line alone read alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from drivers import hall
from drivers.ads7830 import Ads7830
from drivers.bus import BusError, I2cBus
from drivers.cd74hc4067 import INPUTS, SelectLines
from firmware_host.doctor.bus_checks import expander
from firmware_host.doctor.findings import Finding, address_text, finding, names_text
from firmware_host.i18n.messages import say
from hardware.layout import Layout, Multiplexer
from hardware.wiring.netlist import PULL_DOWN_OHMS, multiplexer_name, ohms_text, port_pin

ALIKE_COUNTS: Final = 1
"""Counts that differ by at most this are equal."""
APART_COUNTS: Final = 4
"""Counts that differ by at least this are different voltages."""


def hall_findings(bus: I2cBus, layout: Layout, present: Sequence[int]) -> Iterator[Finding]:
    """Yield what is wrong with the Hall sensors whose chips answer."""
    select = layout.select
    if select is None or layout.hall is None or select.expander not in present:
        return
    chip = expander(bus, layout, select.expander)
    try:
        chip.set_up()
        lines = SelectLines(chip, select.pins)
        looks = [
            _Look(multiplexer_name(number), each, lines, Ads7830(bus, each.adc))
            for number, each in enumerate(layout.multiplexers)
            if each.adc in present and any(each.inputs)
        ]
    except BusError:
        return  # reported already: it does not answer reliably
    if looks and all(_dead(count) for look in looks for count in look.used.values()):
        yield finding("hall-supply", "regulator")
        return
    stuck = [look.stuck for look in looks]
    everywhere = set.intersection(*map(set, stuck)) if stuck else set()
    if everywhere:
        yield _select_everywhere(layout, sorted(everywhere), [look.name for look in looks])
    for look, lines_stuck in zip(looks, stuck, strict=True):
        yield from _of_one(look, [] if everywhere else lines_stuck, bool(everywhere))
    if not everywhere:
        yield from _offsets(layout, looks)


class _Look:
    """One multiplexer's counts."""

    def __init__(
        self, name: str, multiplexer: Multiplexer, lines: SelectLines, adc: Ads7830
    ) -> None:
        self.name = name
        self.multiplexer = multiplexer
        self._lines, self._adc = lines, adc
        self.counts = [self._count(number) for number in range(INPUTS)]
        self.used = {
            number: self.counts[number] for number, s in enumerate(multiplexer.inputs) if s
        }
        self.open = [number for number in range(INPUTS) if number not in self.used]
        driven = {n: count for n, count in self.used.items() if not _dead(count)}
        self._least = min(driven, key=driven.__getitem__) if driven else 0
        self._most = max(driven, key=driven.__getitem__) if driven else 0
        self.floating = [number for number in range(INPUTS) if self._follows(number)]

    def _count(self, number: int) -> int:
        self._lines.select(number)
        return self._adc.read(self.multiplexer.channel)

    def _follows(self, number: int) -> bool:
        """Say whether an input repeats what was read before it."""
        low, high = self.counts[self._least], self.counts[self._most]
        if high - low < APART_COUNTS or number in (self._least, self._most):
            return False
        after = []
        for other in (self._least, self._most):
            self._count(other)
            after.append(self._count(number))
        return abs(after[0] - low) <= ALIKE_COUNTS and abs(after[1] - high) <= ALIKE_COUNTS

    @property
    def stuck(self) -> list[int]:
        """Return the select lines that seem to have no effect."""
        # If sensors with equal counts drive all inputs, nothing is known.
        spread = max(self.used.values()) - min(self.used.values())
        if self.floating or all(_dead(n) for n in self.used.values()):
            return []
        if not self.open and spread < APART_COUNTS:
            return []
        return [
            line
            for line in range(4)
            if all(
                abs(self.counts[number] - self.counts[number ^ 1 << line]) <= ALIKE_COUNTS
                for number in range(INPUTS)
            )
        ]


def _dead(count: int) -> bool:
    return not hall.RAIL_COUNTS < count < 255 - hall.RAIL_COUNTS


def _select_everywhere(layout: Layout, lines: Sequence[int], names: Sequence[str]) -> Finding:
    assert layout.select is not None
    wires = [
        f"S{line} ({address_text(layout.select.expander)} {port_pin(layout.select.pins[line])})"
        for line in lines
    ]
    return finding(
        "select-line",
        ", ".join(f"S{line}" for line in lines),
        chips=names_text(names),
        wires=", ".join(wires),
        ohms=ohms_text(PULL_DOWN_OHMS),
    )


def _of_one(look: _Look, stuck: Sequence[int], elsewhere: bool) -> Iterator[Finding]:
    chip = say(
        "{adc}, input {channel}",
        adc=address_text(look.multiplexer.adc),
        channel=look.multiplexer.channel,
    )
    sensors = look.multiplexer.inputs
    if all(_dead(count) for count in look.used.values()):
        yield finding("mux-off", look.name, chip=look.name, where=chip)
        return
    loose = [number for number in look.floating if number in look.used]
    if look.floating:
        yield finding("bleeder", look.name, chip=look.name, ohms=ohms_text(PULL_DOWN_OHMS))
    elif stuck:
        lines = ", ".join(f"S{line}" for line in stuck)
        yield finding(
            "mux-select", look.name, chip=look.name, lines=lines, ohms=ohms_text(PULL_DOWN_OHMS)
        )
        return
    if not elsewhere:
        dead = [sensors[number] for number, count in look.used.items() if _dead(count)]
        dead += [sensors[number] for number in loose]
        if dead:
            yield finding("hall-wire", ", ".join(dead), places=names_text(dead), chip=look.name)


def _offsets(layout: Layout, looks: Sequence[_Look]) -> Iterator[Finding]:
    """Yield sensors that read half of a magnet's field without a magnet."""
    figures = layout.hall
    assert figures is not None
    near = []
    for look in looks:
        for number, count in look.used.items():
            field = abs((count - figures.zero) * figures.millitesla_per_count)
            if figures.present / 2 <= field <= figures.present and number not in look.floating:
                near.append(look.multiplexer.inputs[number])
    if near:
        yield finding("hall-offset", ", ".join(near), places=names_text(near))
