"""The Pico's pins and its USB: the only file that touches the hardware."""

import os
import select
import sys
import time

from machine import Pin


class Matrix:
    """Switches between rows and columns; a closed one with its row driven pulls its column low."""

    def __init__(self, rows, columns):
        self._rows = [Pin(number, Pin.IN) for number in rows]
        self._columns = [Pin(number, Pin.IN, Pin.PULL_UP) for number in columns]

    def read(self):
        """Return 1 for each closed switch and 0 for each open one, row by row."""
        readings = []
        for row in self._rows:
            row.init(Pin.OUT, value=0)
            time.sleep_us(20)  # time for the column's wire to discharge
            readings += [1 - column.value() for column in self._columns]
            row.init(Pin.IN)
            time.sleep_us(20)
        return readings


class Button:
    """A button to ground; it bounces for less than 30 ms."""

    def __init__(self, number):
        self._pin = Pin(number, Pin.IN, Pin.PULL_UP)
        self._down = False
        self._moved_at = time.ticks_ms()

    def pressed(self):
        """Return whether it was pressed since the last call."""
        down = not self._pin.value()
        now = time.ticks_ms()
        if down == self._down or time.ticks_diff(now, self._moved_at) < 30:
            return False
        self._down = down
        self._moved_at = now
        return down


class Panel:
    """Four digits with a colon, on a TM1637. Its wires are pulled up and only ever pulled low."""

    SEGMENTS = (0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F)
    COLON = 0x80  # a segment of the second digit
    WRITE, FIRST_DIGIT, ON = 0x40, 0xC0, 0x8A

    def __init__(self, clk, dio):
        self._clk = Pin(clk, Pin.OPEN_DRAIN, value=1)
        self._dio = Pin(dio, Pin.OPEN_DRAIN, value=1)
        self._shown = None
        self.show("    ", False)

    def show(self, text, colon):
        """Show four digits or spaces."""
        if (text, colon) == self._shown:
            return
        self._shown = (text, colon)
        bits = bytearray([0 if each == " " else self.SEGMENTS[int(each)] for each in text])
        if colon:
            bits[1] |= self.COLON
        self._send(bytes([self.WRITE]))
        self._send(bytes([self.FIRST_DIGIT]) + bits)
        self._send(bytes([self.ON]))

    def _send(self, data):
        self._set(self._dio, 0)  # the start: DIO falls while CLK is high
        for byte in data:
            for bit in range(8):
                self._set(self._clk, 0)
                self._set(self._dio, byte >> bit & 1)
                self._set(self._clk, 1)
            self._set(self._clk, 0)
            self._set(self._dio, 1)  # the chip acknowledges: it pulls DIO low
            self._set(self._clk, 1)
        self._set(self._clk, 0)
        self._set(self._dio, 0)
        self._set(self._clk, 1)
        self._set(self._dio, 1)  # the end: DIO rises while CLK is high

    def _set(self, pin, level):
        pin.value(level)
        time.sleep_us(5)  # its clock is 250 kHz at most


class Usb:
    """The serial line over USB; it does not wait long for a host that does not read."""

    def __init__(self):
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def send(self, data):
        """Send bytes."""
        sys.stdout.buffer.write(data)

    def receive(self):
        """Return the bytes that have arrived, 64 at most."""
        data = bytearray()
        while len(data) < 64 and self._poll.poll(0):
            data += sys.stdin.buffer.read(1)
        return bytes(data)


def chance(sides):
    """Return a random number from 1 to `sides`."""
    while True:
        byte = os.urandom(1)[0]
        if byte < 256 - 256 % sides:
            return byte % sides + 1


def now():
    """Return the time in milliseconds."""
    return time.ticks_ms()
