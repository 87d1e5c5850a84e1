"""Lessons at a board: the match in play waits for their end, and then returns unchanged.

A lesson writes nothing to the files of the match. The finished lessons have a file of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine.game import Place
from engine.match import Match
from firmware_host.controller.controller import BoardController, header_of
from firmware_host.controller.set_aside import BoardHost, SetAside
from firmware_host.lessons.lesson import Lesson
from firmware_host.lessons.lesson_run import LessonRun, Stage
from firmware_host.lessons.loader import LessonError, lesson_named, lessons_of
from firmware_host.lights.signals import Light
from firmware_host.session.events import Choose, Event, Press
from firmware_host.session.outbox import Note
from firmware_host.session.session import Session
from firmware_host.storage.lesson_progress import LessonProgress, Solved
from firmware_host.storage.match_files import MatchFiles
from firmware_host.storage.recording import Recorder
from firmware_host.text.fault_history import FaultHistory
from firmware_host.text.status import Status
from firmware_host.text.storage_status import StorageStatus
from hardware.machine import Machine

MOST_LINES: Final = 20_000
"""The recording of a lesson has at most this many lines."""


class LessonBoard(BoardController):
    """The controller of a board with a lesson. It writes no match files. It records the lesson in
    memory, so that people can save it from the page.
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
        self._run = LessonRun(lesson, session, number + 1, len(course))
        self._after = course[number + 1].name if number + 1 < len(course) else ""
        self._lesson_mode = lesson_mode
        start = header_of(session.game, machine.layout, lesson.position)
        self._recorder = Recorder(start)
        self._recorded: list[str] = []

    def handle(self, event: Event) -> list[Note]:
        """Let the session handle an event; `yes` at the end of a lesson starts the next one."""
        run = self._run
        if isinstance(event, Press) and event.button == "yes" and run.is_over:
            done = run.stage is Stage.DONE
            self._lesson_mode.learn(self._after if done else run.lesson.name)
            return []
        notes = super().handle(event)
        self._hint(event.at)
        if run.goes_on_after_a_wrong_move:  # the repair plan leads back before it
            notes += super().handle(Press(self.session.now, "back"))
        if not self.session.has_requests and (move := run.made_already):
            notes += super().handle(Choose(self.session.now, move))
        return notes

    def _begin(self) -> None:
        """Start the lesson again: people have set up its position after its end."""
        self._lesson_mode.learn(self._run.lesson.name)

    def _hint(self, now: float) -> None:
        """Show as much of a hint as was asked for."""
        self.advice = self._run.hint(self.session.view.hint_at(now))

    def _write(self, event: Event) -> None:
        self._record(event)
        if self._run.stage is Stage.DONE:
            how = Solved.HINT if self._run.hinted else Solved.ALONE
            self._lesson_mode.done.add(self._run.lesson.name, self._lesson_mode.learner, how)

    def _record(self, event: Event) -> None:
        """Record an event, once the pieces are set up."""
        events = [event]
        if not self._recorded:
            if self._frame is None or self.session.settling:
                return
            self._recorded.append(self._recorder.header())
            events = [self._frame] if event is self._frame else [self._frame, event]
        if len(self._recorded) < MOST_LINES:
            self._recorded += [line for one in events for line in self._recorder.lines(one)]

    def recording(self) -> Iterator[bytes]:
        """Return the lines of the recording so far."""
        return map(str.encode, self._recorded.copy())

    @property
    def storage(self) -> StorageStatus:
        """The storage status; no part of a lesson waits to be written."""
        trouble = self._lesson_mode.done.trouble
        return StorageStatus(
            faults=self.files.status.faults, notices=() if trouble is None else (trouble,)
        )

    def shown_status(self, status: Status) -> Status:
        """Return a status with what the lesson adds and hides."""
        return self._run.shown_status(status, self._after, self.storage, self.advice)

    def _scene(self, now: float) -> dict[Place, Light]:
        self._hint(now)
        return self._run.lit(super()._scene(now))


class LessonMode:
    """The lessons of one board."""

    def __init__(self, host: BoardHost, aside: SetAside, done: Path) -> None:
        """`done` is the file of the finished lessons."""
        self.done = LessonProgress(done)
        self.learner = ""
        """The name of the learner; empty if that is not known."""
        self._host = host
        self._aside = aside

    @property
    def lesson(self) -> Lesson | None:
        """The lesson in play; None if the board is used for something else."""
        use = self._aside.use
        return use if isinstance(use, Lesson) else None

    def learn(self, name: str, learner: str | None = None) -> None:
        """Start the lesson of that name, for another learner if one is given; an empty name returns
        to the waiting match.

        LessonError if there is no such lesson, or no board for its game.
        """
        if not name:
            self._aside.bring_back()
            return
        if learner is not None:
            self.learner = learner
        lesson = lesson_named(name)
        host = self._host
        boards = host.games().get(lesson.game.name, ())
        if not boards:
            raise LessonError(
                f"this board is not made for {lesson.game.title}; choose other lessons"
            )
        layout = host.layout if lesson.game.name in host.layout.games else boards[0]
        self._aside.begin(lesson)

        def board(*parts: object) -> BoardController:
            return LessonBoard(*parts, lesson=lesson, lesson_mode=self)  # type: ignore[arg-type]

        match = Match.begin(lesson.game, lesson.position)
        host.assemble(lesson.game, layout, [match], as_it_lies=False, board=board)
