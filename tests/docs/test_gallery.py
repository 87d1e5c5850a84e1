"""The gallery of lights shows the same as the LEDs of a board."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engine.games import FINISHED

DOCS = Path(__file__).parents[2] / "docs"
LARGEST = 600_000

LIT: dict[tuple[str, str], dict[str, str]] = {
    ("robot-duel", "moves"): {"red": "B2", "white": "B3 seat:0"},
    ("robot-duel", "threats"): {"yellow": "B1 C1 A2 B2", "white": "seat:0"},
    ("robot-duel", "check"): {"yellow": "B1", "white": "seat:1"},
    ("robot-duel", "win"): {"blue": "B1 B2 B3 C3", "blue/yellow": "C1", "white": "C2 seat:0"},
    ("robot-duel", "refusal"): {"red": "C2", "white": "C4 seat:0"},
    ("robot-duel", "worth"): {"blue": "A2 B2 C2 C3 B4", "blue/teal": "A3", "white": "B3 seat:0"},
    ("shogi", "worth"): {"blue": "6d 4d 6f 4f", "blue/teal": "5d", "white": "5e seat:0"},
    ("chaturaji", "worth"): {
        "blue": "c6 e6 b3 f3 e2",
        "red": "b5",
        "blue/teal": "f5",
        "white": "d4 seat:0",
    },
    ("robotory", "worth"): {
        "red": "a2 b2 b4",
        "red/teal": "c3",
        "white": "b3 seat:0",
        "yellow": "d3",
    },
    ("abalone", "worth"): {"blue": "f5 f6 e4 e6 d5", "blue/teal": "d4", "white": "e5 seat:0"},
    ("robot-duel", "hint-piece"): {"teal": "C2", "white": "seat:0"},
    ("robot-duel", "hint-to"): {"teal": "C1 C2", "white": "seat:0"},
    ("robot-duel", "hint-why"): {"teal": "C1 C2", "white": "seat:0"},
    ("shogi", "hint-piece"): {"teal": "5e", "white": "seat:0"},
    ("shogi", "hint-to"): {"teal": "5e 1e", "white": "seat:0"},
    ("shogi", "hint-why"): {"teal": "5e 1e", "white": "seat:0"},
    ("chaturaji", "hint-piece"): {"teal": "c3", "white": "seat:0"},
    ("chaturaji", "hint-to"): {"teal": "a5 c3", "white": "seat:0"},
    ("chaturaji", "hint-why"): {"teal": "a5 c3", "white": "seat:0"},
    ("robotory", "hint-piece"): {"teal": "b3", "white": "seat:0"},
    ("robotory", "hint-to"): {"teal": "b3 c3", "white": "seat:0"},
    ("robotory", "hint-why"): {"teal": "b3 c3", "white": "seat:0"},
    ("abalone", "hint-piece"): {"teal": "f4", "white": "seat:1"},
    ("abalone", "hint-to"): {"teal": "f4 c1", "white": "seat:1"},
    ("abalone", "hint-why"): {"teal": "f4 c1", "white": "seat:1"},
    ("shogi", "moves"): {"blue": "7h 6h 5h 4h 3h 1h", "white": "2h seat:0"},
    ("shogi", "threats"): {"yellow": "5d 5h", "white": "seat:0"},
    ("shogi", "check"): {"yellow": "5h", "white": "seat:0"},
    ("shogi", "win"): {"blue": "7b 6b 7c 6d", "blue/yellow": "5b", "white": "6c seat:0"},
    ("shogi", "refusal"): {"red": "7e", "white": "7g seat:0"},
    ("chaturaji", "moves"): {"blue": "a3 c3", "white": "b1 seat:0"},
    ("chaturaji", "threats"): {"yellow": "b8 f8 seat:1"},
    ("chaturaji", "dice"): {"yellow": "b7 f7 d5 b3 f3", "white": "seat:0"},
    ("chaturaji", "check"): {"yellow": "a5 seat:1"},
    ("chaturaji", "win"): {"blue/yellow": "f3 f1", "white": "h2", "yellow": "seat:3"},
    ("chaturaji", "refusal"): {"red": "d3", "white": "d2 seat:0"},
    ("robotory", "moves"): {"white": "b3 seat:0", "red": "b4"},
    ("robotory", "threats"): {"yellow": "b3", "white": "seat:1"},
    ("robotory", "refusal"): {"white": "b3 seat:0", "red": "b4"},
    ("abalone", "moves"): {"blue": "d4 c1", "white": "c3 b1 b2 a1 seat:0"},
    ("abalone", "threats"): {"yellow": "f4 e3 d2 c1", "white": "seat:0"},
    ("abalone", "win"): {"blue": "e4 d3 d5 c2 c4 b2 b3", "red": "e5", "white": "d4 c3 seat:0"},
    ("abalone", "refusal"): {"red": "e4", "white": "a1 seat:0"},
    ("robot-duel", "last"): {"white": "C3 C4 seat:1"},
    ("shogi", "last"): {"white": "7f 7g seat:1"},
    ("chaturaji", "last"): {"white": "c3 b1", "yellow": "seat:1"},
    ("robotory", "last"): {"white": "b3 b4 seat:1"},
    ("abalone", "last"): {"white": "d4 a1 seat:1"},
    ("robot-duel", "question"): {"yellow": "A1 B1", "white": "C1 C2 seat:1"},
    ("robot-duel", "astray"): {"white": "A4 C1 seat:0"},
    ("shogi", "astray"): {"white": "3a 1i seat:0"},
    ("chaturaji", "astray"): {"white": "h8 b1 seat:0"},
    ("robotory", "astray"): {"white": "b3 c4 seat:0"},
    ("abalone", "astray"): {"white": "a1 i9 seat:0"},
}
"""By picture: the places of each signal, or of two signals in turns."""


@cache
def gallery() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_gallery", DOCS / "gallery.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@cache
def played() -> Any:
    return gallery().play()


@pytest.mark.parametrize("picture", list(LIT), ids="-".join)
def test_the_leds_show_what_the_picture_is_of(picture: tuple[str, str]) -> None:
    found: dict[str, set[str]] = {}
    for place, words in played()[picture].lit().items():
        found.setdefault(words, set()).add(place)
    assert found == {words: set(places.split()) for words, places in LIT[picture].items()}


def test_the_pictures_are_those_that_the_scenes_give() -> None:
    for path, text in gallery().written(played()).items():
        assert path.read_text(encoding="utf-8") == text, "python docs/gallery.py draws it"
    made = {f"{game}-{column}.svg" for game, column in LIT}
    files = list((DOCS / "gallery").iterdir())
    assert {path.name for path in files} == made
    assert sum(path.stat().st_size for path in files) < LARGEST


def test_every_game_has_every_sight_or_says_that_it_has_none() -> None:
    assert gallery().SCENES.keys() == LIT.keys()
    for name in FINISHED:
        for column in gallery().COLUMNS:
            none = gallery().NONE
            filled = (name, column) in LIT
            assert filled or (name, column) in none or column in none
    assert {name for name, column in LIT if column == "dice"} == {"chaturaji"}


@pytest.mark.parametrize("game", FINISHED)
def test_a_refusal_says_why_and_how_to_put_it_right(game: str) -> None:
    shown = played()[game, "refusal"]
    assert shown.session.view.repair.refusal is not None
    assert shown.session.view.repair.guiding


def test_what_moves_in_a_picture_moves_on_the_board() -> None:
    shown = played()["shogi", "win"]
    assert shown.moves("5b")
    assert [max(levels) > 0 for levels in shown.levels("5b")] == [True, True]
    assert not shown.moves("6c")
    assert 'class="t"' in gallery().svg(shown)


@pytest.mark.parametrize("game", FINISHED)
def test_every_grade_is_seen_by_its_brightness_or_its_colour(game: str) -> None:
    shown = played()[game, "worth"]
    by_grade: dict[str, set[float]] = {}
    for place, light in shown.lights.items():
        if light.grade:
            brightest = max(max(levels) for levels in shown.levels(place))
            by_grade.setdefault(light.grade, set()).add(brightest)
            assert (len(shown.levels(place)) == 2) == (light.grade == "best")
    assert by_grade.keys() == {"best", "fine", "doubtful", "losing"}
    order = [by_grade[grade] for grade in ("losing", "doubtful", "fine")]
    assert max(order[0]) < min(order[1]) <= max(order[1]) < min(order[2])


@pytest.mark.parametrize("game", FINISHED)
def test_each_press_of_the_hint_button_shows_more(game: str) -> None:
    told = [
        [gallery().spoken(each) for each in played()[game, f"hint-{step}"].advice.says]
        for step in ("piece", "to", "why")
    ]
    assert [len(each) for each in told] == [1, 1, 2]
    assert told[0][0].startswith("Hint: move the ")
    assert told[1][0] != told[0][0]
    assert told[2][0] == told[1][0]
