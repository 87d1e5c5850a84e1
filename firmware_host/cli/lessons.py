"""`lampion lessons`: the lessons there are, or a check of a lesson file."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Final

from engine.games import NAMES, make
from firmware_host.console.terminal import print_line
from firmware_host.lessons.loader import LessonError, lessons_of, read_lessons
from firmware_host.lessons.validate import faults
from firmware_host.storage.lesson_progress import LessonProgress, Solved
from firmware_host.storage.paths import state_directory

_TICKS: Final[Mapping[Solved | None, str]] = {
    None: "",
    Solved.ALONE: "done",
    Solved.HINT: "hint",
}
"""How the list marks a lesson: solved alone, or with a hint."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion lessons`."""
    parser.add_argument(
        "of", nargs="?", metavar="G", help="a game; or a lesson file, to be checked"
    )
    parser.add_argument(
        "--learner", metavar="NAME", default="", help="mark what this learner has done"
    )
    parser.add_argument(
        "--state", metavar="DIR", help="where the list of the lessons that were done is kept"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each lesson; LessonError names the first lesson of a file that is wrong."""
    for line in _lines(arguments.of, state_directory(arguments.state), arguments.learner):
        print_line(line)
    return 0


def _lines(of: str | None, state: Path, learner: str) -> Iterator[str]:
    """Yield a line for each lesson of all games, of one game, or of a file, which is checked; and
    a line for each chapter.
    """
    if of is None or of in NAMES:
        solved = LessonProgress(state / "lessons.json").of(learner)
        for name in NAMES if of is None else (of,):
            for chapter, lessons in groupby(lessons_of(name), key=lambda lesson: lesson.chapter):
                if chapter:
                    yield f"{make(name).title}: {chapter}"
                for lesson in lessons:
                    tick = _TICKS[solved.get(lesson.name)]
                    yield f"{lesson.name:14} {tick:5} {lesson.title}"
    elif of.endswith(".toml"):
        for lesson in read_lessons(Path(of)):
            for fault in faults(lesson):
                raise LessonError(f"{of}: lesson {lesson.name}: {fault}")
            yield f"{lesson.name:14} {'right':5} {lesson.title}"
    else:
        raise LessonError(f"{of}: neither a lesson file nor one of {', '.join(NAMES)}")
