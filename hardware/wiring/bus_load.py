"""The load of the lines of I2C and RESET: pull-ups in parallel, current, rise time, low voltage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hardware.wiring.netlist import CHIPS, Netlist

LOGIC_VOLTS: Final = 3.3
LOW_VOLTS: Final = 0.4
MOST_MA: Final = 3.0
"""An I2C chip must be able to sink this current at LOW_VOLTS (NXP UM10204, table 10)."""
BUS_CM: Final = 70
"""The longest line of I2C, with the ribbon to the Pi: its rise time is well below 300 ns."""
CHIP_PF: Final = 10.0
WIRE_PF: Final = CHIP_PF + BUS_CM
"""In picofarads: of a chip's pin, and of such a line with the Pi's pin, at 1 pF a centimetre."""
MODULE_OHMS: Final = 10_000.0
"""The pull-ups of ready-made modules from SDA, SCL and RESET to 3.3 V."""
RESET_LOW_VOLTS: Final = 0.66
"""An MCP23017 reads a voltage below a fifth of its supply as 0."""


@dataclass(frozen=True, slots=True)
class BusLoad:
    """The load of one line of I2C."""

    ohms: float
    """All its pull-ups in parallel."""
    milliamps: float
    """The current that a chip sinks when it pulls the line down."""
    rise_ns: float
    """The time from 30 to 70 per cent."""


def bus_load(circuit: Netlist, line: str = "SDA", *, modules: int = 0) -> BusLoad:
    """Return the load of a line of the bus; `modules` of its chips have pull-ups of their own."""
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


def reset_low_volts(circuit: Netlist, *, modules: int = 0) -> float:
    """Return the voltage on RESET at a 0; `modules` of its chips have pull-ups of their own."""
    pull_up, series = (circuit.parts[f"{what} of RESET"].ohms for what in ("pull-up", "series"))
    ohms = 1 / (1 / pull_up + modules / MODULE_OHMS)
    return LOGIC_VOLTS * series / (series + ohms)
