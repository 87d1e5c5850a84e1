"""The types of messages fit the messages, and the schema fits the types."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from engine.games import NAMES
from firmware_host.lessons.loader import lessons_of
from firmware_host.players.time_control import time_control
from firmware_host.session.events import Claimed, Press
from firmware_host.web import view
from firmware_host.web.messages import AnyMessage, BoardMessage, StateMessage, schema
from firmware_host.web.roles import HOST, PLAYERS, WATCHER, Role
from tests.support.real_board import Standing
from tests.support.stories import at_a_board, at_a_real_board

ROLES = (HOST, PLAYERS[0], WATCHER)


def fits(message: dict[str, Any]) -> Any:
    """Return a message as its type, read strictly from JSON."""
    return msgspec.json.decode(msgspec.json.encode(message), type=AnyMessage)


def both(board: Any, role: Role = HOST) -> StateMessage:
    """Check the messages of a board now; return its state."""
    host = board.host
    message = view.board(host, "fr", role) | {"refused": "", "shared": False}
    assert isinstance(fits(message), BoardMessage)
    state = fits(view.state(host, "fr", "page-1", role))
    assert isinstance(state, StateMessage)
    return state


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.plain)
@pytest.mark.parametrize("game", NAMES)
@at_a_board(layout=None)
async def test_the_first_messages_of_each_game(board: Any, game: str, role: Role) -> None:
    assert both(board, role).plies == []


@at_a_board()
async def test_the_states_of_a_match(board: Any) -> None:
    host = board.host
    host.time_with(time_control("10m+30s*3"))
    await board.play("C4C3")
    assert both(board).clock is not None
    host.request(host.game.parse_move(host.position(), "A1A2"))
    await asyncio.sleep(1)
    assert both(board).request is not None
    host.request(None)
    await board.play("A1A2")
    host.post(Press(host.now(), "wrong"))
    await asyncio.sleep(1)
    assert both(board).plies
    host.post(Press(host.now(), "no"))
    await asyncio.sleep(1)
    await board.hands("C3- 1")
    assert both(board).lights
    await board.hands("C3+ 2")
    await board.push("back", 2)
    state = both(board)
    assert state.repair_plan
    host.post(Claimed(host.now(), "resign", 0))
    await asyncio.sleep(2)
    assert both(board).outcome is not None


@at_a_board()
async def test_a_question_a_lesson_and_a_past_match(board: Any) -> None:
    host = board.host
    await board.play("B3B2", "B1B2", "C4C3", rest=2)
    both(board)
    host.board.refuse(next(iter(host.board.bus.chips)))
    await asyncio.sleep(3)
    assert both(board).faults
    host.board.repair()
    host.post(Claimed(host.now(), "resign", 0))
    await asyncio.sleep(2)
    match = host.match_id
    host.review_mode.show(match)
    await asyncio.sleep(1)
    assert both(board).review is not None
    host.review_mode.leave()
    host.lesson_mode.learn(lessons_of("robot-duel")[0].name)
    await asyncio.sleep(1)
    assert both(board).lesson is not None


@at_a_real_board()
async def test_the_pieces_of_a_real_board(at: Standing) -> None:
    await at.ready()
    pole = at.board.lying(at.places["C4"])[-1]
    at.board.lift(at.places["C4"])
    await at.until(lambda: any(piece.missing for piece in both(at).pieces))
    at.board.put(at.places["C4"], pole)
    at.board.put(at.places["A3"])
    await at.until(lambda: both(at).unknown_pieces)


def test_each_command_and_message_is_in_the_schema() -> None:
    parts = schema()["$defs"]
    tags = {*parts["Message"]["discriminator"]["mapping"]}
    assert tags == {"board", "state", "answer", "refused"}
    commands = parts["Command"]["discriminator"]["mapping"]
    assert {"lift", "put", "request", "review"} <= {*commands}
    for name in commands.values():
        assert parts[name.rpartition("/")[2]]["description"]
