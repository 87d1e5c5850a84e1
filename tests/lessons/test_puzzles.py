"""Puzzles and endgames: each has one right first move, or a win that the known play keeps."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks import mates
from engine.game import Throw
from engine.games import FINISHED
from engine.games.shogi.board import ShogiBoard
from engine.match import AnyGame
from engine.search import search
from firmware_host.i18n.messages import render
from firmware_host.lessons import goals
from firmware_host.lessons.courses import course_of, lesson_named, next_puzzle
from firmware_host.lessons.defence import best_defence
from firmware_host.lessons.goals import LessonMove
from firmware_host.lessons.lesson import Lesson
from firmware_host.lessons.loader import LessonError, lessons_of
from firmware_host.lessons.puzzles import (
    KINDS,
    endgames_of,
    puzzle_of_the_day,
    puzzles_of,
    read_puzzles,
)
from firmware_host.lessons.reasons import reason_against, reason_by_goal
from firmware_host.storage.puzzle_progress import Waiting
from tests.support.sampling import a_few
from tools.puzzles import FINE, is_best, limit

FEWEST = {"shogi": 60}
DAY = date(2026, 11, 29)


def name(lesson: Lesson) -> str:
    return lesson.name


def spread(lessons: tuple[Lesson, ...], quick: int) -> list[Any]:
    """Return all, of which a quick run tries some of the easy and some of the hard ones."""
    step = max(1, len(lessons) // quick)
    first = lessons[::step][:quick]
    return a_few([*first, *(each for each in lessons if each not in first)], quick)


PUZZLES = [each for game in FINISHED for each in spread(puzzles_of(game), 3)]
ENDGAMES = spread(endgames_of("robot-duel"), 4)


# ---- what they are


@pytest.mark.parametrize("game", FINISHED)
def test_every_game_has_puzzles_with_names_of_their_own(game: str) -> None:
    puzzles = puzzles_of(game) + endgames_of(game)
    assert len(puzzles_of(game)) >= FEWEST.get(game, 30)
    assert len({each.name for each in puzzles + lessons_of(game)}) == len(puzzles) + len(
        lessons_of(game)
    )
    for each in puzzles:
        assert re.fullmatch(rf"{game}-p[0-9a-f]{{6}}", each.name)
        assert each.game.parse_position(each.game.position_text(each.position)) == each.position
        assert each.game.outcome(each.position) is None
        right = each.game.parse_move(each.position, *each.right)
        assert each.game.move_text(each.position, right) == each.right[0]
        assert each in course_of(each)
        assert lesson_named(each.name) is each


def test_the_easy_puzzles_come_first() -> None:
    for game in FINISHED:
        moves = [each.moves for each in puzzles_of(game)]
        assert moves == sorted(moves)
    lengths = [each.moves for each in endgames_of("robot-duel")]
    assert lengths == sorted(lengths)
    assert (lengths[0], lengths[-1]) == (4, 14)  # wins in 5 to 25 plies, and a move to spare
    assert len(lengths) >= 30


# ---- what proves them


def wins_within(game: AnyGame, position: Any, moves: int, known: dict[Any, bool]) -> bool:
    """Return whether the side to move wins in this many of its moves, by the rules alone."""
    key = (position, moves)
    if key not in known:
        known[key] = any(
            leads(game, position, game.play(position, move), moves, known)
            for move in game.legal(position)
        )
    return known[key]


def leads(game: AnyGame, before: Any, after: Any, moves: int, known: dict[Any, bool]) -> bool:
    ended = game.outcome(after)
    if ended is not None:
        return game.turn(before) in ended.winners
    return moves > 1 and all(
        game.outcome(then := game.play(after, reply)) is None
        and wins_within(game, then, moves - 1, known)
        for reply in game.legal(after)
    )


def right_moves(puzzle: Lesson, kind: str, looks: int | None) -> list[str]:
    """Return the first moves that solve a puzzle. A search of `looks` positions finds the best one;
    without, three searches do.
    """
    game, position = puzzle.game, puzzle.position
    if kind == "best":
        if looks is None:
            return [found] if (found := is_best(game, position)) is not None else []
        best, second, *_ = search(game, position, stop=limit(looks)).moves
        assert best.chance - second.chance > 0.1
        return [best.text]
    if kind == "mate-2":
        moves = list(mates.begins(ShogiBoard(position)))
    elif kind.startswith("win"):
        known: dict[Any, bool] = {}
        moves = [
            move
            for move in game.legal(position)
            if leads(game, position, game.play(position, move), puzzle.moves, known)
        ]
        assert not wins_within(game, position, puzzle.moves - 1, known)
    else:
        moves = list(goals.leading(puzzle.goal, game, position, position, puzzle.moves))
    return [game.move_text(position, move) for move in moves]


def kind_of(puzzle: Lesson) -> str:
    fits = (name for name, kind in KINDS.items() if kind.task.text == puzzle.task)
    return next(each for each in fits if KINDS[each].moves in (0, puzzle.moves))


@pytest.mark.parametrize("puzzle", PUZZLES, ids=name)
def test_one_first_move_solves_a_puzzle(puzzle: Lesson) -> None:
    assert right_moves(puzzle, kind_of(puzzle), FINE) == [*puzzle.right]


def throws_at_raja(game: AnyGame, position: Any, seat: int) -> tuple[int, int]:
    """Return how many throws of the others let a move take the seat's raja, and how many there are,
    by the rules alone.
    """
    taking = of = 0
    for other in range(4):
        if other == seat or all(each.owner != other for each in game.pieces(position).values()):
            continue
        for throw in game.legal(position._replace(seat=other, dice=())):
            assert isinstance(throw, Throw)
            thrown = position._replace(seat=other, dice=throw.dice)
            after = [game.play(thrown, move) for move in game.legal(thrown)]
            taking += any(not has_raja(game, each, seat) for each in after)
            of += 1
    return taking, of


def has_raja(game: AnyGame, position: Any, seat: int) -> bool:
    return any((each.owner, each.kind) == (seat, "K") for each in game.pieces(position).values())


GUARDING = [each for each in puzzles_of("chaturaji") if kind_of(each) == "fewest-throws"]


def test_there_are_puzzles_about_throws() -> None:
    assert len(GUARDING) == 15


@pytest.mark.parametrize("puzzle", GUARDING, ids=name)
def test_after_the_right_move_fewer_throws_take_the_raja_than_after_any_other(
    puzzle: Lesson,
) -> None:
    game, position = puzzle.game, puzzle.position
    counted = {}
    for move in game.legal(position):
        after = game.play(position, move)
        counted[game.move_text(position, move)] = throws_at_raja(game, after, puzzle.seat)
    least, *others = sorted(taking for taking, _ in counted.values())
    assert least < others[0], "one move is right"
    assert {text for text, (taking, _) in counted.items() if taking == least} == {*puzzle.right}
    assert throws_at_raja(game, position, puzzle.seat)[0] > least, "the raja is in danger"
    assert least or others[0] < others[-1], "counting is worth it"


@pytest.mark.parametrize("puzzle", spread(tuple(GUARDING), 3), ids=name)
def test_after_a_wrong_move_the_board_says_how_many_throws_take_the_raja(puzzle: Lesson) -> None:
    game, position = puzzle.game, puzzle.position
    for move in game.legal(position):
        if game.move_text(position, move) in puzzle.right:
            continue
        after = game.play(position, move)
        taking, of = throws_at_raja(game, after, puzzle.seat)
        told = reason_by_goal(puzzle.goal, LessonMove(game, position, position, move, after))
        assert told is not None
        said = f"Then the others can take the raja with {taking} of {of} throws."
        assert render(told).startswith(said)


@pytest.mark.deep
@pytest.mark.parametrize(
    "puzzle",
    [each for game in FINISHED for each in puzzles_of(game) if kind_of(each) == "best"],
    ids=name,
)
def test_a_long_search_finds_the_same_best_move(puzzle: Lesson) -> None:
    assert right_moves(puzzle, "best", None) == [*puzzle.right]


@pytest.mark.parametrize("puzzle", PUZZLES + ENDGAMES, ids=name)
def test_a_puzzle_is_solved_as_told_against_the_best_defence(puzzle: Lesson) -> None:
    """By any of the right moves, and never later than its number of moves."""
    game, chance = puzzle.game, Random(puzzle.name)
    for _ in range(3):
        position, move = puzzle.position, game.parse_move(puzzle.position, puzzle.right[0])
        for left in range(puzzle.moves, 0, -1):
            assert puzzle.leads_on(position, move, left)
            after = game.play(position, move)
            if puzzle.is_done_by(position, move, after):
                break
            assert left > 1
            position = game.play(after, best_defence(puzzle, after))
            move = chance.choice(list(puzzle.solutions(position, left - 1)))
        else:
            raise AssertionError("not solved")


@pytest.mark.parametrize("endgame", ENDGAMES, ids=name)
def test_a_move_of_an_endgame_wins_in_time_or_later_or_not(endgame: Lesson) -> None:
    assert endgame.play is not None
    game, position = endgame.game, endgame.position
    wins = endgame.play.wins(game, position)
    right = [
        move for move in game.legal(position) if endgame.leads_on(position, move, endgame.moves)
    ]
    assert right
    assert all(wins[move] <= 2 * endgame.moves - 1 for move in right)
    assert min(wins.values()) == 2 * endgame.moves - 3
    assert len(wins) < len(game.legal(position)), "no move lets the win slip away"


def test_the_first_moves_of_short_endgames_win_by_the_rules_and_no_others() -> None:
    for endgame in endgames_of("robot-duel")[:2]:
        game, position = endgame.game, endgame.position
        assert endgame.play is not None
        known: dict[Any, bool] = {}
        moves = endgame.moves - 1  # the fastest win
        fastest = [
            move
            for move in game.legal(position)
            if leads(game, position, game.play(position, move), moves, known)
        ]
        wins = endgame.play.wins(game, position)
        assert set(fastest) == {each for each, plies in wins.items() if plies <= 2 * moves - 1}


@pytest.mark.deep
@pytest.mark.parametrize(
    "puzzle", [each for game in FINISHED for each in puzzles_of(game)], ids=name
)
def test_every_wrong_move_has_a_reason(puzzle: Lesson) -> None:
    game, position = puzzle.game, puzzle.position
    right = [game.parse_move(position, text) for text in puzzle.right]
    others = [move for move in game.legal(position) if move not in right]
    for move in Random(puzzle.name).sample(others, min(10, len(others))):
        assert "{" not in render(reason_against(game, position, move, right))


# ---- which comes next


def test_what_is_due_comes_first_then_what_is_new_then_the_rest() -> None:
    course = puzzles_of("abalone")[:4]
    a, b, c, d = course
    assert next_puzzle(course, {}, DAY) is a
    assert next_puzzle(course, {}, DAY, after=a) is b
    assert next_puzzle(course, {a.name: None}, DAY) is b
    due = {c.name: Waiting(DAY, 1), d.name: Waiting(DAY + timedelta(1), 1)}
    assert next_puzzle(course, due, DAY) is c
    assert next_puzzle(course, due, DAY, after=c) is a
    assert next_puzzle(course, due, DAY + timedelta(1), after=c) is d
    every = dict.fromkeys([each.name for each in course])
    assert next_puzzle(course, every, DAY, after=d) is a
    assert next_puzzle(course[:1], every, DAY, after=a) is None


def test_the_puzzle_of_a_day_is_the_same_for_everybody_and_another_one_tomorrow() -> None:
    days = [DAY + timedelta(each) for each in range(10)]
    puzzles = [puzzle_of_the_day(tuple(FINISHED), day) for day in days]
    assert puzzles == [puzzle_of_the_day(tuple(reversed(FINISHED)), day) for day in days]
    names = [each.name for each in puzzles if each is not None]
    assert len(set(names)) == len(days)
    assert {each.game.name for each in puzzles[:5] if each is not None} == set(FINISHED)
    assert puzzle_of_the_day((), DAY) is None


def test_all_puzzles_of_a_game_take_their_turn() -> None:
    names = {each.name for each in puzzles_of("abalone")}
    days = [DAY + timedelta(each) for each in range(len(names))]
    assert {each.name for day in days if (each := puzzle_of_the_day(("abalone",), day))} == names


# ---- damaged files

POSITION = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
ONE = f'{{ id = "shogi-p1", kind = "mate-1", position = "{POSITION}", right = "G*5b" }}'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[", "this is no TOML"),
        ('game = "go"\npuzzles = []', "it must have a game and puzzles"),
        ('game = "shogi"', "it must have a game and puzzles"),
        (f'game = "shogi"\npuzzles = [{ONE}, {ONE}]', "two puzzles have the same id"),
        (f'game = "shogi"\npuzzles = [{ONE.replace("mate-1", "mate-9")}]', "puzzle 1: "),
        (f'game = "shogi"\npuzzles = [{ONE.replace("G*5b", "G*5a")}]', "puzzle 1: "),
        (f'game = "shogi"\npuzzles = [{ONE.replace("4k4/9", "4k4")}]', "puzzle 1: "),
        (f'game = "shogi"\npuzzles = [{ONE.replace("kind", "sort")}]', "puzzle 1: "),
        ('game = "shogi"\npuzzles = [3]', "puzzle 1: "),
    ],
)
def test_a_damaged_file_is_told_in_a_line(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "puzzles.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(LessonError) as refused:
        read_puzzles(file)
    assert str(refused.value).startswith(f"{file}: {told}")
    assert "\n" not in str(refused.value)


def test_a_row_of_a_file_becomes_a_lesson(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.toml"
    file.write_text(f'game = "shogi"\npuzzles = [{ONE}]', encoding="utf-8")
    (puzzle,) = read_puzzles(file)
    assert (puzzle.name, puzzle.moves, puzzle.right) == ("shogi-p1", 1, ("G*5b",))
    assert puzzle.title == "Mate in one move"
