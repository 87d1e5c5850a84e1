"""Games and boards of other packages, as they are installed: found, or left out with a line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.games import SHIPPED
from hardware import layout

ROOT = Path(__file__).parents[2]
CHESS = ROOT / "examples" / "lampion-chess"
MINE = """
from engine.games.robot_duel import RobotDuel
class Mine(RobotDuel):
    name = "mine"
    title = "Mine"
"""


def installed(
    folder: Path, groups: Mapping[str, Mapping[str, str]], files: Mapping[str, str] | None = None
) -> None:
    """Put a package into a folder as pip would: its files, and what its metadata says."""
    info = folder / "lampion_mine-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lampion-mine\nVersion: 1.0\n")
    lines = []
    for group, entries in groups.items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    for name, text in (files or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def lampion(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Run the program with the packages of a folder; return its code, output and errors."""
    ran = subprocess.run(
        [sys.executable, "-m", "firmware_host", *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])},
    )
    return ran.returncode, ran.stdout, ran.stderr


def test_chess_is_a_game_on_two_boards_while_its_package_is_there(tmp_path: Path) -> None:
    pytest.importorskip("chess", reason="python-chess is not installed: pip install chess")
    boards = dict.fromkeys(("square-reed", "square-hall"), "lampion_chess")
    there = {"lampion.games": {"chess": "lampion_chess:Chess"}, "lampion.layouts": boards}
    installed(tmp_path / "with", there)
    shutil.copytree(CHESS / "lampion_chess", tmp_path / "with" / "lampion_chess")
    (tmp_path / "without").mkdir()
    code, said, wrong = lampion(tmp_path / "with", "games", "chess")
    assert (code, wrong) == (0, "")
    assert "Chess; seats white, black" in said
    served = lampion(tmp_path / "with", "layouts")[1].splitlines()
    assert [line.split()[0] for line in served if "chess" in line] == list(boards)
    assert len(lampion(tmp_path / "with", "legal", "chess")[1].splitlines()) == 20
    code, _, wrong = lampion(tmp_path / "without", "legal", "chess")
    assert code == 2
    assert "chess" in wrong


@pytest.mark.parametrize(
    ("entry", "text", "why"),
    [
        ("mine:Mine", "import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
        ("mine:Mine", "raise SystemError('two\\nlines')", "SystemError: two lines"),
        ("mine:Mine", "import sys; sys.exit('no licence')", "SystemExit: no licence"),
        ("mine:Mine", "", "AttributeError: module 'mine' has no attribute 'Mine'"),
        ("mine:Mine", "Mine = 3", "mine:Mine is no class of a game"),
        ("mine:Mine", MINE.replace('"mine"', '"other"'), "its class calls it 'other'"),
        ("mine:Mine", MINE + "    cells = lambda self: ()", "its pieces stand on places that"),
        ("mine:Mine", MINE + "    start = None", "TypeError"),
        ("mine:Mine", MINE + "    move_text = lambda *_: 'A1A2'", "A1A2"),
    ],
)
def test_a_game_that_cannot_be_used_is_left_out_with_a_line(
    tmp_path: Path, entry: str, text: str, why: str
) -> None:
    installed(tmp_path, {"lampion.games": {"mine": entry}}, {"mine.py": text})
    code, said, wrong = lampion(tmp_path, "games")
    assert code == 0
    assert [line.split()[0] for line in said.splitlines()] == list(SHIPPED)
    (line,) = wrong.splitlines()
    assert line.startswith("lampion: the game 'mine' of lampion-mine is left out: ")
    assert why in line


def test_a_game_of_ours_stays_ours(tmp_path: Path) -> None:
    shogi = MINE.replace('"mine"', '"shogi"')
    installed(tmp_path, {"lampion.games": {"shogi": "mine:Mine"}}, {"mine.py": shogi})
    code, said, wrong = lampion(tmp_path, "games", "shogi")
    assert (code, said.splitlines()[0]) == (0, "shogi        Shogi; seats sente, gote")
    assert "there is a game of this name already" in wrong


def test_a_board_of_another_package_is_offered_by_its_name(tmp_path: Path) -> None:
    text = layout.source("hex-reed")[0].replace('name = "hex-reed"', 'name = "mine"')
    there = {"lampion.layouts": {"mine": "board"}}
    installed(tmp_path, there, {"board/__init__.py": "", "board/mine.toml": text})
    code, said, wrong = lampion(tmp_path, "layouts")
    assert (code, wrong) == (0, "")
    assert [line.split()[0] for line in said.splitlines() if line[0] != " "] == [
        *layout.OWN,
        "mine",
    ]
    assert lampion(tmp_path, "layouts", "mine", "--bom")[0] == 0


@pytest.mark.parametrize(
    ("board", "text", "why"),
    [
        ("mine", None, "mine.toml: No such file or directory"),
        ("mine", "name = 3", "mine.toml: name: expected 'str', got 'int'"),
        ("mine", layout.source("hex-reed")[0], "its file calls it 'hex-reed'"),
        ("hex-reed", 'title = "Mine"', "hex-reed.toml: unknown key 'title'"),
        (
            "hex-reed",
            '[games.mine]\nseats = {}\nplaces = [{ a1 = "z9" }]',
            "hex-reed.toml: games.mine.places.a1: the board has no place 'z9'",
        ),
    ],
)
def test_a_board_that_cannot_be_used_is_left_out_with_a_line(
    tmp_path: Path, board: str, text: str | None, why: str
) -> None:
    files = {"board/__init__.py": ""} | ({} if text is None else {f"board/{board}.toml": text})
    installed(tmp_path, {"lampion.layouts": {board: "board"}}, files)
    code, said, wrong = lampion(tmp_path, "layouts")
    assert code == 0
    assert [line.split()[0] for line in said.splitlines() if line[0] != " "] == list(layout.OWN)
    (line,) = wrong.splitlines()
    assert line.startswith(f"lampion: the board {board!r} of lampion-mine is left out: ")
    assert why in line
