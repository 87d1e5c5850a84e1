"""A reference co-processor, to test other implementations with: it speaks the serial protocol over
a pty, as in `python -m hardware.simulated.reference_device --layout square-reed` or `--kind die`.

It prints the port that it serves, then obeys lines on its standard input: `put C3`, `put C3 -1`
(the other pole up), `lift C3`, `throw 5`, `throw 2 6`, `press 1` (a clock's side). With
`--kind display` it prints what it shows, whenever that changes.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pty
import selectors
import sys
import time
import tty
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from drivers.coprocessor import BAUD
from hardware.layout import Layout, LayoutError, SerialDevice, load
from hardware.simulated.board import SimulatedBoard, SimulationError
from hardware.simulated.serial_line import DISPLAY_SIDES, KINDS, SIDES, SimulatedLine

STEP_S: Final = 0.01
"""The interval of its loop."""
READ_BYTES: Final = 4096


class ReferenceDevice:
    """The sensors of a simulated board, or a die, a clock or a display, behind a pty. It has no
    thread and never waits: call `serve` regularly.
    """

    def __init__(self, layout: Layout, kind: str = "board") -> None:
        self.wired = device_of(layout, kind)
        self._now = 0.0
        self.world = SimulatedBoard(replace(layout, serial=(self.wired,)), clock=lambda: self._now)
        self.line: SimulatedLine = self.world.open_port(self.wired)
        if kind == "display":
            self.line.take_sent()  # of the clock that was there
            self.line.connect(kind, DISPLAY_SIDES)
        self.device = self.line.device
        self._left = [600_000] * SIDES
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        """The port."""

    def serve(self, now: float) -> None:
        """Read, answer and report; `now` is in seconds."""
        self._now = now
        with contextlib.suppress(BlockingIOError):
            self.device.receive(os.read(self._master, READ_BYTES))
        self.line.tick(int(now * 1000))
        self.send(self.line.take_sent())

    def send(self, data: bytes) -> None:
        """Send any bytes; bytes that nobody reads are lost, as on a wire."""
        with contextlib.suppress(BlockingIOError):
            while data:
                data = data[os.write(self._master, data) :]

    def execute(self, line: str) -> None:
        """Execute a line of text; ValueError says why it is impossible."""
        match line.split():
            case ["put", place]:
                self.world.put(place)
            case ["put", place, pole]:
                self.world.put(place, int(pole))
            case ["lift", place]:
                self.world.lift(place)
            case ["throw", *dice] if dice:
                self.device.throw([int(each) for each in dice])
            case ["press", side]:
                self.device.clock(int(side) % len(self._left) + 1, self._left, True)
            case [_, *_]:
                raise SimulationError("put PLACE [POLE], lift PLACE, throw N …, press SIDE")

    def shown(self) -> str:
        """Return what a display shows: `1 runs: 4:59 5:00`, with periods `1 runs: 0:29+2 0:30+3`,
        or `dark`.
        """
        face = self.line.face
        left = face.left(self.line.now_ms)
        if not left:
            return "dark"
        does = "paused" if face.paused else f"{face.running} runs" if face.running else "stands"
        times = [f"{each // 60000}:{each // 1000 % 60:02}" for each in left]
        periods = [f"+{later}" if later else "" for later in face.later]
        return f"{does}: " + " ".join(map("".join, zip(times, periods, strict=True)))

    def close(self) -> None:
        """Close the pty, as if it were unplugged."""
        os.close(self._master)
        os.close(self._slave)


def device_of(layout: Layout, kind: str) -> SerialDevice:
    """Return the layout's device of this kind, else a board of all places with sensors."""
    for device in layout.serial:
        if device.kind == kind:
            return device
    if kind == "board":
        return SerialDevice("/dev/pty", BAUD, "board", layout.sensed)
    return SerialDevice("/dev/pty", BAUD, "die" if kind == "die" else "clock", ())


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve a device until interrupted or its input ends."""
    parser = argparse.ArgumentParser(
        prog="python -m hardware.simulated.reference_device", description="a co-processor on a pty"
    )
    parser.add_argument("--layout", default="square-reed", help="whose places it scans")
    parser.add_argument("--kind", default="board", choices=KINDS, help="what it is")
    chosen = parser.parse_args(arguments)
    try:
        device = ReferenceDevice(load(chosen.layout), chosen.kind)
    except LayoutError as error:
        print(error, file=sys.stderr)
        return 1
    print(device.path, flush=True)
    shown = device.shown()
    with (
        contextlib.closing(device),
        contextlib.suppress(KeyboardInterrupt),
        open(0, "rb", buffering=0, closefd=False) as lines,  # unbuffered: select sees all of it
        selectors.SelectSelector() as ready,
    ):
        ready.register(lines, selectors.EVENT_READ)
        while True:
            device.serve(time.monotonic())
            if shown != device.shown():
                shown = device.shown()
                print(shown, flush=True)
            if not ready.select(STEP_S):
                continue
            line = lines.readline()
            if not line:
                break
            try:
                device.execute(line.decode("utf-8", "replace"))
            except ValueError as error:
                print(error, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
