"""The file of a recording. It begins with a match and continues after a restart."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware_host.session.events import Event
from firmware_host.storage import files
from firmware_host.storage.recording import (
    LARGEST_FILE,
    Recorder,
    RecordingError,
    RecordingHeader,
    parse,
)
from hardware import regular_file

MOST_BYTES: Final = 32 * 1024 * 1024
"""The size at which a recording ends."""


class RecordingFile:
    """A recording that is being written."""

    def __init__(self, wanted: Path, header: RecordingHeader) -> None:
        """Continue the recording of this match, or begin one. If another file has that name, the
        name gets a number. OSError says why neither works.
        """
        for path in files.numbered(wanted):
            found = _found(path, header)
            if found is not None:
                self._recorder, end = found
                self._lines = files.LineFile(path, end, sync=False)
                if self._lines.is_alone():
                    break
                self._lines.close()
        self.path = path
        if not end:
            try:
                self._add(self._recorder.header())
            except OSError:
                self.close()
                raise

    def take(self, event: Event) -> None:
        """Add the lines of an event. After an OSError the recording ends before them."""
        for line in self._recorder.lines(event):
            self._add(line)

    def chunks(self) -> Iterator[bytes]:
        """Return its contents, in chunks; OSError if it cannot be read."""
        return regular_file.chunks(self.path, self._lines.end)

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def _add(self, line: str) -> None:
        data = line.encode()
        if self._lines.end + len(data) > MOST_BYTES:
            raise OSError(errno.EFBIG, f"it has {MOST_BYTES // 1024**2} MB", str(self.path))
        self._lines.add(data)


def _found(path: Path, header: RecordingHeader) -> tuple[Recorder, int] | None:
    """Return the recorder that continues a file, and where its whole lines end; None if the file is
    not a recording of this match.
    """
    try:
        data, _ = regular_file.head(path, LARGEST_FILE)
    except FileNotFoundError:
        return Recorder(header), 0
    whole = data[: data.rfind(b"\n") + 1]
    if not data:
        return Recorder(header), 0
    try:
        recording = parse(whole, str(path))
    except RecordingError:
        return None
    # It may have begun with an earlier recording, from another position.
    theirs = replace(recording.header, position=header.position)
    if not header.match or theirs != header:
        return None
    return recording.recorder(), len(whole)
