"""`lampion lessons`: the lessons there are, or a check of a lesson file."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from engine.games import NAMES
from firmware_host.console.terminal import print_line
from firmware_host.lessons.loader import LessonError, lessons_of, read_lessons
from firmware_host.lessons.validate import faults
from firmware_host.storage.lesson_progress import LessonProgress
from firmware_host.storage.paths import state_directory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion lessons`."""
    parser.add_argument(
        "of", nargs="?", metavar="G", help="a game; or a lesson file, to be checked"
    )
    parser.add_argument(
        "--state", metavar="DIR", help="where the list of the lessons that were done is kept"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each lesson; LessonError names the first lesson of a file that is wrong."""
    for line in _lines(arguments.of, state_directory(arguments.state)):
        print_line(line)
    return 0


def _lines(of: str | None, state: Path) -> Iterator[str]:
    """Yield a line for each lesson of all games, of one game, or of a file, which is checked."""
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
