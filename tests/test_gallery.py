"""The gallery of lights: what it shows is what the LEDs of a board show."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engine.games import NAMES

DOCS = Path(__file__).parent.parent / "docs"
LARGEST = 600_000

LIT: dict[tuple[str, str], dict[str, str]] = {
    ("robot-duel", "moves"): {"red": "B2", "white": "B3 seat:0"},
    ("robot-duel", "threats"): {"yellow": "B1 C1 A2 B2", "white": "seat:0"},
    ("robot-duel", "check"): {"yellow": "B1", "white": "seat:1"},
    ("robot-duel", "win"): {"blue": "B1 B2 B3 C3", "blue/yellow": "C1", "white": "C2 seat:0"},
    ("robot-duel", "refusal"): {"red": "C2", "white": "C4 seat:0"},
    ("robot-duel", "worth"): {"red": "C1 B2", "white": "C2 seat:0", "blue": "C3"},
    ("shogi", "worth"): {
        "red": "5d",
        "blue": "7e 6e 4e 3e 5f 5g 5h 5i",
        "blue/teal": "9e 8e 2e 1e",
        "white": "5e seat:0",
    },
    ("chaturaji", "worth"): {"blue/teal": "a3 c3", "white": "b1 seat:0"},
    ("robotory", "worth"): {"white": "b3 seat:0", "red/teal": "b4"},
    ("abalone", "worth"): {"blue/teal": "d4", "blue": "c1", "white": "c3 b1 b2 a1 seat:0"},
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
"""By picture: which places show which word, or two of them in turns."""


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
        assert path.read_text(encoding="utf-8") == text, "python docs/gallery.py draws it anew"
    made = {f"{game}-{column}.svg" for game, column in LIT}
    files = list((DOCS / "gallery").iterdir())
    assert {path.name for path in files} == made
    assert sum(path.stat().st_size for path in files) < LARGEST


def test_every_game_has_every_sight_or_says_that_it_has_none() -> None:
    assert gallery().SCENES.keys() == LIT.keys()
    for name in NAMES:
        for column in gallery().COLUMNS:
            none = gallery().NONE
            filled = (name, column) in LIT
            assert filled or (name, column) in none or column in none
    assert {name for name, column in LIT if column == "dice"} == {"chaturaji"}


@pytest.mark.parametrize("game", NAMES)
def test_a_refusal_says_why_and_how_to_put_it_right(game: str) -> None:
    shown = played()[game, "refusal"]
    assert shown.session.putting_right.refusal is not None
    assert shown.session.putting_right.guiding


def test_what_moves_in_a_picture_moves_on_the_board() -> None:
    shown = played()["shogi", "win"]
    assert shown.moves("5b")
    assert [max(levels) > 0 for levels in shown.levels("5b")] == [True, True]
    assert not shown.moves("6c")
    assert 'class="t"' in gallery().svg(shown)
