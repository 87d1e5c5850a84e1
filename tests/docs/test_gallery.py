"""The gallery of lights shows the same as the LEDs of a board."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engine.game import CHANCE
from engine.games import FINISHED, make

DOCS = Path(__file__).parents[2] / "docs"
LARGEST = 600_000


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


def test_the_pictures_are_those_that_the_scenes_give() -> None:
    for path, text in gallery().written(played()).items():
        assert path.read_text(encoding="utf-8") == text, "python docs/gallery.py draws it"
    made = {f"{game}-{column}.svg" for game, column in gallery().SCENES}
    files = list((DOCS / "gallery").iterdir())
    assert {path.name for path in files} == made
    assert sum(path.stat().st_size for path in files) < LARGEST


def test_every_game_has_every_sight_or_says_that_it_has_none() -> None:
    scenes, none = gallery().SCENES, gallery().NONE
    for sight in product(FINISHED, gallery().COLUMNS):
        assert sight in scenes or sight in none or sight[1] in none
    with_dice = {name for name in FINISHED if make(name).turn(make(name).start()) == CHANCE}
    assert {name for name, column in scenes if column == "dice"} == with_dice


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
    assert told[2][1] == told[1][0]
