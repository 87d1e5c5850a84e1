"""The simulated board: a table of pieces over a machine, played on in the pages of a browser."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from engine.game import Place
from engine.match import AnyGame, Match
from firmware_host.config.config import Config, read
from firmware_host.console import logs
from firmware_host.console.tasks import work_together
from firmware_host.controller.controller import BoardController
from firmware_host.controller.polling import AWAKE_S, Polling
from firmware_host.host.conversation import Conversation, print_note, work_of
from firmware_host.host.host import Host
from firmware_host.host.process import collect_rarely, since_boot
from firmware_host.host.start import Start
from firmware_host.lights.signals import Light
from firmware_host.opponents.analysis import StartWorker
from firmware_host.opponents.machine import MoveMaker
from firmware_host.opponents.requested_move import RequestedMove
from firmware_host.opponents.subprocess_client import SubprocessClient
from firmware_host.players.kinds import PlayerKind, player_kind
from firmware_host.players.time_control import NO_CLOCK, TimeControl, time_control
from firmware_host.simulation.virtual_table import TableFileError, VirtualTable
from firmware_host.storage.match_files import MatchFiles
from firmware_host.storage.paths import state_directory
from firmware_host.storage.state_lock import lock
from firmware_host.web.keys import Keys
from firmware_host.web.pieces import SimulatedPieces
from hardware import layout as layouts
from hardware.layout import Layout
from hardware.lighting import Lamps
from hardware.machine import Machine, SensorFrame
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.strip import SimulatedStrip

SAVE_TABLE_S: Final = 0.03
"""The places of the pieces are saved this long after a change: before the journal has the move that
the change completes, because a level counts only later (`HOLD_S` in debounce.py).
"""

log = logging.getLogger(__name__)


class SimulatedBackend:
    """A simulated board with its table; a new one for each match."""

    def __init__(self) -> None:
        self.table: VirtualTable
        self.board: SimulatedBoard
        self._given: dict[str, Layout] = {}
        self._machine: Machine | None = None
        self._polling: Polling
        self._still: ReducedMotion | None = None
        self._pieces: SimulatedPieces | None = None
        self._machine_hands: _MachineHands | None = None
        self._saved = True
        self._table_due: float | None = None

    def join(self, now: Callable[[], float], moved: Callable[[], None], files: MatchFiles) -> None:
        """Begin to serve a host."""
        self._now, self._moved, self._files = now, moved, files

    # ---- which boards there are

    def give(self, layout: str | None) -> str | None:
        """Take a board that was named at the start; return its name. If that is a file, the board
        has the name inside it from now on.
        """
        if layout is None or layout in layouts.NAMES:
            return layout
        given = layouts.load(layout)
        self._given[given.name] = given
        return given.name

    def serving(self, game: str) -> tuple[Layout, ...]:
        """Return the boards for a game, one that was given at the start first."""
        given = [board for board in self._given.values() if game in board.games]
        return (*given, *layouts.serving(game))

    def named(self, layout: str) -> Layout:
        """Return a board by its name: one that comes with the program, or was given at the start.
        No page may name a file.
        """
        if layout not in (*self._given, *layouts.KNOWN):
            known = tuple(dict.fromkeys((*self._given, *layouts.NAMES)))
            raise ValueError(f"no layout {layout!r}; there are: {', '.join(known)}")
        return self._given.get(layout) or layouts.load(layout)

    def layout_for_saved(self, layout: str) -> Layout:
        """Return the board of a kept match."""
        if layout not in (*self._given, *layouts.KNOWN):
            raise ValueError(
                f"the match that is kept was begun on the board {layout!r}: to resume it, "
                "start with --layout and the file of that board, or with another board that "
                "serves its game"
            )
        return self.named(layout)

    # ---- one match after the other

    def lay_out(
        self, game: AnyGame, layout: Layout, match: Match, as_it_lies: bool, save: bool
    ) -> Machine:
        """Build a board, and put the pieces onto it."""
        if self._pieces is not None:
            self._pieces.stop()
        self._close_machine()
        self._saved = save
        self.board = SimulatedBoard(layout, clock=self._now)
        self.board.on_interrupt = self._moved
        places = layout.game(game.name).places
        self.table = VirtualTable(
            game, places, self.board, changed=self._table_changed, slots=layout.slots
        )
        self._put_pieces(game, layout, match, as_it_lies)
        board = self.board
        machine = self._machine = Machine(
            layout,
            board.bus,
            board.strip,
            buttons=board.held,
            open_port=board.open_port,
            clock=self._now,
        )
        self._polling = Polling(machine, lambda: self.board.interrupt)
        self._still = self._pieces = None
        return machine

    def _put_pieces(self, game: AnyGame, layout: Layout, match: Match, as_it_lies: bool) -> None:
        """Put the pieces where they lay when the program ended; else where the match has them."""
        if as_it_lies and os.path.lexists(self._files.table):
            try:
                self.table.load(self._files.table, layout.places)
            except TableFileError as error:
                log.warning("%s; the pieces are set up again", error)
            else:
                return
        self.table.set_up(game.pieces(match.position))

    # ---- while it is played

    def frames(self, now: float, called: bool) -> Iterable[SensorFrame]:
        """Look at the board, if it is time."""
        frame = self._polling.look(now, called)
        return () if frame is None else (frame,)

    def look_by(self, at: float | None) -> None:
        """Look at the board at that time at the latest."""
        if at is not None:
            self._polling.due = min(self._polling.due, at)

    @property
    def due(self) -> float:
        """When to look again, or to ask whether the board calls."""
        return min(self._polling.due, self._now() + AWAKE_S)

    def save_due(self, now: float) -> float | None:
        """Save where the pieces lie, if it is time."""
        if self._table_due is not None and self._table_due <= now:
            self._table_due = None
            self._files.save_table(self.table.text())
        return self._table_due

    def pixels(self) -> bytes:
        """Return every pixel as the strip's own chips received it."""
        return b"".join(map(bytes, self.board.strip.pixels))

    def still_pixels(self, board: BoardController) -> bytes:
        """Return the pixels of the same scene without motion."""
        if self._still is None:
            self._still = ReducedMotion(board, self.board.strip)
        return self._still.pixels()

    def pieces(self, host: Any) -> SimulatedPieces:
        """Return the pieces of the table, for the hands of pages."""
        if self._pieces is None:
            self._pieces = SimulatedPieces(self.table, self.board, host, self._stop_machine)
        return self._pieces

    def _stop_machine(self) -> None:
        if self._machine_hands is not None:
            self._machine_hands.stop()

    def all_in_place(self, position: Any) -> bool:
        """Whether all pieces lie as a position has them."""
        return not self.table.steps_to(self.table.game.pieces(position))

    def hands(self, host: Any) -> MoveMaker:
        """Return simulated hands for the machine's moves."""
        self._machine_hands = _MachineHands(self, host)
        return self._machine_hands

    def close(self) -> None:
        """Save where the pieces lie, and release the ports of serial devices."""
        self.save_due(math.inf)
        self._close_machine()

    def _close_machine(self) -> None:
        if self._machine is not None:
            self._machine.close()

    def _table_changed(self) -> None:
        if self._saved and self._table_due is None:
            self._table_due = self._now() + SAVE_TABLE_S
        self._moved()


class ReducedMotion:
    """The lights of a board as they would be if nothing in them moved.

    It is a second strip, which only pages show. It gets the same scene, without motion, through the
    same gamma and current limit, and is cut where the real strip is cut.
    """

    def __init__(self, controller: BoardController, strip: SimulatedStrip) -> None:
        self._controller = controller
        self._strip = strip
        layout, lamps = controller.machine.layout, controller.machine.lamps
        self._lamps = Lamps(layout, brightness=lamps.brightness, budget_ma=lamps.budget_ma)
        self._still = SimulatedStrip(len(layout.led_positions), layout.led_order)
        self._drawn: tuple[Mapping[Place, Light], int | None] | None = None

    def pixels(self) -> bytes:
        """Return red, green and blue of every pixel; the same until the scene changes."""
        drawn = self._controller.lights, self._strip.cut_at
        if self._drawn != drawn and not self._strip.broken:
            self._drawn = drawn
            self._still.cut(self._strip.cut_at)
            self._still.transfer(self._lamps.frame(self._controller.still()))
        return b"".join(map(bytes, self._still.pixels))


class _MachineHands:
    """Simulated hands that make the machine's moves at the table of a match."""

    def __init__(self, backend: SimulatedBackend, host: Any) -> None:
        self._backend = backend
        self._host = host
        self._making: asyncio.Task[None] | None = None  # hands that make the machine's move

    @property
    def hold(self) -> bool:
        """Whether any hand holds a piece, or is making a move."""
        if self._making is not None and not self._making.done():
            return True
        return any(piece.hand for piece in self._backend.table.pieces)

    def make(self, requested: RequestedMove) -> bool:
        """Let the hands make a move, unless any hand is busy."""
        from firmware_host.host.demo import make_move

        if self.hold:
            return False
        making = make_move(self._host, requested.move, random.randrange(1 << 30))
        self._making = asyncio.create_task(making)
        return True

    def stop(self) -> None:
        """Make no more of the move, and put back what the hands hold."""
        from firmware_host.host.demo import put_back

        if self._making is not None and not self._making.done():
            self._making.cancel()
            put_back(self._backend.table)


class SimulatedHost(Host):
    """A host on a simulated board."""

    def __init__(
        self,
        state: Path,
        record: Path | None = None,
        clock: Callable[[], float] = since_boot,
        control: TimeControl | None = None,
        player_kinds: Mapping[str, PlayerKind] = MappingProxyType({}),
        *,
        start_analysis: StartWorker = SubprocessClient,
    ) -> None:
        self._simulated = SimulatedBackend()
        super().__init__(
            self._simulated,
            state,
            record,
            clock,
            player_kinds=player_kinds,
            control=control,
            start_analysis=start_analysis,
        )

    @property
    def table(self) -> VirtualTable:
        """The pieces of the match in play."""
        return self._simulated.table

    @property
    def board(self) -> SimulatedBoard:
        """What is below the wires of the match in play."""
        return self._simulated.board

    def open(self, start: Start, otherwise: AnyGame | None = None) -> None:
        """As for any host; the layout may also be a file."""
        super().open(replace(start, layout=self._simulated.give(start.layout)), otherwise)


def simulate(
    start: Start,
    *,
    port: int,
    lan: bool = False,
    record: Path | None = None,
    state: str | None = None,
    demo: int | None = None,
    lesson: str | None = None,
    config: Path | None = None,
    conversation: Conversation | None = None,
) -> None:
    """Serve the simulated board until interrupted; ValueError or OSError say why it cannot be.
    `demo` is the seed of simulated hands that play. `config` is a file that says who plays, and
    which MQTT broker there is. The board ends when its `conversation` ends.
    """
    from firmware_host.web.keys import Keys, links_hint

    logs.begin()
    settings = Config() if config is None else read(config)
    kinds = {seat: player_kind(kind) for seat, kind in settings.seats.items()}
    directory = state_directory(state)
    held = lock(directory)
    try:
        keys = Keys.stored_in(directory) if lan else None
        collect_rarely()
        control = time_control(start.clock or NO_CLOCK)
        with contextlib.closing(
            SimulatedHost(directory, record, control=control, player_kinds=kinds)
        ) as host:
            host.open(start)
            if lesson is not None:
                host.lesson_mode.learn(lesson)
            work = work_of(host, settings, conversation)
            if demo is not None:
                from firmware_host.host.demo import play

                work.append(play(host, demo))
            note = print_note if conversation is None else conversation.note
            hint = "" if keys is None else links_hint(state, port)
            asyncio.run(_serve(host, port, keys, hint, note, work))
    finally:
        held.close()


async def _serve(
    host: SimulatedHost,
    port: int,
    keys: Keys | None,
    hint: str,
    note: Callable[[str], None],
    work: Sequence[Awaitable[object]],
) -> None:
    """Serve the page of a board. `hint` says how other people join."""
    from firmware_host.web.server import serve

    def ready(url: str) -> None:
        note(f"{host.game.title} on {host.layout.name}: open {url}")
        if hint:
            note(hint)

    await work_together(*work, serve(host, port, keys, ready))
