"""Puzzles and endgames: lessons that a program has made, `puzzles.toml` beside a game's lessons.

    game = "shogi"
    puzzles = [
      { id = "shogi-p1f0c2a", kind = "mate-2", position = "…", right = "R*3i" },
    ]

`right` is the only first move that solves the puzzle; in an endgame it is one of the fastest. The
easiest puzzle comes first, and so does the endgame that takes the fewest moves. `python -m
tools.puzzles` writes these files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

from engine.games import NAMES, make
from engine.search.solved import winning_play
from firmware_host.games import game_file
from firmware_host.i18n.messages import Message, say
from firmware_host.lessons.goals import Goal
from firmware_host.lessons.lesson import Course, Lesson
from firmware_host.lessons.loader import LessonError, read_toml

FILE: Final = "puzzles.toml"


@dataclass(frozen=True, slots=True)
class Kind:
    """The task of puzzles of a kind."""

    title: Message
    task: Message
    moves: int
    """The moves in which the goal is reached; 0 if each puzzle says it."""
    goal: Callable[[str], Goal]
    """The goal, made from the right first move."""
    course: Course = Course.PUZZLES
    whole_play: bool = False
    """Whether the program knows the whole play: Robot Duel is solved."""


def _win(title: Message, task: Message, moves: int, course: Course = Course.PUZZLES) -> Kind:
    """Return a kind that asks for a win of a solved game."""
    return Kind(title, task, moves, lambda right: {"won": True}, course, whole_play=True)


KINDS: Final[Mapping[str, Kind]] = {
    "mate-1": Kind(
        say("Mate in one move"),
        say("Give checkmate in one move."),
        1,
        lambda right: {"win": "mate"},
    ),
    "mate-2": Kind(
        say("Mate in two moves"),
        say("Give checkmate in two moves, whatever your opponent plays."),
        2,
        lambda right: {"win": "mate"},
    ),
    "win-2": _win(
        say("Win in two moves"),
        say("Win in two moves, whatever your opponent does."),
        2,
    ),
    "win-3": _win(
        say("Win in three moves"),
        say("Win in three moves, whatever your opponent does."),
        3,
    ),
    "win-4": _win(
        say("Win in four moves"),
        say("Win in four moves, whatever your opponent does."),
        4,
    ),
    "push-safely": Kind(
        say("Push off safely"),
        say("Push off a marble so that your opponent cannot push off one of yours."),
        1,
        lambda right: {"score": 1, "safe": []},
    ),
    "push-2": Kind(
        say("Push off by force"),
        say("Push off a marble in two moves, whatever your opponent does."),
        2,
        lambda right: {"score": 1},
    ),
    "fewest-throws": Kind(
        say("The raja in danger"),
        say("Your raja is in danger. Move so that the fewest throws of the others can take it."),
        1,
        lambda right: {"fewest_throws": "K"},
    ),
    "best": Kind(
        say("The best move"),
        say("One move is better than all others. Find it."),
        1,
        lambda right: {"move": [right]},
    ),
    "endgame": _win(
        say("Keep the win"),
        say("You can win, whatever your opponent does. Do not let the win slip away."),
        0,
        Course.ENDGAMES,
    ),
    "own": Kind(
        say("From your own game"),
        say("In your game you missed a better move. Find it."),
        1,
        lambda right: {"move": [right]},
        Course.OWN,
    ),
}


@cache
def puzzles_of(game: str) -> tuple[Lesson, ...]:
    """Return the puzzles that come with the program for a game, the easiest first; LessonError if
    their file is damaged.
    """
    return tuple(each for each in _all(game) if each.course is Course.PUZZLES)


@cache
def endgames_of(game: str) -> tuple[Lesson, ...]:
    """Return the endgames that come with the program for a game, the shortest first; LessonError if
    their file is damaged.
    """
    return tuple(each for each in _all(game) if each.course is Course.ENDGAMES)


def puzzle_of_the_day(games: tuple[str, ...], day: date) -> Lesson | None:
    """Return the puzzle of a day: the same on every board that has these games; None without any.

    The games take turns. A puzzle comes again when all others of its game have been there.
    """
    known = [name for name in sorted(games) if game_file(name, FILE).exists()]
    if not known:
        return None
    turn, game = divmod(day.toordinal(), len(known))
    # The names are checksums, so their order mixes easy and hard ones.
    puzzles = sorted(puzzles_of(known[game]), key=lambda each: each.name)
    return puzzles[turn % len(puzzles)]


@cache
def _all(game: str) -> tuple[Lesson, ...]:
    file = game_file(game, FILE)
    return read_puzzles(file) if file.exists() else ()


def read_puzzles(file: Path) -> tuple[Lesson, ...]:
    """Return the puzzles and endgames of a file; LessonError says what is wrong with it."""
    _, data = read_toml(file)
    name, rows = data.get("game"), data.get("puzzles")
    if name not in NAMES or not isinstance(rows, list):
        raise LessonError(f"{file}: it must have a game and puzzles")
    found: dict[str, Lesson] = {}
    for number, row in enumerate(rows, 1):
        try:
            lesson = as_lesson(name, **row)
        except (ValueError, TypeError, KeyError) as error:  # GameError among them
            raise LessonError(f"{file}: puzzle {number}: {error}") from error
        found[lesson.name] = lesson
    if len(found) < len(rows):
        raise LessonError(f"{file}: two puzzles have the same id")
    return tuple(found.values())


def own_puzzle(game: str, options: Mapping[str, str], position: str, right: str) -> Lesson:
    """Return a puzzle from a match: the position in which a player missed the right move.

    ValueError if that is impossible.
    """
    about = f"{game} {sorted(options.items())} {position}"
    name = f"own-{hashlib.sha256(about.encode()).hexdigest()[:12]}"
    return as_lesson(game, id=name, kind="own", position=position, right=right, options=options)


def as_lesson(
    game_name: str,
    *,
    id: str,
    kind: str,
    position: str,
    right: str,
    moves: int = 0,
    options: Mapping[str, str] | None = None,
) -> Lesson:
    """Return a puzzle as a lesson; ValueError or KeyError if it is none."""
    known, game = KINDS[kind], make(game_name, options)
    place = game.parse_position(position)
    game.parse_move(place, right)
    return Lesson(
        name=id,
        game=game,
        title=known.title.text,
        task=known.task.text,
        position=place,
        moves=known.moves or moves,
        goal=known.goal(right),
        right=(right,),
        course=known.course,
        play=winning_play.endgames() if known.whole_play else None,
    )
