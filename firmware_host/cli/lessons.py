"""`lampion lessons`: the lessons there are, or whether those of a file are lessons."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from engine.games import NAMES
from firmware_host.lessons.loader import LessonError, lessons_of, read_lessons
from firmware_host.lessons.validate import faults
from firmware_host.storage.lesson_progress import LessonProgress


def lines(of: str | None, state: Path) -> Iterator[str]:
    """Yield a line for each lesson of all games, of one, or of a file, which is checked;
    LessonError names the first lesson in it that is wrong.
    """
    if of is None or of in NAMES:
        done = LessonProgress(state / "lessons.json")
        for name in NAMES if of is None else (of,):
            for lesson in lessons_of(name):
                tick = "done" if lesson.name in done else ""
                yield f"{lesson.name:14} {tick:5} {lesson.title}"
    elif of.endswith(".toml"):
        for lesson in read_lessons(Path(of)):
            for fault in faults(lesson):
                raise LessonError(f"{of}: lesson {lesson.name}: {fault}")
            yield f"{lesson.name:14} {'right':5} {lesson.title}"
    else:
        raise LessonError(f"{of}: neither a lesson file nor one of {', '.join(NAMES)}")
