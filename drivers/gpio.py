"""Pins of a GPIO chip through Linux's character device, version 2 (Linux 5.10 or newer).

A line that is watched for edges has a file of its own, in which the kernel keeps events until they
are read: waiting for the file returns at an edge and only then.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import struct
from collections.abc import Callable
from typing import Any, Final

GET_LINE: Final = 0xC250B407
GET_INFO: Final = 0xC100B405
GET_VALUES: Final = 0xC010B40E
SET_VALUES: Final = 0xC010B40F
"""GPIO_V2_GET_LINE_IOCTL, GPIO_V2_GET_LINEINFO_IOCTL, GPIO_V2_LINE_GET_VALUES_IOCTL and
GPIO_V2_LINE_SET_VALUES_IOCTL of the kernel's include/uapi/linux/gpio.h."""

INPUT: Final = 1 << 2
OUTPUT: Final = 1 << 3
EDGES: Final = 1 << 4 | 1 << 5
PULL_UP: Final = 1 << 8
PULL_DOWN: Final = 1 << 9
NO_PULL: Final = 1 << 10
"""From enum gpio_v2_line_flag; EDGES are rising and falling."""

REQUEST: Final = struct.Struct("=I252x32sQI20xI4xQQ216xI24xi")
"""struct gpio_v2_line_request, as far as one line needs it: offsets[0], consumer, config.flags,
config.num_attrs, config.attrs[0] (id, values, mask), num_lines, fd."""
INFO: Final = struct.Struct("=32s32sI188x")
"""struct gpio_v2_line_info: name, consumer, offset, and more."""
OUTPUT_VALUES: Final = 2
"""GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES."""
VALUES: Final = struct.Struct("=QQ")
"""struct gpio_v2_line_values: bits, mask."""
EVENT: Final = struct.Struct("=QI36x")
"""struct gpio_v2_line_event: timestamp_ns, id, and more."""
RISING: Final = 1
"""GPIO_V2_LINE_EVENT_RISING_EDGE."""
KERNEL_EVENTS: Final = 16
"""The number of events that the kernel keeps for a line."""

Ioctl = Callable[[int, int, Any], object]


class TakenError(OSError):
    """The line is taken by another program or the kernel."""

    def __init__(self, text: str, holder: str) -> None:
        super().__init__(errno.EBUSY, text)
        self.holder = holder
        """The kernel's name for the holder: `onewire@4`; "" if unknown."""


def holder(chip: int, offset: int, ioctl: Ioctl = fcntl.ioctl) -> str:
    """Return the holder of a line of the chip that is open as file `chip`, "" if unknown."""
    info = bytearray(INFO.pack(b"", b"", offset))
    with contextlib.suppress(Exception):  # it is only for a message
        ioctl(chip, GET_INFO, info)
    _, consumer, _ = INFO.unpack(info)
    return str(consumer.split(b"\0")[0], "utf-8", "replace")


class GpioLine:
    """One line, reserved until it is closed."""

    def __init__(
        self, chip: int, offset: int, flags: int, high: bool = False, ioctl: Ioctl = fcntl.ioctl
    ) -> None:
        """Reserve a line of the chip that is open as file `chip`. An output is `high` or low from
        its first moment. OSError if that fails.
        """
        self._ioctl = ioctl
        attribute = OUTPUT_VALUES if flags & OUTPUT else 0
        attribute_words = (int(bool(attribute)), attribute, int(high), int(bool(attribute)))
        request = bytearray(REQUEST.pack(offset, b"lampion", flags, *attribute_words, 1, -1))
        try:
            ioctl(chip, GET_LINE, request)
        except OSError as error:
            text = f"GPIO{offset}: {error.strerror}"
            if error.errno == errno.EBUSY:
                raise TakenError(text, holder(chip, offset, ioctl)) from error
            raise OSError(error.errno, text) from error
        self.file: int = REQUEST.unpack(request)[-1]
        """The file to wait for, if the line is watched."""
        os.set_blocking(self.file, False)

    def read(self) -> bool:
        """Return whether it is high."""
        values = bytearray(VALUES.pack(0, 1))
        self._ioctl(self.file, GET_VALUES, values)
        return bool(VALUES.unpack(values)[0])

    def write(self, high: bool) -> None:
        """Drive an output high or low."""
        self._ioctl(self.file, SET_VALUES, bytearray(VALUES.pack(int(high), 1)))

    def edges(self) -> list[bool]:
        """Return the edges of a watched line since the last call: True for rising, False for
        falling.
        """
        try:
            data = os.read(self.file, KERNEL_EVENTS * EVENT.size)
        except BlockingIOError:
            return []
        return [edge == RISING for _, edge in EVENT.iter_unpack(data)]

    def close(self) -> None:
        """Release the line."""
        os.close(self.file)
