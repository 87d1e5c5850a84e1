"""Puzzles and endgames played by hands on the simulated board, on days of their own."""

from __future__ import annotations

import asyncio
import re
from datetime import date, timedelta
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from engine.match import Match
from firmware_host.lessons.courses import next_puzzle
from firmware_host.lessons.defence import best_defence
from firmware_host.lessons.lesson import Lesson
from firmware_host.lessons.loader import LessonError
from firmware_host.lessons.puzzles import KINDS, endgames_of, own_puzzle, puzzles_of
from firmware_host.lights.signals import Pattern, Signal
from firmware_host.session.events import NewMatch, Press
from firmware_host.storage.puzzle_progress import Waiting

DAY = date(2026, 11, 29)


def stage(board: Any) -> str:
    lesson = board.host.status().lesson
    assert lesson is not None
    return str(lesson.stage)


def begin(board: Any, puzzle: Lesson, learner: str = "Ania", days: int = 0) -> None:
    board.host.lesson_mode.today = lambda: DAY + timedelta(days)
    board.host.lesson_mode.learn(puzzle.name, learner)


def wrong_move(puzzle: Lesson) -> str:
    """Return a move to an empty cell that does not solve a puzzle."""
    game, position = puzzle.game, puzzle.position
    for move in game.legal(position):
        text = game.move_text(position, move)
        if text not in puzzle.right and lands_on_an_empty_cell(puzzle, text):
            return text
    raise AssertionError("no such move")


def lands_on_an_empty_cell(puzzle: Lesson, text: str) -> bool:
    """Return whether a move is that of one piece to an empty cell, which is not turned over."""
    game, position = puzzle.game, puzzle.position
    changes = game.changes(position, game.parse_move(position, text))
    arrived = [place for place, piece in changes.items() if piece is not None]
    taken = any(place in game.pieces(position) for place in arrived)
    return len(changes) == 2 and not taken and "*" not in text and not text.endswith("+")


def back(puzzle: Lesson, text: str) -> str:
    """Return what hands do to take a move to an empty cell back."""
    game, position = puzzle.game, puzzle.position
    changes = game.changes(position, game.parse_move(position, text))
    start = next(place for place, piece in changes.items() if piece is None)
    end = next(place for place, piece in changes.items() if piece is not None)
    return f"{end}- {start}+"


MATE = puzzles_of("shogi")[0]
MATE_TEXT = MATE.game.position_text(MATE.position)


def test_a_puzzle_is_set_up_by_lights_and_solved_by_hand(sit: Any) -> None:
    async def story(board: Any) -> None:
        begin(board, MATE)
        await board.hands("1.0")
        assert stage(board) == "task"
        assert "Give checkmate in one move." in board.says
        assert board.host.controller.lights.get(MATE.lift) is None  # the learner has to find it
        await board.play(MATE.right[0])
        assert stage(board) == "done"
        assert "Well done! You win: the king is checkmated." in board.says
        assert "tomorrow" not in board.says
        assert board.host.lesson_mode.tried.of("Ania") == {MATE.name: None}
        assert not board.host.lesson_mode.done.of("Ania")
        following = puzzles_of("shogi")[1].name
        assert board.host.status().lesson.after == following
        board.host.post(Press(board.host.now(), "yes"))
        assert board.host.lesson_mode.lesson.name == following

    sit(story, "square-hall", "shogi")


def test_a_wrong_answer_is_put_back_and_comes_back_tomorrow(sit: Any) -> None:
    wrong = wrong_move(MATE)

    async def story(board: Any) -> None:
        tried = board.host.lesson_mode.tried
        begin(board, MATE)
        await board.hands("1.0")
        await board.play(wrong)
        await board.hands("2.0")
        assert stage(board) == "wrong"
        assert tried.of("Ania")[MATE.name] == Waiting(DAY + timedelta(1), 1)
        await board.hands(f"{back(MATE, wrong)} 3.0")
        assert stage(board) == "task"
        await board.play(MATE.right[0])
        assert stage(board) == "done"
        assert "This one comes back tomorrow." in board.says
        for days, due, wait in ((0, 1, 1), (1, 4, 3), (4, 11, 7)):
            begin(board, MATE, days=days)
            await board.hands("1.0")
            await board.play(MATE.right[0])
            assert stage(board) == "done"
            assert tried.of("Ania")[MATE.name] == Waiting(DAY + timedelta(due), wait)
        assert not tried.of("Ola")

    sit(story, "square-hall", "shogi")


def test_a_piece_that_only_slides_over_a_wrong_cell_is_no_wrong_answer(sit: Any) -> None:
    wrong = wrong_move(MATE)

    async def story(board: Any) -> None:
        begin(board, MATE)
        await board.hands("1.0")
        there = back(MATE, wrong).split()
        end, start = there[0][:-1], there[1][:-1]
        await board.hands(f"{start}- {end}+ 0.4 {end}- {start}+ 2.0")
        assert not board.host.lesson_mode.tried.of("Ania")

    sit(story, "square-hall", "shogi")


def test_a_puzzle_with_a_hint_comes_back(sit: Any) -> None:
    async def story(board: Any) -> None:
        begin(board, MATE)
        await board.hands("1.0")
        board.host.post(Press(board.host.now(), "hint"))
        await board.hands("0.5")
        await board.play(MATE.right[0])
        assert stage(board) == "done"
        assert "This one comes back tomorrow." in board.says
        tried = board.host.lesson_mode.tried
        assert tried.of("Ania")[MATE.name] == Waiting(DAY + timedelta(1), 1)

    sit(story, "square-hall", "shogi")


def test_the_board_counts_the_throws_at_a_raja_until_it_is_saved(sit: Any) -> None:
    kind = KINDS["fewest-throws"].task.text
    puzzle = next(
        each
        for each in puzzles_of("chaturaji")
        if each.task == kind and lands_on_an_empty_cell(each, each.right[0])
    )
    wrong = wrong_move(puzzle)

    async def story(board: Any) -> None:
        begin(board, puzzle)
        await board.hands("1.0")
        assert kind in board.says
        await board.play(wrong)
        await board.hands("2.0")
        assert stage(board) == "wrong"
        assert re.search(
            r"Then the others can take the raja with [1-9] of \d+ throws\. "
            r"Another move leaves fewer\.",
            board.says,
        )
        await board.hands(f"{back(puzzle, wrong)} 3.0")
        assert stage(board) == "task"
        await board.play(puzzle.right[0])
        assert stage(board) == "done"

    sit(story, "square-hall", "chaturaji")


ENDGAMES = endgames_of("robot-duel")


def winning_line(endgame: Lesson) -> list[Match]:
    """Return the fastest win against the best defence, move by move."""
    match, line = Match.begin(endgame.game, endgame.position), []
    for left in range(endgame.moves, 0, -1):
        match = match.play(next(endgame.solutions(match.position, left)))
        line.append(match)
        if match.outcome:
            break
        match = match.play(best_defence(endgame, match.position))
        line.append(match)
    return line


def takes_the_lion(step: Match) -> bool:
    """Return whether a move wins by a capture."""
    return step.outcome is not None and step.outcome.reason == "lion-captured"


def takes_a_hen(step: Match) -> bool:
    """Return whether a hen is captured, which `play` does not turn over."""
    assert step.before is not None
    standing = step.game.pieces(step.before.position)
    changes = step.game.changes(step.before.position, step.move)
    return any(
        place in standing and standing[place].kind == "H" and standing[place] != piece
        for place, piece in changes.items()
    )


def test_an_endgame_is_won_against_the_best_defence(sit: Any) -> None:
    lines = ((each, winning_line(each)) for each in ENDGAMES)
    endgame, line = next(
        (each, line)
        for each, line in lines
        if not any(map(takes_a_hen, line)) and takes_the_lion(line[-1])
    )

    async def story(board: Any) -> None:
        begin(board, endgame)
        await board.hands("1.0")
        assert "Do not let the win slip away." in board.says
        for step, following in pairwise(line):
            await board.play(step.text)
            own = step.seat == endgame.seat
            assert stage(board) == ("reply" if own else "task")
            assert board.host.status().lesson.reply == (following.text if own else "")
        start, end = line[-1].text[:2], line[-1].text[2:4]
        await board.hands(f"{start}- {end}- {end}+ 2.0")  # it takes the lion
        assert stage(board) == "done"
        assert board.host.lesson_mode.tried.of("Ania") == {endgame.name: None}

    sit(story, "square-hall")


def test_another_defence_is_put_back_and_is_no_wrong_answer(sit: Any) -> None:
    endgame, other = next(
        (each, text) for each in ENDGAMES if (text := _other_reply(each)) is not None
    )
    first = next(endgame.solutions(endgame.position, endgame.moves))
    text = endgame.game.move_text(endgame.position, first)

    async def story(board: Any) -> None:
        begin(board, endgame)
        await board.hands("1.0")
        await board.play(text)
        assert stage(board) == "reply"
        await board.play(other)
        await board.hands("2.0")
        assert stage(board) == "wrong"
        assert "Here your opponent plays: " in board.says
        assert not board.host.lesson_mode.tried.of("Ania")

    sit(story, "square-hall")


def _other_reply(endgame: Lesson) -> str | None:
    """Return a reply to the first right move that is not the best, by a piece to an empty cell."""
    game = endgame.game
    first = next(endgame.solutions(endgame.position, endgame.moves))
    after = game.play(endgame.position, first)
    best = best_defence(endgame, after)
    for reply in game.legal(after):
        text, changes = game.move_text(after, reply), game.changes(after, reply)
        if reply != best and len(changes) == 2 and "*" not in text and text[-1] not in "+=":
            return text
    return None


def test_a_move_that_lets_the_win_slip_away_is_told_and_put_back(sit: Any) -> None:
    endgame, slip = next(
        (each, text) for each in ENDGAMES if (text := _move(each, wins=False)) is not None
    )

    async def story(board: Any) -> None:
        begin(board, endgame)
        await board.hands("1.0")
        await board.play(slip)
        await board.hands("2.0")
        assert stage(board) == "wrong"
        assert "Here the win slips away." in board.says
        assert board.host.lesson_mode.tried.of("Ania")[endgame.name].days == 1
        await board.hands(f"{back(endgame, slip)} 3.0")
        assert stage(board) == "task"
        assert board.moves == []

    sit(story, "square-hall")


def test_a_move_that_wins_too_slowly_is_told_so(sit: Any) -> None:
    endgame, slow = next(
        (each, text) for each in ENDGAMES if (text := _move(each, wins=True)) is not None
    )

    async def story(board: Any) -> None:
        begin(board, endgame)
        await board.hands("1.0")
        await board.play(slow)
        await board.hands("2.0")
        assert stage(board) == "wrong"
        assert "That wins, too, but it takes longer. Find a faster way." in board.says

    sit(story, "square-hall")


def _move(endgame: Lesson, wins: bool) -> str | None:
    """Return a wrong first move of a piece to an empty cell that wins later, or not at all."""
    game, position = endgame.game, endgame.position
    assert endgame.play is not None
    winning = endgame.play.wins(game, position)
    for move in game.legal(position):
        text, changes = game.move_text(position, move), game.changes(position, move)
        plain = len(changes) == 2 and "*" not in text and text[-1] not in "+="
        wrong = not endgame.leads_on(position, move, endgame.moves)
        if plain and wrong and (move in winning) is wins:
            return text
    return None


def test_the_best_defence_is_lit(sit: Any) -> None:
    endgame = ENDGAMES[0]
    game = endgame.game
    first = next(endgame.solutions(endgame.position, endgame.moves))
    after = game.play(endgame.position, first)
    changes = game.changes(after, best_defence(endgame, after))

    async def story(board: Any) -> None:
        begin(board, endgame)
        await board.hands("1.0")
        await board.play(game.move_text(endgame.position, first))
        lit = board.host.controller.lights
        left = [place for place, piece in changes.items() if piece is None]
        assert all(lit[place].signal is Signal.WHITE for place in left)
        assert all(lit[place].pattern is Pattern.FROM for place in left)

    sit(story, "square-hall")


def test_who_has_no_such_game_is_told(sit: Any) -> None:
    async def story(board: Any) -> None:
        with pytest.raises(ValueError, match="no lesson"):
            board.host.lesson_mode.learn("shogi-p000000")
        await asyncio.sleep(0)

    sit(story)


def test_an_own_puzzle_begins_again_though_it_is_in_no_list_any_more(sit: Any) -> None:
    async def story(board: Any) -> None:
        mode, host = board.host.lesson_mode, board.host
        start = host.game.position_text(host.position())
        own = {"Ania": (own_puzzle("robot-duel", {}, start, "C4C3"),)}
        mode.own = SimpleNamespace(of=lambda learner: own.get(learner, ()))
        begin(board, own["Ania"][0])
        await asyncio.sleep(1)
        await board.play("B3B2", rest=3)
        assert stage(board) == "wrong"
        own.clear()  # another page has asked for them, and that one is no more
        host.post(NewMatch(host.now()))
        await asyncio.sleep(1)
        assert (stage(board), board.moves) == ("task", [])

    sit(story)


def test_a_lesson_that_is_refused_changes_no_learner(sit: Any) -> None:
    async def story(board: Any) -> None:
        begin(board, puzzles_of("robot-duel")[0])
        with pytest.raises(LessonError):
            board.host.lesson_mode.learn("nonsense", "Ola")
        assert board.host.lesson_mode.learner == "Ania"

    sit(story)


def test_a_puzzle_that_was_made_again_does_not_follow_itself() -> None:
    one, same = (own_puzzle("shogi", {}, MATE_TEXT, MATE.right[0]) for _ in range(2))
    assert next_puzzle([same], {}, DAY, one) is None
