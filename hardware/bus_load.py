"""What the lines of I2C carry: all their pull-ups in parallel, the current, the time to rise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hardware.netlist import CHIPS, Netlist

LOGIC_VOLTS: Final = 3.3
LOW_VOLTS: Final = 0.4
MOST_MA: Final = 3.0
"""An I2C chip has to pull a line down to LOW_VOLTS against so much (NXP UM10204, table 10)."""
CHIP_PF: Final = 10.0
WIRE_PF: Final = 60.0
"""A pin of a chip, and half a metre of wire with the Pi's own pin."""
MODULE_OHMS: Final = 10_000.0
"""What ready-made modules carry from SDA and from SCL to 3.3 V."""


@dataclass(frozen=True, slots=True)
class BusLoad:
    """What one line of I2C pulls and carries."""

    ohms: float
    """All its pull-ups in parallel."""
    milliamps: float
    """What a chip sinks that pulls it down."""
    rise_ns: float
    """From 30 to 70 per cent."""


def bus_load(circuit: Netlist, line: str = "SDA", *, modules: int = 0) -> BusLoad:
    """Return the load of a line of the bus; `modules` of its chips bring pull-ups of their own."""
    ends = circuit.nets[line]
    pulls = [circuit.parts[part].ohms for part, _ in ends if circuit.parts[part].ohms]
    ohms = 1 / (sum(1 / each for each in pulls) + modules / MODULE_OHMS)
    chips = sum(circuit.parts[part].kind in CHIPS for part, _ in ends)
    rise = 0.8473 * ohms * (WIRE_PF + chips * CHIP_PF) / 1000
    return BusLoad(ohms, (LOGIC_VOLTS - LOW_VOLTS) / ohms * 1000, rise)


def modules_with_pull_ups(circuit: Netlist) -> int:
    """Return how many modules may keep their pull-ups on the bus."""
    chips = len(circuit.kind("MCP23017")) + len(circuit.kind("ADS7830"))
    return max(
        (n for n in range(chips + 1) if bus_load(circuit, modules=n).milliamps <= MOST_MA),
        default=0,
    )
