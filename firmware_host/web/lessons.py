"""What a page is told of lessons: which there are and which were done, and the one in play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.games import make
from firmware_host.i18n.messages import render, say
from firmware_host.lessons.lesson_mode import LessonMode
from firmware_host.lessons.loader import LessonError, lessons_of
from firmware_host.text.status import LessonNow


def all_lessons(lesson_mode: LessonMode, names: Iterable[str], language: str) -> dict[str, Any]:
    """Return the lessons of the games of these names in their order, each with whether it was done,
    and what is wrong with any of their files.
    """
    troubles = [render(trouble, language) for trouble in (lesson_mode.done.trouble,) if trouble]
    games = []
    for name in names:
        try:
            lessons = lessons_of(name)
        except LessonError as error:
            troubles.append(str(error))
            continue
        games.append(
            {
                "name": name,
                "title": render(say(make(name).title), language),
                "lessons": [
                    {
                        "name": lesson.name,
                        "title": render(say(lesson.title), language),
                        "done": lesson.name in lesson_mode.done,
                    }
                    for lesson in lessons
                ],
            }
        )
    return {"troubles": troubles, "games": games}


def lesson_now(lesson: LessonNow | None, language: str) -> dict[str, Any] | None:
    """Return the lesson that is played; None if none is."""
    if lesson is None:
        return None
    return {
        "name": lesson.name,
        "title": render(lesson.title, language),
        "tell": render(lesson.tell, language),
        "number": lesson.number,
        "count": lesson.count,
        "stage": lesson.stage,
        "reply": lesson.reply,
        "after": lesson.after,
    }
