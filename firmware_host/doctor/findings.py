"""A finding: a measurement, what it means, and what to do about it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from firmware_host.i18n.messages import Message, Value, fill, say
from hardware import layout


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or that only a person can tell."""

    cause: str
    """The kind of finding, for programs: `chip-silent`, `core-freq` …"""
    measured: Message
    means: Message
    do: tuple[Message, ...]
    part: str = ""
    """The chip, button, place or device that it is about."""


def finding(cause: str, part: str, *more: Message, text: str = "", **values: Value) -> Finding:
    """Return a finding about a part, with the sentences of `findings.toml` filled with `values`.

    The table is the one of the cause, or of that name in `text`. `more` is done where the table has
    `*`.
    """
    table = texts()[text or cause]

    def filled(sentence: str) -> Message:
        return fill(say(sentence), **values)

    steps = ((more if step == "*" else (filled(step),)) for step in table["do"])
    do = tuple(chain.from_iterable(steps))
    return Finding(cause, filled(table["measured"]), filled(table["means"]), do, part)


@cache
def texts() -> dict[str, dict[str, Any]]:
    """Return the sentences of all findings: `measured`, `means`, and the list `do`."""
    return tomllib.loads(Path(__file__).with_name("findings.toml").read_text(encoding="utf-8"))


def sentences() -> Iterator[str]:
    """Yield the sentences of all findings, for the catalogues."""
    for table in texts().values():
        yield from (
            table["measured"],
            table["means"],
            *(step for step in table["do"] if step != "*"),
        )


def copy_first(name: str) -> tuple[Message, ...]:
    """Return what to do before a layout is changed: shipped layouts stay as they are."""
    if name not in layout.KNOWN:
        return ()
    return (
        say(
            "If it is the layout that comes with the program: copy hardware/layouts/{file}, change "
            "the copy, and name it as layout in the configuration.",
            file=f"{name}.toml",
        ),
    )


def address_text(address: int) -> str:
    """Return an address as text: `0x20`."""
    return f"{address:#04x}"


def names_text(names: object) -> str:
    """Return a list of names as text; a long list is cut, with the number of further names."""
    from hardware.sensing import shortened

    assert isinstance(names, list | tuple)
    return shortened([str(name) for name in names])
