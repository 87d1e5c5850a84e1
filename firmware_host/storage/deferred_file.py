"""A small file that is written a little later, in a thread: no move waits for the disk over it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

from firmware_host.storage.files import put

BETWEEN: Final = 1.0
"""Seconds between two writes: what changes meanwhile is written together."""


class DeferredFile:
    """A file of which only the latest contents count."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.error: OSError | None = None
        """Why the latest contents are not on the disk; it is tried again and again."""
        self._next: bytes | None = None
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._lock = threading.Lock()

    def put(self, data: bytes) -> None:
        """Have the file hold that soon."""
        with self._lock:
            self._next = data
            if self._thread is None:
                self._closing.clear()
                self._thread = threading.Thread(target=self._work, name=self.path.name, daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Write what is not written yet; `error` says if that could not be."""
        self._closing.set()
        if (thread := self._thread) is not None:
            thread.join()

    def _work(self) -> None:
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
            self._closing.wait(BETWEEN)
