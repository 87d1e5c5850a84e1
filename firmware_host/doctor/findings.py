"""A finding: what was measured, what it means, what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.i18n.messages import Message, say
from hardware import layout


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or that only a person can tell."""

    cause: str
    """Which it is, for programs: `chip-silent`, `core-freq` …"""
    measured: Message
    means: Message
    do: tuple[Message, ...]
    part: str = ""
    """The chip, button, place or device that it is about."""


def copied_first(name: str) -> tuple[Message, ...]:
    """Return what is to be done before a layout is changed: nobody changes one that comes with the
    program.
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
    """Return an address as it is written everywhere: `0x20`."""
    return f"{address:#04x}"


def names_text(names: object) -> str:
    """Return names one after the other; of many the first few and how many more."""
    from hardware.sensing import shortened

    assert isinstance(names, list | tuple)
    return shortened([str(name) for name in names])
