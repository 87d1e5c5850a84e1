"""The loop: frames in, what people do in, lights out; the only place that waits.

One asyncio loop for the match, its lights and its pages. A wire that wants attention, a deadline of
the session, an animation or a person wakes it; otherwise it sleeps. What is under it (a simulated
board, or a real one) looks at the board every now and then though nothing calls, for an interrupt
may be missed.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import math
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from engine.game import Seat
from engine.games import NAMES, make
from engine.match import AnyGame, Match
from engine.reading.footprints import Sight
from firmware_host.controller.controller import BoardController, header_of, pockets_of
from firmware_host.host.backend import Backend
from firmware_host.i18n.messages import Message, render
from firmware_host.lessons.lesson_mode import LessonMode
from firmware_host.opponents.opponents import Opponents
from firmware_host.opponents.settings import OpponentSettings
from firmware_host.players.kinds import PlayerKind, suits
from firmware_host.session.events import Event, NewMatch, Tick
from firmware_host.session.session import Session
from firmware_host.storage.journal import JournalError, Resumed
from firmware_host.storage.match_files import MatchFiles
from firmware_host.storage.player_names import PlayerNames
from firmware_host.text import announcements
from firmware_host.text.fault_history import FaultHistory
from firmware_host.text.status import Status
from firmware_host.text.storage_status import StorageStatus
from hardware.layout import Layout
from hardware.machine import REFRESH_S, SensorFrame

if TYPE_CHECKING:  # who has no page does without all that belongs to one
    from firmware_host.web.host_api import PieceAccess

TURN: Final = 0.02
"""Seconds after which others have their turn, while there is much to catch up with."""

log = logging.getLogger(__name__)


def since_boot() -> float:
    """Return the seconds since the machine was started, also those in which it was suspended."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class Host:
    """A board, a match on it, and its files."""

    def __init__(
        self,
        ground: Backend,
        state: Path,
        record: Path | None = None,
        clock: Callable[[], float] = since_boot,
        assist: Sequence[int] = (2,),
        sitters: Mapping[str, PlayerKind] = MappingProxyType({}),
    ) -> None:
        """`ground` is the board; `assist` says how much the lights tell each seat at first, 0 to 3,
        the last number also all further ones; `sitters` who plays at first, by the names of seats.
        """
        self.game: AnyGame
        self.layout: Layout
        self.sitting: BoardController
        self._ground = ground
        self._files = MatchFiles(state, record)
        self._players = PlayerNames(state / "players.json")
        self._history = FaultHistory()
        self.classroom = LessonMode(self, state / "lessons.json")
        self._assist = assist
        self._clock = clock
        self._begun = clock()
        self._wake = asyncio.Event()
        self._changed = asyncio.Event()
        self._watched = False
        kept = OpponentSettings(state / "company.json")
        self.company = Opponents(kept, state, self._wake.set, ground.hands(self), sitters)
        self._status: tuple[int, Status] | None = None
        self._troubles: tuple[Message, ...] = ()
        self._pixels = b""
        ground.join(self.now, self._moved, self._files)

    # ---- beginning

    def open(
        self,
        name: str | None,
        options: Mapping[str, object],
        layout: str | None,
        match: str | None = None,
        new: bool = False,
        otherwise: AnyGame | None = None,
    ) -> None:
        """Go on with the match that is kept, or the one of that file name, if it is the one asked
        for; else, or if a `new` one is wanted, begin one. A match goes on upon the board of that
        `layout`, if one is asked for and it serves the game. If the match that was played cannot be
        read, people are asked which to go on with. `otherwise` is the game where none is asked for,
        unless a match that has begun is not over yet.
        """
        kept = self._files.kept()
        if match is not None:
            kept = self._files.chosen(match)
        board = None if kept is None or layout is None else self._ground.named(layout)
        unserved = kept is not None and board is not None and kept.game.name not in board.games
        left = kept if unserved and name is None and not new else None
        begins = match is None and (new or kept is None or not kept.goes_on or unserved)
        if name is None and otherwise and begins:
            name, options = otherwise.name, otherwise.options
        if kept is not None and not new and not unserved and name in (None, kept.game.name):
            name = kept.game.name
            if make(name, {**kept.game.options, **options}) == kept.game:
                self._go_on(kept, layout, as_it_lies=match is None)
                return
        if match is not None:
            raise JournalError(f"{match}: this match is of another game, rules or board")
        game = make(name or self._first_game(layout), options)
        self._start(game, self._board_for(game, layout), provisional=self._files.asks and not new)
        if left is not None and left.record:
            self._files.tell_left(left)

    def go_on_with(self, name: str) -> None:
        """Go on with the kept match of that file name; ValueError says why it cannot be."""
        kept = self._files.chosen(name)
        self._go_on(kept, None, as_it_lies=False)

    def _go_on(self, kept: Resumed, layout: str | None, *, as_it_lies: bool) -> None:
        board = self._ground.kept(kept.layout) if layout is None else self._ground.named(layout)
        board.game(kept.game.name)
        header = header_of(kept.game, board, kept.matches[0].position)
        self._files.go_on(kept, header, board.name)
        self.classroom.dismiss()
        as_it_lies = as_it_lies and board.name == kept.layout
        self.assemble(kept.game, board, kept.matches, as_it_lies=as_it_lies)

    def _first_game(self, layout: str | None) -> str:
        """Return the first game that is served here, or on the board of that layout."""
        served = self._ground.serving if layout is None else self._ground.named(layout).games.get
        return next(filter(served, NAMES), NAMES[0])

    def _board_for(self, game: AnyGame, layout: str | None) -> Layout:
        ground = self._ground
        board = ground.serving(game.name)[0] if layout is None else ground.named(layout)
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
        assist: Sequence[int] | None = None,
        board: Callable[..., BoardController] = BoardController,
    ) -> None:
        """Seat people at a match, or at several that went the same way but for what is asked. The
        men lie where they lay when it was left, or are set up anew.
        """
        self.game, self.layout = game, layout
        kept = self.classroom.lesson is None
        machine = self._ground.lay_out(game, layout, matches[0], as_it_lies, kept)
        places = layout.game(game.name).places
        unsensed = [tray for tray in game.trays() if tray not in places]
        sight = Sight(game, layout.sensing, unsensed, pockets_of(game, layout))
        if assist is None:
            last = len(self._assist) - 1
            assist = [self._assist[min(seat, last)] for seat in range(len(game.seats))]
        session = Session(game, sight, matches, assist)
        # A page of the match before must not pass for one of this.
        rev = self.sitting.rev + 1 if hasattr(self, "sitting") else 1
        self.sitting = board(machine, session, self._files, rev, self._history)
        self.sitting.resumed = as_it_lies
        self.company.begin(game)
        self._status = None
        self._moved()

    # ---- what the page asks of it

    def now(self) -> float:
        """Return the time that events carry, in seconds."""
        return self._clock() - self._begun

    def status(self) -> Status:
        """Return what the session says of itself; the same value until something changes."""
        rev = self.sitting.rev
        if self._status is None or self._status[0] != rev:
            status = announcements.status(
                self.sitting.session.view,
                rev,
                players=self._players.of(len(self.game.seats)),
                begun=self.sitting.begun,
                now=self.now(),
                keeping=self._keeping(),
                advice=self.sitting.advice,
                clock=self.sitting.clock,
            )
            company = self.company.status() if self.classroom.lesson is None else None
            status = replace(status, past_faults=self._history.past, company=company)
            self._status = (rev, self.sitting.tell(status))
        return self._status[1]

    def _keeping(self) -> StorageStatus:
        """Return what is to be told of all files: those of the match, and of the people at it."""
        keeping = self.sitting.keeping
        return replace(keeping, notices=(*keeping.notices, *self._troubles))

    def _look_at_files(self) -> None:
        """See whether the names and seats of people are kept."""
        both = self._players.trouble, self.company.settings.trouble
        troubles = tuple(each for each in both if each is not None)
        if troubles != self._troubles:
            for each in troubles:
                if each not in self._troubles:
                    log.warning(render(each))
            self._troubles = troubles
            self.sitting.rev += 1

    def position(self) -> Any:
        """Return the position that the match has reached."""
        return self.sitting.session.view.match.position

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

    def seat(self, seat: Seat, who: PlayerKind) -> None:
        """Let somebody else play at a seat; ValueError if he does not know the game."""
        if not suits(who, self.game):
            raise ValueError(f"{who.text}: no such engine plays {self.game.title}")
        self.company.change(seat, who)
        self.sitting.rev += 1
        self._moved()

    def advise(self, seat: Seat, graded: int) -> None:
        """Grade the moves of so many men a turn at most for a seat; 0: of all."""
        self.company.settings.set_limit(seat, graded)
        self.sitting.rev += 1
        self._moved()

    def let_hands(self, on: bool) -> None:
        """Choose whether hands make the machine's moves."""
        self.company.settings.let_hands(on)
        self.sitting.rev += 1
        self._moved()

    def pixels(self) -> bytes:
        """Return red, green and blue of every pixel of the strip, as far as is known."""
        return self._ground.pixels()

    def still_pixels(self) -> bytes:
        """Return the same as they would be if nothing in the lights moved."""
        return self._ground.still_pixels(self.sitting)

    @property
    def pieces(self) -> PieceAccess:
        """What a page may see of the men, and do to them."""
        return self._ground.pieces(self)

    async def wait_change(self) -> None:
        """Wait until status, pieces or pixels have changed since the last call returned."""
        self._watched = True
        await self._changed.wait()
        self._changed.clear()

    def games(self) -> Mapping[str, tuple[Layout, ...]]:
        """Return the games that may be played here, each with its boards, the best first."""
        found = {name: self._ground.serving(name) for name in NAMES}
        return {name: boards for name, boards in found.items() if boards}

    def new_game(self, name: str, options: Mapping[str, str], layout: str) -> None:
        """Begin another game; ValueError says in one line why it cannot be."""
        game = make(name, options)
        self._start(game, self._board_for(game, layout))

    def record_as_test(self) -> Iterator[bytes]:
        """Return the recording of this match, or of the lesson that is played, in pieces."""
        return self.sitting.recording()

    def as_record(self) -> tuple[str, str]:
        """Return what the file of this match is called that other programs read, and its text."""
        from firmware_host.storage import game_records  # with the notations of all games

        view = self.sitting.session.view
        players = self._players.of(len(self.game.seats))
        return game_records.in_play(view.match, view.record, players)

    def close(self) -> None:
        """Leave the board dark and close the files of the match; it may be gone on with."""
        self._players.close()
        self.company.settings.close()
        self.company.close()
        self._ground.close()
        self._files.close()

    def keep_table(self) -> None:
        """Have it on the disk where the men lie, if they can be laid out."""
        self._ground.keep(math.inf)

    def _moved(self) -> None:
        self._wake.set()
        self._changed.set()

    # ---- running

    async def run(self) -> None:
        """Take what the board says, keep deadlines and draw, until cancelled."""
        while True:
            sitting = self.sitting
            now = self.now()
            rev, seen = sitting.rev, sitting.seen
            called = self._wake.is_set()
            self._wake.clear()
            for frame in self._ground.frames(now, called):
                await self._catch_up(sitting, frame)
                if sitting is self.sitting:
                    sitting.take(frame)
            if sitting is not self.sitting:
                continue  # another match has begun; its board says anew what it has seen
            self._tick(sitting)
            self._look_at_files()
            kept = sitting.keep(now)
            lesson = self.classroom.lesson is not None  # it has moves of its own for the other side
            advised = None if lesson else self.company.look(sitting, now)
            picture = sitting.draw(now)
            if self._watched and self._is_new(sitting.rev != rev or sitting.seen is not seen):
                self._changed.set()
            self._ground.look_by(sitting.confirm)
            settles = sitting.session.deadline if sitting.confirm is None else None
            times = [
                now + REFRESH_S,  # the lights, that they recover
                self._ground.due,
                settles,
                picture,
                kept,
                advised,
                self._ground.keep(now),
            ]
            wait = min(time for time in times if time is not None) - self.now()
            # Not wait_for: up to Python 3.11 it may swallow a cancellation that meets a wake-up.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, wait)):
                    await self._wake.wait()

    def _tick(self, sitting: BoardController) -> None:
        """Handle what is due: one thing at a time, or so much of a search that the lights and all
        others do not wait long for their turn.
        """
        began = self._clock()
        while (due := sitting.session.deadline) is not None and due <= self.now():
            if sitting.confirm is not None:
                return
            sitting.handle(Tick(due))
            if not sitting.session.thinking or self._clock() - began > TURN:
                return

    async def _catch_up(self, sitting: BoardController, frame: SensorFrame) -> None:
        """Let what was due before a frame happen first, a little at a time: where it takes long to
        find out what hands have done, pages have their turn meanwhile.
        """
        began = self._clock()
        while sitting is self.sitting:
            due = sitting.session.deadline
            if due is None or due > sitting.counts_at(frame):
                return
            sitting.handle(Tick(due))
            if self._clock() - began > TURN:
                await asyncio.sleep(0)
                began = self._clock()

    def _is_new(self, told: bool) -> bool:
        """Whether there is anything for pages: something is `told`, or is lit otherwise."""
        before, self._pixels = self._pixels, self._ground.pixels()
        return told or self._pixels != before


def collect_rarely() -> None:
    """Have the garbage collector look at little at a time: what is there by now stays, and what is
    made while people play is in no cycles. To look at all that a long search remembers would take
    a tenth of a second.
    """
    gc.freeze()
    gc.set_threshold(500, 2, 5000)


async def work_together(*work: Awaitable[object]) -> None:
    """Do all of it at a time until something of it ends, or the program is asked to; what went
    wrong is raised.
    """
    ended = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(each) != signal.SIG_IGN:  # nohup wants it so
            asyncio.get_running_loop().add_signal_handler(each, ended.set)
    tasks = [asyncio.ensure_future(each) for each in (*work, ended.wait())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
