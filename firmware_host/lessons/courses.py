"""The courses of a game: its lessons, its puzzles and its endgames."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from engine.games import NAMES
from firmware_host.lessons.lesson import Course, Lesson
from firmware_host.lessons.loader import LessonError, lessons_of
from firmware_host.lessons.puzzles import endgames_of, puzzles_of
from firmware_host.storage.puzzle_progress import Waiting

FindOwnPuzzles = Callable[[], Sequence[Lesson]]
"""Returns the puzzles from the learner's own matches. It reads files: call it only if needed."""

_COURSES = {
    Course.LESSONS: lessons_of,
    Course.PUZZLES: puzzles_of,
    Course.ENDGAMES: endgames_of,
}


def course_of(lesson: Lesson, own: FindOwnPuzzles = tuple) -> tuple[Lesson, ...]:
    """Return the course that a lesson belongs to, in its order; LessonError if its file is
    damaged.
    """
    if lesson.course is Course.OWN:
        alike = tuple(each for each in own() if each.game.name == lesson.game.name)
        return alike if lesson in alike else (lesson,)
    return _COURSES[lesson.course](lesson.game.name)


def lesson_named(name: str, own: FindOwnPuzzles = tuple) -> Lesson:
    """Return the lesson, puzzle or endgame of that name; LessonError if there is none."""
    likely = sorted(NAMES, key=lambda game: not name.startswith(f"{game}-"))
    for lessons in _COURSES.values():
        for game in likely:
            for lesson in lessons(game):
                if lesson.name == name:
                    return lesson
    for lesson in own():
        if lesson.name == name:
            return lesson
    raise LessonError(f"no lesson {name!r}; `lampion lessons` lists them")


def next_puzzle(
    course: Sequence[Lesson],
    tried: Mapping[str, Waiting | None],
    today: date,
    after: Lesson | None = None,
) -> Lesson | None:
    """Return the puzzle that a learner does next: one that is due, else the first that was never
    tried, else the one that follows `after`; None if the course has no other.
    """
    start = 0 if after is None else 1 + course.index(after)
    others = [each for each in (*course[start:], *course[:start]) if each != after]
    for each in others:
        waiting = tried.get(each.name)
        if waiting is not None and waiting.due <= today:
            return each
    fresh = (each for each in course if each.name not in tried and each != after)
    return next(fresh, others[0] if others else None)
