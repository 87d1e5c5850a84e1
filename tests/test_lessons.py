"""Lessons: every one is what it says, and what a damaged file of them is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.game import IllegalMoveError
from engine.games import NAMES
from firmware_host.__main__ import main
from firmware_host.lessons.check import faults
from firmware_host.lessons.lesson import Lesson
from firmware_host.lessons.lesson_file import (
    FOLDER,
    LessonError,
    lesson_named,
    lessons_of,
    read_lessons,
)
from firmware_host.lights.lifted import lifted, targets

LESSONS = [lesson for name in NAMES for lesson in lessons_of(name)]


def name(lesson: Lesson) -> str:
    return lesson.name


def test_every_game_has_ten_lessons() -> None:
    for game in NAMES:
        assert [each.name for each in lessons_of(game)] == [
            f"{game}-{number:02}" for number in range(1, 11)
        ]


@pytest.mark.parametrize("lesson", LESSONS, ids=name)
def test_a_lesson_is_reached_in_its_moves_against_every_reply(lesson: Lesson) -> None:
    """And not in fewer, nor by every move, nor by a wrong one; and what glows is what is named."""
    assert list(faults(lesson)) == []


@pytest.mark.parametrize("lesson", LESSONS, ids=name)
def test_what_a_lesson_names_is_in_the_rules(lesson: Lesson) -> None:
    game, position = lesson.game, lesson.position
    assert game.parse_position(game.position_text(position)) == position
    assert lesson.wrong, "a lesson says why one move at least is wrong"
    for text, why in lesson.wrong:
        assert text not in lesson.right
        after = game.play(position, move := game.parse_move(position, text))
        assert not lesson.is_done_by(position, move, after)
        assert why
    for text, code in lesson.attempts:
        with pytest.raises(IllegalMoveError) as refused:
            game.parse_move(position, text)
        assert refused.value.reason is not None
        assert refused.value.reason.code == code


def test_forbidden_places_stay_dark_where_others_glow() -> None:
    lesson = lesson_named("shogi-06")
    blue, red = targets(lifted(lesson.game, lesson.position, lesson.lift))
    assert {"7c", "7h"} <= blue
    assert not red
    assert not {"9b", "5b", "1b"} & blue


ONE = FOLDER / "robot-duel.toml"
HEAD, FIRST, *_ = ONE.read_text(encoding="utf-8").split("[[lesson]]")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("gle/1c1/1C1/ELG b - 1", "gle/1c1/1C1/ELG", "lesson robot-duel-01: "),
        ('{ C3 = "G" }', "{ C3 = 7 }", "lesson robot-duel-01: goal: stands must be a table"),
        ("{ stands = ", "{ stand = ", "lesson robot-duel-01: goal: there is no 'stand'"),
        ("moves = 1", "moves = 3", "lesson robot-duel-01: moves must be 1 to 2"),
        ("moves = 1", "moves = 2", "lesson robot-duel-01: right: "),
        ('lift = "C4"', 'lift = "C3"', "lesson robot-duel-01: lift: nothing stands on 'C3'"),
        ('blue = ["C3"]', 'blue = ["C9"]', "lesson robot-duel-01: blue: there is no place 'C9'"),
        ('[["B4C3"', '[["B4C1"', "lesson robot-duel-01: wrong: "),
        ("red = []", 'attempts = [["B4C3", "try"]]', "lesson robot-duel-01: attempts: "),
        ("red = []", "lights = []", "lesson robot-duel-01: there is no 'lights'"),
        ('tell = "', 'tell = "{}', "lesson robot-duel-01: tell must be a text without braces"),
        ('id = "robot-duel-01"', "", "lesson 1: it has no id"),
        ('game = "robot-duel"', 'game = "chess"', "game must be one of robot-duel, "),
        ("moves = 1", "moves = ", "this is no TOML: "),
        ("moves = 1", f"moves = {'9' * 5000}", "this is no TOML: a number has too many digits"),
        ("red = []", f"red = {'[' * 3000}{']' * 3000}", "this is no TOML: lists or tables lie too"),
    ],
)
def test_a_damaged_file_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, told: str
) -> None:
    text = f"{HEAD}[[lesson]]{FIRST}"
    assert old in text
    file = tmp_path / "mine.toml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(LessonError) as refused:
        read_lessons(file)
    assert str(refused.value).startswith(f"{file}: {told}")
    assert "\n" not in str(refused.value)
    assert main(["lessons", str(file)]) == 1
    assert capsys.readouterr().err == f"lampion: {refused.value}\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('{ C3 = "G" }', '{ C1 = "G" }', "moves: its goal cannot be reached in 1"),
        ('{ C3 = "G" }', '{ A4 = "E" }', "goal: "),
        ('[["B4C3"', '[["C4C3"', "wrong: C4C3 reaches the goal"),
        ('blue = ["C3"]', 'blue = ["A1"]', "blue: what glows is C3"),
        ("red = []", 'dark = ["C3"]', "dark: C3 glows"),
    ],
)
def test_what_is_no_lesson_is_told_by_the_command_that_checks_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, told: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f"{HEAD}[[lesson]]{FIRST}", encoding="utf-8")
    assert main(["lessons", str(file)]) == 0
    assert "robot-duel-01" in capsys.readouterr().out
    file.write_text(f"{HEAD}[[lesson]]{FIRST.replace(old, new, 1)}", encoding="utf-8")
    assert main(["lessons", str(file)]) == 1
    assert f"{file}: lesson robot-duel-01: {told}" in capsys.readouterr().err


def test_lessons_are_listed_with_what_was_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lessons.json").write_text('["shogi-02"]', encoding="utf-8")
    assert main(["lessons", "shogi", "--state", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10
    assert [line.split()[0] for line in lines if " done " in line] == ["shogi-02"]
    assert main(["sim", "--lesson", "go-01", "--state", str(tmp_path)]) == 1
    assert "no lesson 'go-01'" in capsys.readouterr().err
