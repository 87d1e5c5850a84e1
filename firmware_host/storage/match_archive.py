"""Matches as files for another computer: all journals in one archive, and taking in what people
have: a journal, an archive of journals, or a record of another program.
"""

from __future__ import annotations

import contextlib
import filecmp
import io
import os
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from engine.notation import standard
from engine.notation.lines import LONGEST_TEXT
from firmware_host.i18n.messages import RefusedError, say
from firmware_host.storage.game_records import kept_record, reserved_for
from firmware_host.storage.journal import MOST_BYTES, JournalError, Text
from firmware_host.storage.library import Library, is_journal
from hardware import regular_file

ARCHIVE_BYTES: Final = 64 * 1024 * 1024
"""The longest file that is taken in."""
MOST_UNPACKED: Final = 512 * 1024 * 1024
"""The most that may be in an archive."""
CHUNK: Final = 1 << 16
JOURNALS: Final = (".jsonl", ".zip")
"""How the names of journals and of their archives end."""
ENDINGS: Final = (*JOURNALS, *standard.ENDINGS)
"""How the names of files end that are taken in."""


@dataclass(frozen=True, slots=True)
class TakenIn:
    """The content of an imported file."""

    matches: tuple[str, ...]
    """The ids of its matches in the library, also of those that were there already."""
    notes: tuple[str, ...] = ()
    """A line for each part of it that was passed over."""


class _Chunks(io.RawIOBase):
    """A file that only keeps what was written since it was last asked."""

    def __init__(self) -> None:
        self._written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data)  # type: ignore[call-overload]
        self._written += piece
        return len(piece)

    def taken(self) -> bytes:
        piece = bytes(self._written)
        self._written.clear()
        return piece


def archive(paths: Iterable[Path]) -> Iterator[bytes]:
    """Yield a ZIP archive of journals in chunks; a journal that cannot be read is left out."""
    written = _Chunks()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in paths:
            with contextlib.suppress(OSError):
                status = path.lstat()
                info = zipfile.ZipInfo(path.name, _dos_time(status.st_mtime))
                info.compress_type = zipfile.ZIP_DEFLATED
                pieces = regular_file.chunks(path, status.st_size)
                with packed.open(info, "w") as entry:
                    for piece in pieces:
                        entry.write(piece)
                        yield written.taken()
    yield written.taken()


def _dos_time(moment: float) -> tuple[int, int, int, int, int, int]:
    """Return a time as ZIP archives keep it, which know none before 1980."""
    year, *rest = time.localtime(moment)[:6]
    month, day, hour, minute, second = rest
    return max((1980, 1, 1, 0, 0, 0), (year, month, day, hour, minute, second))


def take_in(library: Library, name: str, file: IO[bytes], played: float) -> TakenIn:
    """Keep the matches of a file with its name and the time of its last change. RefusedError or
    ValueError say in one sentence why there are none; OSError that they cannot be kept.
    """
    ending = Path(name).suffix.lower()
    if ending not in ENDINGS:
        endings = ", ".join(ENDINGS)
        raise RefusedError(
            say(
                "{file} is no saved game: the name of such a file ends in {endings}.",
                file=name,
                endings=endings,
            )
        )
    notes: list[str] = []
    if ending == ".zip":
        library.update()  # then those that are there already are known
        found = list(_unpacked(library, name, file, notes))
    elif ending == ".jsonl":
        found = [_only_journal(library, name, file, played)]
    else:
        data = file.read(LONGEST_TEXT + 1)
        if len(data) > LONGEST_TEXT:
            raise RefusedError(say("{file} is too long for a saved game.", file=name))
        path, notes = kept_record(library.state, name, data, played=played)
        found = [path]
    return TakenIn(tuple(map(library.read, found)), tuple(notes))


def _only_journal(library: Library, name: str, file: IO[bytes], played: float) -> Path:
    """Keep one journal; JournalError if nothing of it can be read."""
    path = reserved_for(library.state, played)
    try:
        _copy(file, path, played)
        Text(path)
    except JournalError as error:
        path.unlink()
        raise JournalError(str(error).replace(str(path), name)) from None
    except BaseException:
        path.unlink()
        raise
    return _or_the_same(path, library)


def _unpacked(library: Library, name: str, file: IO[bytes], notes: list[str]) -> Iterator[Path]:
    """Keep the journals in an archive, also damaged ones, and yield their files."""
    try:
        with zipfile.ZipFile(file) as packed:
            members = packed.infolist()
            if sum(member.file_size for member in members) > MOST_UNPACKED:
                raise RefusedError(say("{file} is too long for a saved game.", file=name))
            for member in members:
                if not is_journal(Path(member.filename).name):
                    notes.append(f"{name}: {member.filename} is no match and is left out")
                    continue
                if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise NotImplementedError(f"compression {member.compress_type}")
                played = time.mktime((*member.date_time, 0, 0, -1))
                path = reserved_for(library.state, played)
                try:
                    with packed.open(member) as source:
                        _copy(source, path, played)
                except BaseException:
                    path.unlink()
                    raise
                yield _or_the_same(path, library)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise RefusedError(
            say("{file} is no archive of saved games, or it is damaged.", file=name)
        ) from error


def _copy(source: IO[bytes], path: Path, played: float) -> None:
    """Copy what may be a journal to the path that is reserved for it."""
    left = MOST_BYTES
    with path.open("wb") as target:
        while left and (piece := source.read(min(CHUNK, left))):
            left -= len(piece)
            target.write(piece)
        target.flush()
        os.fsync(target.fileno())
    os.utime(path, (played, played))


def _or_the_same(path: Path, library: Library) -> Path:
    """Return the journal, or the one in the library with the same content, instead of which it is
    removed again; a deleted one is restored.
    """
    with contextlib.suppress(JournalError, OSError):
        name = Text(path).head.id
        other = library.known(name)
        if other is not None and filecmp.cmp(path, other, shallow=False):
            library.restore(name)
            path.unlink()
            return library.path(name)
    return path
