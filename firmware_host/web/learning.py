"""The games with their options, the lessons and the rules, for pages."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Final

from engine.games import make
from engine.match import AnyGame, Match
from firmware_host.i18n.messages import Message, render, say, sentence
from firmware_host.lessons.lesson import Lesson
from firmware_host.lessons.lesson_mode import LessonMode
from firmware_host.lessons.loader import LessonError, lessons_of
from firmware_host.players.kinds import kind_explained, kind_written
from firmware_host.rules_card.rules import Picture, rules_of
from firmware_host.storage.lesson_progress import Solved
from firmware_host.text.labels import board_message, caution_message, sensing_message, value_message
from firmware_host.web.host_api import HostApi
from firmware_host.web.pictures import board_picture, pieces_on_cells
from firmware_host.web.view import light_signals
from hardware.layout import Layout

OWN_CLOCK: Final = "clock"
"""The option for a clock of the players' own; the page offers the board's clock in its place."""


def games(host: HostApi, language: str) -> list[dict[str, Any]]:
    """Return the games with their options. It imports all games, so it runs only on request."""
    return [
        _game(host, host.game if name == host.game.name else make(name), layouts, language)
        for name, layouts in host.games().items()
    ]


def _game(host: HostApi, game: AnyGame, layouts: Sequence[Layout], language: str) -> dict[str, Any]:
    """Return a game with its options, players and boards, the best one first."""
    return {
        "name": game.name,
        "title": render(say(game.title), language),
        "players": _players(game),
        "minutes": game.minutes,
        "picture": board_picture(game, layouts[0]),
        "layouts": [
            {
                "name": layout.name,
                "label": render(board_message(layout), language),
                "sensing": render(sensing_message(layout), language),
                "caution": render(caution_message(layout, game.name), language),
            }
            for layout in layouts
        ],
        "seats": _seats(host, game, language),
        "player_kinds": [
            {
                "kind": text,
                "label": render(label, language),
                "about": render(kind_explained(kind_written(text)), language),
            }
            for text, label in host.seating.choices(game).items()
        ],
        "presets": [
            {
                "label": render(say(preset.label), language),
                "about": render(say(preset.about), language),
                "options": preset.options,
                "begins": Match.begin(make(game.name, preset.options)).acting,
            }
            for preset in game.presets
        ],
        "options": [
            {
                "name": option.name,
                "label": render(say(option.title), language),
                "values": option.values,
                "value_labels": [
                    render(value_message(option, value), language) for value in option.values
                ],
                "help": render(say(option.about), language),
                "only_if": option.only_if,
            }
            for option in game.known_options
            if option.name != OWN_CLOCK
        ],
    }


def _seats(host: HostApi, game: AnyGame, language: str) -> list[dict[str, str]]:
    """Return the seats, each with the player who would play there now."""
    return [
        {"label": render(say(seat), language), "player": player.name, "player_kind": player.kind}
        for seat, player in zip(game.seats, host.seating.players(game), strict=True)
    ]


def _players(game: AnyGame) -> str:
    """Return how many people play, as `2` or `2–4`."""
    seats = len(game.seats)
    return f"{game.fewest_players}–{seats}" if game.fewest_players else str(seats)


def all_lessons(
    lesson_mode: LessonMode,
    games: Mapping[str, Sequence[Layout]],
    language: str,
    learner: str = "",
) -> dict[str, Any]:
    """Return the lessons of the games in their order, each with its chapter and how the learner has
    solved it, and what is wrong with any of their files. `games` have the layouts that serve them,
    the best first. A game without lessons is left out. `next` is the first lesson that is not
    solved, with its board; None if there is none.
    """
    problems = [render(trouble, language) for trouble in (lesson_mode.done.trouble,) if trouble]
    solved = lesson_mode.done.of(learner)
    found = []
    for name, layouts in games.items():
        try:
            lessons = lessons_of(name)
        except LessonError as error:
            problems.append(str(error))
            continue
        if not lessons:
            continue
        found.append(
            {
                "name": name,
                "title": render(say(make(name).title), language),
                "next": _next_lesson(lessons, solved, layouts[0], language),
                "lessons": [
                    {
                        "name": lesson.name,
                        "title": render(say(lesson.title), language),
                        "chapter": render(say(lesson.chapter), language),
                        "done": lesson.name in solved,
                        "hint": solved.get(lesson.name) is Solved.HINT,
                    }
                    for lesson in lessons
                ],
            }
        )
    return {"problems": problems, "learners": lesson_mode.done.learners, "games": found}


def _next_lesson(
    lessons: Iterable[Lesson], solved: Container[str], layout: Layout, language: str
) -> dict[str, Any] | None:
    """Return the first lesson that is not solved, with its task and its board."""
    lesson = next((each for each in lessons if each.name not in solved), None)
    if lesson is None:
        return None
    return {
        "name": lesson.name,
        "title": render(say(lesson.title), language),
        "task": render(say(lesson.task), language),
        "picture": board_picture(lesson.game, layout),
        "pieces": pieces_on_cells(lesson.game, lesson.position),
    }


def rules_card(game: AnyGame, language: str) -> dict[str, Any]:
    """Return the short rules of a game, as far as they hold under its options, with these options
    and the ways in which such a game may end.
    """
    rules = rules_of(game.name)

    def texts(messages: tuple[Message, ...]) -> list[str]:
        held = [each for each in messages if rules.hold("says", each.text, game.options)]
        return [render(each, language) for each in held]

    endings = [
        text for name, text in game.endings.items() if rules.hold("endings", name, game.options)
    ]
    return {
        "title": render(say(game.title), language),
        "aim": texts(rules.aim),
        "notes": texts(rules.notes),
        "pictures": [_picture(each, game, language) for each in rules.pictures],
        "endings": [sentence(say(each), language) for each in dict.fromkeys(endings)],
        "options": [
            {
                "label": render(say(option.title), language),
                "value": render(value_message(option, game.options[option.name]), language),
            }
            for option in game.known_options
            if option.matters(game.options)
        ],
    }


def _picture(picture: Picture, game: AnyGame, language: str) -> dict[str, Any]:
    return {
        "title": render(picture.title, language),
        "kinds": picture.kinds,
        "pieces": [
            {
                "place": place,
                "face": piece.kind,
                "owner": "" if piece.owner is None else game.seats[piece.owner],
            }
            for place, piece in picture.pieces.items()
        ],
        "lights": {place: light_signals(light) for place, light in picture.lights.items()},
        "text": " ".join(render(each, language) for each in picture.says),
    }
