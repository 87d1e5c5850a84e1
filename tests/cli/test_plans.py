"""`lampion layouts L --plans FOLDER` writes all that builds a board."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware_host.__main__ import main

SMALL = Path(__file__).parents[2] / "examples" / "robot-duel-board.toml"
FILES = {
    "order.txt",
    "wiring.txt",
    "board.svg",
    "circuit.svg",
    "circuit.net",
    "template-surface.svg",
    "template-plate.svg",
    "template-floor.svg",
    "template-surface.dxf",
    "template-plate.dxf",
    "template-floor.dxf",
    "templates-a4.html",
    "bases-abalone.scad",
    "stickers-abalone.html",
    "bases-robotory.scad",
    "trays-robotory.scad",
    "stickers-robotory.html",
}


def test_every_file_is_written_and_named(tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "a" / "plans"
    assert main(["layouts", "hex-reed", "--plans", str(folder)]) == 0
    assert {path.name for path in folder.iterdir()} == FILES
    assert all(path.stat().st_size > 100 for path in folder.iterdir())
    printed = capsys.readouterr().out.splitlines()
    assert {Path(line).name for line in printed} == FILES
    order = (folder / "order.txt").read_text("utf-8")
    assert "Littelfuse MDSR-10-20-25" in order
    assert "Cut the strip" in order
    assert "81 x reed switch" in order


def test_without_the_library_for_dxf_the_rest_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setitem(sys.modules, "ezdxf.enums", None)
    assert main(["layouts", "hex-reed", "--plans", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        name for name in FILES if not name.endswith(".dxf")
    }
    assert "pip install 'lampion[plans]'" in capsys.readouterr().out


def test_a_board_of_ones_own_has_plans_too(tmp_path: Path) -> None:
    from hardware import layout

    text = layout.SHIPPED.joinpath("square-reed.toml").read_text("utf-8")
    mine = tmp_path / "walnut.toml"
    mine.write_text(text.replace('name = "square-reed"', 'name = "walnut"'), "utf-8")
    assert main(["layouts", str(mine), "--plans", str(tmp_path / "plans")]) == 0
    assert "walnut" in (tmp_path / "plans" / "template-plate.svg").read_text("utf-8")


def test_a_floor_that_is_too_small_is_reported(tmp_path: Path, capsys: Any) -> None:
    text = SMALL.read_text("utf-8").replace("pitch = 33.33", "pitch = 16.66")
    halves = re.sub(
        r"\[(-?[\d.]+), (-?[\d.]+)\]",
        lambda at: f"[{float(at[1]) / 2:.1f}, {float(at[2]) / 2:.1f}]",
        text,
    )
    mine = tmp_path / "mine.toml"
    for wording, told in ((text.replace("16.66", "33.33"), False), (halves, True)):
        mine.write_text(wording, "utf-8")
        assert main(["layouts", str(mine), "--plans", str(tmp_path / "plans")]) == 0
        printed = capsys.readouterr().out
        assert ("has no room" in printed) == told
        assert not told or "Raspberry Pi" in printed


def test_plans_need_a_board_and_a_folder_that_can_be_written(tmp_path: Path, capsys: Any) -> None:
    assert main(["layouts", "--plans", str(tmp_path)]) == 1
    assert "--plans needs the name of a board" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert main(["layouts", "hex-reed", "--plans", str(tmp_path / "file")]) == 1
    assert "file" in capsys.readouterr().err
