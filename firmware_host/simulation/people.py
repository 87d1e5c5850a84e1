"""The styles by name: the people who may sit at the table, with their habits in `people.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

from firmware_host.simulation.styles import Style

MIXED: Final = "mixed"
"""No style of its own: another style is drawn for every move."""


def _style(name: str, habits: Mapping[str, Any]) -> Style:
    spans = {habit: tuple(value) for habit, value in habits.items() if isinstance(value, list)}
    return Style(name, **{**habits, **spans})


_PEOPLE: Final = Path(__file__).with_name("people.toml").read_text(encoding="utf-8")
STYLES: Final[Mapping[str, Style]] = {
    name: _style(name, habits) for name, habits in tomllib.loads(_PEOPLE).items()
}
"""Every style by its name; `MIXED` is not one of them."""


def person(name: str, rng: Random) -> Style:
    """Return the style of that name, or a random one for `mixed`. ValueError lists the names."""
    if name == MIXED:
        return STYLES[rng.choice(list(STYLES))]
    if name not in STYLES:
        raise ValueError(f"no style {name!r}; there are: {', '.join(STYLES)}, {MIXED}")
    return STYLES[name]
