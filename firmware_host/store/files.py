"""Files that hold what they should or say why not: lines added whole, contents changed at once.

All that is done to the disk for a match goes through here, in plain calls of `os`. A file is only
ever a regular one: nothing here waits for the other end of a pipe. OSError says what went wrong.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

from firmware_host.words import Message, say
from hardware.regular_file import opened

_NO_SYNC: Final = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
"""What file systems answer that cannot sync a directory: they need not."""


def put(path: Path, data: bytes | bytearray | memoryview, aside: Path | None = None) -> None:
    """Put a file in place, all or nothing, on the disk when this returns; what was there is kept
    as `aside`, if that is given.

    Wherever it is cut off, either the old file is in place, or the new one stands whole beside it;
    then `finish` puts it there.
    """
    finish(path)
    beside = _beside(path)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(beside)
    descriptor = opened(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        _write(descriptor, data)
        os.fsync(descriptor)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
    finally:
        os.close(descriptor)
    if aside is not None and os.path.lexists(path):
        os.replace(path, free(aside))
        sync_directory(path.parent)
    os.replace(beside, path)
    sync_directory(path.parent)


def finish(path: Path) -> None:
    """Finish what `put` was cut off from, if the old file had been put aside already."""
    beside = _beside(path)
    if not os.path.lexists(path) and os.path.lexists(beside):
        os.replace(beside, path)
        sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Have the names of a directory on the disk."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(descriptor)


class Lines:
    """A file to which lines are added, each whole or not at all."""

    def __init__(self, path: Path, end: int, *, sync: bool) -> None:
        """Open the file; what is in it behind `end` goes. With `sync` all that was added is on the
        disk when `add` returns.
        """
        self._path = path
        self._sync = sync
        self._descriptor = opened(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self.end = end
        """Where the whole lines end, in bytes."""
        self.whole = os.fstat(self._descriptor).st_size == end
        """Whether nothing is behind that: no line that broke off or was not confirmed."""

    def add(self, lines: bytes) -> None:
        """Add lines. After an OSError none of them counts, and they may be added again."""
        if not self.is_there():
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), str(self._path))
        self.mend()
        self.whole = False
        try:
            _write(self._descriptor, lines)
            if self._sync:
                os.fdatasync(self._descriptor)
        except OSError:
            with contextlib.suppress(OSError):  # else before the next ones
                self.mend()
            raise
        self.whole = True
        self.end += len(lines)

    def mend(self) -> None:
        """Cut off what lines left that could not be added; OSError if that cannot be."""
        if not self.whole:
            os.ftruncate(self._descriptor, self.end)
            if self._sync:
                os.fdatasync(self._descriptor)
            self.whole = True

    def is_there(self) -> bool:
        """Return whether the file is still the one of that name."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.stat(self._path))
        except FileNotFoundError:
            return False

    def close(self) -> None:
        """Close the file."""
        with contextlib.suppress(OSError):
            os.close(self._descriptor)


def free(path: Path) -> Path:
    """Return a path where nothing is yet: this one, or the same with a number in its name."""
    return next(each for each in numbered(path) if not os.path.lexists(each))


def numbered(path: Path) -> Iterator[Path]:
    """Yield names for several files: this one, then the same with `-2`, `-3` …"""
    yield path
    for number in count(2):
        yield path.with_stem(f"{path.stem}-{number}")


def why(error: OSError) -> Message:
    """Return what went wrong, for people."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return say("No space left on device")
        case errno.EFBIG:
            return say("File too large")
        case errno.EIO:
            return say("Input/output error")
        case errno.EROFS:
            return say("Read-only file system")
        case errno.EMFILE | errno.ENFILE:
            return say("Too many open files")
        case errno.EACCES | errno.EPERM:
            return say("Permission denied")
        case errno.ENOENT:
            return say("No such file or directory")
        case errno.EISDIR | errno.ENOTDIR | errno.EINVAL | errno.ELOOP:
            return say("Not a regular file")
    return say("{why}", why=error.strerror or str(error))


def _beside(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _write(descriptor: int, data: bytes | bytearray | memoryview) -> None:
    """Write all of it: on a full disk some of it may go without a word, and only then nothing."""
    left = memoryview(data)
    while left:
        written = os.write(descriptor, left)
        if written <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left = left[written:]
