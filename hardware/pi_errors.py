"""What a Raspberry Pi lacks or does not let us have, each with its cure."""

from __future__ import annotations

import errno

from drivers.bus import BusError


class RaspberryPiError(BusError):
    """The Pi lacks something, or does not let us have it; the message says what to do."""


def cure(error: OSError, path: str, *, off: str, group: str) -> str:
    """Return what to do about a device that does not open."""
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return f"{path} is missing: {off}"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"{path} is not allowed: sudo usermod -aG {group} $USER, then log in again"
    if error.errno == errno.ENOTTY:
        return f"{path} is no such device: look at the path"
    return f"{path}: {error.strerror or error}"
