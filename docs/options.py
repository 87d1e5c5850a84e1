"""Update the tables of options in games.md: `python docs/options.py`; `--check` only compares.

The options come from the games themselves, as `lampion games G` prints them.
"""

from __future__ import annotations

import re
import sys
from itertools import permutations
from pathlib import Path

from engine.game import Option, Preset
from engine.games import FINISHED, make

GAMES = Path(__file__).with_name("games.md")


def table(name: str) -> str:
    """Return the options of a game as a table in Markdown."""
    lines = ["| option | on the page | values, the default first | |", "|---|---|---|---|"]
    for option in make(name).known_options:
        row = (f"`{option.name}`", option.title, _values(option), option.about)
        lines.append(f"| {' | '.join(row)} |")
    presets = [f"* *{preset.label}*: {_chosen(preset)}" for preset in make(name).presets]
    if presets:
        lines += ["", "Presets on the page:", "", *presets]
    return "\n".join(lines)


def _chosen(preset: Preset) -> str:
    values = ", ".join(f"`{name}={value}`" for name, value in preset.options.items())
    return f"{preset.about} {values or 'All options at their default'}."


def _values(option: Option) -> str:
    orders = {",".join(order) for order in permutations(option.default.split(","))}
    if len(option.values) > 2 and set(option.values) == orders:
        return f"`{option.default}`, or these in any other order"
    words = []
    for value in option.values:
        low, dots, high = value.partition("..")
        words.append(f"{low} to {high}" if dots else f"`{value}`")
    return ", ".join(words)


def written(text: str) -> str:
    """Return the page with every table up to date."""
    for name in FINISHED:
        begin, end = f"<!-- options of {name} -->", "<!-- end of options -->"
        pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
        if not pattern.search(text):
            raise SystemExit(f"games.md has no place for the options of {name}: {begin}")
        text = pattern.sub(lambda _, b=begin, n=name, e=end: f"{b}\n\n{table(n)}\n\n{e}", text)
    return text


def main(arguments: list[str]) -> int:
    """Write the page; with `--check` only report whether it is up to date."""
    old = GAMES.read_text(encoding="utf-8")
    new = written(old)
    if "--check" in arguments:
        if new != old:
            print("games.md is out of date: python docs/options.py", file=sys.stderr)
        return int(new != old)
    GAMES.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
