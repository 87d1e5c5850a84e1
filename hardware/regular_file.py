"""Reads a file that somebody named, which may be anything: a pipe would never end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read(path: str | Path, most: int) -> bytes:
    """Return what a regular file holds. OSError says why not; one longer than `most` bytes, a
    pipe, a device and a directory are refused, and nothing waits for them.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    with open(descriptor, "rb") as file:  # a directory cannot be opened so, and says that
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "is no regular file", str(path))
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"longer than {most} bytes", str(path))
    return data
