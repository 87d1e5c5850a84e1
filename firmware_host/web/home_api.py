"""The data of the home view: unfinished matches, progress in lessons, and more."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from engine.games import make
from firmware_host.i18n.messages import say, sentence
from firmware_host.lessons.loader import LessonError, lessons_of
from firmware_host.players.kinds import kind_written
from firmware_host.storage.game_records import settled
from firmware_host.storage.journal import JournalError, Resumed
from firmware_host.storage.library import PastMatch
from firmware_host.web import past_matches
from firmware_host.web.answers import json_answer
from firmware_host.web.connection import language_of
from firmware_host.web.host_api import HostApi
from firmware_host.web.pictures import board_picture
from firmware_host.web.puzzle_api import of_the_day

UPDATE_S: Final = 0.25
"""How long one request reads journals that have changed."""
MOST_LOOKED_AT: Final = 100
"""Unfinished matches and names of players are looked for in the latest matches only."""
MOST_NAMES: Final = 30


def route(host: HostApi, language: str) -> Route:
    """Return the route; `language` is for browsers that ask for no language that we have."""

    async def home(request: Request) -> Response:
        wanted = language_of(request, language)
        learner = request.query_params.get("learner", "")
        told = {"lessons": _lessons(host, learner)} | await asyncio.to_thread(_past, host, wanted)
        told["puzzle"] = await asyncio.to_thread(of_the_day, host, wanted, learner)
        return json_answer(told)

    return Route("/api/home", home)


def _lessons(host: HostApi, learner: str) -> dict[str, int]:
    """Return the number of lessons, and of those that a learner has done."""
    known = []
    for name in host.games():
        try:
            known += [lesson.name for lesson in lessons_of(name)]
        except LessonError:  # the list of lessons says what is wrong
            continue
    solved = host.lesson_mode.done.of(learner)
    return {"done": sum(name in solved for name in known), "count": len(known)}


def _past(host: HostApi, language: str) -> dict[str, Any]:
    library = host.library
    library.update(UPDATE_S)
    page = library.page(most=MOST_LOOKED_AT)
    open_ones = (each for each in page.matches if _goes_on(each))
    told = (_told(host, each, language) for each in open_ones)
    return {
        "played": page.total,
        "names": known_names(page.matches),
        "unfinished": next(filter(None, told), None),
    }


def _goes_on(match: PastMatch) -> bool:
    return match.summary.entries > 0 and match.summary.ending is None


def known_names(matches: Iterable[PastMatch]) -> list[str]:
    """Return the names of people who played, the latest first, each once."""
    found: dict[str, str] = {}
    for match in matches:
        for name, kind in match.summary.players:
            if name and kind_written(kind).is_person:
                found.setdefault(name.casefold(), name)
    return list(found.values())[:MOST_NAMES]


def _told(host: HostApi, match: PastMatch, language: str) -> dict[str, Any] | None:
    """Return the row of an unfinished match: its summary, whose turn it is, and a picture; None if
    it cannot go on here.
    """
    boards = host.games().get(match.summary.game)
    if not boards:
        return None
    try:
        kept = Resumed(host.library.path(match.id))
    except (JournalError, OSError):
        return None
    seat = settled(kept.matches[0], kept.record).acting
    who = past_matches.player_called(match, kept.game, seat)
    return past_matches.listed(match, language) | {
        "turn": sentence(say("It is {seat}'s turn.", seat=who), language),
        "picture": board_picture(make(kept.game.name, kept.game.options), boards[0]),
    }
