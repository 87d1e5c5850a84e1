"""What a Raspberry Pi's supply has to give: the Pi itself, and what a board hangs on its 5 V."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hardware.lighting import BUDGET_MA
from hardware.wiring.netlist import HALL_WORST_MA, Netlist

CHIPS_A: Final = 0.02
"""Expanders, converters, multiplexers and pull-ups: at most 1 mA each, rounded up."""


@dataclass(frozen=True, slots=True)
class Pi:
    """A model, the supply that is sold for it, and what it draws itself with all cores busy."""

    name: str
    supply_a: float
    own_a: float


PIS: Final = (
    Pi("Zero 2 W", 2.5, 0.7),
    Pi("3B, 3B+", 2.5, 1.4),
    Pi("4B, 400", 3.0, 1.3),
    Pi("5", 5.0, 2.4),
)
"""Supplies as Raspberry Pi recommends them; its own figures for 3B and 4B, estimates for others."""


def board_amperes(circuit: Netlist) -> float:
    """Return what a board draws from the Pi's 5 V at worst, without its lights. A linear regulator
    passes on the current of its sensors as it is.
    """
    return CHIPS_A + len(circuit.kind("DRV5055A2")) * HALL_WORST_MA / 1000


def sum_text(pi: Pi, circuit: Netlist) -> str:
    """Return the sum for a Pi and a board, and whether its supply gives that much."""
    board, lights = board_amperes(circuit), BUDGET_MA["pi"] / 1000
    total = pi.own_a + board
    words = f"{pi.own_a:.2f} + {board:.2f} = {total:.2f} A"
    if total > pi.supply_a:
        return f"{words}: **too much**"
    return f"{words}: enough{', for lights too' if total + lights <= pi.supply_a else ''}"
