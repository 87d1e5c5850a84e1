"""The files of a match in the state directory: its journal, and recordings of what the sensors saw.

`match.jsonl` is the journal of the match in play and `recording.jsonl` its recording; the journals
of earlier matches stay beside them under the time they ended.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from itertools import count
from pathlib import Path
from typing import Final

from engine.match import AnyGame
from firmware_host.events import Event, Frame
from firmware_host.journal import Journal, JournalError, Resumed, resume
from firmware_host.record import Record
from firmware_host.recording import Header, Recorder

LONGEST_RECORDING: Final = 32 * 1024 * 1024

log = logging.getLogger(__name__)


class MatchFiles:
    """What is kept of one match after the other."""

    def __init__(self, state: Path, record: Path | None = None) -> None:
        """`record` is where another recording is wanted; a second match gets `-2` in its name."""
        self._state = state
        self._record = record
        self._journal: Journal | None = None
        self._header: Header | None = None
        self._recordings: list[_RecordingFile] = []

    # ---- one match after the other

    def kept(self) -> Resumed | None:
        """Return the match that was being played. One that cannot be read is put aside, and said:
        nothing that was played is thrown away.
        """
        path = self._state / "match.jsonl"
        try:
            kept = resume(path)
        except JournalError as error:
            aside = _free(path.with_name("match-unread.jsonl"))
            os.replace(path, aside)
            log.warning("%s; kept as %s, and a new match begins", error, aside.name)
            return None
        if kept is not None and kept.torn:
            log.warning("%s: the last line broke off and is left out", path)
        return kept

    def go_on(self, kept: Resumed, header: Header) -> None:
        """Go on with the journal of a match that was kept."""
        self.close()
        self._journal = kept.go_on()
        self._header = header

    def begin(self, game: AnyGame, layout: str, header: Header) -> None:
        """Begin a new match; what was played in the one before is kept."""
        self.close()
        path = self._state / "match.jsonl"
        with contextlib.suppress(FileNotFoundError):
            if path.read_bytes().count(b"\n") > 1:
                stamp = time.strftime("%Y%m%d-%H%M%S")
                os.replace(path, _free(path.with_name(f"match-{stamp}.jsonl")))
        self._journal = Journal.begin(path, game, layout)
        self._header = header

    def close(self) -> None:
        """Close the files; the match may be gone on with."""
        if self._journal is not None:
            self._journal.close()
        for each in self._recordings:
            each.close()
        self._journal = None
        self._recordings.clear()

    # ---- what happens in it

    def write(self, record: Record) -> None:
        """Note what the record is now; it is on the disk when this returns."""
        assert self._journal is not None
        self._journal.write(record)

    def take(self, event: Event, frame: Frame | None) -> None:
        """Record an event. A recording begins with `frame`, the latest one, as soon as the men
        are set up; None until then.
        """
        if self._recordings:
            for each in self._recordings:
                each.take(event)
        elif frame is not None and self._header is not None:
            paths = [self._state / "recording.jsonl"]
            if self._record is not None:
                paths.append(_free(self._record))
            for path in paths:
                self._recordings.append(_RecordingFile(path, self._header))
            for each in self._recordings:
                each.take(frame)
                if event is not frame:
                    each.take(event)

    def recording(self) -> str:
        """Return the recording of this match so far; empty before the men are set up."""
        return self._recordings[0].path.read_text(encoding="utf-8") if self._recordings else ""


class _RecordingFile:
    """A recording that is being written, up to a size that no evening reaches."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self._recorder = Recorder(header)
        self._file = path.open("w", encoding="utf-8")
        self._file.write(self._recorder.header())
        self._file.flush()
        self._left = LONGEST_RECORDING

    def take(self, event: Event) -> None:
        """Write the lines of an event."""
        for line in self._recorder.lines(event):
            self._left -= len(line)
            if self._left > 0:
                self._file.write(line)
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _free(path: Path) -> Path:
    """Return a path where nothing is yet: this one, or the same with a number in its name."""
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    return path if not path.exists() else next(each for each in numbered if not each.exists())
