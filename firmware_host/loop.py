"""The loop: frames in, what people do in, lights out; the only place that waits.

One thread, one asyncio loop. A wire that wants attention, a deadline of the session, an animation
or a person wakes it; otherwise it sleeps and looks at the board every now and then, for an
interrupt may be missed.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from engine.game import Seat
from engine.games import NAMES, make
from engine.match import AnyGame, Match
from engine.reading.footprints import Sight
from firmware_host import logs
from firmware_host.board import Board, header_of, pockets_of
from firmware_host.fault_history import FaultHistory
from firmware_host.lessons.classroom import Classroom
from firmware_host.lights.still_lights import StillLights
from firmware_host.players import Players
from firmware_host.sitting.events import Event, NewMatch, Tick
from firmware_host.sitting.session import Session
from firmware_host.store.journal import JournalError, Resumed, lock
from firmware_host.store.match_files import MatchFiles
from firmware_host.telling import telling
from firmware_host.telling.status import Status
from firmware_host.terminal import tell
from firmware_host.twin.table import Table, TableError
from hardware import layout as layouts
from hardware.layout import Layout
from hardware.machine import Machine
from hardware.simulated import SimulatedBoard

POLL: Final = 0.25
"""Seconds after which the board is looked at though nothing called: an interrupt may be missed."""
IDLE_SCAN: Final = 0.06
"""Seconds between two scans of a board without an interrupt line: nobody calls when a man is
lifted, and hands lift men for 80 ms at least."""
SCAN: Final = 0.02
"""The same while something goes on."""
BUSY: Final = 1.0
"""Something goes on for so many seconds after a change."""
TABLE: Final = 0.3
"""Seconds after which it is on the disk where hands have put the men: before it is known what they
have done, and not so often that a card wears out."""

log = logging.getLogger(__name__)


class Host:
    """The simulated board: a table of men over a machine, a match, and its files."""

    def __init__(
        self,
        state: Path,
        record: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.game: AnyGame
        self.layout: Layout
        self.table: Table
        self.board: SimulatedBoard
        self.sitting: Board
        self._given: dict[str, Layout] = {}
        self._files = MatchFiles(state, record)
        self._players = Players(state / "players.json")
        self._history = FaultHistory()
        self.classroom = Classroom(self, state / "lessons.json")
        self._clock = clock
        self._begun = clock()
        self._table_due: float | None = None
        self._wake = asyncio.Event()
        self._changed = asyncio.Event()
        self._status: tuple[int, Status] | None = None
        self._pixels = b""

    # ---- beginning

    def open(
        self,
        name: str | None,
        options: Mapping[str, object],
        layout: str | None,
        match: str | None = None,
        new: bool = False,
    ) -> None:
        """Go on with the match that is kept, or the one of that file name, if it is the one asked
        for; else, or if a `new` one is wanted, begin one. If the match that was played cannot be
        read, people are asked which to go on with. `layout` may be a file; pages know it by its
        name from now on.
        """
        if layout is not None and layout not in layouts.NAMES:
            given = layouts.load(layout)
            self._given[given.name] = given
            layout = given.name
        kept = self._files.kept()
        if match is not None:
            kept = self._files.chosen(match)
        if kept is not None and not new and name in (None, kept.game.name):
            wanted = make(kept.game.name, {**kept.game.options, **options})
            if wanted == kept.game and layout in (None, kept.layout):
                self._go_on(kept, as_it_lies=match is None)
                return
        if match is not None:
            raise JournalError(f"{match}: this match is of another game, rules or board")
        game = make(name or NAMES[0], options)
        self._start(game, self._board_for(game, layout), provisional=self._files.asks and not new)

    def go_on_with(self, name: str) -> None:
        """Go on with the kept match of that file name; ValueError says why it cannot be."""
        kept = self._files.chosen(name)
        self._go_on(kept, as_it_lies=False)

    def _go_on(self, kept: Resumed, *, as_it_lies: bool) -> None:
        board = self._kept_board(kept)
        board.game(kept.game.name)
        self._files.go_on(kept, header_of(kept.game, board, kept.matches[0].position))
        self.classroom.dismiss()
        self.assemble(kept.game, board, kept.matches, as_it_lies=as_it_lies)

    def _kept_board(self, kept: Resumed) -> Layout:
        if kept.layout not in (*self._given, *layouts.NAMES):
            raise ValueError(
                f"the match that is kept was begun on the board {kept.layout!r}: to go on with it, "
                "start with --layout and the file of that board; to begin another, with --layout "
                "and another board"
            )
        return self._named(kept.layout)

    def _named(self, layout: str) -> Layout:
        """Return a layout by its name: one that comes with the program, or was given at the start.
        No page may name a file.
        """
        known = tuple(dict.fromkeys((*self._given, *layouts.NAMES)))
        if layout not in known:
            raise ValueError(f"no layout {layout!r}; there are: {', '.join(known)}")
        return self._given.get(layout) or layouts.load(layout)

    def _board_for(self, game: AnyGame, layout: str | None) -> Layout:
        board = layouts.serving(game.name)[0] if layout is None else self._named(layout)
        board.game(game.name)  # says what it serves if not this game
        return board

    def _start(self, game: AnyGame, board: Layout, *, provisional: bool = False) -> None:
        """Begin a new match, the men set up; the match before it is kept."""
        header = header_of(game, board, game.start())
        self._files.begin(game, board.name, header, provisional=provisional)
        self.classroom.dismiss()
        self.assemble(game, board, [Match.begin(game)], as_it_lies=False)

    def assemble(
        self,
        game: AnyGame,
        layout: Layout,
        matches: Sequence[Match],
        *,
        as_it_lies: bool,
        board: Callable[..., Board] = Board,
    ) -> None:
        """Seat people at a match, or at several that went the same way but for what is asked. The
        men lie where they lay when it was left, or are set up anew.
        """
        self.game, self.layout = game, layout
        parts = self.board = SimulatedBoard(layout)
        self.board.on_interrupt = self._wake.set
        places = layout.game(game.name).places
        self.table = Table(
            game,
            places,
            self.board,
            changed=self._table_changed,
            slots=layout.slots,
        )
        self._lay_out(matches[0], as_it_lies)
        machine = Machine(
            layout,
            parts.bus,
            parts.strip,
            buttons=parts.held,
            open_port=parts.open_port,
            clock=self._clock,
        )
        unsensed = [tray for tray in game.trays() if tray not in places]
        sight = Sight(game, layout.sensing, unsensed, pockets_of(game, layout))
        session = Session(game, sight, matches)
        # A page of the match before must not pass for one of this.
        rev = self.sitting.rev + 1 if hasattr(self, "sitting") else 1
        self.sitting = board(machine, session, self._files, rev, self._history)
        self._still = StillLights(self.sitting, self.board.strip)
        self._status = None
        self._moved()

    def _lay_out(self, match: Match, as_it_lies: bool) -> None:
        """Put the men where they lay when the program ended; else where the match has them."""
        if as_it_lies and os.path.lexists(self._files.table):
            try:
                self.table.load(self._files.table, self.layout.places)
            except TableError as error:
                log.warning("%s; the men are set up anew", error)
            else:
                return
        self.table.set_up(self.game.pieces(match.position))

    # ---- what the page asks of it

    def now(self) -> float:
        """Return the time that events carry, in seconds."""
        return self._clock() - self._begun

    def status(self) -> Status:
        """Return what the session says of itself; the same value until something changes."""
        rev = self.sitting.rev
        if self._status is None or self._status[0] != rev:
            status = telling.status(
                self.sitting.session,
                rev,
                players=self._players.of(len(self.game.seats)),
                begun=self.sitting.begun,
                now=self.now(),
                keeping=self.sitting.keeping,
            )
            status = self.sitting.tell(replace(status, past_faults=self._history.past))
            self._status = (rev, status)
        return self._status[1]

    def position(self) -> Any:
        """Return the position that the match has reached."""
        return self.sitting.session.match.position

    def post(self, event: Event) -> None:
        """Let the session handle an event."""
        if isinstance(event, NewMatch) and self.classroom.lesson is not None:
            self.classroom.learn(self.classroom.lesson.name)  # from its beginning
        elif isinstance(event, NewMatch):
            self._start(self.game, self.layout)  # the men set themselves up
        else:
            self.sitting.handle(event)
        self._moved()

    def call(self, seat: Seat, name: str) -> None:
        """Call the player of a seat by a name; empty: as the seat is called."""
        self._players.rename(seat, name)
        self.sitting.rev += 1
        self._moved()

    def pixels(self) -> bytes:
        """Return red, green and blue of every pixel, as the strip's own chips received them."""
        return self._pixels

    def still_pixels(self) -> bytes:
        """Return the same as they would be if nothing in the lights moved."""
        return self._still.pixels()

    async def wait_change(self) -> None:
        """Wait until status, table or pixels have changed since the last call returned."""
        await self._changed.wait()
        self._changed.clear()

    def games(self) -> Mapping[str, tuple[Layout, ...]]:
        """Return the games there are, each with the boards that serve it, the best first: one that
        was given at the start before all others.
        """
        given = self._given.values()
        return {
            name: (*(board for board in given if name in board.games), *layouts.serving(name))
            for name in NAMES
        }

    def new_game(self, name: str, options: Mapping[str, str], layout: str) -> None:
        """Begin another game; ValueError says in one line why it cannot be."""
        game = make(name, options)
        self._start(game, self._board_for(game, layout))

    def record_as_test(self) -> str:
        """Return the recording of this match."""
        return self._files.recording()

    def close(self) -> None:
        """Close the files of the match; it may be gone on with."""
        if self._table_due is not None:
            self.keep_table()
        self._files.close()

    def _table_changed(self) -> None:
        if self._table_due is None and self.classroom.lesson is None:
            self._table_due = self.now() + TABLE
        self._moved()

    def keep_table(self) -> None:
        """Have it on the disk where the men lie."""
        self._table_due = None
        self._files.keep_table(self.table.text())

    def _moved(self) -> None:
        self._wake.set()
        self._changed.set()

    # ---- running

    async def run(self) -> None:
        """Look at the board, keep deadlines and draw, until cancelled."""
        look_at = scan_until = 0.0
        while True:
            sitting = self.sitting
            now = self.now()
            rev = sitting.rev
            called = self._wake.is_set()
            self._wake.clear()
            if called or now >= look_at or self.board.interrupt:
                scanned = sitting.machine.needs_polling
                if sitting.look(now) and scanned:
                    scan_until = now + BUSY
                idle = IDLE_SCAN if scanned else POLL
                look_at = now + (SCAN if now < scan_until else idle)
            deadline = sitting.session.deadline
            if deadline is not None and deadline <= now:
                sitting.handle(Tick(deadline))  # one at a time: the lights have their turn
            if self._table_due is not None and self._table_due <= now:
                self.keep_table()
            kept = sitting.keep(now)
            picture = sitting.draw(now)
            pixels = b"".join(map(bytes, self.board.strip.pixels))
            if pixels != self._pixels or sitting.rev != rev:
                self._pixels = pixels
                self._changed.set()
            if (confirm := sitting.confirm) is not None:
                look_at = min(look_at, confirm)
            times = [look_at, sitting.session.deadline, picture, kept, self._table_due]
            wait = min(time for time in times if time is not None) - self.now()
            # Not wait_for: up to Python 3.11 it may swallow a cancellation that meets a wake-up.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, wait)):
                    await self._wake.wait()


def state_directory(chosen: str | None) -> Path:
    """Return where matches are kept: as chosen, or where this user's programs keep such."""
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(home) / "lampion"


def simulate(
    *,
    game: str | None,
    options: Mapping[str, object],
    layout: str | None,
    port: int,
    lan: bool,
    record: str | None,
    state: str | None,
    match: str | None,
    new: bool,
    demo: bool,
    seed: int,
    lesson: str | None = None,
) -> int:
    """Serve the simulated board until interrupted; ValueError or OSError say why it cannot be."""
    from firmware_host.twin.guard import token_kept_in

    logs.begin()
    path = Path(record) if record else None
    directory = state_directory(state)
    held = lock(directory)
    try:
        token = token_kept_in(directory) if lan else None
        collect_rarely()
        with contextlib.closing(Host(directory, path)) as host:
            host.open(game, options, layout, match, new)
            if lesson is not None:
                host.classroom.learn(lesson)
            asyncio.run(_serve(host, port, token, seed if demo else None))
    finally:
        held.close()
    return 0


def collect_rarely() -> None:
    """Have the garbage collector look at little at a time: what is there by now stays, and what is
    made while people play is in no cycles. To look at all that a long search remembers would take
    a tenth of a second.
    """
    gc.freeze()
    gc.set_threshold(500, 2, 5000)


async def _serve(host: Host, port: int, token: str | None, demo: int | None) -> None:
    """Serve a board; `demo` is the seed of the simulated hands that play, None if none do."""
    from firmware_host.twin.server import serve

    ended = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, ended.set)

    def ready(url: str) -> None:
        with contextlib.suppress(OSError):  # nobody need read it
            tell(f"{host.game.title} on {host.layout.name}: open {url}", flush=True)

    tasks = [
        asyncio.create_task(host.run()),
        asyncio.create_task(serve(host, port, token, ready)),
        asyncio.create_task(ended.wait()),
    ]
    if demo is not None:
        from firmware_host.hands.demo import play

        tasks.append(asyncio.create_task(play(host, demo)))
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
