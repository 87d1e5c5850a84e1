"""The host: one asyncio loop for a match, its lights and its pages, and the only place that waits.

The interrupt line, a deadline of the session, an animation or a person wakes the loop; otherwise it
sleeps. The backend, a real or a simulated board, also reads the board now and then without a call,
because an interrupt may be missed.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from engine.game import Seat
from engine.games import NAMES, SHIPPED, make
from engine.match import AnyGame, AnyMove, Match
from engine.reading.footprints import Sight
from engine.search.turning_points import TurningPoint
from firmware_host.controller.builder_access import BuilderAccess
from firmware_host.controller.controller import BoardController, header_of, pockets_of
from firmware_host.controller.counters import BoardCounters
from firmware_host.controller.set_aside import SetAside
from firmware_host.host.backend import Backend
from firmware_host.host.notices import Notices
from firmware_host.host.process import since_boot
from firmware_host.host.start import Start
from firmware_host.lessons.lesson_mode import LessonMode
from firmware_host.lessons.own_puzzles import OwnPuzzles
from firmware_host.opponents.analysis import StartWorker
from firmware_host.opponents.look_back import LookBacks, own_turning_points
from firmware_host.opponents.opponents import Opponents
from firmware_host.opponents.seating import Seating
from firmware_host.opponents.subprocess_client import SubprocessClient
from firmware_host.players.kinds import PlayerKind
from firmware_host.players.time_control import NO_CLOCK, TimeControl, time_control
from firmware_host.review.review_mode import ReviewMode
from firmware_host.session.events import Event, NewMatch, Tick
from firmware_host.session.match_timer import MatchTimer
from firmware_host.session.session import Session
from firmware_host.storage.journal import JournalError, Resumed
from firmware_host.storage.match_files import MatchFiles
from firmware_host.text import announcements
from firmware_host.text.fault_history import FaultHistory
from firmware_host.text.status import Status
from hardware.layout import Layout
from hardware.machine import REFRESH_S, SensorFrame

if TYPE_CHECKING:  # a program without a page does not import it
    from firmware_host.storage.library import Library
    from firmware_host.web.host_api import PieceAccess

TURN_S: Final = 0.02
"""Other tasks get a turn after this time, even if there is more to catch up with."""


class Host:
    """A board, a match on it, and its files."""

    def __init__(
        self,
        backend: Backend,
        state: Path,
        record: Path | None = None,
        clock: Callable[[], float] = since_boot,
        assist: Sequence[int] = (2,),
        player_kinds: Mapping[str, PlayerKind] = MappingProxyType({}),
        control: TimeControl | None = None,
        *,
        flag_ends: bool = True,
        start_analysis: StartWorker = SubprocessClient,
    ) -> None:
        """`backend` is the board. `assist` is the help level of each seat at first, 0 to 4; its
        last number holds for all further seats. `player_kinds` says who plays at first, by the
        names of the seats. New matches are played with the time `control`, and a flag that falls
        ends them if `flag_ends`. `start_analysis` starts the worker that searches.
        """
        self.game: AnyGame
        self.layout: Layout
        self.controller: BoardController
        self._backend = backend
        self._state = state
        self._files = MatchFiles(state, record)
        self.seating = Seating(state, player_kinds, self._seat_changed, self._name_players)
        self._history = FaultHistory()
        self.builders = BuilderAccess(lambda: self.controller, self.now, self._moved)
        self.counters = BoardCounters()
        """What this board has done, in numbers."""
        self.aside = SetAside(self)
        self.lesson_mode = LessonMode(self, self.aside, state, OwnPuzzles(self._turning_points))
        self.look_backs = LookBacks(state, start=start_analysis)
        self.review_mode = ReviewMode(self, self.aside, self._moved)
        self._assist = assist
        self._control = control
        self._flag_ends = flag_ends
        self._timer: MatchTimer | None = None  # of the match that is set aside
        self._clock = clock
        self._started_at = clock()
        self._wake = asyncio.Event()
        self._changed = asyncio.Event()  # another one for each change
        self._changes = 0
        self._watched = False
        hands = backend.hands(self)
        self.opponents = Opponents(self.seating, state, self._wake.set, hands, start_analysis)
        self._status: tuple[tuple[int, bool], Status] | None = None
        self._notices = Notices()
        self._pixels = b""
        backend.join(self.now, self._moved, self._files)

    # ---- beginning

    def open(self, start: Start, otherwise: AnyGame | None = None) -> None:
        """Resume a match, if it has the game and the options of `start`; else begin one. A match is
        resumed on the board of `start` if that serves its game. If the last match cannot be read,
        people are asked which one to resume. `otherwise` is the game if `start` names none and the
        last match is over. ValueError says why that is impossible.
        """
        name, options, layout = start.game, start.options, start.layout
        chosen = start.match is not None
        found = self._files.last_match()
        if start.match is not None:
            found = self._files.chosen(start.match)
        board = None if layout is None else self._backend.named(layout)
        unserved = found is not None and board is not None and found.game.name not in board.games
        saved = None if start.new or unserved else found
        if name is None and otherwise and not chosen and (saved is None or not saved.goes_on):
            name, options = otherwise.name, otherwise.options
        if saved is not None and name in (None, saved.game.name):
            name = saved.game.name
            if make(name, {**saved.game.options, **options}) == saved.game:
                self._resume(saved, layout, as_it_lies=not chosen)
                if chosen:
                    self.seating.seat(saved.players)
                return
        if chosen:
            raise JournalError(f"{start.match}: this match is of another game, rules or board")
        game = make(name or self._first_game(layout), options)
        board = self._board_for(game, layout)
        self._start(game, board, provisional=self._files.asks and not start.new)
        if found and found.record and unserved and start.game is None and not start.new:
            self._files.report_left(found)

    def resume(self, name: str) -> None:
        """Resume the saved match of that file name or library id; ValueError says why it cannot.
        The match in play goes on, or returns if it is set aside.
        """
        with contextlib.suppress(JournalError):
            match = self.library.match(name)
            if match.in_play:
                self.aside.bring_back()
                return
            name = match.file
        saved = self._files.chosen(name)
        self._resume(saved, None, as_it_lies=False)
        self.seating.seat(saved.players)

    def continue_from(self, name: str, ply: int, *, thrown: bool = False) -> None:
        """Begin a match that goes on from the match of that id in the library after move `ply`, or
        with `thrown` after the throw that followed it; ValueError or OSError say why it cannot be.
        """
        from firmware_host.storage.game_records import continued

        self._begin_from(continued(self.library.state, self.library.path(name), ply, thrown=thrown))

    def begin_at(self, game: AnyGame, position: Any) -> None:
        """Begin a match of a game from a position; ValueError or OSError say why it cannot be."""
        board = self._board_for(game, self.layout.name if game.name in self.layout.games else None)
        if position == game.start():
            self._start(game, board)
            return
        from firmware_host.storage.game_records import begun_at

        self._begin_from(begun_at(self._state, game, board.name, position))

    def _begin_from(self, journal: Path) -> None:
        """Resume the match of a journal that was just made; remove the journal if that fails."""
        try:
            self.resume(journal.name)
        except ValueError:
            journal.unlink()
            raise

    @cached_property
    def library(self) -> Library:
        """The matches in the state directory."""
        from firmware_host.storage.library import Library  # a program without a page needs none

        return Library(self._state)

    def _turning_points(self, name: str) -> list[TurningPoint]:
        return own_turning_points(self.library, name)

    def _resume(self, saved: Resumed, layout: str | None, *, as_it_lies: bool) -> None:
        board = (
            self._backend.layout_for_saved(saved.layout)
            if layout is None
            else self._backend.named(layout)
        )
        board.game(saved.game.name)
        header = header_of(saved.game, board, saved.matches[0].position)
        self._files.resume(saved, header, board.name)
        self.aside.forget()
        as_it_lies = as_it_lies and board.name == saved.layout
        self.assemble(saved.game, board, saved.matches, as_it_lies=as_it_lies)
        if not saved.record:  # nothing was played in it
            self.time_with(self._control)
            return
        self.controller.time_with(time_control(saved.head.clock or NO_CLOCK))
        if (timer := self.controller.clock.timer) is not None:
            self._control = timer.control
            timer.resume(self.controller.session.record, saved.times, self.now())

    def _first_game(self, layout: str | None) -> str:
        """Return the first game that is served here, or on the board of that layout."""
        served = self._backend.serving if layout is None else self._backend.named(layout).games.get
        return next(filter(served, NAMES), NAMES[0])

    def _board_for(self, game: AnyGame, layout: str | None) -> Layout:
        backend = self._backend
        board = backend.serving(game.name)[0] if layout is None else backend.named(layout)
        board.game(game.name)  # raises if it does not serve this game
        return board

    def _start(self, game: AnyGame, board: Layout, *, provisional: bool = False) -> None:
        """Begin a new match with the pieces set up; the match before it stays saved."""
        header, control = header_of(game, board, game.start()), self._control
        text = "" if control is None else control.text
        self._files.begin(game, board.name, header, provisional=provisional, clock=text)
        self.aside.forget()
        self.assemble(game, board, [Match.begin(game)], as_it_lies=False)
        self.controller.time_with(control)

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
        """Make a session and a controller for a match; several `matches` differ only in moves that
        people are asked about. Simulated pieces are set up, or with `as_it_lies` stay where they
        were left.
        """
        self.game, self.layout = game, layout
        save = self.aside.use is None
        if not save and (timer := self.controller.clock.timer) is not None:
            timer.pause_since(self.now())  # the clock of the match that is set aside
            self._timer = timer
        machine = self._backend.lay_out(game, layout, matches[0], as_it_lies, save)
        places = layout.game(game.name).places
        unsensed = [tray for tray in game.trays() if tray not in places]
        sight = Sight(game, layout.sensing, unsensed, pockets_of(game, layout))
        if assist is None:
            last = len(self._assist) - 1
            assist = [self._assist[min(seat, last)] for seat in range(len(game.seats))]
        session = Session(game, sight, matches, assist)
        # A page must not take the status of the match before for one of this match.
        rev = self.controller.rev + 1 if hasattr(self, "controller") else 1
        self.controller = board(machine, session, self._files, rev, self._history)
        self.controller.resumed = as_it_lies
        self.controller.flag_ends = self._flag_ends
        self.controller.counters = self.counters
        if save:
            self.controller.clock.timer, self._timer = self._timer, None
            self.controller.review = self.review_mode.show_last
        self.opponents.begin(game, aside=not save)
        view = session.view
        if save:
            self.opponents.request.recall(view.match, self.seating.called(view.acting))
        self._name_players()
        self._status = None
        self._moved()

    # ---- what the page asks of it

    def now(self) -> float:
        """Return the time that events carry, in seconds."""
        return self._clock() - self._started_at

    def status(self) -> Status:
        """Return the status of the match; the same value until something changes."""
        rev, in_place = self.controller.rev, self._backend.all_in_place(self.position())
        if self._status is None or self._status[0] != (rev, in_place):
            status = announcements.status(
                self.controller.session.view,
                rev,
                players=self.seating.names(self.game),
                match_rev=self.controller.match_rev,
                now=self.now(),
                storage=self._notices.added_to(self.controller.storage),
                advice=self.controller.advice,
                clock=self.controller.clock.shown,
                all_in_place=in_place,
            )
            opponents = self.opponents.status() if self.aside.use is None else None
            status = replace(status, past_faults=self._history.past, opponents=opponents)
            self._status = (rev, in_place), self.controller.shown_status(status)
        return self._status[1]

    @property
    def match_id(self) -> str:
        """The id of the match in play, which no other match has."""
        return self._files.match_id

    @property
    def is_reading(self) -> bool:
        """Whether the session is still reading what hands did; what people say waits for that."""
        return self.controller.session.thinking

    def position(self) -> Any:
        """Return the position that the match has reached."""
        return self.controller.session.view.match.position

    def post(self, event: Event) -> None:
        """Let the session handle an event."""
        if isinstance(event, NewMatch) and self.lesson_mode.lesson is not None:
            self.lesson_mode.begin(self.lesson_mode.lesson)  # again from its start
        elif isinstance(event, NewMatch):
            self._start(self.game, self.layout)  # the pieces set themselves up
        else:
            self.controller.handle(event)
        self._moved()

    def request(self, move: AnyMove | None) -> None:
        """Ask people at the board to make a move for the seat to act; None withdraws it."""
        view = self.controller.session.view
        if move is None:
            self.opponents.request.withdraw()
        else:
            self.opponents.request.make(view.match, move, self.seating.called(view.acting))
        self._moved()

    def _name_players(self) -> None:
        """Write to the journal who plays."""
        if self.aside.use is None:
            over = self.controller.session.view.outcome is not None
            self._files.name(self.seating.as_written(), over=over)

    def _seat_changed(self, seat: Seat | None) -> None:
        """Show a change of the players; stop what was done for one who leaves this seat."""
        if seat is not None:
            self.opponents.change(seat)
        self.controller.rev += 1
        self._moved()

    def time_with(self, control: TimeControl | None) -> None:
        """Choose the clock of this match and the next ones; ValueError if something was played, or
        it is set aside.
        """
        if self.aside.use is not None or self.controller.session.record:
            raise ValueError("the clock is chosen before the match begins")
        self._control = control
        self.controller.time_with(control)
        self._files.set_clock("" if control is None else control.text, self.now())
        self._moved()

    def pause(self, on: bool) -> None:
        """Pause the clock of the match, or let it go on."""
        self.controller.pause(on, self.now())
        self._moved()

    def pixels(self) -> bytes:
        """Return red, green and blue of every pixel of the strip, as far as is known."""
        return self._backend.pixels()

    def still_pixels(self) -> bytes:
        """Return the pixels of the same scene without motion."""
        return self._backend.still_pixels(self.controller)

    @property
    def pieces(self) -> PieceAccess:
        """What a page may see of the pieces and do with them."""
        return self._backend.pieces(self)

    async def wait_change(self, since: int) -> int:
        """Wait until status, pieces or pixels have changed since a call that returned `since`, at
        first 0; return the number for the next call.
        """
        self._watched = True
        while self._changes == since:
            await self._changed.wait()
        return self._changes

    def games(self) -> Mapping[str, tuple[Layout, ...]]:
        """Return the games that may be played here, each with its boards, the best first."""
        found = {
            name: self._backend.serving(name) for name in NAMES if name not in self._notices.failing
        }
        return {name: boards for name, boards in found.items() if boards}

    def new_game(self, name: str, options: Mapping[str, str], layout: str) -> None:
        """Begin another game; ValueError says in one line why that is impossible."""
        game = make(name, options)
        self._start(game, self._board_for(game, layout))

    def record_as_test(self) -> Iterator[bytes]:
        """Return the recording of this match, or of the lesson, in chunks."""
        return self.controller.recording()

    def as_record(self) -> tuple[str, str]:
        """Return the name and text of a file of this match that other programs read."""
        from firmware_host.storage import game_records  # it imports the notations of all games

        if (review := self.review_mode.review) is not None:
            return game_records.named_record(review.whole, [each.name for each in review.players])
        view, names = self.controller.session.view, self.seating.names(self.game)
        return game_records.named_record(game_records.settled(view.match, view.record), names)

    def close(self) -> None:
        """Leave the board dark and close the files; the match may be resumed."""
        for file in (*self.seating.files, *self.opponents.files):
            file.close()
        self.opponents.close()
        self._backend.close()
        self._files.close()
        if "library" in vars(self):
            self.library.close()

    def save_table(self) -> None:
        """Save where simulated pieces lie."""
        self._backend.save_due(math.inf)

    def _moved(self) -> None:
        self._wake.set()
        self._report_change()

    def wake(self) -> None:
        """Let the loop look at what has come."""
        self._wake.set()

    def _report_change(self) -> None:
        self._changes += 1
        self._changed.set()
        self._changed = asyncio.Event()

    # ---- running

    async def run(self) -> None:
        """Run the board until cancelled. Rules of other packages that fail end only their match."""
        while True:
            try:
                await self._run()
            except Exception:
                if self.game.name in SHIPPED:
                    raise
                self._leave_failing()

    def _leave_failing(self) -> None:
        """Begin another game, and offer the failing one no more until the program starts again."""
        self._notices.fails(self.game)
        served = [name for name in SHIPPED if name in self.layout.games]
        game = make(served[0] if served else self._first_game(None))
        self._start(game, self._board_for(game, self.layout.name if served else None))

    async def _run(self) -> None:
        while True:
            controller = self.controller
            now = self.now()
            rev, seen = controller.rev, controller.seen
            laid = self._backend.save_due(now)  # first: the journal must not be ahead of the pieces
            controller.pass_time(now)
            called = self._wake.is_set()
            self._wake.clear()
            for frame in self.builders.noted(self._backend.frames(now, called)):
                await self._catch_up(controller, frame)
                if controller is self.controller:
                    controller.take(frame)
            if controller is not self.controller:
                continue  # another match has begun; its board reports its frame again
            self._tick(controller)
            if controller is not self.controller:
                continue
            if self._notices.look_at(*self.seating.files, *self.opponents.files):
                controller.rev += 1
            stored = controller.save_due(now)
            aside = self.aside.use is not None  # no opponent plays in a lesson or a past match
            advised = None if aside else self.opponents.look(controller, now)
            picture = controller.draw(now)
            if self._watched and self._is_new(controller.rev != rev or controller.seen is not seen):
                self._report_change()
            self._backend.look_by(controller.confirm)
            settles = controller.session.deadline if controller.confirm is None else None
            times = [
                now + REFRESH_S,  # the lights recover from a disturbance
                self._backend.due,
                settles,
                picture,
                stored,
                advised,
                laid,
            ]
            wait = min(time for time in times if time is not None) - self.now()
            # Not wait_for: up to Python 3.11 it may swallow a cancellation at a wake-up.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, wait)):
                    await self._wake.wait()

    def _tick(self, controller: BoardController) -> None:
        """Handle what is due: one event, or a search for TURN_S, so that the lights and other tasks
        do not wait long.
        """
        began = self._clock()
        while (due := controller.session.deadline) is not None and due <= self.now():
            if controller.confirm is not None:
                return
            controller.handle(Tick(due))
            if not controller.session.thinking or self._clock() - began > TURN_S:
                return

    async def _catch_up(self, controller: BoardController, frame: SensorFrame) -> None:
        """Handle what was due before a frame, with pauses: pages have their turn while a search
        takes long.
        """
        began = self._clock()
        while controller is self.controller:
            due = controller.session.deadline
            if due is None or due > controller.counts_at(frame):
                return
            controller.handle(Tick(due))
            if self._clock() - began > TURN_S:
                controller.clock.notice(self.now())  # it is busy, not suspended
                await asyncio.sleep(0)
                began = self._clock()

    def _is_new(self, changed: bool) -> bool:
        """Whether there is anything for pages: the status has `changed`, or the lights have."""
        before, self._pixels = self._pixels, self._backend.pixels()
        return changed or self._pixels != before
