"""Opens and reads files that a person named: it could be anything, and a pipe would never end."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_CHUNK_BYTES: Final = 1 << 20
_PIECE_BYTES: Final = 1 << 16


def opened(path: str | Path, flags: int, mode: int = 0o600) -> int:
    """Return the descriptor of a regular file; a new file gets this mode. OSError if it cannot be
    opened; pipes, devices and directories are refused without waiting.
    """
    try:
        descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, mode)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a pipe without a reader
            raise _not_regular(path) from None
        raise
    kind = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(kind):
        os.close(descriptor)
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        raise _not_regular(path)
    return descriptor


def head(path: str | Path, most: int) -> tuple[bytes, bool]:
    """Return the first bytes of a regular file, `most` of them, and whether there are more;
    OSError as `opened`.
    """
    descriptor = opened(path, os.O_RDONLY)
    try:
        data = bytearray()
        while len(data) <= most and (piece := os.read(descriptor, _CHUNK_BYTES)):
            data += piece
    finally:
        os.close(descriptor)
    return bytes(data[:most]), len(data) > most


def read(path: str | Path, most: int) -> bytes:
    """Return the content of a regular file; OSError as `opened`, and if it is longer than `most`
    bytes.
    """
    data, longer = head(path, most)
    if longer:
        raise OSError(errno.EFBIG, f"longer than {most} bytes", str(path))
    return data


def chunks(path: str | Path, end: int) -> Iterator[bytes]:
    """Return the content of a growing file before its byte `end`, in pieces that are read on
    demand; OSError as `opened`.
    """
    file = os.fdopen(opened(path, os.O_RDONLY), "rb")

    def read_on() -> Iterator[bytes]:
        with file:
            while piece := file.read(min(_PIECE_BYTES, end - file.tell())):
                yield piece

    return read_on()


def read_text(path: str | Path, most: int) -> str:
    """Return the UTF-8 text of a regular file; OSError as `read`, and with the line if it is not
    UTF-8.
    """
    data = read(path, most)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise OSError(errno.EILSEQ, f"not a text in UTF-8 at line {line}", str(path)) from None


def _not_regular(path: str | Path) -> OSError:
    return OSError(errno.EINVAL, "Not a regular file", str(path))
