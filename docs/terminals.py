"""Update the pictures of terminals in the docs: `python docs/terminals.py [NAME …]`.

They show the output of commands on simulated boards.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from firmware_host.__main__ import main

HERE = Path(__file__).parent
SIM: Final = "--sim"
"""Passed to the command, but not shown: a builder has a real board."""
LINE, CHARACTER, EDGE, BAR = 20, 8.4, 18, 34
NARROWEST: Final = 46
"""The smallest number of characters in a line, so that short output looks like a terminal, too."""

Command = Sequence[str]

PICTURES: Final[dict[str, tuple[str, Sequence[Command], str]]] = {
    "prepare": (
        "The lines that the Pi's configuration needs, and how to restart",
        [("doctor", "--prepare", "--layout", "square-reed", SIM)],
        "",
    ),
    "nothing-wired": (
        "What the doctor says while no chip is wired yet",
        [("doctor", "--layout", "square-reed", SIM)],
        "",
    ),
    "hands": (
        "A magnet on A1 is seen on B1: two wires are exchanged",
        [("doctor", "pins", "--layout", "square-reed", SIM)],
        "",
    ),
    "report": (
        "A report is written, and what its findings look like in the file",
        [("doctor", "--report", "board.json", "--layout", "square-reed", SIM)],
        "board.json",
    ),
}
"""By name: the title, the commands, and a file whose findings are shown at the end."""
BROKEN: Final = {
    "nothing-wired": ("--break", "all-chips-missing"),
    "hands": ("--break", "wires-swapped"),
    "report": ("--break", "address-pin"),
}
"""The faults of the simulated board in a picture."""
FINDINGS: Final = "findings"
"""The part of a report that is shown; the others describe the computer."""
MOST: Final = 8
"""The largest number of lines of a command's output, and of its findings."""
HEAD: Final = 3
"""The number of lines before the findings."""


def printed(command: Command, broken: Command) -> list[str]:
    """Return the output of a command, in English."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main([*command, *broken])
    return out.getvalue().splitlines()


def shortened(lines: list[str]) -> list[str]:
    """Return the first lines of an output, and the first lines of its findings."""
    if len(lines) <= MOST:
        return lines
    found = next((at for at, line in enumerate(lines) if re.match(r"\d+ findings?:", line)), 0)
    end = found + MOST
    more = ["…"] if end < len(lines) else []
    if found <= HEAD:
        return [*lines[:end], *more]
    return [*lines[:HEAD], "…", *lines[found:end], *more]


def session(name: str) -> Iterator[tuple[bool, str]]:
    """Yield the lines of a terminal, and whether they are input."""
    _, commands, file = PICTURES[name]
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for command in commands:
                yield True, "lampion " + " ".join(each for each in command if each != SIM)
                lines = printed(command, BROKEN.get(name, ()))
                yield from ((False, line) for line in shortened(lines))
            if file:
                yield True, f"less {file}"
                found = json.loads(Path(file).read_text("utf-8"))[FINDINGS]
                part = json.dumps({FINDINGS: found}, indent=2, ensure_ascii=False).splitlines()
                yield from ((False, line) for line in ("…", *part[1:-1], "…"))
        finally:
            os.chdir(before)


def terminal_svg(name: str) -> str:
    """Return a terminal as a picture with selectable text."""
    title = PICTURES[name][0]
    lines = list(session(name))
    width = round(2 * EDGE + CHARACTER * max(NARROWEST, *(len(text) + 2 for _, text in lines)))
    height = BAR + LINE * len(lines) + EDGE
    rows = []
    for number, (typed, text) in enumerate(lines):
        y = BAR + LINE * (number + 1)
        prompt = '<tspan class="prompt">$ </tspan>' if typed else ""
        kind = ' class="typed"' if typed else ""
        rows.append(f'<text x="{EDGE}" y="{y}"{kind}>{prompt}{escape(text)}</text>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" role="img">',
            f"<title>{escape(title)}</title>",
            "<style>text { font: 14px ui-monospace, 'DejaVu Sans Mono', Consolas, monospace; "
            "white-space: pre; fill: #e6dccb; } .typed { fill: #fff; } "
            ".prompt { fill: #ffc766; }</style>",
            f'<rect width="{width}" height="{height}" rx="10" fill="#1b1512"/>',
            f'<path d="M0 {BAR - 8}h{width}" stroke="#4a3828"/>',
            *(f'<circle cx="{EDGE + 16 * n}" cy="13" r="5" fill="#6b543f"/>' for n in range(3)),
            *rows,
            "</svg>",
        ]
    )


def draw(names: Sequence[str]) -> int:
    """Draw the pictures of these names, or all."""
    unknown = set(names) - PICTURES.keys()
    if unknown:
        print(f"no picture {', '.join(sorted(unknown))}; there are: {', '.join(PICTURES)}")
        return 1
    for name in names or PICTURES:
        (HERE / f"{name}.svg").write_text(terminal_svg(name) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(draw(sys.argv[1:]))
