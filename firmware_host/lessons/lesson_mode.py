"""Lessons at a board: the match in play waits for their end, and then returns unchanged.

A lesson writes nothing to the files of the match. The finished lessons have a file of their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from engine.game import Place
from engine.match import Match
from firmware_host.controller.controller import BoardController, header_of
from firmware_host.controller.set_aside import BoardHost, SetAside
from firmware_host.lessons.courses import course_of, lesson_named, next_puzzle
from firmware_host.lessons.lesson import Course, Lesson
from firmware_host.lessons.lesson_run import LessonRun, Stage
from firmware_host.lessons.loader import LessonError
from firmware_host.lessons.own_puzzles import OwnPuzzles
from firmware_host.lights.signals import Light
from firmware_host.session.events import Choose, Event, Press
from firmware_host.session.outbox import Note
from firmware_host.session.session import Session
from firmware_host.storage.lesson_progress import LessonProgress, Solved
from firmware_host.storage.match_files import MatchFiles
from firmware_host.storage.puzzle_progress import PuzzleProgress
from firmware_host.storage.recording import Recorder
from firmware_host.text.fault_history import FaultHistory
from firmware_host.text.status import Status
from firmware_host.text.storage_status import StorageStatus
from hardware.machine import Machine

MOST_LINES: Final = 20_000
"""The recording of a lesson has at most this many lines."""

WRONG_S: Final = 1.0
"""A wrong move counts after this many seconds; until then a hand may slide its piece on."""


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
        course = lesson_mode.course(lesson)
        self._run = LessonRun(lesson, session, 1 + course.index(lesson), len(course))
        self._lesson_mode = lesson_mode
        start = header_of(session.game, machine.layout, lesson.position)
        self._recorder = Recorder(start)
        self._recorded: list[str] = []

    def handle(self, event: Event) -> list[Note]:
        """Let the session handle an event; `yes` at the end of a lesson starts the next one."""
        run = self._run
        if isinstance(event, Press) and event.button == "yes" and run.is_over:
            if run.stage is Stage.DONE:
                self._lesson_mode.learn(self._lesson_mode.after)
            else:
                self._lesson_mode.begin(run.lesson)
            return []
        self._note_miss(event.at)
        notes = super().handle(event)
        self._hint(event.at)
        if run.goes_on_after_a_wrong_move:  # the repair plan leads back before it
            notes += super().handle(Press(self.session.now, "back"))
        if not self.session.has_requests and (move := run.made_already):
            notes += super().handle(Choose(self.session.now, move))
        return notes

    def _begin(self) -> None:
        """Start the lesson again: people have set up its position after its end."""
        self._lesson_mode.begin(self._run.lesson)

    def _hint(self, now: float) -> None:
        """Show the steps of the hint that the learner has asked for."""
        self.advice = self._run.hint(self.session.view.hint_at(now))

    def _write(self, event: Event) -> None:
        self._record(event)
        if self._run.stage is Stage.DONE:
            self._lesson_mode.note_done(hinted=self._run.hinted, missed=self._run.missed)

    def save_due(self, now: float) -> float:
        """Let the files do what is due; return when to call again."""
        return min(super().save_due(now), self._note_miss(now))

    def _note_miss(self, now: float) -> float:
        """Note a wrong move that has stood for a while; return when to call again."""
        run = self._run
        if run.missed or not run.misses:
            return math.inf
        due = self.session.view.read_at + WRONG_S
        if now < due:
            return due
        run.missed = True
        self._lesson_mode.note_miss()
        return math.inf

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
        troubles = self._lesson_mode.done.trouble, self._lesson_mode.tried.trouble
        return StorageStatus(
            faults=self.files.status.faults, notices=tuple(each for each in troubles if each)
        )

    def shown_status(self, status: Status) -> Status:
        """Return a status with what the lesson adds and hides."""
        after = self._lesson_mode.after
        return self._run.shown_status(status, after, self.storage, self.advice)

    def _scene(self, now: float) -> dict[Place, Light]:
        self._hint(now)
        return self._run.lit(super()._scene(now))


class LessonMode:
    """The lessons, puzzles and endgames of one board."""

    def __init__(
        self,
        host: BoardHost,
        aside: SetAside,
        state: Path,
        own: OwnPuzzles,
        today: Callable[[], date] = date.today,
    ) -> None:
        """`state` is the directory in which progress is kept; `own` has the puzzles from the
        learners' own matches, and `today` returns the day.
        """
        self.done = LessonProgress(state / "lessons.json")
        self.tried = PuzzleProgress(state / "puzzles.json")
        self.today = today
        self.own = own
        self.learner = ""
        """The name of the learner; empty if that is not known."""
        self._host = host
        self._aside = aside

    @property
    def lesson(self) -> Lesson | None:
        """The lesson in play; None if the board is used for something else."""
        use = self._aside.use
        return use if isinstance(use, Lesson) else None

    def course(self, lesson: Lesson) -> tuple[Lesson, ...]:
        """Return the course that a lesson belongs to, in its order."""
        return course_of(lesson, partial(self.own.of, self.learner))

    @property
    def after(self) -> str:
        """The name of the lesson or puzzle that follows the one in play; empty if there is none."""
        lesson = self.lesson
        if lesson is None:
            return ""
        course = self.course(lesson)
        if lesson.course is Course.LESSONS:
            following = course[course.index(lesson) + 1 :]
            return following[0].name if following else ""
        found = next_puzzle(course, self.tried.of(self.learner), self.today(), lesson)
        return "" if found is None else found.name

    def note_done(self, *, hinted: bool, missed: bool) -> None:
        """Note that the learner has done the lesson in play: with a hint, after a wrong move, or
        neither.
        """
        lesson = self.lesson
        assert lesson is not None
        if lesson.course is Course.LESSONS:
            how = Solved.HINT if hinted else Solved.ALONE
            self.done.add(lesson.name, self.learner, how)
        elif hinted:
            self.note_miss()
        elif not missed:
            self.tried.solve(lesson.name, self.learner, self.today())

    def note_miss(self) -> None:
        """Note that the learner has answered the puzzle in play wrong; for a lesson do nothing."""
        lesson = self.lesson
        if lesson is not None and lesson.course is not Course.LESSONS:
            self.tried.miss(lesson.name, self.learner, self.today())

    def learn(self, name: str, learner: str | None = None) -> None:
        """Start the lesson of that name, for another learner if one is given; an empty name returns
        to the waiting match.

        LessonError if there is no such lesson, or no board for its game.
        """
        if not name:
            self._aside.bring_back()
            return
        who = self.learner if learner is None else learner
        self.begin(lesson_named(name, partial(self.own.of, who)), learner)

    def begin(self, lesson: Lesson, learner: str | None = None) -> None:
        """Start a lesson, also the one in play, from its start, for another learner if one is
        given; LessonError if there is no board for its game.
        """
        host = self._host
        boards = host.games().get(lesson.game.name, ())
        if not boards:
            raise LessonError(
                f"this board is not made for {lesson.game.title}; choose other lessons"
            )
        layout = host.layout if lesson.game.name in host.layout.games else boards[0]
        if learner is not None:
            self.learner = learner
        self._aside.begin(lesson)

        def board(*parts: object) -> BoardController:
            return LessonBoard(*parts, lesson=lesson, lesson_mode=self)  # type: ignore[arg-type]

        match = Match.begin(lesson.game, lesson.position)
        host.assemble(lesson.game, layout, [match], as_it_lies=False, board=board)
