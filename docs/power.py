"""Update the table of supplies in building.md: `python docs/power.py`.

It is made from the circuits of the boards that come with the program.
"""

from __future__ import annotations

import re
from pathlib import Path

from hardware.layout import NAMES, load
from hardware.wiring.netlist import netlist
from hardware.wiring.supply import PIS, sum_text

PAGE = Path(__file__).with_name("building.md")
BEGIN, END = "<!-- supplies -->", "<!-- end of supplies -->"


def table() -> str:
    """Return the load on each Pi's supply with each board, as a table in Markdown."""
    circuits = [netlist(load(name)) for name in NAMES]
    lines = [
        f"| Raspberry Pi, its supply | {' | '.join(NAMES)} |",
        f"|---|{'---|' * len(NAMES)}",
    ]
    for pi in PIS:
        sums = " | ".join(sum_text(pi, circuit) for circuit in circuits)
        lines.append(f"| {pi.name}: {pi.supply_a:g} A | {sums} |")
    return "\n".join(lines)


def written(text: str) -> str:
    """Return the page with the present table."""
    pattern = re.compile(f"{BEGIN}.*?{END}", re.DOTALL)
    return pattern.sub(lambda _: f"{BEGIN}\n\n{table()}\n\n{END}", text)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
