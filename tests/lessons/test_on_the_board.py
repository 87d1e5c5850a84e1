"""Lessons played by hands on the simulated board; the match that was in play returns."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli import replay
from firmware_host.host import demo
from firmware_host.i18n.messages import render
from firmware_host.lessons.loader import LessonError, lessons_of
from firmware_host.lights.advice import NOTHING
from firmware_host.lights.signals import Pattern, Signal
from firmware_host.players.kinds import PlayerKind
from firmware_host.session.events import Assist, Choose, NewMatch, Press
from firmware_host.storage import recording
from firmware_host.storage.lesson_progress import LessonProgress, Solved
from firmware_host.web.learning import all_lessons
from tests.support.session_parts import wrong


def stage(board: Any) -> str:
    lesson = board.host.status().lesson
    assert lesson is not None
    return str(lesson.stage)


def lit(board: Any, place: str) -> tuple[Signal, Pattern] | None:
    light = board.host.controller.lights.get(place)
    return light and (light.signal, light.pattern)


PLAYED = [
    ("robot-duel-01", "square-reed", "C4- C3+", "B4- C3+", "That was the red lion"),
    ("shogi-02", "square-reed", "9f- 7d- 7d+ hand.sente.R+", "9f- 8e+", "in front of the rook"),
    ("chaturaji-02", "square-reed", "e4- d6- d6+", "e4- f6- f6+", "The elephant is 4"),
    ("robotory-04", "hex-hall", "c4- c3- c3+", "d3- c3- c3+", "nothing to eat"),
    ("abalone-02", "hex-reed", "c3- d4+ b2- c3+ a1- b2+", "c3- d4+", "one marble alone"),
]


@pytest.mark.parametrize(("name", "layout", "right", "wrong", "why"), PLAYED)
def test_a_lesson_is_played_by_hand(
    sit: Any, name: str, layout: str, right: str, wrong: str, why: str
) -> None:
    async def story(board: Any) -> None:
        host = board.host
        host.lesson_mode.learn(name)
        await board.hands("1.0")
        lesson = host.lesson_mode.lesson
        assert stage(board) == "task"
        assert lesson.task in board.says
        assert lit(board, lesson.lift) == (Signal.TEAL, Pattern.BREATHE)
        await board.hands(f"{wrong} 2.0")
        assert stage(board) == "wrong"
        assert why in board.says
        assert lesson.task in board.says
        assert name not in host.lesson_mode.done.of("")
        host.post(NewMatch(host.now()))  # from its beginning
        board.held.clear()
        await board.hands(f"1.0 {right} 2.0")
        assert stage(board) == "done"
        assert "Well done!" in board.says
        assert name in host.lesson_mode.done.of("")
        host.post(Press(host.now(), "yes"))
        course = lessons_of(lesson.game.name)
        assert host.lesson_mode.lesson is course[course.index(lesson) + 1]

    sit(story, layout, name[:-3])


TOLD = [
    # the lesson, and what hands do with the stage and the words that follow
    (
        "robot-duel-01",
        [
            ("B4- C3+ 2", "wrong", ""),  # it is put back, and tried again
            ("C3- B4+ 3", "task", ""),
            ("C4- C3+ 2", "done", ""),
        ],
    ),
    (
        "robot-duel-01",
        [
            ("B4- A3+ 2 C4- 3", "task", "First put the lion back on B4."),
            ("C4+ A3- B4+ 3", "task", ""),
            ("C4- C3+ 2", "done", ""),
        ],
    ),
    ("robot-duel-01", [("C1- 0.5", "task", "The elephant on C1 belongs to B. Lift the green")]),
    ("shogi-01", [("5e- 4e+ 2", "wrong", "The piece is right, the move is not.")]),
    (
        "shogi-01",  # the second move of two
        [("5e- 5d+ 2 5a- 6a+ 2 5d- 4d+ 2", "wrong", "The piece is right, the move is not.")],
    ),
    (
        "robot-duel-09",
        [("B3- B2- B2+ hand.A.C+ 2", "wrong", "takes your lion on A3 and wins.")],
    ),
    (
        "shogi-06",
        [
            ("hand.sente.P- 5b+ 4", "task", "Nifu: you already have"),
            ("0", "task", "attacks the silver"),
            ("5b- 7c+ 3", "done", ""),
        ],
    ),
]


@pytest.mark.parametrize(("name", "steps"), TOLD)
def test_what_hands_do_in_a_lesson_is_answered(
    sit: Any, name: str, steps: list[tuple[str, str, str]]
) -> None:
    async def story(board: Any) -> None:
        board.host.lesson_mode.learn(name)
        await asyncio.sleep(1.0)
        for hands, expected, said in steps:
            await board.hands(hands)
            assert stage(board) == expected
            assert said in board.says

    sit(story, "square-hall", name[:-3])


def test_a_lesson_has_a_recording_of_its_own(sit: Any) -> None:
    async def story(board: Any) -> None:
        await board.hands("1.0 C4- C3+ 2.0")
        match = [*board.host.record_as_test()]
        board.host.lesson_mode.learn("robot-duel-06")
        await board.hands("1.0 hand.A.C- C3+ 2.0")
        saved = recording.parse(b"".join(board.host.record_as_test()))
        session = replay.begin(saved)
        list(replay.replay(saved, session))
        assert session.view.match.moves() == ["C*C3"]
        board.host.lesson_mode.learn("")
        assert [*board.host.record_as_test()] == match

    sit(story)


def test_what_was_played_in_a_lesson_was_not_played_in_the_match(
    sit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lesson leaves the pieces of a real board as they stand: here, a ply ahead of the match."""

    async def story(board: Any) -> None:
        host = board.host
        await board.hands("1.0")
        host.lesson_mode.learn("robot-duel-01")
        await board.hands("1.0")
        game, backend = host.game, host._backend

        def leave_pieces(game: Any, layout: Any, match: Any, as_it_lies: bool) -> None:
            ahead = match.play(game.parse_move(match.position, "C4C3"))
            backend.table.set_up(game.pieces(ahead.position))

        monkeypatch.setattr(backend, "_put_pieces", leave_pieces)
        host.lesson_mode.learn("")
        await board.hands("6.0")
        assert host.game.name == game.name
        assert board.moves == []
        assert not host.status().question
        assert (host.status().to_fill, host.status().to_empty) == (("C4",), ("C3",))

    sit(story)


@pytest.mark.parametrize("layout", ["square-reed", "square-hall"])
@pytest.mark.parametrize(
    ("wrong", "piece", "home", "back"),
    [
        ("B4- A3+", "lion", "B4", "A3- B4+"),
        ("B3- B2- B2+ hand.A.C+", "chick", "B3", "B2- B3+ hand.A.C- B2+"),
    ],
)
def test_who_makes_the_right_move_beside_a_wrong_one_first_puts_that_back(
    sit: Any, layout: str, wrong: str, piece: str, home: str, back: str
) -> None:
    async def story(board: Any) -> None:
        board.host.lesson_mode.learn("robot-duel-01")
        await board.hands(f"1.0 {wrong} 2.0 C4- C3+ 3.0")
        assert "belongs to" not in board.says
        assert f"First put the {piece} back on {home}." in board.says
        assert "giraffe from C3" not in board.says  # it stands right
        assert lit(board, home) == (Signal.WHITE, Pattern.TO)
        assert lit(board, "C3") is lit(board, "C4") is None
        await board.hands(f"{back} 2.0")
        assert stage(board) == "done"
        assert board.moves == ["C4C3"]

    sit(story, layout)


@pytest.mark.parametrize("layout", ["square-reed", "square-hall"])
def test_a_wrong_move_that_was_taken_back_is_put_back(sit: Any, layout: str) -> None:
    async def story(board: Any) -> None:
        board.host.lesson_mode.learn("robot-duel-01")
        await board.hands("1.0 B4- A3+ 2.0")
        assert stage(board) == "wrong"
        assert render(board.host.status().turn_line) == "Try again"
        board.host.post(Press(board.host.now(), "back"))
        await board.hands("2.0")
        assert board.moves == []
        assert "First put the lion back on B4." in board.says
        await board.hands("A3- B4+ 1.0 C4- C3+ 2.0")
        assert stage(board) == "done"
        assert render(board.host.status().turn_line) == "Solved"

    sit(story, layout)


def test_the_other_side_is_lit_and_any_reply_will_do(sit: Any) -> None:
    async def story(board: Any) -> None:
        board.host.lesson_mode.learn("shogi-01")
        await board.hands("1.0 5e- 5d+ 2.0")
        assert stage(board) == "reply"
        assert board.host.status().lesson.reply == "5a4a"
        assert "Good! Now make your opponent's move:" in board.says
        assert lit(board, "5a") == (Signal.WHITE, Pattern.FROM)
        assert lit(board, "4a") == (Signal.BLUE, Pattern.TO)
        await board.hands("5a- 6a+ 2.0")  # another one than was lit
        assert stage(board) == "task"
        assert lit(board, "5e") is None
        await board.hands("5d- 5c+ 2.0")
        assert stage(board) == "done"

    sit(story, "square-reed", "shogi")


def press_hint(board: Any) -> None:
    board.host.post(Press(board.host.now(), "hint"))


def test_a_hint_shows_the_piece_then_the_move_then_why(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = board.host
        host.lesson_mode.learn("shogi-02", "Ania")
        await board.hands("1.0")
        assert render(host.status().buttons["hint"]) == "which piece to move"
        press_hint(board)
        await board.hands("0.5")
        assert board.says.startswith("Hint: move the bishop on 9f.")
        assert lit(board, "9f") == (Signal.TEAL, Pattern.BREATHE)
        assert lit(board, "7d") is None
        press_hint(board)
        await board.hands("0.5")
        assert "Hint: bishop from 9f takes rook on 7d (9f7d)." in board.says
        assert lit(board, "9f") == (Signal.TEAL, Pattern.FROM)
        assert lit(board, "7d") == (Signal.TEAL, Pattern.TO)
        press_hint(board)
        await board.hands("0.5")
        assert "It wins the rook on 7d" in board.says
        await board.hands("25")  # it goes out by itself
        assert "Hint:" not in board.says
        await board.hands("9f- 7d- 7d+ hand.sente.R+ 2.0")
        assert stage(board) == "done"
        assert "You had a hint. Start again to solve it alone." in board.says
        assert "hint" not in host.status().buttons
        assert dict(host.lesson_mode.done.of("Ania")) == {"shogi-02": Solved.HINT}
        assert not host.lesson_mode.done.of("")
        host.post(NewMatch(host.now()))  # the same lesson again
        board.held.clear()
        await board.hands("1.0 9f- 7d- 7d+ hand.sente.R+ 2.0")
        assert "You had a hint" not in board.says
        assert dict(host.lesson_mode.done.of("Ania")) == {"shogi-02": Solved.ALONE}

    sit(story, "square-reed", "shogi")


def test_a_hint_is_about_the_piece_that_glows(sit: Any) -> None:
    async def story(board: Any) -> None:
        board.host.lesson_mode.learn("shogi-10")  # its first right move moves another piece
        await board.hands("1.0")
        press_hint(board)
        await board.hands("0.5")
        assert "Hint: move the rook on 1c." in board.says

    sit(story, "square-reed", "shogi")


def test_a_hint_for_the_second_move_fits_the_reply(sit: Any) -> None:
    async def story(board: Any) -> None:
        board.host.lesson_mode.learn("shogi-22")
        await board.hands("1.0")
        press_hint(board)
        await board.hands("0.5")
        assert "Hint: place the knight." in board.says
        assert lit(board, "hand.sente.N") == (Signal.TEAL, Pattern.BREATHE)
        await board.hands("hand.sente.N- 4c+ 2.0")
        assert stage(board) == "reply"
        assert "hint" not in board.host.status().buttons
        press_hint(board)  # nothing is to be found
        await board.hands("0.5")
        assert "Hint:" not in board.says
        await board.hands("5a- 4b+ 2.0")
        press_hint(board)
        press_hint(board)
        await board.hands("0.5")
        assert "knight from 4c takes rook on 3a" in board.says

    sit(story, "square-reed", "shogi")


def test_a_wrong_first_move_of_two_is_answered_by_the_reply_that_stops_it(sit: Any) -> None:
    async def story(board: Any) -> None:
        board.host.lesson_mode.learn("robotory-13")
        await board.hands("1.0 stock.light.b- c3+ 3.0")
        assert stage(board) == "wrong"
        assert "Then your opponent can stop you: red robot from d3 to c3" in board.says

    sit(story, "hex-hall", "robotory")


def test_the_next_lesson_is_for_the_same_learner(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = board.host
        first, second = lessons_of("robot-duel")[:2]
        host.lesson_mode.learn(first.name, "Ola")
        await board.hands("1.0 C4- C3+ 2.0")
        host.post(Press(host.now(), "yes"))
        board.held.clear()
        await board.hands("1.0 B4- C3+ 2.0")
        assert list(host.lesson_mode.done.of("Ola")) == [first.name, second.name]
        told = all_lessons(host.lesson_mode, host.games(), "en", "Ola")
        duel = next(each for each in told["games"] if each["name"] == "robot-duel")
        assert [each["name"] for each in duel["lessons"] if each["done"]] == [
            first.name,
            second.name,
        ]
        assert duel["next"]["name"] == lessons_of("robot-duel")[2].name
        assert told["learners"] == ("Ola",)
        nobody = all_lessons(host.lesson_mode, host.games(), "en")["games"]
        assert not any(each["done"] for game in nobody for each in game["lessons"])

    sit(story)


def test_nothing_is_judged_while_it_is_asked_what_was_played(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = board.host
        host.lesson_mode.learn("shogi-03")
        await board.hands("1.0 7d- 7c+ 4.0")
        assert host.status().question
        assert stage(board) == "task"
        host.post(Choose(host.now(), "7d7c+"))
        assert stage(board) == "done"

    sit(story, "square-reed", "shogi")


def test_the_match_returns_with_its_pieces_and_its_files_are_left_alone(
    sit: Any, tmp_path: Path
) -> None:
    def kept() -> dict[str, bytes]:
        return {each.name: each.read_bytes() for each in tmp_path.glob("*.json*")}

    async def story(board: Any) -> None:
        host = board.host
        await board.play("C4C3", "A1A2")
        host.post(Assist(host.now(), 3, 0))
        before = host.status()
        pieces = sorted((piece.kind, piece.owner, piece.place) for piece in host.table.pieces)
        host.lesson_mode.learn("shogi-05")
        await board.hands("1.0")
        files = kept()
        assert host.game.name == "shogi"
        assert not host.status().claims
        await board.hands("hand.sente.G- 5b+ 2.0")
        assert stage(board) == "done"
        assert "the king is checkmated." in board.says
        assert json.loads((tmp_path / "lessons.json").read_text()) == {"": {"shogi-05": "alone"}}
        assert kept() == files | {"lessons.json": (tmp_path / "lessons.json").read_bytes()}
        host.lesson_mode.learn("")
        await board.hands("1.0")
        assert host.status().lesson is None
        assert board.moves == ["C4C3", "A1A2"]
        assert host.status().assist == before.assist
        assert host.status().lights == before.lights
        assert (
            sorted((piece.kind, piece.owner, piece.place) for piece in host.table.pieces) == pieces
        )
        assert host.status().rev > before.rev
        await board.play("B3B2")
        assert board.moves == ["C4C3", "A1A2", "B3B2"]

    sit(story)

    async def later(board: Any) -> None:
        assert board.moves == ["C4C3", "A1A2", "B3B2"]
        assert "shogi-05" in board.host.lesson_mode.done.of("")

    sit(later)


def test_who_is_killed_in_a_lesson_goes_on_with_the_match(sit: Any) -> None:
    async def story(board: Any) -> None:
        await board.play("C4C3")
        board.host.lesson_mode.learn("robot-duel-02")
        await board.hands("1.0 B3- B2- B2+ 2.0")

    sit(story, kill=True)

    async def later(board: Any) -> None:
        assert board.host.lesson_mode.lesson is None
        assert board.moves == ["C4C3"]
        assert wrong(board.host.controller.session) == ((), ())

    sit(later)


def test_after_the_last_lesson_the_match_returns(sit: Any) -> None:
    async def story(board: Any) -> None:
        board.host.lesson_mode.learn(lessons_of("robot-duel")[-1].name)
        await board.hands("1.0 A2- B1+ 2.0")
        assert stage(board) == "done"
        assert board.host.status().lesson.after == ""
        assert render(board.host.status().buttons["yes"]) == "on to the next"
        board.host.post(Press(board.host.now(), "yes"))
        assert board.host.status().lesson is None

    sit(story)


def test_a_lesson_that_ended_the_wrong_way_begins_again_with_yes(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = board.host
        host.lesson_mode.learn("robotory-10")
        await board.hands("1.0 pool.w- stock.light.w+ 3.0")
        assert stage(board) == "wrong"
        assert host.status().outcome is not None
        assert "The game is over too early" in board.says
        host.post(Press(host.now(), "yes"))
        assert stage(board) == "task"
        assert host.status().outcome is None

    sit(story, "hex-hall", "robotory")


def test_a_lesson_of_another_board_brings_that_board_and_the_old_one_returns(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = board.host
        host.lesson_mode.learn("abalone-01")
        assert host.layout.shape == "hex"
        host.lesson_mode.learn("shogi-01")
        assert host.layout.shape == "square"
        host.lesson_mode.learn("")
        assert (host.layout.name, host.game.name) == ("square-reed", "robot-duel")
        host.games = lambda: {"robot-duel": (host.layout,)}
        with pytest.raises(LessonError, match="not made for Shogi"):
            host.lesson_mode.learn("shogi-01")
        assert host.status().lesson is None

    sit(story)


def test_simulated_hands_leave_a_lesson_to_people(sit: Any) -> None:
    async def story(board: Any) -> None:
        playing = asyncio.create_task(demo.play(board.host, 7))
        await asyncio.sleep(10)
        board.host.lesson_mode.learn("robot-duel-01")
        await asyncio.sleep(30)
        assert board.moves == []
        assert stage(board) == "task"
        board.host.lesson_mode.learn("")
        played = len(board.moves)
        await asyncio.sleep(60)
        assert len(board.moves) > played
        playing.cancel()

    sit(story)


def test_the_machine_keeps_still_in_a_lesson(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = board.host
        host.seating.set_kind(0, PlayerKind(level="first-steps"))
        assert host.status().opponents is not None
        host.lesson_mode.learn("robot-duel-01")
        await asyncio.sleep(10)
        status = host.status()
        assert status.opponents is None
        assert host.controller.advice == NOTHING
        assert (board.moves, stage(board)) == ([], "task")
        host.lesson_mode.learn("")
        await asyncio.sleep(2)
        assert host.status().opponents.player_kinds[0] == "level:first-steps"
        assert host.controller.advice.requested_move is not None

    sit(story)


def test_a_new_game_ends_the_lessons(sit: Any) -> None:
    async def story(board: Any) -> None:
        board.host.lesson_mode.learn("robot-duel-01")
        board.host.new_game("abalone", {}, "hex-reed")
        assert board.host.status().lesson is None
        board.host.lesson_mode.learn("")
        assert board.host.game.name == "abalone"

    sit(story)


@pytest.mark.parametrize("text", ["[", '{"shogi-01": 1}', "[1]", "\xff\xfe"])
def test_a_damaged_list_of_what_was_done_is_put_aside_and_said(
    sit: Any, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "lessons.json"
    file.write_bytes(text.encode("latin-1"))

    async def story(board: Any) -> None:
        told = all_lessons(board.host.lesson_mode, board.host.games(), "en")["problems"]
        assert len(told) == 1
        assert "kept as lessons-damaged.json" in told[0]
        board.host.lesson_mode.learn("robot-duel-01")
        await board.hands("1.0 C4- C3+ 2.0")
        assert "kept as lessons-damaged.json" in board.says

    sit(story)
    assert (tmp_path / "lessons-damaged.json").read_bytes() == text.encode("latin-1")
    assert LessonProgress(file).trouble is None
    assert "robot-duel-01" in LessonProgress(file).of("")
