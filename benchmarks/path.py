"""Compare the whole path with the wire, and measure start, memory and idle load of `lampion sim`.

Hands play random games on the simulated board, with takebacks, and people answer questions after
0.9 s by what was played. The program is called as the loop calls it, and draws as often. Its CPU
time is counted in three parts: *frame → level* reads the chips' registers, feeds the session, and
lets levels hold; the *search* finds out what explains them, and shows it; *lights* turn the scene
into the bits of the light chain. The time of the simulated chips is left out, the bytes of the
lights are dropped, and no file is written. Each game is played twice, and the smaller time counts.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory
from time import monotonic, process_time, sleep
from typing import Any

from benchmarks.pages import made_by
from benchmarks.play_cost import CallTimer, Cost, Ledger, Spent, begins, fates, share_of
from benchmarks.reading_games import TAKEBACK_SHARE
from benchmarks.reading_watcher import Watcher
from drivers.bus import I2cBus
from engine.game import Place
from engine.games import NAMES, make
from engine.match import AnyGame
from engine.reading.footprints import Sight
from firmware_host.controller.controller import BoardController, pockets_of
from firmware_host.host.host import TURN_S
from firmware_host.host.process import collect_rarely
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
from tests.support.recorded import Recorded

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


class TimedBoard:
    """A simulated board that is driven as the host drives it."""

    def __init__(self, made: Layout, name: str, ledger: Ledger) -> None:
        game = make(name)
        self.sight = Sight(game, made.sensing, unsensed_of(made, game), pockets_of(game, made))
        self.session = Session(game, self.sight)
        self._places = made.game(name).places
        self._board = SimulatedBoard(made)
        self._wires = TimedWires(self._board.bus)
        self.machine = Machine(made, self._wires, self._wires)
        self._controller = BoardController(self.machine, self.session, NoFiles())
        self._timer = CallTimer(self.session, self._wires)
        self._ledger = ledger
        self._readings: Mapping[Place, int] = {}
        self._picture: float | None = None
        self._turn = 0.0  # the CPU time of the turn of a search

    @property
    def deadline(self) -> float | None:
        """When it wants to look, to tick or to draw though nothing happens; None if never."""
        confirm = self._controller.confirm
        settles = self.session.deadline if confirm is None else confirm
        return min((at for at in (settles, self._picture) if at is not None), default=None)

    def handle(self, event: Event) -> None:
        """Take one event; a frame is laid on the board and read from its chips."""
        match event:
            case Frame():
                self._lay(event.readings)
                self._ledger.frame()
                self._book(event, self._look)
            case Tick():
                self._pass_time(event.at)
            case _:
                self._book(event, self._controller.handle)
        pictured = self._picture is not None and self._picture <= event.at
        if isinstance(event, Tick) and not pictured and self._goes_on():
            return
        began = process_time()
        self._picture = self._controller.draw(event.at)
        self._ledger.book(event.at, Spent(lights=process_time() - began), called=False)

    def _look(self, event: Event) -> None:
        self._controller.look(event.at)

    def _pass_time(self, now: float) -> None:
        """Look once more, or handle what is due."""
        confirm = self._controller.confirm
        if confirm is not None:
            if confirm <= now:
                self._book(Tick(now), self._look)
        elif (due := self.session.deadline) is not None and due <= now:
            self._book(Tick(due), self._controller.handle)

    def _goes_on(self) -> bool:
        """Whether the turn of a search goes on: the host draws when it has ended."""
        if self.session.thinking and self._turn < TURN_S:
            return True
        self._turn = 0.0
        return False

    def _book(self, event: Event, call: Callable[[Any], object]) -> None:
        spent = self._timer.spent(partial(call, event))
        self._turn += spent.in_all
        self._ledger.book(event.at, spent)

    def _lay(self, readings: Mapping[Place, int]) -> None:
        """Lay magnets so that the places read these values."""
        for name in readings.keys() | self._readings.keys():
            reading = readings.get(name, 0)
            if reading == self._readings.get(name, 0):
                continue
            place = self._places[name]
            while self._board.lying(place):
                self._board.lift(place)
            tray = name in self.sight.trays
            for _ in range(reading if tray else abs(reading)):
                self._board.put(place, 1 if tray else reading)
        self._readings = dict(readings)


def path(layout_name: str, name: str, games: int) -> Cost:
    """Return the cost of random games on a board. Each is played twice; the smaller time counts."""
    made, game, cost = layout.load(layout_name), make(name), Cost()
    for seed in range(games):
        recorded = play_random(
            game,
            Random(seed),
            made.sensing,
            unsensed=unsensed_of(made, game),
            takebacks=TAKEBACK_SHARE,
            answers=None,
            period=made.scan_seconds(),
            pockets=pockets_of(game, made),
        )
        once, again = (_watched(recorded, made, name) for _ in range(2))
        once.frames = list(map(Spent.least, once.frames, again.frames))
        once.moves = list(map(Spent.least, once.moves, again.moves))
        cost += once
    return cost


def _watched(recorded: Recorded, made: Layout, name: str) -> Cost:
    """Return the cost of one recording on a board."""
    ledger = Ledger(begins(recorded))
    board = TimedBoard(made, name, ledger)
    final = Watcher(recorded, board.session.game, board.sight, None, board).watch()
    ledger.cost.fates = fates(recorded, final)
    return ledger.cost


def unsensed_of(made: Layout, game: AnyGame) -> tuple[Place, ...]:
    """Return the trays of a game that a board does not sense."""
    places = made.game(game.name).places
    return tuple(tray for tray in game.trays() if tray not in places and tray not in game.unsensed)


HEADINGS = (
    "board", "game", "right", "wrong", "open", "frames", "frame → level: mean", "99 %",
    "of the wire", "search, a frame: mean", "99 %", "a move: mean", "99 %", "lights: mean", "99 %",
)  # fmt: skip


def row(names: Sequence[str], cost: Cost, wire: float) -> str:
    """Return a line of the table; times in µs."""
    levels, searches, lights = (
        [getattr(frame, part) for frame in cost.frames] for part in ("level", "search", "lights")
    )
    cells = [*names, *map(str, cost.fates.values()), str(len(cost.frames))]
    cells += [*mean_and_most(levels), f"{fmean(levels) / wire:.1%}"]
    cells += [*mean_and_most(searches), *mean_and_most([move.search for move in cost.moves])]
    return f"| {' | '.join([*cells, *mean_and_most(lights)])} |"


def mean_and_most(times: Sequence[float]) -> list[str]:
    """Return the mean and the time that 99 % do not exceed, in µs."""
    return [f"{each * 1e6:.0f}" for each in (fmean(times), share_of(times, 0.99))]


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


def main(argv: Sequence[str] | None = None) -> int:
    """Print the cost of the path beside the time of the wire, then the idle cost."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks path", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help=f"each ({GAMES})")
    parser.add_argument("--game", nargs="+", default=["robot-duel"], choices=NAMES)
    parser.add_argument("--board", nargs="+", default=layout.NAMES, choices=layout.NAMES)
    parser.add_argument("--no-idle", action="store_true", help="leave `lampion sim` out")
    arguments = parser.parse_args(argv)
    collect_rarely()
    print(f"{made_by('benchmarks path')}\nCPU time in µs, simulated parts left out.\n")
    print(f"| {' | '.join(HEADINGS)} |")
    print("|---|---|" + "---:|" * (len(HEADINGS) - 2))
    for name in arguments.board:
        made = layout.load(name)
        wire = made.scan_seconds() + made.light_seconds()
        together, served = Cost(), [game for game in arguments.game if game in made.games]
        for game in served:
            cost = path(name, game, arguments.games)
            together += cost
            print(row((name, game), cost, wire), flush=True)
        if len(served) > 1:
            print(row((name, "all together"), together, wire), flush=True)
    if not arguments.no_idle:
        print("\nlampion sim      ready     memory    idle CPU")
        for name in BOARDS:
            ready, rss, share = simulated(name)
            print(f"{name:12}  {ready:6.2f} s  {rss:6.1f} MB  {share:8.2%}")
    return 0
