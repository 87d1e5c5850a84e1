"""A sticker for each face of each piece, in the size of its base."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from engine.games import FINISHED, make
from firmware_host.cli.layouts import piece_counts
from firmware_host.web.stickers import stickers_page
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
