"""Lines that end in checksums, each begun with that of the line before, and mended by them.

A checksum tells not only that a byte of its line is wrong, but also which one and what it was. So
one wrong byte in a line, be it the end of it, loses nothing.
"""

from __future__ import annotations

import re
import zlib
from typing import Final

_SEAL: Final = re.compile(rb',"crc":"([0-9a-f]{8})"\}')
LENGTH: Final = len(b',"crc":"00000000"}')
_BYTE: Final = [zlib.crc32(bytes([each]), 0xFFFFFFFF) ^ 0xFFFFFFFF for each in range(256)]
"""By how much a wrong last byte spoils a checksum; an earlier one does so after more steps."""
_FIRST_STEP: Final = {spoilt: byte for byte, spoilt in enumerate(_BYTE)}
_LAST_STEP: Final = {spoilt >> 24: byte for byte, spoilt in enumerate(_BYTE)}


def seal(checksum: int) -> bytes:
    """Return what a line of that checksum ends in."""
    return b',"crc":"%08x"}' % checksum


def unsealed(line: bytes, checksum: int) -> int | None:
    """Return the checksum of a line after one of that checksum; None if it does not end in it."""
    found = zlib.crc32(line[:-LENGTH], checksum)
    return found if line[-LENGTH:] == seal(found) else None


def claimed(line: bytes) -> int | None:
    """Return the checksum that a line says it has; None if it says none."""
    found = _SEAL.fullmatch(line[-LENGTH:])
    return int(found[1], 16) if found else None


def body(line: bytes) -> bytes:
    """Return the object of a line, without its checksum."""
    return line[:-LENGTH] + b"}"


class SealedLines:
    """The lines of a file, one after the other as long as they can be read."""

    def __init__(self, data: bytes) -> None:
        self._lines = data.split(b"\n")
        self.tail = self._lines.pop()
        """What is behind the last whole line."""
        self.checksum = 0
        """Of the last line that was read."""
        self.end = 0
        """Where that ends, in bytes, unless a line was mended."""
        self.number = 0
        """How many lines were read."""
        self.mended = 0
        """The number of the first line that was mended; 0 if none was."""

    @property
    def more(self) -> bool:
        """Whether there is another line with an end, damaged or not."""
        return bool(self._lines) or self._was_whole()

    def look(self) -> bytes:
        """Return the next line as it stands there."""
        return self._lines[0] if self._lines else self.tail

    def take(self) -> bytes:
        """Take the next line as it stands there, whatever its checksum."""
        line = self._lines.pop(0)
        self.checksum = claimed(line) or 0
        self._read(line)
        return line

    def next(self) -> bytes | None:
        """Take the next line, mended if need be; None if there is none, or it cannot be."""
        line = self._lines[0] if self._lines else b""
        found = unsealed(line, self.checksum) if self._lines else None
        if found is None:
            line = self._mended()
            found = unsealed(line, self.checksum)
            if found is None:
                return None
            self.mended = self.mended or self.number + 1
        else:
            self._lines.pop(0)
        self.checksum = found
        self._read(line)
        return line

    def _read(self, line: bytes) -> None:
        self.number += 1
        self.end += len(line) + 1

    def _was_whole(self) -> bool:
        """Whether only the end of the last line is wrong: then it may have been confirmed."""
        return unsealed(self.tail[:-1], self.checksum) is not None

    def _mended(self) -> bytes:
        """Take the next line without its one wrong byte; nothing is taken if it has not just one,
        and what is returned is no line then.
        """
        lines = self._lines
        if not lines:
            line, self.tail = (self.tail[:-1], b"") if self._was_whole() else (b"", self.tail)
            return line
        line = lines[0]
        if fixed := _fixed(line, self.checksum):
            lines.pop(0)
            return fixed
        for each in _SEAL.finditer(line):  # another byte stands where the line ends
            if unsealed(line[: each.end()], self.checksum) is not None:
                lines[0] = line[each.end() + 1 :]
                return line[: each.end()]
        if len(lines) > 1:  # or an end stands where another byte was
            for byte in range(256):
                joined = line + bytes([byte]) + lines[1]
                if unsealed(joined, self.checksum) is not None:
                    del lines[:2]
                    return joined
        return b""


def _fixed(line: bytes, checksum: int) -> bytes:
    """Return a line with its one wrong byte put right; empty if it has not just one."""
    text, end = line[:-LENGTH], line[-LENGTH:]
    found = zlib.crc32(text, checksum)
    if len(line) > LENGTH and sum(a != b for a, b in zip(end, seal(found), strict=True)) == 1:
        return text + seal(found)
    stored = claimed(line)
    if stored is None:
        return b""
    spoilt = found ^ stored
    for place in range(len(text) - 1, -1, -1):
        if spoilt in _FIRST_STEP:
            right = text[place] ^ _FIRST_STEP[spoilt]
            return text[:place] + bytes([right]) + text[place + 1 :] + end
        byte = _LAST_STEP[spoilt >> 24]
        spoilt = (spoilt ^ _BYTE[byte]) << 8 | byte
    return b""
