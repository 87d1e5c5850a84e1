"""What a Raspberry Pi lacks or does not let us have, each with its cure."""

from __future__ import annotations

import errno
from typing import Final

from drivers.bus import BusError

OVERLAYS: Final = {
    "onewire": "w1-gpio",
    "w1": "w1-gpio",
    "shutdown": "gpio-shutdown",
    "button": "gpio-key",
    "ir-receiver": "gpio-ir",
    "gpio_ir": "gpio-ir",
    "gpio-ir": "gpio-ir",
    "poweroff": "gpio-poweroff",
    "power_ctrl": "gpio-poweroff",
    "fan": "gpio-fan",
    "dht11": "dht11",
    "pps": "pps-gpio",
    "led": "gpio-led",
}
"""A part of what the kernel calls the holder of a pin, and the overlay that brought it."""


class RaspberryPiError(BusError):
    """The Pi lacks something, or does not let us have it; the message says what to do."""


OTHER_PIN: Final = "or choose another pin"


def overlay_of(holder: str) -> str:
    """Return which overlay brought what has a pin, "" if that is not known."""
    return next((name for part, name in OVERLAYS.items() if part in holder.lower()), "")


def who_has(holder: str) -> str:
    """Return what has a pin, as it can be found: `dtoverlay=w1-gpio (onewire@4)`."""
    overlay = overlay_of(holder)
    return f"dtoverlay={overlay} ({holder})" if overlay else holder


def taken_text(pin: str, holder: str) -> str:
    """Return what to do about a pin that something else has."""
    if not holder:
        return f"{pin} is taken: end the other program that has it, or take its dtoverlay line out"
    where = "take that line out of /boot/firmware/config.txt, then restart"
    if not overlay_of(holder):
        where = f"end that program, or take its dtoverlay line out of config.txt; {OTHER_PIN}"
    return f"{pin} is taken by {who_has(holder)}: {where}"


def cure(error: OSError, path: str, *, off: str, group: str) -> str:
    """Return what to do about a device that does not open."""
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return f"{path} is missing: {off}"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"{path} is not allowed: sudo usermod -aG {group} $USER, then log in again"
    if error.errno == errno.ENOTTY:
        return f"{path} is no such device: look at the path"
    return f"{path}: {error.strerror or error}"
