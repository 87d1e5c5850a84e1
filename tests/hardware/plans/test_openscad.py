"""Printed bases and trays fit the magnets, the pieces and the pockets."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.games import FINISHED, make
from firmware_host.cli.layouts import piece_counts
from hardware import layout
from hardware.plans.openscad import pieces_scad, pockets, trays_scad
from hardware.plans.sizes import sizes

COUNTS = piece_counts()


@pytest.mark.parametrize("game", FINISHED)
def test_every_piece_of_a_game_has_one_base(game: str) -> None:
    kinds = [kind for base in sizes().bases(game) for kind in base.kinds]
    assert len(kinds) == len(set(kinds))
    assert set(COUNTS[game]) <= set(kinds)
    text = pieces_scad(game, COUNTS[game])
    printed = [
        int(last) + 1 for last in re.findall(r" for \(i = \[0 : (\d+)\]\)\n.*\n +base", text)
    ]
    assert sum(printed) == COUNTS[game].total()


def test_pieces_that_turn_over_have_their_magnet_in_the_middle() -> None:
    of = sizes()
    (base,) = [base for base in of.bases("shogi") if base.double]
    assert of.thickness(base) == 2 * of.stack.floor + of.magnet.thickness
    promoted = {kind[1:] for kind in make("shogi").kinds if kind.startswith("+")}
    assert promoted <= set(base.kinds)


@pytest.mark.parametrize(
    ("name", "game", "place", "fits"),
    [
        ("square-hall", "shogi", "south.1", (2, 2)),
        ("square-hall", "robot-duel", "south.1", (2, 2)),
        ("square-reed", "shogi", "south.1", (1, 1)),
        ("hex-reed", "robotory", "south.1", (2, 2)),
        ("hex-reed", "abalone", "south.1", (1, 1)),  # its discs are larger than a pocket
    ],
)
def test_a_slot_has_walls_where_the_pieces_fit(
    name: str, game: str, place: str, fits: tuple[int, int]
) -> None:
    board = layout.load(name)
    assert pockets(board, game, board.places[place]) == fits


@pytest.mark.parametrize("game", ["shogi", "robot-duel"])
def test_captured_pieces_fit_into_the_pockets_of_their_slots(game: str) -> None:
    board = layout.load("square-hall")
    of = sizes()
    for theirs, ours in board.games[game].places.items():
        if ours in board.slots:
            columns, rows = pockets(board, game, board.places[ours])
            kind = theirs.rsplit(".", 1)[1]
            (base,) = [base for base in of.bases(game) if kind in base.kinds]
            wide, high = board.slot_size
            assert base.size[0] < wide / columns - of.stack.tray_wall, theirs
            assert base.size[1] < high / rows - of.stack.tray_wall, theirs


def test_no_piece_is_wider_than_its_cell_or_covers_its_light() -> None:
    """A light is 12 mm east and south of the middle of a square, 16 mm south of a hexagon's."""
    for base in sizes().piece:
        wide, long = base.size
        if base.game in ("abalone", "robotory"):
            assert long / 2 < 16
        elif base.shape == "tile":
            assert wide / 2 < 12 or long / 2 < 12
        else:
            assert base.diameter / 2 < 17


def _reach(text: str) -> list[tuple[float, float]]:
    """Return how wide and how long is what is printed in each square."""
    grids = re.findall(
        r"\[0 : (\d+)\]\)\n  translate\(\[([\d.]+) \+ \(i % (\d+)\) \* ([\d.]+), "
        r"([\d.]+) \+ floor\(i / \d+\) \* ([\d.]+), 0",
        text,
    )
    found = []
    for last, x, columns, wide, y, long in grids:
        rows = int(last) // int(columns)
        most = min(int(last), int(columns) - 1)
        found.append((2 * float(x) + most * float(wide), 2 * float(y) + rows * float(long)))
    return found


@pytest.mark.parametrize("game", FINISHED)
def test_all_that_is_printed_together_fits_into_200_mm(game: str) -> None:
    squares = _reach(pieces_scad(game, COUNTS[game]))
    assert squares
    assert all(wide <= 200 and long <= 200 for wide, long in squares), squares
    for name in layout.NAMES:
        board = layout.load(name)
        frames = re.findall(
            r"translate\(\[([\d.]+), ([\d.]+), 0\]\) frame\(([\d.]+), ([\d.]+)",
            trays_scad(board, game),
        )
        wall = sizes().stack.tray_wall
        for x, y, wide, high in frames:
            assert float(x) + (float(wide) + wall) / 2 <= 200
            assert float(y) + (float(high) + wall) / 2 <= 200
            assert float(x) >= (float(wide) + wall) / 2
        assert len({(x, y) for x, y, _, _ in frames}) == len(frames)


@pytest.mark.deep
@pytest.mark.skipif(shutil.which("openscad") is None, reason="openscad is not installed")
def test_all_walls_of_a_frame_are_two_lines_of_a_nozzle_thick(tmp_path: Path) -> None:
    """A wall of 0.4 mm is left out by some slicers."""
    file, made = tmp_path / "trays.scad", tmp_path / "trays.stl"
    board = layout.load("hex-reed")
    file.write_text(trays_scad(board, "robotory"), "utf-8")
    subprocess.run(["openscad", "-o", str(made), str(file)], check=True, capture_output=True)
    xs = sorted({float(x) for x in re.findall(r"vertex (\S+)", made.read_text("utf-8"))})
    wide, _ = board.slot_size
    frame = [x for x in xs if x <= wide + 1]
    walls = [round(right - left, 3) for left, right in zip(frame[::2], frame[1::2], strict=True)]
    assert walls == [0.8, 0.8, 0.8]
    rooms = [round(right - left, 3) for left, right in zip(frame[1::2], frame[2::2], strict=False)]
    assert rooms == [wide / 2 - 0.8] * 2  # a token of Robotory, 15 mm, and its play


def test_a_game_that_the_file_does_not_have_gets_nothing() -> None:
    assert pieces_scad("chess", {}) == ""
    assert trays_scad(layout.load("hex-reed"), "chess") == ""


@pytest.mark.deep
@pytest.mark.skipif(shutil.which("openscad") is None, reason="openscad is not installed")
@pytest.mark.parametrize("game", FINISHED)
def test_openscad_makes_as_many_bodies_as_there_are_pieces(game: str, tmp_path: Path) -> None:
    of = sizes()
    file = tmp_path / "bases.scad"
    file.write_text(pieces_scad(game, COUNTS[game]), "utf-8")
    run = subprocess.run(
        ["openscad", "-o", str(tmp_path / "bases.stl"), str(file)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "WARNING" not in run.stderr
    lids = sum(COUNTS[game][kind] for base in of.bases(game) if base.double for kind in base.kinds)
    bodies = COUNTS[game].total() + lids
    volumes = re.search(r"Volumes: +(\d+)", run.stderr)
    assert volumes is not None
    assert int(volumes[1]) == bodies + 1  # and the space around them
