"""The load on a Raspberry Pi's supply: the Pi itself, and what a board draws from its 5 V."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hardware.lighting import BUDGET_MA
from hardware.wiring.netlist import HALL_WORST_MA, Netlist

CHIPS_A: Final = 0.02
"""Expanders, converters, multiplexers and pull-ups: at most 1 mA each, rounded up."""

STEP_DOWN: Final = 3.3 / 5.0 / 0.85
"""What a step-down regulator draws at 5 V for each ampere at 3.3 V, with an efficiency of 85 %."""


@dataclass(frozen=True, slots=True)
class Pi:
    """A model, the supply that is sold for it, and its own current with all cores busy."""

    name: str
    supply_a: float
    own_a: float


PIS: Final = (
    Pi("Zero 2 W", 2.5, 0.7),
    Pi("3B, 3B+", 2.5, 1.4),
    Pi("4B, 400", 3.0, 1.3),
    Pi("5", 5.0, 2.4),
)
"""Recommended supplies. Currents of 3B and 4B are Raspberry Pi's figures, others estimates."""


def board_amperes(circuit: Netlist) -> float:
    """Return the worst current that a board draws from the Pi's 5 V, without its lights, with the
    step-down regulator that is ordered.
    """
    return CHIPS_A + STEP_DOWN * len(circuit.kind("DRV5055A2")) * HALL_WORST_MA / 1000


def sum_text(pi: Pi, circuit: Netlist) -> str:
    """Return the sum for a Pi and a board, and whether the supply is strong enough."""
    board, lights = board_amperes(circuit), BUDGET_MA["pi"] / 1000
    total = pi.own_a + board
    words = f"{pi.own_a:.2f} + {board:.2f} = {total:.2f} A"
    if total > pi.supply_a:
        return f"{words}: **too much**"
    return f"{words}: enough{', for lights too' if total + lights <= pi.supply_a else ''}"
