"""Errors about devices and pins of a Raspberry Pi, each with its remedy."""

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
"""Part of the kernel's name for the holder of a pin, with the overlay that loaded it."""


class RaspberryPiError(BusError):
    """A device or pin of the Pi is missing or may not be used; the message says what to do."""


OTHER_PIN: Final = "or choose another pin"


def overlay_of(holder: str) -> str:
    """Return the overlay that loaded the holder of a pin, "" if unknown."""
    return next((name for part, name in OVERLAYS.items() if part in holder.lower()), "")


def holder_text(holder: str) -> str:
    """Return the holder of a pin, as it is found in config.txt: `dtoverlay=w1-gpio (onewire@4)`."""
    overlay = overlay_of(holder)
    return f"dtoverlay={overlay} ({holder})" if overlay else holder


def taken_text(pin: str, holder: str) -> str:
    """Return what to do about a pin that is taken."""
    if not holder:
        return f"{pin} is taken: end the other program that has it, or take its dtoverlay line out"
    where = "take that line out of /boot/firmware/config.txt, then restart"
    if not overlay_of(holder):
        where = f"end that program, or take its dtoverlay line out of config.txt; {OTHER_PIN}"
    return f"{pin} is taken by {holder_text(holder)}: {where}"


def remedy(error: OSError, path: str, *, off: str, group: str) -> str:
    """Return what to do about a device that does not open."""
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return f"{path} is missing: {off}"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"{path} is not allowed: sudo usermod -aG {group} $USER, then log in again"
    if error.errno == errno.ENOTTY:
        return f"{path} is no such device: look at the path"
    return f"{path}: {error.strerror or error}"
