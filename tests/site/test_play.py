"""The board in a browser tab, from the folder that `make site` builds."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.site.conftest import LOADING, Tab
from tests.support.browser import IN_A_BROWSER, clean

pytestmark = [*IN_A_BROWSER, pytest.mark.deep]

MOST_BYTES = 12_000_000
"""The most bytes of the board's files, as a web server sends them: compressed."""
GAMES: dict[str, tuple[dict[str, str], str, str]] = {
    "robot-duel": ({}, "B3B2,A1A2,B2B1", "lion-captured"),
    "shogi": ({}, "7g7f,7a6b,8h3c+,5a5b,3c2d,2b7g,8i7g,4c4d,B*1f", "mate"),
    "chaturaji": ({"end": "first_raja_lost"}, "2,a1c3,4,--,2,h8f6,3,h2f1,2,c3a5", "raja-captured"),
    "robotory": (
        {},
        "P b b1,P w b4,P b e4,P w d4,P w b2,P b e1,F 3w,P b d1,P w a4,M R d3-d4-e4,P w c2,"
        "M W b3-b2,P w e2,F 4w,F 3w",
        "energy",
    ),
    "abalone": (
        {"layout": "belgian_daisy"},
        "g7h7,g4g3,i9i8,h6g6,i7i6,c5d6,b1c2,c6d6c5,d3d4,h5h6,b2c3,g6g7,c2c3,g7f6,g8h8f7,h4h5,"
        "f7g7f8,b4a3,c3b3,b5c5,a1a2,g3g4,a2a3,h5h4,f5g6,g5g4,a3b4,d5e5,h7i7,e5f6,f8g8e7,f5f4,b4a3,"
        "f4g4f5,i8h8,g5h5,e7f7d6,c5c6,a4b4,f5f6,b4d4c5,f6f5,g6f6,f5g5,f6e6",
        "six-ejected",
    ),
}
"""A whole game of each kind: its options, its moves, and why it ends."""


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_and_kept(tab: Tab, game: str) -> None:
    options, line, reason = GAMES[game]
    tab.open()
    tab.begin(game, **options)
    tab.until("!state.plies.length && !state.outcome")
    for move in line.split(","):
        if move.isdecimal():
            assert tab.command("throw", dice=[int(move)]) == ""
        elif move != "--":
            tab.play(move)
        else:  # nothing can be moved: the board passes by itself
            tab.until("state.plies.at(-1)?.text === '--'")
    tab.until("state.outcome !== null")
    ended = tab.page.locator('[data-view="play"], [data-view="home"]').filter(visible=True)
    expect(ended).to_be_visible()
    kept = f"fetch('/api/matches?game={game}').then((answer) => answer.json())"
    before = tab.page.evaluate(kept)
    assert before["total"] == 1
    tab.open()
    assert tab.page.evaluate(kept)["matches"] == before["matches"]
    assert reason
