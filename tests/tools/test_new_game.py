"""A new game from the template plays at once."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hardware import layout
from tools.new_game.__main__ import ROOT, NewGameError, start


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for folder in ("engine", "hardware/layouts"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "tests/engine/games").mkdir(parents=True)
    return tmp_path


def test_its_rules_pass_their_own_test_and_boards_serve_it(checkout: Path) -> None:
    start(checkout, "six-pawns", "Six Pawns")
    test = str(checkout / "tests/engine/games/test_six_pawns.py")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test],
        cwd=checkout,
        env={"PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout
    for name in ("square-reed", "square-hall"):
        made = layout.load(checkout / "hardware/layouts" / f"{name}.toml")
        assert made.game("six-pawns").places["a1"] == "D4"


def test_a_second_game_is_started_beside_the_first(checkout: Path) -> None:
    start(checkout, "one", "One")
    start(checkout, "two", "Two")
    known = "from engine import games; print(games.NAMES[-2:], sorted(games.UNFINISHED))"
    said = subprocess.check_output(
        [sys.executable, "-c", known], cwd=checkout, env={"PYTHONPATH": str(checkout)}, text=True
    )
    assert said == "('one', 'two') ['one', 'two']\n"


@pytest.mark.parametrize(
    ("name", "why"), [("Six", "lower-case"), ("../six", "lower-case"), ("shogi", "already")]
)
def test_a_name_that_cannot_be_is_refused(checkout: Path, name: str, why: str) -> None:
    with pytest.raises(NewGameError, match=why):
        start(checkout, name, name)
