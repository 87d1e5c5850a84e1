"""A finding: a measurement, what it means, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.i18n.messages import Message, say
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


def finding(cause: str, part: str, measured: Message, means: Message, *do: Message) -> Finding:
    """Return a finding about a part, with the steps to do."""
    return Finding(cause, measured, means, do, part)


def copy_first(name: str) -> tuple[Message, ...]:
    """Return what to do before a layout is changed: layouts that come with the program stay as
    they are.
    """
    if name not in layout.NAMES:
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
