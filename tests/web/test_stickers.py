"""A sticker for each face of each piece, in the size of its base."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise, product

import pytest

from engine.games import FINISHED, make
from firmware_host.cli.layouts import piece_counts
from firmware_host.web.stickers import SHARE, stickers_page
from hardware.plans.openscad import pieces_scad
from hardware.plans.sizes import sizes

STICKER = re.compile(r'<svg width="([\d.]+)mm" height="([\d.]+)mm"[^>]*>.*?href="#([\w-]+)"')


@pytest.mark.parametrize("name", FINISHED)
def test_each_piece_has_its_sticker_and_each_has_a_drawing(name: str) -> None:
    page = stickers_page(name)
    found = STICKER.findall(page)
    faces = Counter(face for _, _, face in found)
    for kind, count in piece_counts()[name].items():
        (base,) = [each for each in sizes().bases(name) if kind in each.kinds]
        assert faces[f"{name}-{kind}"] == count
        promoted = f"+{kind}" in make(name).kinds and base.double
        assert faces[f"{name}-p-{kind}"] == (count if promoted else 0)
        sides = {(float(w), float(h)) for w, h, face in found if face == f"{name}-{kind}"}
        assert sides == {base.size}
    drawings = set(re.findall(r'<symbol id="([\w-]+)"', page))
    assert set(faces) <= drawings


def test_seats_of_a_game_have_their_colours() -> None:
    page = stickers_page("chaturaji")
    for colour in ("black", "green", "red", "yellow"):
        assert page.count(f'colour-{colour}"><use') == 8


def test_what_is_drawn_on_a_tile_lies_within_the_outline_of_its_base() -> None:
    for name in ("robot-duel", "shogi"):
        tiles = re.findall(
            r'points="([^"]+)"/><g class="([^"]*)"><use href="[^"]+" '
            r'x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)"',
            stickers_page(name),
        )
        assert len(tiles) > 9
        for points, seat, *box in tiles:
            assert seat == "", "a captured tile changes its owner, so it has no seat's colour"
            corners = [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+),([-\d.]+)", points)]
            x, y, size = map(float, box)
            middle = (x + size / 2, y + size / 2)
            half = SHARE["tile"] * size / 2
            for drawn in product(*((at - half, at + half) for at in middle)):
                assert all(_left_of(drawn, edge) for edge in pairwise([*corners, corners[0]])), name


def _left_of(
    point: tuple[float, float], edge: tuple[tuple[float, float], tuple[float, float]]
) -> bool:
    """Whether a point is inside of one edge of an outline that runs counter-clockwise on paper."""
    (x, y), (to_x, to_y) = edge
    return (to_x - x) * (point[1] - y) - (to_y - y) * (point[0] - x) < 0


def test_a_tile_has_the_corners_of_its_printed_base() -> None:
    base = sizes().bases("robot-duel")[0]
    text = pieces_scad("robot-duel", piece_counts()["robot-duel"])
    given = {key: float(value) for key, value in re.findall(r"(shoulder_\w+) = ([\d.]+)", text)}
    shoulder = (given["shoulder_width"] * base.width, given["shoulder_length"] * base.length)
    assert base.corners[1] == pytest.approx(shoulder)
    assert base.corners[0] == (base.width / 2, -base.length / 2)
    assert base.corners[2] == (0, base.length / 2)
