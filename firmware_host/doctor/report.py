"""The report of an examination: for a person, for a program, or as a file to attach to a
question.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from firmware_host.doctor.examination import Examination, unknowable
from firmware_host.doctor.findings import Finding, address_text
from firmware_host.doctor.system import System
from firmware_host.i18n.messages import Message, count, render, say

PACKAGES: Final = ("lampion", "gpiozero", "msgspec", "smbus2")

CONFIGURED: Final = (
    *("i2c_arm", "i2c_arm_baudrate", "spi", "core_freq", "core_freq_min"),
    *("dtoverlay", "force_turbo"),
)
"""The settings of the Pi that a report contains; all others are private."""

NUMBERED: Final = "{number}. {told}"
TO_DO: Final = "   → {told}"
BELOW: Final = "   {told}"

STATES: Final = {
    "answers": say("found"),
    "silent": say("not yet"),
    "busy": say("used by the system"),
    "timeout": say("times out"),
}


def lines(found: Examination, language: str = "en", *, asked: bool = False) -> Iterator[str]:
    """Yield the lines of a report for a person; `asked`: the person has been asked already."""

    def text(message: Message) -> str:
        return render(message, language)

    yield text(say("Board: {name}", name=found.layout.name))
    for chip, state in found.chips.items():
        if state:
            yield f"{address_text(chip)} {text(STATES[state])}"
    if found.kilohertz:
        yield text(say("I2C runs at {khz} kHz.", khz=round(found.kilohertz)))
    yield from map(text, finding_messages(found.findings))
    if not asked and any(found.chips.values()):
        yield text(say("What cannot be measured:"))
        yield from (f"   {text(message)}" for message in unknowable(found.layout))


def finding_messages(findings: Sequence[Finding]) -> Iterator[Message]:
    """Yield numbered findings for a person, line by line."""
    if findings:
        yield count("{n} finding:", "{n} findings:", len(findings))
    else:
        yield say("Nothing wrong was found.")
    for number, finding in enumerate(findings, 1):
        yield Message(NUMBERED, (("number", number), ("told", finding.measured)))
        yield line(finding.means)
        for step in finding.do:
            yield Message(TO_DO, (("told", step),))


def line(message: Message | str) -> Message:
    """Return an indented line that belongs to the line before it."""
    return Message(BELOW, (("told", message),))


def plain(found: Examination, language: str = "en") -> dict[str, Any]:
    """Return an examination as plain data, with sentences in this language."""
    return {
        "layout": found.layout.name,
        "healthy": not found.findings,
        "chips": {address_text(chip): state for chip, state in found.chips.items()},
        "kilohertz": round(found.kilohertz),
        "findings": [
            {
                "number": number,
                "cause": finding.cause,
                "part": finding.part,
                "measured": render(finding.measured, language),
                "means": render(finding.means, language),
                "do": [render(step, language) for step in finding.do],
            }
            for number, finding in enumerate(found.findings, 1)
        ],
        "unknown": [render(message, language) for message in unknowable(found.layout)],
    }


def write(path: Path, found: Examination, system: System | None, language: str = "en") -> None:
    """Write one file to attach to a question: versions, the Pi, the board, the findings.

    It contains no name and no path of the user. OSError if it cannot be written.
    """
    layout = found.layout
    data = plain(found, language) | {
        "versions": {
            "python": platform.python_version(),
            "machine": platform.machine(),
            **{package: _version(package) for package in PACKAGES},
        },
        "pi": _pi(system),
        "board": {
            "title": layout.title,
            "sensing": layout.sensing,
            "leds": len(layout.led_positions),
            "order": layout.led_order,
            "interrupt": layout.interrupt_gpio,
            "reset": layout.reset_gpio,
        },
    }
    text = json.dumps(data, ensure_ascii=False, indent=2)
    text = text.replace(json.dumps(str(Path.home()))[1:-1], "HOME")
    path.write_text(text + "\n", encoding="utf-8")


def _pi(system: System | None) -> dict[str, Any]:
    if system is None:
        return {"model": "simulated"}
    return {
        "model": system.model,
        "kernel": ".".join(map(str, system.kernel)),
        "config": {
            name: value
            for name, value in system.settings(system.config_path).items()
            if name in CONFIGURED
        },
        "throttled": hex(system.throttled),
    }


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""
