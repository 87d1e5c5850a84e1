"""Compare the whole path with the wire, and measure start, memory and idle load of `lampion sim`.

Hands play random games of Robot Duel on the simulated board. For every changed frame the CPU time
of the program is counted: it reads the chips' registers, feeds the session, reaches a verdict once
the place has come to rest, and turns the scene into the bits of the light chain. The time of the
simulated chips is left out, the bytes of the lights are dropped, and no file is written.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic, process_time, sleep
from typing import Any

from drivers.bus import I2cBus
from engine.game import Place
from engine.games import make
from engine.reading.footprints import Sight
from firmware_host.controller.controller import BoardController
from firmware_host.session.events import Event, Frame, Tick
from firmware_host.session.match_timer import TimeSheet
from firmware_host.session.record import Record
from firmware_host.session.session import Session
from firmware_host.storage.match_files import MatchFiles
from hardware import layout
from hardware.layout import Layout
from hardware.machine import Machine
from hardware.simulated.board import SimulatedBoard
from tests.support.random_games import play_random

GAMES = 20
BOARDS = ("square-reed", "square-hall")
WATCHED_S = 10.0
"""An idle board is watched for this time."""


class TimedWires:
    """The bus of a simulated board, which counts the time of its chips, and an SPI without LEDs."""

    def __init__(self, bus: I2cBus) -> None:
        self.seconds = 0.0
        self.read_byte_data = self._stopped(bus.read_byte_data)
        self.write_byte_data = self._stopped(bus.write_byte_data)
        self.read_i2c_block_data = self._stopped(bus.read_i2c_block_data)
        self.write_i2c_block_data = self._stopped(bus.write_i2c_block_data)

    def _stopped(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def stopped(*arguments: Any) -> Any:
            began = process_time()
            try:
                return call(*arguments)
            finally:
                self.seconds += process_time() - began

        return stopped

    def transfer(self, data: bytes) -> None:
        """Drop the bytes of the lights."""


class NoFiles(MatchFiles):
    """Writes no files."""

    def __init__(self) -> None:
        super().__init__(Path("/nowhere"))

    def take(self, event: Event, frame: Frame | None) -> None:
        """Keep nothing."""

    def write(self, record: Record, now: float, times: TimeSheet | None = None) -> None:
        """Write nothing."""


class TimedGame:
    """One board with hands at it."""

    def __init__(self, made: Layout) -> None:
        game = make("robot-duel")
        self.places = made.game(game.name).places
        self.board = SimulatedBoard(made)
        self.wires = TimedWires(self.board.bus)
        machine = Machine(made, self.wires, self.wires)
        self.controller = BoardController(
            machine, Session(game, Sight(game, made.sensing)), NoFiles()
        )
        self.costs: list[float] = []

    def lay(self, changed: dict[Place, int]) -> None:
        """Lay magnets so that the places read these values."""
        for name, reading in changed.items():
            place = self.places[name]
            while self.board.lying(place):
                self.board.lift(place)
            slot = name.startswith("hand")
            for _ in range(reading if slot else abs(reading)):
                self.board.put(place, 1 if slot else reading)

    def play(self, lines: Sequence[dict[str, Any]]) -> None:
        """Let the hands of a recording play, and measure each changed frame."""
        for number, line in enumerate(lines):
            if "places" not in line:
                continue
            self.lay(line["places"])
            until = lines[number + 1]["t"] if number + 1 < len(lines) else line["t"] + 5.0
            cost = self._cost(self.controller.look, line["t"])
            cost += self._cost(self.controller.draw, line["t"])
            while (due := self.controller.session.deadline) is not None and due < until:
                cost += self._cost(self._tick, due)
                cost += self._cost(self.controller.draw, due)
            self.costs.append(cost)

    def _tick(self, now: float) -> None:
        self.controller.handle(Tick(now))

    def _cost(self, call: Callable[[float], object], now: float) -> float:
        self.wires.seconds = 0.0
        began = process_time()
        call(now)
        return process_time() - began - self.wires.seconds


def path(name: str) -> tuple[float, list[float]]:
    """Return a board's wire time for one frame, and the cost of each changed frame, in seconds."""
    made = layout.load(name)
    costs: list[float] = []
    for seed in range(GAMES):
        played = TimedGame(made)
        played.play(play_random(make("robot-duel"), Random(seed), made.sensing).lines)
        costs += played.costs
    return made.scan_seconds() + made.light_seconds(), costs


def simulated(name: str) -> tuple[float, float, float]:
    """Return a simulated board's seconds to start, its peak memory in MB, its idle CPU share."""
    with TemporaryDirectory() as state:
        command = [sys.executable, "-m", "firmware_host", "sim", "--layout", name]
        began = monotonic()
        with subprocess.Popen(
            [*command, "--port", "0", "--state", state], stdout=subprocess.PIPE, text=True
        ) as running:
            assert running.stdout is not None
            if not running.stdout.readline():
                raise RuntimeError(f"lampion sim --layout {name} does not start")
            ready = monotonic() - began
            sleep(2.0)
            before = _cpu_seconds(running.pid)
            sleep(WATCHED_S)
            share = (_cpu_seconds(running.pid) - before) / WATCHED_S
            status = Path(f"/proc/{running.pid}/status").read_text()
            rss = int(status.partition("VmHWM:")[2].split()[0]) / 1024
            running.send_signal(signal.SIGTERM)
    return ready, rss, share


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run() -> None:
    """Print the cost of the path and the time of the wire, then the idle cost."""
    print("changed frame to verdict and light bits, simulated parts left out")
    for name in BOARDS:
        wire, costs = path(name)
        middle, most = median(costs), quantiles(costs, n=20)[-1]
        print(
            f"{name:12} wire {wire * 1e3:6.2f} ms  own {middle * 1e6:5.0f} µs (95 %: "
            f"{most * 1e6:5.0f} µs)  {middle / wire:6.2%} of the wire  {len(costs)} frames"
        )
    print("\nlampion sim      ready     memory    idle CPU")
    for name in BOARDS:
        ready, rss, share = simulated(name)
        print(f"{name:12}  {ready:6.2f} s  {rss:6.1f} MB  {share:8.2%}")
