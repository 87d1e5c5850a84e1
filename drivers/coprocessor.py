"""The serial protocol of co-processors, both directions; docs/serial.md describes every byte.

A message is a type, a sequence number, a body and a CRC-32 over these, encoded by COBS, which
leaves no zero byte in it, with a zero byte before and after. Anything else is dropped at the next
zero byte. Everything is little-endian.
"""

from __future__ import annotations

import struct
from binascii import crc32
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from cobs import cobs

VERSION: Final = 1
STOP: Final = 0x03
"""Ctrl-C: this byte ends the program of a Pico with MicroPython."""
BAUD: Final = 115_200
"""The bit rate of a line that is not USB."""
MOST_PLACES: Final = 240
MOST_NAME_BYTES: Final = 32
"""The largest number of bytes of a device's name."""
UNKNOWN: Final = -128
"""The reading of a place that is unknown now."""
BEAT_S: Final = 0.5
"""A device without news sends a Heartbeat after this time."""

HEAD: Final = struct.Struct("<BH")
TAIL: Final = struct.Struct("<I")
LONGEST_BYTES: Final = HEAD.size + MOST_PLACES + TAIL.size + 1
"""The largest number of bytes between two zero bytes; COBS adds one to less than 254."""

MOST_LEFT_MS: Final = 2**28 - 1
"""The longest time in Show: more than three days."""
MOST_LATER: Final = 127
"""The largest number of periods in Show."""

HIGH: Final = 0x80
SHOW_PAUSED: Final = 0xFF
SHIFTS: Final = (0, 7, 14, 21)
"""The lowest bits of a time's four bytes in Show: each has seven bits."""

Kind: TypeAlias = Literal["board", "die", "clock", "display"]
KINDS: Final[Mapping[int, Kind]] = {1: "board", 2: "die", 3: "clock", 4: "display"}


@dataclass(frozen=True, slots=True)
class Hello:
    """The identity of a device; it answers Ask, and is the first message after a start."""

    version: int
    kind: Kind
    count: int
    """The number of places of a board, dice of a die, or sides of a clock or display."""
    name: str


@dataclass(frozen=True, slots=True)
class Full:
    """The readings of all places of a board, by number."""

    readings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """Changed readings of a board: (number, reading), in order of time."""

    changes: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Thrown:
    """The faces of the dice. A new `number` means a new throw; () before the first one."""

    number: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClockState:
    """The state of a clock: the side whose time runs (1, 2 …; 0: none), the number of presses
    (modulo 256), and the milliseconds that each side has left.
    """

    running: int
    presses: int
    left_ms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing has changed; the sequence number shows whether an earlier message was lost."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The host asks for Hello and the whole state: Full, Thrown or ClockState."""

    version: int


@dataclass(frozen=True, slots=True)
class SideTime:
    """The time of one side in Show."""

    left_ms: int
    """The milliseconds of the main time, or of the period that runs; at most MOST_LEFT_MS."""
    later: int = 0
    """The whole periods that come after that; at most MOST_LATER."""


@dataclass(frozen=True, slots=True)
class Show:
    """The host gives a display the times of its own clock. Without sides there is no clock."""

    running: int = 0
    """The side whose time runs (1, 2 …), 0: none."""
    paused: bool = False
    """Whether people have paused the clock. Then no time runs."""
    sides: tuple[SideTime, ...] = ()


Message: TypeAlias = Hello | Full | Changes | Thrown | ClockState | Heartbeat | Ask | Show


@dataclass(frozen=True, slots=True)
class Received:
    """A message with its sequence number."""

    sequence: int
    message: Message


def encode(message: Message, sequence: int) -> bytes:
    """Return the bytes of a message, with the zero bytes around it; ValueError if it is invalid."""
    kind, body = _pack(message)
    packed = HEAD.pack(ord(kind), sequence & 0xFFFF) + body
    encoded: bytes = cobs.encode(packed + TAIL.pack(crc32(packed)))
    if len(encoded) > LONGEST_BYTES:
        raise ValueError(f"a message of {len(encoded)} bytes is longer than {LONGEST_BYTES}")
    return b"\0" + encoded + b"\0"


def encode_for_device(message: Ask | Show) -> bytes:
    """Return the bytes of a message of the host, without the byte STOP. Any sequence number will
    do, so it has the first one that avoids STOP; ValueError for a version that contains the byte.
    """
    if message == Ask(STOP):
        raise ValueError(f"there is no version {STOP}: as a byte it stops a MicroPython program")
    frames = (encode(message, number) for number in range(0x10000))
    return next(frame for frame in frames if STOP not in frame)


def _pack(message: Message) -> tuple[str, bytes]:
    try:
        match message:
            case Hello(version, kind, count, name):
                number = next(number for number, each in KINDS.items() if each == kind)
                return "H", bytes((version, number, count)) + name.encode()[:MOST_NAME_BYTES]
            case Full(readings):
                return "F", struct.pack(f"<{len(readings)}b", *readings)
            case Changes(changes):
                return "C", b"".join(struct.pack("<Bb", *each) for each in changes)
            case Thrown(number, dice):
                return "T", bytes((number, *dice))
            case ClockState(running, presses, left):
                return "K", struct.pack(f"<BB{len(left)}I", running, presses, *left)
            case Heartbeat():
                return "B", b""
            case Ask(version):
                return "A", bytes((version,))
            case Show():
                return "S", _pack_show(message)
    except struct.error as error:
        raise ValueError(f"{message}: {error}") from error


def _pack_show(show: Show) -> bytes:
    """Return the body of Show. Bit 7 of all its bytes is 1, so that none of them is STOP."""
    if not show.sides:
        return b""
    body = bytearray([SHOW_PAUSED if show.paused else HIGH | show.running])
    for side in show.sides:
        if not (0 <= side.left_ms <= MOST_LEFT_MS and 0 <= side.later <= MOST_LATER):
            raise ValueError(f"{side}: the time or the number of periods is out of range")
        body.append(HIGH | side.later)
        body += bytes(HIGH | side.left_ms >> shift & 0x7F for shift in SHIFTS)
    return bytes(body)


class FrameDecoder:
    """Decodes messages from pieces of any length. It keeps at most LONGEST bytes."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._too_long = False

    def feed(self, data: bytes) -> list[Received]:
        """Return the messages that are complete now; invalid ones are dropped silently."""
        *whole, rest = data.split(b"\0")
        found = []
        for part in whole:
            self._keep(part)
            received = None if self._too_long else _unpack(bytes(self._kept))
            if received is not None:
                found.append(received)
            self._kept.clear()
            self._too_long = False
        self._keep(rest)
        return found

    def _keep(self, part: bytes) -> None:
        if self._too_long or len(self._kept) + len(part) > LONGEST_BYTES:
            self._too_long = True
            self._kept.clear()
        else:
            self._kept += part


def _unpack(encoded: bytes) -> Received | None:
    """Return the message between two zero bytes, None if it is invalid."""
    try:
        packed: bytes = cobs.decode(encoded)
    except cobs.DecodeError:
        return None
    body = packed[HEAD.size : -TAIL.size]
    if len(packed) < HEAD.size + TAIL.size:
        return None
    if TAIL.unpack(packed[-TAIL.size :])[0] != crc32(packed[: -TAIL.size]):
        return None
    kind, sequence = HEAD.unpack_from(packed)
    message = _message(chr(kind), body)
    return None if message is None else Received(sequence, message)


def _message(kind: str, body: bytes) -> Message | None:
    size = len(body)
    if kind == "H" and 3 <= size <= 3 + MOST_NAME_BYTES and body[1] in KINDS:
        return Hello(body[0], KINDS[body[1]], body[2], body[3:].decode("utf-8", "replace"))
    if kind == "F":
        return Full(struct.unpack(f"<{size}b", body))
    if kind == "C" and size and size % 2 == 0:
        return Changes(tuple(struct.iter_unpack("<Bb", body)))
    if kind == "T" and size:
        return Thrown(body[0], tuple(body[1:]))
    if kind == "K" and size >= 2 and size % 4 == 2:
        return ClockState(body[0], body[1], struct.unpack_from(f"<{(size - 2) // 4}I", body, 2))
    if kind == "B" and not size:
        return Heartbeat()
    if kind == "A" and size == 1:
        return Ask(body[0])
    if kind == "S" and (not body or (size > 5 and size % 5 == 1 and min(body) >= HIGH)):
        return _unpack_show(body)
    return None


def _unpack_show(body: bytes) -> Show | None:
    """Return the Show of a body with a valid form, None if its running side is not there."""
    if not body:
        return Show()
    sides = tuple(
        SideTime(_left_ms(body[start + 1 : start + 5]), body[start] & 0x7F)
        for start in range(1, len(body), 5)
    )
    if body[0] == SHOW_PAUSED:
        return Show(0, True, sides)
    running = body[0] & 0x7F
    return Show(running, False, sides) if running <= len(sides) else None


def _left_ms(septets: bytes) -> int:
    return sum((byte & 0x7F) << shift for byte, shift in zip(septets, SHIFTS, strict=True))
