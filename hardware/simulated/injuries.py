"""What can be broken on purpose on a simulated board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Injury:
    """Something that is broken on purpose."""

    kind: Literal[
        "missing", "silent", "stuck on", "stuck off", "bouncing", "wire", "chain", "lights"
    ]
    """A chip is `missing` or `silent`; a sensor is stuck, bouncing or has its `wire` cut; the chain
    of lights is cut, or cannot be sent to."""
    part: str
    """The chip's address, the sensor, the first light that is cut off, or the system's words."""
