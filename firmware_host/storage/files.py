"""Safe writes: a line is added whole or not at all, a file is replaced at once.

Everything that is written for a match goes through here, in plain calls of `os`. A file is always a
regular one: nothing here waits for the other end of a pipe.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import logging
import os
import re
import stat
import threading
from collections.abc import Callable, Iterator
from itertools import chain, count
from pathlib import Path
from typing import Final, TypeVar

from firmware_host.i18n.messages import Message, fill, render, say
from hardware.regular_file import opened, read

PRIVATE: Final = 0o600
"""The mode of a file for its user only: a match, a token."""
READABLE: Final = 0o644
"""The mode of a file for all users: it describes a board, and no person."""

WRITE_EVERY_S: Final = 1.0
"""The time between two writes of a `DeferredFile`."""
TOGETHER_S: Final = 0.05
"""Contents that follow within this time are written together: one command may change several."""

Parsed = TypeVar("Parsed")

log = logging.getLogger(__name__)

_LEFT: Final = re.compile(r".+\.(\d{1,9})\.new")
"""The name of a new file until `put` renames it; it has the number of the process."""
_NO_SYNC: Final = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
"""The errors of file systems that cannot sync a directory; these are no failure."""


def put(
    path: Path,
    data: bytes | bytearray | memoryview,
    aside: Path | None = None,
    *,
    mode: int = PRIVATE,
) -> Path | None:
    """Put a file in place, all or nothing; it is on the disk when this returns. The file before it
    is kept as `aside`, if that is given; return its new path. If programs put the same file at
    once, the file of one of them is in place, whole. If the program is killed meanwhile, the old
    file is in place; with `aside` the new one may lie beside it, and `finish` puts it there.
    OSError if a device or a directory is there.
    """
    if aside is None:
        _check_replaceable(path)
        new = path.with_name(f"{path.name}.{os.getpid()}.new")
    else:
        finish(path)
        new = beside(path)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(new)
    descriptor = opened(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        _write(descriptor, data)
        os.fsync(descriptor)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(new)
        raise
    finally:
        os.close(descriptor)
    kept = put_aside(path, aside) if aside is not None and os.path.lexists(path) else None
    os.replace(new, path)
    sync_directory(path.parent)
    return kept


def sweep(directory: Path) -> None:
    """Delete what `put` left in a directory and in its folders when its process was killed. The
    file of another process that still runs stays, and so does one that cannot be deleted.
    """
    for path in chain(directory.glob("*.new"), directory.glob("*/*.new")):
        left = _LEFT.fullmatch(path.name)
        if left is not None and not _runs(int(left[1])):
            with contextlib.suppress(OSError):
                os.unlink(path)


def _runs(process: int) -> bool:
    """Return whether another process of that number runs."""
    if process == os.getpid():  # an earlier process had this number
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # the process of another user
        return True
    return True


def _check_replaceable(path: Path) -> None:
    """OSError if something is there that is no file: root could replace `/dev/stdout`."""
    with contextlib.suppress(FileNotFoundError):
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
            raise OSError(number, "Not a regular file", str(path))


def finish(path: Path) -> None:
    """Finish a `put` that was interrupted after it had renamed the old file."""
    new = beside(path)
    if not os.path.lexists(path) and os.path.lexists(new):
        os.replace(new, path)
        sync_directory(path.parent)


def make_directory(directory: Path) -> None:
    """Create a directory that only this user may look into, unless it is there already."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)


def sync_directory(directory: Path) -> None:
    """Sync the names in a directory to the disk."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(descriptor)


class LineFile:
    """A file to which lines are added, each whole or not at all. OSError says what failed."""

    def __init__(self, path: Path, end: int, *, sync: bool) -> None:
        """Open the file; its contents behind `end` are removed later. With `sync` a line is on the
        disk when `add` returns.
        """
        self._path = path
        self._sync = sync
        self._descriptor = opened(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self.end = end
        """Where the whole lines end, in bytes."""
        self.whole = os.fstat(self._descriptor).st_size == end
        """Whether the file ends there, without a line that broke off or was not confirmed."""

    def add(self, lines: bytes) -> None:
        """Add lines. After an OSError none of them counts, and they may be added again."""
        if not self.is_there():
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), str(self._path))
        self.cut_rest()
        self.whole = False
        try:
            _write(self._descriptor, lines)
            if self._sync:
                os.fdatasync(self._descriptor)
        except OSError:
            with contextlib.suppress(OSError):  # it is tried again before the next lines
                self.cut_rest()
            raise
        self.whole = True
        self.end += len(lines)

    def cut_rest(self) -> None:
        """Remove the rest of lines that could not be added; OSError if that fails."""
        if not self.whole:
            os.ftruncate(self._descriptor, self.end)
            if self._sync:
                os.fdatasync(self._descriptor)
            self.whole = True

    def is_alone(self) -> bool:
        """Return whether no other program writes this file."""
        try:
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno not in (errno.EACCES, errno.EAGAIN)
        return True

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


def beside(path: Path) -> Path:
    """Return the path of a new file until the old one has been put aside."""
    return path.with_name(path.name + ".new")


def put_aside(path: Path, aside: Path) -> Path:
    """Rename what is at `path` to `aside`, or to the first numbered name that is free; return that
    name. Nothing is written over, also if another program wants the same name.
    """
    directory = path.is_dir() and not path.is_symlink()
    kept = reserved(aside, directory=directory)
    try:
        os.replace(path, kept)
    except OSError:
        with contextlib.suppress(OSError):
            kept.rmdir() if directory else os.unlink(kept)
        raise
    sync_directory(path.parent)
    return kept


def reserved(wanted: Path, *, directory: bool = False) -> Path:
    """Create an empty file, or an empty `directory`, under the first numbered name that is free,
    and return its path: no other program gets that name.
    """
    for path in numbered(wanted):
        with contextlib.suppress(FileExistsError):
            if directory:
                os.mkdir(path, 0o700)
            else:
                os.close(opened(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
            return path
    raise AssertionError("there is always another number")


def numbered(path: Path) -> Iterator[Path]:
    """Yield names for several files: this one, then with `-2`, `-3` …"""
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


def _write(descriptor: int, data: bytes | bytearray | memoryview) -> None:
    """Write all of it: on a full disk `os.write` first writes a part without an error."""
    left = memoryview(data)
    while left:
        written = os.write(descriptor, left)
        if written <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left = left[written:]


def load(path: Path, most: int, parse: Callable[[bytes], Parsed], otherwise: str) -> Parsed | None:
    """Return the parsed contents of a small file of at most `most` bytes; None if there is none. If
    it cannot be read or parsed, log why and what happens `otherwise`, and return None.
    """
    try:
        return parse(read(path, most))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        log.warning("%s: %s; %s", path, error, otherwise)
        return None


class DeferredFile:
    """A small file of which only the latest contents count. A thread writes it a little later, so
    that no move waits for the disk; where no thread can be started, it is written at once.
    """

    def __init__(self, path: Path, unsaved: Message) -> None:
        """`unsaved` tells people that it cannot be written, and `{why}`."""
        self.path = path
        self.error: OSError | None = None
        """Why the latest contents are not on the disk; the write is tried again and again."""
        self._unsaved = unsaved
        self._next: bytes | None = None
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._lock = threading.Lock()

    def put(self, data: bytes) -> None:
        """Write these contents soon."""
        with self._lock:
            self._next = data
            if self._thread is None:
                self._closing.clear()
                thread = threading.Thread(target=self._work, name=self.path.name, daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # a browser has no threads, a busy computer no more of them
                    self._write()
                else:
                    self._thread = thread

    def _write(self) -> None:
        """Write the latest contents; after an error they are kept for the next `put`."""
        assert self._next is not None
        try:
            put(self.path, self._next)
        except OSError as error:
            self.error = error
        else:
            self.error = self._next = None

    @property
    def trouble(self) -> Message | None:
        """The message that the latest contents are not on the disk, for people."""
        error = self.error  # once: the thread may end it
        return None if error is None else fill(self._unsaved, why=why(error))

    def close(self) -> None:
        """Write what is not written yet; log it if that fails."""
        self._closing.set()
        if (thread := self._thread) is not None:
            thread.join()
        if (trouble := self.trouble) is not None:
            log.warning("%s: %s", self.path, render(trouble))

    def _work(self) -> None:
        self._closing.wait(TOGETHER_S)
        while True:
            with self._lock:
                data, self._next = self._next, None
                if data is None:
                    self._thread = None
                    return
            try:
                put(self.path, data)
            except OSError as error:
                self.error = error
                with self._lock:
                    if self._closing.is_set() and self._next is None:
                        self._thread = None
                        return
                    self._next = self._next or data
            else:
                self.error = None
            self._closing.wait(WRITE_EVERY_S)
