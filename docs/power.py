"""Update the tables of supplies in building.md and battery.md: `python docs/power.py`.

They are made from the circuits of the boards that come with the program.
"""

from __future__ import annotations

import re
from pathlib import Path

from hardware.layout import NAMES, Layout, load
from hardware.lighting import BRIGHTNESS, CEILING_MA, Lamps
from hardware.wiring.netlist import HALL_MA, netlist
from hardware.wiring.supply import CHIPS_A, PIS, STEP_DOWN, sum_text

PAGE = Path(__file__).with_name("building.md")
BATTERY = Path(__file__).with_name("battery.md")
BEGIN, END = "<!-- supplies -->", "<!-- end of supplies -->"
LIT, HOURS = (
    ("<!-- lights -->", "<!-- end of lights -->"),
    ("<!-- hours -->", "<!-- end of hours -->"),
)

PLAYING_A = {"Zero 2 W": 0.25, "3B, 3B+": 0.5, "4B, 400": 0.6, "5": 0.8}
"""The current of a Pi with Wi-Fi while people play against one another: an estimate."""
CELL_VOLTS, PLUG_VOLTS, EFFICIENCY = 3.7, 5.0, 0.85
"""The mAh of a power bank are those of its cells, and its converter loses some."""
BANK_AH = 10.0
SCENE = ((0, 0, 235), 16), ((235, 0, 0), 3), ((255, 255, 255), 1)
"""The lights while a strong piece is in the hand: 16 targets, 3 captures, where it came from."""


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


def lights_amperes(board: Layout, brightness: float) -> float:
    """Return the current of the lights while a piece is in the hand."""
    lamps = Lamps(board, brightness=brightness, budget_ma=CEILING_MA)
    colours = [colour for colour, count in SCENE for _ in range(count)]
    lamps.frame(dict(zip(board.cells, colours, strict=False)))
    return lamps.milliamps / 1000


def lights_table() -> str:
    """Return the current of the lights by brightness, as a table in Markdown."""
    lines = [
        f"| `brightness` | {' | '.join(NAMES)} |",
        f"|---|{'---|' * len(NAMES)}",
    ]
    for brightness in (0.05, 0.12, BRIGHTNESS, 0.6, 1.0):
        each = (f"{lights_amperes(load(name), brightness):.2f} A" for name in NAMES)
        lines.append(f"| {brightness:g} | {' | '.join(each)} |")
    return "\n".join(lines)


def board_amperes(board: Layout, pi: str) -> float:
    """Return the typical current of a whole board while people play."""
    sensors = len(netlist(board).kind("DRV5055A2")) * HALL_MA / 1000 * STEP_DOWN
    return PLAYING_A[pi] + CHIPS_A + sensors + lights_amperes(board, BRIGHTNESS)


def hours_table() -> str:
    """Return how long a power bank lasts, as a table in Markdown."""
    lines = [
        f"| Raspberry Pi | {' | '.join(NAMES)} |",
        f"|---|{'---|' * len(NAMES)}",
    ]
    at_the_plug = BANK_AH * CELL_VOLTS / PLUG_VOLTS * EFFICIENCY
    for pi in PLAYING_A:
        amperes = [board_amperes(load(name), pi) for name in NAMES]
        cells = (f"{each:.2f} A: {at_the_plug / each:.0f} h" for each in amperes)
        lines.append(f"| {pi} | {' | '.join(cells)} |")
    return "\n".join(lines)


def replaced(text: str, marks: tuple[str, str], table: str) -> str:
    """Return a page with that table between two marks."""
    pattern = re.compile(f"{marks[0]}.*?{marks[1]}", re.DOTALL)
    return pattern.sub(lambda _: f"{marks[0]}\n\n{table}\n\n{marks[1]}", text)


def written(text: str) -> str:
    """Return the page with the present tables."""
    for marks, made in (((BEGIN, END), table), (LIT, lights_table), (HOURS, hours_table)):
        text = replaced(text, marks, made())
    return text


if __name__ == "__main__":
    for page in (PAGE, BATTERY):
        page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
