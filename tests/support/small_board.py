"""A board for Robot Duel alone, of twelve cells and six slots: to walk over it takes a moment."""

from __future__ import annotations

import json
from typing import Final

PITCH = 33.3
CELLS = [(f"{letter}{row + 1}", x, 3 - row) for row in range(4) for x, letter in enumerate("ABC")]
SLOTS = [(f"{side}.{x + 1}", x, y) for side, y in (("south", -2), ("north", 5)) for x in range(3)]
EDGES = [("edge.south", 1, -1), ("edge.north", 1, 4)]
NAMES = [name for name, _, _ in CELLS + SLOTS]


def _places(places: list[tuple[str, int, int]], first: int) -> str:
    return "\n".join(
        f'"{name}" = {{ at = [{x * PITCH:.1f}, {y * PITCH:.1f}], pixels = [{first + n}], '
        f"leds = [[{x * PITCH:.1f}, {y * PITCH - 10:.1f}]] }}"
        for n, (name, x, y) in enumerate(places)
    )


TEXT: Final = f"""\
name = "small"
title = "A small board"
sensing = "presence"
[board]
shape = "square"
pitch = {PITCH}
slot = [30.0, 42.0]
[leds]
count = {len(NAMES) + len(EDGES)}
order = "GRB"
[header]
interrupt = "GPIO4"
reset = "GPIO25"
[[expanders]]
address = 0x20
A = {json.dumps(NAMES[:7])}
B = {json.dumps(NAMES[7:14])}
[[expanders]]
address = 0x21
A = {json.dumps([*NAMES[14:], "", "", ""])}
B = {json.dumps([""] * 7)}
[cells]
{_places(CELLS, 0)}
[slots]
{_places(SLOTS, len(CELLS))}
[edges]
{_places(EDGES, len(NAMES))}
[buttons]
yes = "GPIO5"
no = "GPIO6"
hint = "GPIO13"
back = "GPIO19"
south = "GPIO27"
north = "GPIO23"
[games.robot-duel]
seats.A = {{ light = "edge.south", button = "south" }}
seats.B = {{ light = "edge.north", button = "north" }}
places = [
  {{ {", ".join(f'{name} = "{name}"' for name, _, _ in CELLS)} }},
  {{ "hand.A.C" = "south.1", "hand.A.E" = "south.2", "hand.A.G" = "south.3" }},
  {{ "hand.B.C" = "north.1", "hand.B.E" = "north.2", "hand.B.G" = "north.3" }},
]
"""
