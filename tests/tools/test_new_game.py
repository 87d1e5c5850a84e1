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


@pytest.mark.parametrize("name", ["six-pawns", "king-of-the-hill-for-four-players"])
def test_its_files_pass_the_check_of_style(checkout: Path, name: str) -> None:
    files = [file for file in start(checkout, name, "New") if file.suffix == ".py"]
    for check in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *check, "--no-cache"]
        command += ["--config", str(ROOT / "pyproject.toml"), *map(str, files)]
        ran = subprocess.run(command, cwd=checkout, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_second_game_is_started_beside_the_first(checkout: Path) -> None:
    for name in ("one", "two", "a-name-so-long-that-the-line-breaks-in-two"):
        start(checkout, name, name)
    known = "from engine import games; print(*games.NAMES[-3:]); print(*games.UNFINISHED)"
    said = subprocess.check_output(
        [sys.executable, "-c", known], cwd=checkout, env={"PYTHONPATH": str(checkout)}, text=True
    )
    names, unfinished = map(str.split, said.splitlines())
    assert names == ["one", "two", "a-name-so-long-that-the-line-breaks-in-two"]
    assert set(names) <= set(unfinished)


@pytest.mark.parametrize(
    ("name", "why"), [("Six", "lower-case"), ("../six", "lower-case"), ("shogi", "already")]
)
def test_a_name_that_cannot_be_is_refused(checkout: Path, name: str, why: str) -> None:
    with pytest.raises(NewGameError, match=why):
        start(checkout, name, name)
