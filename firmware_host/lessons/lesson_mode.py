"""Lessons on a board: the match in play is put away for them, and returns as it was.

Nothing of a lesson goes into the files of the match; which lessons were done is kept beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from engine.game import Place
from engine.match import AnyGame, Match
from firmware_host.controller.controller import BoardController, header_of
from firmware_host.lessons.lesson import Lesson
from firmware_host.lessons.lesson_run import LessonRun, Stage
from firmware_host.lessons.loader import LessonError, lesson_named, lessons_of
from firmware_host.lights.signals import Light
from firmware_host.session.events import Choose, Event, Press
from firmware_host.session.outbox import Note
from firmware_host.session.session import Session
from firmware_host.storage.lesson_progress import LessonProgress
from firmware_host.storage.match_files import MatchFiles
from firmware_host.storage.recording import Recorder
from firmware_host.text.fault_history import FaultHistory
from firmware_host.text.status import Status
from firmware_host.text.storage_status import StorageStatus
from hardware.layout import Layout
from hardware.machine import Machine

LONGEST: Final = 20_000
"""No lesson is recorded in more lines."""


class LessonBoard(BoardController):
    """A board at which a lesson is played: the files of the match are left alone. What is done in
    the lesson is recorded in memory, to be saved from the page.
    """

    def __init__(
        self,
        machine: Machine,
        session: Session,
        files: MatchFiles,
        rev: int,
        history: FaultHistory,
        *,
        lesson: Lesson,
        lesson_mode: LessonMode,
    ) -> None:
        super().__init__(machine, session, files, rev, history)
        course = lessons_of(lesson.game.name)
        number = course.index(lesson)
        self._teaching = LessonRun(lesson, session, number + 1, len(course))
        self._after = course[number + 1].name if number + 1 < len(course) else ""
        self._lesson_mode = lesson_mode
        start = header_of(session.game, machine.layout, lesson.position)
        self._recorder = Recorder(start)
        self._recorded: list[str] = []

    def handle(self, event: Event) -> list[Note]:
        """Let the session handle an event; `yes` at the end of a lesson goes on to the next."""
        teaching = self._teaching
        if isinstance(event, Press) and event.button == "yes" and teaching.is_at_an_end:
            done = teaching.stage is Stage.DONE
            self._lesson_mode.learn(self._after if done else teaching.lesson.name)
            return []
        notes = super().handle(event)
        if teaching.goes_on_after_a_wrong_move:  # hands are guided to before that
            notes += super().handle(Press(self.session.now, "back"))
        if move := teaching.made_already:
            notes += super().handle(Choose(self.session.now, move))
        return notes

    def _begin(self) -> None:
        """The start was set up after the end of a lesson: it is the lesson that begins again."""
        self._lesson_mode.learn(self._teaching.lesson.name)

    def _write(self, event: Event) -> None:
        self._record(event)
        if self._teaching.stage is Stage.DONE:
            self._lesson_mode.done.add(self._teaching.lesson.name)

    def _record(self, event: Event) -> None:
        """Note an event, from when the men are set up."""
        events = [event]
        if not self._recorded:
            if self._frame is None or self.session.settling:
                return
            self._recorded.append(self._recorder.header())
            events = [self._frame] if event is self._frame else [self._frame, event]
        if len(self._recorded) < LONGEST:
            self._recorded += [line for one in events for line in self._recorder.lines(one)]

    def recording(self) -> Iterator[bytes]:
        """Return the recording of this lesson so far, line by line."""
        return map(str.encode, self._recorded.copy())

    @property
    def keeping(self) -> StorageStatus:
        """What is to be told of the files; nothing of a lesson waits to be written."""
        trouble = self._lesson_mode.done.trouble
        return StorageStatus(
            faults=self.files.keeping.faults, notices=() if trouble is None else (trouble,)
        )

    def tell(self, status: Status) -> Status:
        """Return what is told in the lesson."""
        return self._teaching.tell(status, self._after, self.keeping)

    def _scene(self, now: float) -> dict[Place, Light]:
        return self._teaching.lit(super()._scene(now))


class LessonHost(Protocol):
    """What lessons need of the program that runs a board."""

    game: AnyGame
    layout: Layout
    controller: BoardController

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
        """Seat people at a match: at the men as they lay when it was left, or set up anew."""

    def games(self) -> Mapping[str, tuple[Layout, ...]]:
        """Return the games there are, each with the boards that serve it, the best first."""

    def keep_table(self) -> None:
        """Note where the men lie now; `assemble` may lay them out so again."""


@dataclass(frozen=True, slots=True)
class _Away:
    """A match that waits for the end of the lessons."""

    game: AnyGame
    layout: Layout
    matches: list[Match]
    assist: tuple[int, ...]


class LessonMode:
    """The lessons of one board."""

    def __init__(self, room: LessonHost, done: Path) -> None:
        """`done` is the file that keeps which lessons were done."""
        self.done = LessonProgress(done)
        self.lesson: Lesson | None = None
        """The one that is played; None: a match is."""
        self._room = room
        self._away: _Away | None = None

    def learn(self, name: str) -> None:
        """Begin the lesson of that name, or leave them if it is empty: then the match that was in
        play returns. LessonError if there is no such lesson, or no board for its game.
        """
        if not name:
            self._leave()
            return
        lesson = lesson_named(name)
        room = self._room
        boards = room.games().get(lesson.game.name, ())
        if not boards:
            raise LessonError(
                f"this board is not made for {lesson.game.title}; choose other lessons"
            )
        layout = room.layout if lesson.game.name in room.layout.games else boards[0]
        if self._away is None:
            self._away = self._put_away()
        self.lesson = lesson

        def board(*parts: object) -> BoardController:
            return LessonBoard(*parts, lesson=lesson, lesson_mode=self)  # type: ignore[arg-type]

        match = Match.begin(lesson.game, lesson.position)
        room.assemble(lesson.game, layout, [match], as_it_lies=False, board=board)

    def dismiss(self) -> None:
        """Forget the match that waits: another one begins."""
        self.lesson = self._away = None

    def _put_away(self) -> _Away:
        room, view = self._room, self._room.controller.session.view
        room.keep_table()
        matches = [line.match for line in view.shown]
        return _Away(room.game, room.layout, matches, view.assist)

    def _leave(self) -> None:
        away = self._away
        if away is None:
            return
        self.dismiss()
        self._room.assemble(
            away.game, away.layout, away.matches, as_it_lies=True, assist=away.assist
        )
        # Nothing of the lesson was played unseen in the match, however its pieces stand.
        self._room.controller.resumed = False
