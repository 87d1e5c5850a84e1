"""The command `lampion hint`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.games import NAMES, make


@pytest.mark.parametrize("name", NAMES)
def test_hint_judges_every_legal_move(run: Any, name: str) -> None:
    game = make(name)
    position = game.start()
    if name == "chaturaji":
        position = game.play(position, game.parse_move(position, "3"))
    text = game.position_text(position)
    told = [
        json.loads(line)
        for line in run("hint", name, "--position", text, "--time", "0.1", "--json")
    ]
    assert sorted(each["move"] for each in told) == run("legal", name, "--position", text)
    for each in told:
        assert set(each) - {"plies"} == {"move", "chance", "grade", "depth", "line", "why"}
        assert 0 <= each["chance"] <= 1
        assert each["line"][0] == each["move"]
    assert [each["chance"] for each in told] == sorted((e["chance"] for e in told), reverse=True)
    assert told[0]["grade"] == "best"


def test_hint_is_a_table_for_people(run: Any) -> None:
    head, first, *_ = run(
        "hint", "shogi", "--position", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "--time", "0.2"
    )
    assert head.split() == ["move", "chance", "grade", "depth", "line"]
    assert first.split()[:3] == ["G*5b", "100.0%", "best"]


def test_the_help_level_says_what_hint_calls_doubtful(run: Any) -> None:
    """Ten points of the hundred at level 3, one at level 0."""
    position = "4k4/9/9/9/9/9/4P4/9/4K4 b - 1"
    for level, most in (("0", 0.01), ("3", 0.1)):
        words = ("hint", "shogi", "--position", position, "--time", "0.1", "--json")
        told = [json.loads(line) for line in run(*words, "--help-level", level)]
        for each in told:
            if each["grade"] in ("fine", "doubtful"):
                fine = told[0]["chance"] - each["chance"] <= most + 0.0001
                assert (each["grade"] == "fine") is fine


def test_hint_takes_options(run: Any) -> None:
    words = ("robot-duel", "--position", "gle/C2/3/EGL b C 1", "--set", "promotion=mandatory")
    told = [json.loads(line)["move"] for line in run("hint", *words, "--time", "0.1", "--json")]
    assert "A2A1+" in told
    assert sorted(told) == run("legal", *words)


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("chaturaji",), 1, "the dice are to be thrown first: give a position after the throw"),
        (("robot-duel", "--position", "gLe/1c1/1C1/E1G w - 1"), 1, "the game is over"),
        (("shogi", "--position", "nonsense"), 1, "position 'nonsense'"),
        (("shogi", "--set", "pace=slow"), 1, "has no option 'pace'"),
        (("shogi", "--time", "0"), 2, "'0' is no number above 0"),
        (("shogi", "--time", "nan"), 2, "'nan' is no number above 0"),
        (("go",), 2, "invalid choice: 'go'"),
    ],
    ids=str,
)
def test_hint_says_what_is_wrong(refused: Any, words: Any, code: int, why: str) -> None:
    assert why in refused(code, "hint", *words)
