"""Lines that end in checksums, each of which includes the line before, and repairs by them.

A checksum shows not only that one byte of its line is wrong, but also which one and what it was. So
one wrong byte in a line, even its end, loses nothing.
"""

from __future__ import annotations

import re
import zlib
from typing import Final

_SEAL: Final = re.compile(rb',"crc":"([0-9a-f]{8})"\}')
LENGTH: Final = len(b',"crc":"00000000"}')
_BYTE: Final = [zlib.crc32(bytes([each]), 0xFFFFFFFF) ^ 0xFFFFFFFF for each in range(256)]
"""How a wrong last byte changes a checksum; an earlier byte does so after more steps."""
_FIRST_STEP: Final = {error: byte for byte, error in enumerate(_BYTE)}
_LAST_STEP: Final = {error >> 24: byte for byte, error in enumerate(_BYTE)}


def seal(checksum: int) -> bytes:
    """Return the end of a line with that checksum."""
    return b',"crc":"%08x"}' % checksum


def unsealed(line: bytes, checksum: int) -> int | None:
    """Return the checksum of a line that follows a line with `checksum`; None if it does not end in
    it.
    """
    found = zlib.crc32(line[:-LENGTH], checksum)
    return found if line[-LENGTH:] == seal(found) else None


def claimed(line: bytes) -> int | None:
    """Return the checksum at the end of a line; None if there is none."""
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
        """The text after the last whole line."""
        self.checksum = 0
        """The checksum of the last line that was read."""
        self.end = 0
        """Where that line ends, in bytes, unless a line was repaired."""
        self.number = 0
        """How many lines were read."""
        self.repaired = 0
        """The number of the first line that was repaired; 0 if none was."""

    @property
    def more(self) -> bool:
        """Whether there is another line with an end, damaged or not."""
        return bool(self._lines) or self._was_whole()

    def look(self) -> bytes:
        """Return the next line as it is."""
        return self._lines[0] if self._lines else self.tail

    def take(self) -> bytes:
        """Take the next line as it is, whatever its checksum."""
        line = self._lines.pop(0)
        self.checksum = claimed(line) or 0
        self._read(line)
        return line

    def next(self) -> bytes | None:
        """Take the next line, repaired if necessary; None if there is none, or no repair."""
        line = self._lines[0] if self._lines else b""
        found = unsealed(line, self.checksum) if self._lines else None
        if found is None:
            line = self._repaired()
            found = unsealed(line, self.checksum)
            if found is None:
                return None
            self.repaired = self.repaired or self.number + 1
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

    def _repaired(self) -> bytes:
        """Take the next line with its one wrong byte repaired. If it has more than one, take
        nothing and return no valid line.
        """
        lines = self._lines
        if not lines:
            line, self.tail = (self.tail[:-1], b"") if self._was_whole() else (b"", self.tail)
            return line
        line = lines[0]
        if fixed := _fixed(line, self.checksum):
            lines.pop(0)
            return fixed
        for each in _SEAL.finditer(line):  # another byte is where the end of the line was
            if unsealed(line[: each.end()], self.checksum) is not None:
                lines[0] = line[each.end() + 1 :]
                return line[: each.end()]
        if len(lines) > 1:  # or an end is where another byte was
            for byte in range(256):
                joined = line + bytes([byte]) + lines[1]
                if unsealed(joined, self.checksum) is not None:
                    del lines[:2]
                    return joined
        return b""


def _fixed(line: bytes, checksum: int) -> bytes:
    """Return a line with its one wrong byte repaired; empty if it has more than one."""
    text, end = line[:-LENGTH], line[-LENGTH:]
    found = zlib.crc32(text, checksum)
    if len(line) > LENGTH and sum(a != b for a, b in zip(end, seal(found), strict=True)) == 1:
        return text + seal(found)
    stored = claimed(line)
    if stored is None:
        return b""
    error = found ^ stored
    for place in range(len(text) - 1, -1, -1):
        if error in _FIRST_STEP:
            right = text[place] ^ _FIRST_STEP[error]
            return text[:place] + bytes([right]) + text[place + 1 :] + end
        byte = _LAST_STEP[error >> 24]
        error = (error ^ _BYTE[byte]) << 8 | byte
    return b""
