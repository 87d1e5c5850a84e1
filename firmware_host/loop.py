"""The loop: frames in, what people do in, lights out; the only place that waits.

One thread, one asyncio loop. A wire that wants attention, a deadline of the session, an animation
or a person wakes it; otherwise it sleeps and looks at the board every now and then, for an
interrupt may be missed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.game import Place
from engine.games import NAMES, make
from engine.match import AnyGame, Match
from engine.reading import Sight
from firmware_host import telling
from firmware_host.events import Event, Frame, Press, Tick
from firmware_host.journal import Journal, JournalError, lock, resume
from firmware_host.recording import Header, Recorder
from firmware_host.scene import Colour, moving, render, scene
from firmware_host.session import Note, Session
from firmware_host.status import Status
from firmware_host.twin.table import Table, TableError
from hardware import layout as layouts
from hardware.layout import GameMap, Layout
from hardware.machine import Machine, SensorFrame
from hardware.simulated import SimulatedBoard

POLL = 0.25
"""Seconds after which a board with an interrupt line is looked at though nothing called."""
SCAN = 0.02
"""Seconds between two scans of a board that has none."""
PICTURE = 1 / 25
"""Seconds between two pictures of a scene that moves."""
LONGEST_RECORDING = 32 * 1024 * 1024

log = logging.getLogger(__name__)


class Sitting:
    """A machine and a session brought together: what is the same for every board."""

    def __init__(
        self, machine: Machine, session: Session, journal: Journal, recorders: list[RecordingFile]
    ) -> None:
        self.machine = machine
        self.session = session
        self.journal = journal
        self.recorders = recorders
        self.map: GameMap = machine.layout.game(session.game.name)
        self.rev = 1
        self._lights: Mapping[Place, Any] = {}
        self._drawn = -1
        self._last: SensorFrame | None = None

    def handle(self, event: Event) -> list[Note]:
        """Let the session handle an event; it is in the journal when this returns."""
        for recorder in self.recorders:
            recorder.take(event)
        notes = self.session.handle(event)
        self.journal.write(self.session.record)
        if notes or not isinstance(event, Frame | Tick):
            self.rev += 1
        for note in notes:
            log.info("%s", note.plain())
        return notes

    def look(self, now: float) -> None:
        """Read the board once."""
        frame = self.machine.read(now)
        last, self._last = self._last, frame
        if last is not None and frame.readings is last.readings and not frame.pulsed:
            same = frame.blind == last.blind and frame.faults == last.faults
            if same and frame.pressed == last.pressed:
                return
        if frame.pulsed:
            # A place that moved and moved back between two looks: both edges happened.
            flipped = dict(frame.readings)
            for place in frame.pulsed:
                if flipped.pop(place, None) is None:
                    flipped[place] = 1
            self.handle(self._frame(frame, flipped))
        self.handle(self._frame(frame, frame.readings))
        self.rev += 1
        for button in sorted(frame.pressed - (last.pressed if last else frozenset())):
            self.handle(Press(frame.at, self._button(button)))

    def _frame(self, frame: SensorFrame, readings: Mapping[str, int]) -> Frame:
        names = self.map.inverse
        return Frame(
            frame.at,
            {names[place]: reading for place, reading in readings.items() if place in names},
            frozenset(names[place] for place in frame.blind if place in names),
            tuple(fault.text for fault in frame.faults),
        )

    def _button(self, button: str) -> str:
        for seat, side in self.map.seats.items():
            if side.button == button:
                return seat
        return button

    def draw(self, now: float) -> float | None:
        """Light the scene; return when it wants to be drawn again, if it moves."""
        if self._drawn != self.rev or now - self.session.read_at < 1.0:
            self._lights = scene(self.session, now)
            self._drawn = self.rev
        colours = render(self._lights, now, len(self.session.sight.cells))
        self.machine.light(self._on_board(colours), now)
        return now + PICTURE if moving(self._lights) or now - self.session.read_at < 1.0 else None

    def _on_board(self, colours: Mapping[Place, Colour]) -> dict[str, Colour]:
        placed: dict[str, Colour] = {}
        seats = self.session.game.seats
        for place, colour in colours.items():
            if place.startswith("seat:"):
                placed[self.map.seats[seats[int(place[5:])]].light] = colour
            elif place in self.map.places:
                placed[self.map.places[place]] = colour
        return placed


class RecordingFile:
    """A recording that is being written; a match a file."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self._recorder = Recorder(header)
        self._file = path.open("w", encoding="utf-8")
        self._file.write(self._recorder.header())
        self._file.flush()
        self._left = LONGEST_RECORDING

    def take(self, event: Event) -> None:
        """Write the lines of an event."""
        for line in self._recorder.lines(event):
            self._left -= len(line)
            if self._left > 0:
                self._file.write(line)
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Host:
    """The simulated board: a table of men over a machine, a match, and its files."""

    def __init__(self, state: Path, record: Path | None = None) -> None:
        self.state = state
        self.record = record
        self.game: AnyGame
        self.layout: Layout
        self.table: Table
        self.board: SimulatedBoard
        self.sitting: Sitting
        self._begun = time.monotonic()
        self._wake = asyncio.Event()
        self._changed = asyncio.Event()
        self._status: tuple[int, Status] | None = None
        self._recordings = 0
        self._pixels = b""

    # ---- beginning

    def open(self, name: str | None, options: Mapping[str, object], layout: str | None) -> None:
        """Go on with the match that is kept, if it is the one asked for; else begin one."""
        kept = None
        try:
            kept = resume(self.state / "match.jsonl")
        except JournalError as error:
            self._put_aside(str(error))
        if kept is not None and (name or kept.game.name) == kept.game.name:
            wanted = make(kept.game.name, {**kept.game.options, **options})
            board = layouts.load(layout or kept.layout)
            if wanted == kept.game and board.name == kept.layout:
                if kept.torn:
                    log.warning("%s: the last line broke off and is left out", self.state)
                self._assemble(kept.game, board, kept.matches, kept.go_on(), fresh=False)
                return
        game = make(name or NAMES[0], options)
        self._start(game, self._board_for(game, layout))

    def _board_for(self, game: AnyGame, layout: str | None) -> Layout:
        if layout is not None:
            board = layouts.load(layout)
            board.game(game.name)
            return board
        for each in layouts.NAMES:
            board = layouts.load(each)
            if game.name in board.games:
                return board
        raise ValueError(f"no board serves {game.name}")

    def _put_aside(self, why: str) -> None:
        """Keep a journal that cannot be read, and say so: nothing played is thrown away."""
        path = self.state / "match.jsonl"
        aside = path.with_name(f"match-{int(time.time())}-unread.jsonl")
        with contextlib.suppress(OSError):
            os.replace(path, aside)
        log.warning("%s; kept as %s, and a new match begins", why, aside.name)

    def _start(self, game: AnyGame, board: Layout) -> None:
        """Begin a new match, the men set up; the match before it is kept."""
        self._archive()
        journal = Journal.begin(self.state / "match.jsonl", game, board.name)
        self._assemble(game, board, [Match.begin(game)], journal, fresh=True)

    def _archive(self) -> None:
        path = self.state / "match.jsonl"
        with contextlib.suppress(OSError):
            if path.read_bytes().count(b"\n") > 1:
                stamp = time.strftime("%Y%m%d-%H%M%S")
                os.replace(path, self.state / f"match-{stamp}-{os.getpid()}.jsonl")

    def _assemble(
        self, game: AnyGame, board: Layout, matches: list[Match], journal: Journal, *, fresh: bool
    ) -> None:
        self.game, self.layout = game, board
        self.board = SimulatedBoard(board)
        self.board.on_interrupt = self._wake.set
        there = board.game(game.name)
        self.table = Table(
            game,
            there.places,
            self.board,
            file=self.state / "table.json",
            changed=self._moved,
            slots=board.slots,
        )
        self._lay_out(matches[0], fresh)
        machine = Machine(board, self.board.bus, self.board.strip, buttons=self.board.held)
        header = Header(game, board.sensing, matches[0].position, tuple(sorted(there.unsensed)))
        unsensed = [tray for tray in game.trays() if tray not in there.places]
        pockets = {
            tray: len(board.places[there.places[tray]].sensors)
            for tray in game.trays()
            if tray in there.places
        }
        session = Session(game, Sight(game, board.sensing, unsensed, pockets), matches)
        rev = 0
        if hasattr(self, "sitting"):
            self._close()
            rev = self.sitting.rev
        self.sitting = Sitting(machine, session, journal, self._recorders(header))
        self.sitting.rev = rev + 1  # a page of the match before must not pass for a new one
        self._status = None
        self._moved()

    def _lay_out(self, match: Match, fresh: bool) -> None:
        """Put the men where they lay when the program ended; else where the match has them."""
        file = self.state / "table.json"
        if not fresh and file.exists():
            try:
                self.table.load(file, self.layout.places)
            except TableError as error:
                log.warning("%s; the men are set up anew", error)
            else:
                return
        self.table.set_up(self.game.pieces(match.position))

    def _recorders(self, header: Header) -> list[RecordingFile]:
        self._recordings += 1
        recorders = [RecordingFile(self.state / "recording.jsonl", header)]
        if self.record is not None:
            path = self.record
            if self._recordings > 1:
                path = path.with_stem(f"{path.stem}-{self._recordings}")
            recorders.append(RecordingFile(path, header))
        return recorders

    def _close(self) -> None:
        self.sitting.journal.close()
        for recorder in self.sitting.recorders:
            recorder.close()

    # ---- what the page asks of it

    def now(self) -> float:
        """Return the time that events carry, in seconds."""
        return time.monotonic() - self._begun

    def status(self) -> Status:
        """Return what the session says of itself; the same value until something changes."""
        rev = self.sitting.rev
        if self._status is None or self._status[0] != rev:
            self._status = (rev, telling.status(self.sitting.session, rev))
        return self._status[1]

    def position(self) -> Any:
        """Return the position that the match has reached."""
        return self.sitting.session.match.position

    def post(self, event: Event) -> None:
        """Let the session handle an event."""
        notes = self.sitting.handle(event)
        if any(note.event == "new" for note in notes):
            self._start(self.game, self.layout)
        self._moved()

    def pixels(self) -> bytes:
        """Return red, green and blue of every pixel, as the strip's own chips received them."""
        return self._pixels

    async def wait_change(self) -> None:
        """Wait until status, table or pixels have changed since the last call returned."""
        await self._changed.wait()
        self._changed.clear()

    def games(self) -> Mapping[str, tuple[str, ...]]:
        """Return the games there are, each with the boards that serve it."""
        boards = [layouts.load(name) for name in layouts.NAMES]
        return {
            name: tuple(board.name for board in boards if name in board.games) for name in NAMES
        }

    def new_game(self, name: str, options: Mapping[str, str], layout: str) -> None:
        """Begin another game; ValueError says in one line why it cannot be."""
        game = make(name, options)
        self._start(game, self._board_for(game, layout))

    def record_as_test(self) -> str:
        """Return the recording of this match."""
        return self.sitting.recorders[0].path.read_text(encoding="utf-8")

    def _moved(self) -> None:
        self._wake.set()
        self._changed.set()

    # ---- running

    async def run(self) -> None:
        """Look at the board, keep deadlines and draw, until cancelled."""
        look_at = 0.0
        while True:
            sitting = self.sitting
            now = self.now()
            rev = sitting.rev
            called = self._wake.is_set()
            self._wake.clear()
            if called or now >= look_at or self.board.interrupt:
                sitting.look(now)
                look_at = now + (SCAN if self.layout.sensing == "polarity" else POLL)
            deadline = sitting.session.deadline
            if deadline is not None and deadline <= now:
                sitting.handle(Tick(now))
                sitting.rev += 1
            picture = sitting.draw(now)
            pixels = b"".join(map(bytes, self.board.strip.pixels))
            if pixels != self._pixels or sitting.rev != rev:
                self._pixels = pixels
                self._changed.set()
            times = [look_at, sitting.session.deadline, picture]
            wait = min(time for time in times if time is not None) - self.now()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), max(0.0, wait))


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
    demo: bool,
    seed: int,
) -> int:
    """Serve the simulated board until interrupted; ValueError or OSError say why it cannot be."""
    logging.basicConfig(format="lampion: %(message)s", level=logging.WARNING)
    path = Path(record) if record else None
    if path is not None and path.exists():
        raise ValueError(f"{path}: is there already; recordings are not overwritten")
    directory = state_directory(state)
    held = lock(directory)
    try:
        asyncio.run(_serve(directory, path, game, options, layout, port, lan, demo, seed))
    finally:
        held.close()
    return 0


async def _serve(
    directory: Path,
    record: Path | None,
    game: str | None,
    options: Mapping[str, object],
    layout: str | None,
    port: int,
    lan: bool,
    demo: bool,
    seed: int,
) -> None:
    from firmware_host.twin.server import serve

    host = Host(directory, record)
    host.open(game, options, layout)
    ended = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, ended.set)

    def ready(url: str) -> None:
        print(f"{host.game.title} on {host.layout.name}: open {url}", flush=True)

    tasks = [
        asyncio.create_task(host.run()),
        asyncio.create_task(serve(host, port, lan, ready)),
        asyncio.create_task(ended.wait()),
    ]
    if demo:
        from firmware_host.demo import play

        tasks.append(asyncio.create_task(play(host, seed)))
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
