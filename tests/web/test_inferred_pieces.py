"""The pieces of a real board, as far as rules and sensors know them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from firmware_host.web.server import LOOPBACK, create_app
from hardware.layout import load
from tests.support.real_board import Standing
from tests.support.stories import at_a_real_board


@pytest.fixture
def paged(tmp_path: Path) -> Callable[..., Any]:
    """Return what a page gets of a board on which the pieces of a game stand, with changes."""

    def told(game: str = "robot-duel", layout: str = "square-reed", **changes: int) -> Any:
        async def run() -> Any:
            at = Standing(tmp_path, layout, game)
            with contextlib.closing(at.host):
                at.set_up()
                for place, number in changes.items():
                    if number:
                        at.board.put(place)
                    else:
                        at.board.lift(at.places[place])
                await at.see()
                with TestClient(create_app(at.host, LOOPBACK), base_url="http://localhost") as web:
                    state = web.get("/api/state").json()
                    refused = []
                    with web.websocket_connect("ws://localhost/ws") as page:
                        board = _next(page, "board")
                        for command in COMMANDS:
                            page.send_text(json.dumps({"n": 1, "rev": 10**6, **command}))
                            refused.append(_next(page, "refused")["reason"])
            return board, state, refused

        return asyncio.run(run())

    return told


COMMANDS = (
    {"type": "lift", "piece": 1},
    {"type": "flip", "piece": 1},
    {"type": "fault", "fault": "none"},
    {"type": "setup"},
)


def _next(page: Any, kind: str) -> Any:
    while True:
        event = page.receive()
        if event.get("text") and (message := json.loads(event["text"]))["type"] == kind:
            return message


def test_a_page_of_a_real_board_cannot_move_pieces(paged: Any) -> None:
    board, _, refused = paged()
    assert board["simulated"] is False
    assert board["chips"] == []
    assert set(refused) == {"These pieces are real: only hands at the board move them."}


def test_pieces_are_known_missing_or_unknown(paged: Any) -> None:
    _, state, _ = paged(C4=0, A9=1)
    pieces = {piece["place"]: piece for piece in state["pieces"]}
    assert len(pieces) == 8
    (missing,) = (place for place, piece in pieces.items() if piece["missing"])
    assert missing == load("square-reed").game("robot-duel").places["C4"]
    assert pieces[missing]["kind"] == "G"
    assert state["unknown_pieces"] == ["A9"]


@pytest.mark.parametrize("layout", ["square-reed", "square-hall"])
def test_pieces_in_trays_are_counted_as_far_as_sensors_count(paged: Any, layout: str) -> None:
    _, state, _ = paged("shogi", layout)
    assert not any(piece["missing"] for piece in state["pieces"])
    assert state["unknown_pieces"] == []
    assert len(state["pieces"]) == 40


@at_a_real_board()
async def test_a_piece_on_a_blind_place_is_not_missing(at: Standing) -> None:
    at.set_up()
    at.board.unplug(0x22)
    await at.until(lambda: at.host.status().masked)
    pieces = at.host.pieces
    await at.until(lambda: not any(piece["missing"] for piece in pieces.all()))
    assert pieces.unknown() == []
    at.board.plug_in(0x22)
    await at.until(lambda: not at.host.status().masked)
    rev = pieces.rev
    at.board.lift(at.places["C4"])
    await at.until(lambda: any(piece["missing"] for piece in pieces.all()))
    assert pieces.rev > rev


@at_a_real_board()
async def test_a_piece_that_moves_keeps_its_number(at: Standing) -> None:
    at.set_up()
    await at.until(lambda: not at.host.controller.session.view.repair.settling)
    before = {piece["place"]: piece["id"] for piece in at.host.pieces.all()}
    await at.move("C4", "C3")
    await at.until(lambda: at.moves)
    after = {piece["place"]: piece["id"] for piece in at.host.pieces.all()}
    assert after[at.places["C3"]] == before[at.places["C4"]]
    assert len(after) == len(before) == 8


@at_a_real_board()
async def test_a_captured_piece_that_nobody_has_put_down_is_missing_in_its_tray(
    at: Standing,
) -> None:
    at.set_up()
    await at.until(lambda: not at.host.controller.session.view.repair.settling)
    at.board.lift(at.places["B2"])
    await asyncio.sleep(0.1)
    await at.move("B3", "B2")
    await at.until(lambda: at.moves == ["B3B2"])
    pieces = {piece["place"]: piece for piece in at.host.pieces.all()}
    captive = pieces[at.places["hand.A.C"]]
    assert (captive["owner"], captive["missing"]) == ("A", True)
    at.board.put(at.places["hand.A.C"])
    await at.until(lambda: not any(piece["missing"] for piece in at.host.pieces.all()))
