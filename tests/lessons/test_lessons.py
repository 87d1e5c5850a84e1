"""Lessons: every one is what it says, and what a damaged file of them is told."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count, groupby
from pathlib import Path

import pytest

from engine.game import IllegalMoveError
from engine.games import FINISHED, make
from engine.search import search
from engine.search.grades import NEAR
from firmware_host.__main__ import main
from firmware_host.console.terminal import one_line
from firmware_host.games import game_file
from firmware_host.i18n.messages import render
from firmware_host.lessons.courses import lesson_named
from firmware_host.lessons.defence import best_defence, refutation, ways_left
from firmware_host.lessons.lesson import Lesson
from firmware_host.lessons.loader import LessonError, lessons_of, read_lessons
from firmware_host.lessons.reasons import reason_against
from firmware_host.lessons.validate import LOOKS, faults
from firmware_host.lessons.wording import points_elsewhere
from firmware_host.lights.preview import lifted, targets

LESSONS = [lesson for name in FINISHED for lesson in lessons_of(name)]


def name(lesson: Lesson) -> str:
    return lesson.name


@pytest.mark.parametrize("game", FINISHED)
def test_every_game_has_chapters_of_two_to_five_lessons(game: str) -> None:
    lessons = lessons_of(game)
    assert len(lessons) in (range(20, 25) if game == "shogi" else range(12, 16))
    chapters = [
        (title, len(list(parts)))
        for title, parts in groupby(lessons, key=lambda each: each.chapter)
    ]
    titles = [title for title, _ in chapters]
    assert all(titles)
    assert len(set(titles)) == len(titles)
    assert all(2 <= count <= 5 for _, count in chapters)


@pytest.mark.parametrize("game", FINISHED)
def test_lessons_keep_the_names_under_which_people_solved_them(game: str) -> None:
    names = {each.name for each in lessons_of(game)}
    assert names >= {f"{game}-{number:02}" for number in range(1, 11)}


def order(game: str, *names: str) -> list[int]:
    at = {lesson.name: place for place, lesson in enumerate(lessons_of(game))}
    return [at[f"{game}-{name}"] for name in names]


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("chaturaji", ["05", "11", "02", "09"]),  # the die before what needs it
        ("shogi", ["11", "02", "03", "18", "19", "05", "10"]),  # check before mate
        ("robot-duel", ["01", "02", "03", "04", "10", "08"]),  # the hen before it changes back
        ("robotory", ["01", "02", "03", "08", "10"]),
        ("abalone", ["01", "04", "08", "10", "13"]),
    ],
)
def test_first_things_come_first(game: str, names: list[str]) -> None:
    assert order(game, *names) == sorted(order(game, *names))


TWO_MOVES = [
    pytest.param(lesson, text, id=f"{lesson.name}-{text}")
    for lesson in LESSONS
    for text in lesson.right
    if lesson.moves > 1
]


@pytest.mark.parametrize(("lesson", "text"), TWO_MOVES)
def test_the_reply_in_a_lesson_of_two_moves_is_the_best_defence(lesson: Lesson, text: str) -> None:
    """By a longer search than the one at the board; where every reply loses, no other one leaves
    fewer moves to the goal. After it, and after any other reply, the goal is reached.
    """
    game = lesson.game
    after = game.play(lesson.position, game.parse_move(lesson.position, text))
    reply = best_defence(lesson, after)
    looks = count()
    stop = lambda: next(looks) >= LOOKS  # noqa: E731
    found = search(game, after, stop=stop, every=(reply,), near=NEAR).moves
    judged = next(each for each in found if each.move == reply)
    assert found[0].chance - judged.chance <= 0.1
    ways = {move: ways_left(lesson, after, move) for move in game.legal(after)}
    assert min(ways.values()) > 0
    if found[0].chance == 0:
        assert ways[reply] == min(ways.values())


def test_of_replies_that_all_lose_the_board_makes_one_that_leaves_few_ways() -> None:
    lesson = lesson_named("shogi-10")
    game = lesson.game
    after = game.play(lesson.position, game.parse_move(lesson.position, "1c2c+"))
    ways = {game.move_text(after, m): ways_left(lesson, after, m) for m in game.legal(after)}
    assert ways == {"2a1a": 2, "2a3a": 1}
    assert game.move_text(after, best_defence(lesson, after)) == "2a3a"


@pytest.mark.parametrize(
    ("name", "played", "reply"),
    [
        ("shogi-10", "1c2c", "2a3a"),  # another reply lets the learner go on
        ("robotory-13", "P b c3", "M R d3-c3"),
        ("shogi-01", "5e4e", None),  # it is too far, whatever the reply
        ("shogi-05", "G*4b", None),  # a lesson of one move
    ],
)
def test_a_wrong_first_move_is_answered_by_the_reply_that_stops_it(
    name: str, played: str, reply: str | None
) -> None:
    lesson = lesson_named(name)
    game = lesson.game
    after = game.play(lesson.position, game.parse_move(lesson.position, played))
    stops = refutation(lesson, after)
    assert (stops and game.move_text(after, stops)) == reply
    if stops is not None:
        assert ways_left(lesson, after, stops) == 0


@pytest.mark.parametrize("lesson", LESSONS, ids=name)
def test_a_lesson_is_reached_in_its_moves_against_every_reply(lesson: Lesson) -> None:
    """By its right moves alone, which are sound, and not in fewer; its words name no others, and
    what glows is what is named.
    """
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


ONE = game_file("robot-duel", "lessons.toml")
HEAD, FIRST, *_ = ONE.read_text(encoding="utf-8").split("[[lesson]]")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("gle/1c1/1C1/ELG b - 1", "gle/1c1/1C1/ELG", "lesson robot-duel-01: "),
        ('{ C3 = "G" }', "{ C3 = 7 }", "lesson robot-duel-01: goal: stands must be a table"),
        ("{ stands = ", "{ stand = ", "lesson robot-duel-01: goal: there is no 'stand'"),
        ("moves = 1", "moves = 3", "lesson robot-duel-01: moves must be 1 to 2"),
        ('right = ["C4C3"]', "", "lesson robot-duel-01: it has no right: name the moves that "),
        ('right = ["C4C3"]', "right = []", "lesson robot-duel-01: right is empty"),
        ('right = ["C4C3"]', 'right = ["C4"]', "lesson robot-duel-01: right: "),
        ('right = ["C4C3"]', 'right = "C4C3"', "lesson robot-duel-01: right must be a list"),
        ('lift = "C4"', 'lift = "C3"', "lesson robot-duel-01: lift: nothing stands on 'C3'"),
        ('blue = ["C3"]', 'blue = ["C9"]', "lesson robot-duel-01: blue: there is no place 'C9'"),
        ('[["B4C3"', '[["B4C1"', "lesson robot-duel-01: wrong: "),
        ("red = []", 'attempts = [["B4C3", "try"]]', "lesson robot-duel-01: attempts: "),
        ("red = []", "lights = []", "lesson robot-duel-01: there is no 'lights'"),
        (
            'chapter = "The pieces"',
            "chapter = 1",
            "lesson robot-duel-01: chapter must be a text without braces",
        ),
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
    if ": lesson " in told:
        line = HEAD.count("\n") + 1
        assert str(refused.value).endswith(f"(it begins in line {line})")
    assert main(["lessons", str(file)]) == 1
    assert capsys.readouterr().err == f"lampion: {one_line(str(refused.value))}\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('{ C3 = "G" }', '{ C1 = "G" }', "moves: its goal cannot be reached in 1"),
        ('{ C3 = "G" }', '{ A4 = "E" }', "goal: "),
        ("moves = 1", "moves = 2", "moves: its goal can be reached in 1"),
        ('right = ["C4C3"]', 'right = ["B4C3"]', "right: what reaches the goal is C4C3"),
        ('right = ["C4C3"]', 'right = ["C4C3", "B4C3"]', "right: what reaches the goal is C4C3"),
        ("Put it there.", "Put it on A3.", "tell: it names A3, and no right move has to do with"),
        ("Put it there.", "Put it on C4.", "tell: something is to go to C4, and no right move"),
        ("Put it there.", "Play B4C3.", "tell: it names B4C3, which is not right"),
        ("Lift the green giraffe", "Lift the red lion", "tell: the lion is to move"),
        ("Put it there.", "Take the chick.", "tell: the chick is to be taken"),
        ("Put it there.", "Take the piece there.", "tell: something is to be taken"),
        ('lift = "C4"', 'lift = "B3"', "lift: no right move has to do with B3"),
        ('[["B4C3"', '[["C4C3"', "wrong: C4C3 reaches the goal"),
        ('blue = ["C3"]', 'blue = ["A1"]', "blue: what glows is C3"),
        ("red = []", 'dark = ["C3"]', "dark: C3 glows"),
    ],
)
def test_what_is_no_lesson_is_told_by_the_command_that_checks_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, told: str
) -> None:
    file = tmp_path / "mine.toml"
    assert old in FIRST
    file.write_text(f"{HEAD}[[lesson]]{FIRST.replace(old, new, 1)}", encoding="utf-8")
    assert main(["lessons", str(file)]) == 1
    assert f"{file}: lesson robot-duel-01: {told}" in capsys.readouterr().err


SAVED = """
id = "mine"
title = "Your lion is attacked"
tell = "Save your lion: let it take the robot that attacks it."
position = "1le/gc1/LC1/E1G b - 1"
moves = 1
"""
GUARDED = """
id = "mine"
title = "Burn the bridge"
tell = "The other player could carry off the red robot. Eat the token that it would eat."
position = "....B........W...Rw...../2w2b:2w2b 8w8b l"
moves = 1
goal = { unreached = true }
"""


@pytest.mark.parametrize(
    ("game", "text", "rest", "told"),
    [
        # what the words ask for loses the lion …
        (
            "robot-duel",
            SAVED,
            'goal = { holds = { "hand.A.G" = 1 } }\nright = ["A3A2"]',
            "loses by",
        ),
        # … and of what keeps it the words say nothing
        ("robot-duel", SAVED, 'goal = { safe = ["L"] }\nright = ["A3A2"]', "the goal is A3B4"),
        (
            "robot-duel",
            SAVED,
            'goal = { safe = ["L"] }\nright = ["A3B4"]',
            "something is to be taken",
        ),
        ("robotory", GUARDED, 'right = ["M W c5-d4"]', "reaches the goal is M R d3-d4, M W c5-d4"),
        ("robotory", GUARDED, 'right = ["M W c5-d4", "M R d3-d4"]', "right: M R d3-d4 wins"),
    ],
)
def test_a_lesson_whose_right_move_is_bad_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, text: str, rest: str, told: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'game = "{game}"\n[[lesson]]{text}{rest}\n', encoding="utf-8")
    assert main(["lessons", str(file)]) == 1
    said = capsys.readouterr().err
    assert f"{file}: lesson mine: " in said
    assert told in said


def test_what_a_lesson_does_not_ask_for_may_be_told() -> None:
    """Which pieces could take what, and where pieces stand that no move has to do with."""
    game = make("shogi")
    lesson = replace(
        lesson_named("shogi-09"),
        task="The rook on 5e gives check, and can take the king. Drop the gold on 5h.",
    )
    position = lesson.position
    lines = [(position, game.parse_move(position, text)) for text in lesson.right]
    assert list(points_elsewhere(lesson, lines)) == []
    elsewhere = replace(lesson, task="Drop the gold on 5g.")
    assert list(points_elsewhere(elsewhere, lines)) == [
        "tell: it names 5g, and no right move has to do with that"
    ]


@pytest.mark.parametrize(
    ("name", "played", "said"),
    [
        ("robot-duel-09", "A3B4", "You can take the giraffe on A2 instead."),
        ("robot-duel-09", "B3B2", "Then the giraffe on A2 takes your lion on A3 and wins."),
        ("shogi-05", "G*9i", "You can give checkmate instead, and win."),
        ("shogi-06", "P*8d", "You can attack the silver on 7b instead."),
        ("shogi-01", "5e4e", "The piece is right, the move is not."),
        ("chaturaji-01", "e5c3", "You can take the horse on c7 instead."),
        ("robotory-02", "P w a1", "You can bring the white robot home instead."),
        ("abalone-04", "a1b2", "A different piece has to move."),
        ("abalone-11", "e3d2", "A different piece has to move."),  # not that it goes outwards
    ],
)
def test_a_wrong_move_is_answered_by_what_the_engine_says(
    name: str, played: str, said: str
) -> None:
    lesson = lesson_named(name)
    game, position = lesson.game, lesson.position
    right = [game.parse_move(position, text) for text in lesson.right]
    move = game.parse_move(position, played)
    assert render(reason_against(game, position, move, right)) == said


@pytest.mark.deep
@pytest.mark.parametrize("lesson", LESSONS, ids=name)
def test_every_wrong_move_has_a_reason_and_every_right_one_is_sound(lesson: Lesson) -> None:
    assert list(faults(lesson, looks=2000)) == []
    game, position = lesson.game, lesson.position
    right = [game.parse_move(position, text) for text in lesson.right]
    for move in game.legal(position):
        if move not in right:
            assert "{" not in render(reason_against(game, position, move, right))


def test_a_file_of_right_lessons_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f"{HEAD}[[lesson]]{FIRST}", encoding="utf-8")
    assert main(["lessons", str(file)]) == 0
    assert "robot-duel-01" in capsys.readouterr().out


def test_lessons_are_listed_with_what_was_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lessons.json").write_text('["shogi-02"]', encoding="utf-8")
    assert main(["lessons", "shogi", "--state", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Shogi: One step at a time"
    assert [line.split()[0] for line in lines if line.startswith("shogi-")] == [
        lesson.name for lesson in lessons_of("shogi")
    ]
    assert [line.split()[0] for line in lines if " done " in line] == ["shogi-02"]
    solved = '{"Ania": {"shogi-02": "hint", "shogi-03": "alone"}}'
    (tmp_path / "lessons.json").write_text(solved, encoding="utf-8")
    assert main(["lessons", "shogi", "--learner", "Ania", "--state", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if " done " in line] == ["shogi-03"]
    assert [line.split()[0] for line in lines if " hint " in line] == ["shogi-02"]
    assert main(["sim", "--lesson", "go-01", "--state", str(tmp_path)]) == 1
    assert "no lesson 'go-01'" in capsys.readouterr().err


def test_a_chapter_goes_on_until_another_one_begins(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    chapters = iter(["", "chapter = 'Taking'\n", "", "chapter = 'Home'\n"])
    lessons = (
        FIRST.replace("robot-duel-01", f"mine-{n}").replace("title", f"{next(chapters)}title", 1)
        for n in range(4)
    )
    blank = (re.sub(r'chapter = "[^"]*"\n', "", each) for each in lessons)
    file.write_text("[[lesson]]".join([HEAD, *blank]), encoding="utf-8")
    assert [each.chapter for each in read_lessons(file)] == ["", "Taking", "Taking", "Home"]
