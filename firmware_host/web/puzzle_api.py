"""What a page fetches about puzzles: how far a learner has come, and the puzzle of the day."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from engine.games import make
from firmware_host.i18n.messages import render, say
from firmware_host.lessons.courses import next_puzzle
from firmware_host.lessons.lesson import Lesson
from firmware_host.lessons.loader import LessonError
from firmware_host.lessons.puzzles import (
    endgames_of,
    puzzle_of_the_day,
    puzzles_of,
)
from firmware_host.web.answers import json_answer
from firmware_host.web.connection import language_of
from firmware_host.web.host_api import HostApi
from firmware_host.web.pictures import board_picture, pieces_on_cells


def route(host: HostApi, language: str) -> Route:
    """Return the route; `language` is for browsers that ask for no language that we have."""

    async def puzzles(request: Request) -> Response:
        wanted = language_of(request, language)
        learner = request.query_params.get("learner", "")
        return json_answer(await asyncio.to_thread(all_puzzles, host, wanted, learner))

    return Route("/api/puzzles", puzzles)


def all_puzzles(host: HostApi, language: str, learner: str) -> dict[str, Any]:
    """Return the courses of all games, and what is wrong with any of their files. A game may have
    puzzles, endgames, and puzzles from the learner's own matches. Each course says how many there
    are, how many the learner has `solved`, how many are `due` again today, and how many are
    `waiting` for a later day.
    """
    trouble = host.lesson_mode.tried.trouble
    problems = [] if trouble is None else [render(trouble, language)]
    own_puzzles = host.lesson_mode.own.look(learner)
    found = []
    for name in host.games():
        try:
            own = tuple(each for each in own_puzzles if each.game.name == name)
            courses = [puzzles_of(name), endgames_of(name), own]
        except LessonError as error:
            problems.append(str(error))
            continue
        title = render(say(make(name).title), language)
        for course in filter(None, courses):
            found.append({"game": name, "title": title} | _course(host, course, learner))
    return {"problems": problems, "courses": found}


def _course(host: HostApi, course: Sequence[Lesson], learner: str) -> dict[str, Any]:
    mode = host.lesson_mode
    tried, today = mode.tried.of(learner), mode.today()
    waits = [waiting for each in course if (waiting := tried.get(each.name)) is not None]
    due = sum(waiting.due <= today for waiting in waits)
    following = next_puzzle(course, tried, today)
    return {
        "course": course[0].course.value,
        "count": len(course),
        "solved": sum(each.name in tried for each in course) - len(waits),
        "due": due,
        "waiting": len(waits) - due,
        "next": following.name if following else "",
    }


def of_the_day(host: HostApi, language: str, learner: str) -> dict[str, Any] | None:
    """Return the puzzle of the day with its board, and whether the learner has tried it; None if
    there is none.
    """
    mode, boards = host.lesson_mode, host.games()
    try:
        puzzle = puzzle_of_the_day(tuple(boards), mode.today())
    except LessonError:  # the list of puzzles says what is wrong
        return None
    if puzzle is None:
        return None
    return {
        "name": puzzle.name,
        "game": render(say(puzzle.game.title), language),
        "title": render(say(puzzle.title), language),
        "task": render(say(puzzle.task), language),
        "tried": puzzle.name in mode.tried.of(learner),
        "picture": board_picture(puzzle.game, boards[puzzle.game.name][0]),
        "pieces": pieces_on_cells(puzzle.game, puzzle.position),
    }
