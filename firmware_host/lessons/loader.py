"""Lesson files: TOML, one for each game, with a `[[lesson]]` table for each lesson.

docs/lessons.md says how they are written. Errors are one line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from engine.game import CHANCE, GameError, IllegalMoveError
from engine.games import NAMES, make
from engine.match import AnyGame
from firmware_host.games import game_file
from firmware_host.lessons.goals import SHAPES
from firmware_host.lessons.lesson import Lesson
from hardware.layout import toml_text
from hardware.regular_file import read_text

LARGEST_FILE: Final = 1 << 20
MOST_MOVES: Final = 2

_TEXTS: Final = ("id", "title", "tell", "position")
_KNOWN: Final = frozenset(
    {*_TEXTS, "moves", "goal", "options", "right", "lift", "blue", "red", "dark", "attempts"}
    | {"wrong", "chapter"}
)


class LessonError(ValueError):
    """A lesson that cannot be taught; one line names file and lesson and says why."""


@cache
def lessons_of(name: str) -> tuple[Lesson, ...]:
    """Return the lessons that come with the program for a game, in their order."""
    file = game_file(name, "lessons.toml")
    return read_lessons(file) if file.exists() else ()


def read_lessons(file: Path) -> tuple[Lesson, ...]:
    """Return the lessons of a file, in their order; LessonError says what is wrong with it."""
    text, data = read_toml(file)
    if not data.keys() <= {"game", "lesson"}:
        wrong = next(key for key in data if key not in ("game", "lesson"))
        raise LessonError(f"{file}: there is no {wrong!r} in a lesson file; it has game and lesson")
    if data.get("game") not in NAMES:
        raise LessonError(f"{file}: game must be one of {', '.join(NAMES)}")
    rows = data.get("lesson")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise LessonError(f"{file}: lessons are written as [[lesson]]")
    lessons: list[Lesson] = []
    for number, row in enumerate(rows, 1):
        name = row.get("id") if isinstance(row.get("id"), str) else None
        try:
            chapter = lessons[-1].chapter if lessons else ""
            lessons.append(_read_lesson(data["game"], row, chapter))
            if name in [lesson.name for lesson in lessons[:-1]]:
                raise ValueError("another lesson has this id, too")
        except ValueError as error:  # GameError among them
            where = f"(it begins in line {_line_of(number, text)})"
            raise LessonError(f"{file}: lesson {name or number}: {error} {where}") from error
    return tuple(lessons)


def read_toml(file: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of a file and what it says; LessonError if it is no TOML file."""
    try:
        text = read_text(file, LARGEST_FILE)
        return text, toml_text.parsed(text)
    except OSError as error:
        raise LessonError(f"{file}: {error.strerror}") from error
    except ValueError as error:
        raise LessonError(f"{file}: this is no TOML: {error}") from error


def _line_of(number: int, text: str) -> int:
    """Return in which line of a file the lesson of that number begins, both from 1."""
    lines = enumerate(text.splitlines(), 1)
    begins = [at for at, line in lines if re.match(r"\s*\[\[\s*lesson\s*\]\]", line)]
    return begins[number - 1] if number <= len(begins) else 1


def _read_lesson(game_name: str, row: Mapping[str, Any], chapter: str) -> Lesson:
    """Return a lesson; it belongs to that chapter unless it begins another one."""
    for key in row:
        if key not in _KNOWN:
            raise ValueError(f"there is no {key!r} in a lesson")
    for key in _TEXTS:
        _expect(row, key, str)
        if not row[key]:
            raise ValueError(f"{key} is empty")
    if "right" not in row:
        raise ValueError('it has no right: name the moves that reach its goal, as right = ["C4C3"]')
    _expect(row, "moves", int)
    if not 1 <= row["moves"] <= MOST_MOVES:
        raise ValueError(f"moves must be 1 to {MOST_MOVES}")
    _expect(row, "options", dict, of=(str, bool, int), default={})
    game = make(game_name, row.get("options", {}))
    position = game.parse_position(row["position"])
    if game.outcome(position) is not None or game.turn(position) == CHANCE:
        raise ValueError("position: somebody must be to move, not the dice, and the game not over")
    standing = game.pieces(position)
    lesson = Lesson(
        name=row["id"],
        game=game,
        title=_said(row, "title"),
        task=_said(row, "tell"),
        position=position,
        moves=row["moves"],
        goal=_goal(row),
        right=_texts(row, "right"),
        lift=row.get("lift", ""),
        blue=_places(row, "blue", game),
        red=_places(row, "red", game),
        dark=_places(row, "dark", game) or (),
        attempts=_pairs(row, "attempts"),
        wrong=_pairs(row, "wrong"),
        chapter=_said(row, "chapter") or chapter,
    )
    if not isinstance(lesson.lift, str) or (lesson.lift and lesson.lift not in standing):
        raise ValueError(f"lift: nothing stands on {lesson.lift!r}")
    _check_moves(lesson)
    return lesson


def _said(row: Mapping[str, Any], key: str) -> str:
    text = row.get(key, "")
    if not isinstance(text, str) or "{" in text or "}" in text:
        raise ValueError(f"{key} must be a text without braces")
    return text


def _expect(
    row: Mapping[str, Any],
    key: str,
    kind: type,
    *,
    of: tuple[type, ...] = (),
    default: object = None,
) -> None:
    value = row.get(key, default)
    several = value.values() if isinstance(value, dict) else value
    fits = type(value) is kind and (not of or all(type(each) in of for each in several or ()))
    if not fits:
        raise ValueError(f"{key} must be {_KINDS[kind]}" if key in row else f"it has no {key}")


_KINDS: Final = {
    str: "a text",
    int: "a whole number",
    dict: "a table",
    list: "a list",
    bool: "true or false",
}


def _goal(row: Mapping[str, Any]) -> Mapping[str, Any]:
    _expect(row, "goal", dict)
    goal: dict[str, Any] = row["goal"]
    if not goal:
        raise ValueError("its goal is empty")
    for key in goal:
        if key not in SHAPES:
            raise ValueError(f"goal: there is no {key!r} in a goal")
        kind, each = SHAPES[key]
        try:
            _expect(goal, key, kind, of=(each,) if each else ())
        except ValueError as error:
            raise ValueError(f"goal: {error}") from error
    return goal


def _places(row: Mapping[str, Any], key: str, game: AnyGame) -> tuple[str, ...] | None:
    if key not in row:
        return None
    places = _texts(row, key)
    for place in places:
        if place not in game.places():
            raise ValueError(f"{key}: there is no place {place!r}")
    return places


def _texts(row: Mapping[str, Any], key: str) -> tuple[str, ...]:
    _expect(row, key, list, of=(str,), default=[])
    return tuple(row.get(key, []))


def _pairs(row: Mapping[str, Any], key: str) -> tuple[tuple[str, str], ...]:
    _expect(row, key, list, default=[])
    pairs = row.get(key, [])
    for pair in pairs:
        texts = isinstance(pair, list) and len(pair) == 2 and all(type(t) is str for t in pair)
        if not texts or "{" in pair[1] or "}" in pair[1]:
            raise ValueError(f"{key} must be a list of pairs of texts without braces")
    return tuple((move, said) for move, said in pairs)


def _check_moves(lesson: Lesson) -> None:
    """See that what a lesson names as moves is what it says they are."""
    game, position = lesson.game, lesson.position
    if not lesson.right:
        raise ValueError("right is empty")
    named = [("wrong", text) for text, _ in lesson.wrong]
    for key, text in [*named, *(("right", text) for text in lesson.right)]:
        try:
            game.parse_move(position, text)
        except GameError as error:
            raise ValueError(f"{key}: {error}") from error
    for text, code in lesson.attempts:
        if code not in game.reasons:
            raise ValueError(f"attempts: {game.title} has no reason {code!r}")
        try:
            game.parse_move(position, text)
        except IllegalMoveError as error:
            if error.reason is None or error.reason.code != code:
                given = error.reason.code if error.reason else "none"
                raise ValueError(f"attempts: {text} is refused for {given}, not {code}") from error
        else:
            raise ValueError(f"attempts: {text} is legal here")
