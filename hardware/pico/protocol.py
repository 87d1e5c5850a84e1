"""The co-processor's side of the serial protocol (docs/serial.md).

It runs under MicroPython and under Python and imports nothing else: received bytes come by `heard`,
bytes to send go to a function, and the time is an argument.
"""

import struct
from binascii import crc32

TYPE_CHECKING = False  # type checkers know better
if TYPE_CHECKING:
    from collections.abc import Callable

VERSION = 1
BOARD, DIE, CLOCK, DISPLAY = 1, 2, 3, 4
UNKNOWN = -128
MOST_NAME = 32  # bytes of a name; the host accepts no longer one
BEAT_MS = 500
TICKS = 0x3FFFFFFF  # MicroPython's ticks_ms starts again from 0 after this
LONGEST = 64  # bytes of the longest message of a host: a Show of eleven sides


def cobs_encoded(data: bytes) -> bytes:
    """Return data (less than 254 bytes) encoded by COBS: without zero bytes; each run between
    zeros has its length plus 1 in front.
    """
    out = bytearray()
    for run in data.split(b"\0"):
        out.append(len(run) + 1)
        out += run
    return bytes(out)


def cobs_decoded(data: bytes) -> bytes:
    """Return the data that `cobs_encoded` encoded, or nothing if the encoding is invalid."""
    runs = []
    while data:
        length = data[0]
        if length > len(data):
            return b""
        runs.append(data[1:length])
        data = data[length:]
    return b"\0".join(runs)


def message(kind: str, sequence: int, body: bytes) -> bytes:
    """Return the bytes of a message."""
    packed = struct.pack("<BH", ord(kind), sequence) + body
    return b"\0" + cobs_encoded(packed + struct.pack("<I", crc32(packed))) + b"\0"


class Device:
    """A board of places, a die, a clock or a display that speaks to a host."""

    def __init__(
        self,
        kind: int,
        count: int,
        name: str,
        send: "Callable[[bytes], object]",
        show: "Callable[[bytes], object]" = lambda body: None,
    ) -> None:
        """`count` is the number of places, dice or sides; `send` is called with bytes to send, and
        `show` of a display with the body of each Show.
        """
        self.kind = kind
        self.count = count
        self.name = name
        self._send = send
        self._show = show
        self._sequence = 0
        self._buffer = bytearray()
        self._overlong = False
        self._started = False
        self._sent = False  # a message was sent since the last tick
        self._sent_at = 0
        # The state to report: a board's readings, or the bytes of a die's or a clock's state. A
        # display knows no times yet.
        self._readings = [UNKNOWN] * count
        self._state = b"\0" if kind == DIE else bytes(2 + 4 * count * (kind == CLOCK))

    def introduce(self) -> None:
        """Send Hello and the whole state: at the start, and when a host asks. Readings before that
        are stored but not sent.
        """
        self._started = True
        name = self.name.encode()[:MOST_NAME]
        self._send_message("H", bytes((VERSION, self.kind, self.count)) + name)
        self._send_state()

    def receive(self, data: bytes) -> None:
        """Process bytes from the host: answer an Ask, obey a Show."""
        for byte in data:
            if byte:
                if len(self._buffer) < LONGEST:
                    self._buffer.append(byte)
                else:
                    self._overlong = True
                continue
            if not self._overlong:
                self._obey(cobs_decoded(bytes(self._buffer)))
            self._buffer = bytearray()
            self._overlong = False

    def _obey(self, packed: bytes) -> None:
        if len(packed) < 7 or packed[-4:] != struct.pack("<I", crc32(packed[:-4])):
            return
        body = packed[3:-4]
        # An Ask of any version: the answer tells the host the version of this device.
        if packed[0] == ord("A") and len(body) == 1:
            self.introduce()
        elif packed[0] == ord("S") and self.kind == DISPLAY:
            self._show(body)

    def read(self, readings: list[int]) -> None:
        """Of a board: store the readings of all places, and send the changes."""
        new = [
            (number, reading)
            for number, reading in enumerate(readings)
            if reading != self._readings[number]
        ]
        self._readings = list(readings)
        if not new or not self._started:
            return
        if 2 * len(new) < self.count:
            self._send_message("C", b"".join([struct.pack("<Bb", *each) for each in new]))
        else:
            self._send_state()

    def throw(self, dice: list[int]) -> None:
        """Of a die: store and send a throw."""
        self._state = bytes([self._state[0] % 255 + 1]) + bytes(dice)
        self._send_state()

    def clock(self, running: int, left_ms: list[int], pressed: bool = False) -> None:
        """Of a clock or a display: store the side whose time runs (0: none) and the time that each
        side has left; send them if a button was pressed.
        """
        self._state = bytes((running, (self._state[1] + pressed) & 255))
        for left in left_ms:
            self._state += struct.pack("<I", left)
        if pressed:
            self._send_state()

    def tick(self, now_ms: int) -> None:
        """Send a Heartbeat after half a second without a message."""
        if self._sent:
            self._sent = False
            self._sent_at = now_ms
        elif (now_ms - self._sent_at) & TICKS >= BEAT_MS:
            self._sent_at = now_ms
            self._send_message("B", b"")
            self._sent = False

    def _send_state(self) -> None:
        if self.kind == BOARD:
            self._send_message("F", struct.pack(f"<{self.count}b", *self._readings))
        else:
            self._send_message("T" if self.kind == DIE else "K", self._state)

    def _send_message(self, kind: str, body: bytes) -> None:
        self._send(message(kind, self._sequence, body))
        self._sequence = (self._sequence + 1) & 0xFFFF
        self._sent = True
