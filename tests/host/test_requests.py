"""A player who is not at the board: it lights the requested move until hands have made it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.reading.verdict import Still
from firmware_host.host.host import Host
from firmware_host.i18n.messages import RefusedError, render
from firmware_host.lights.signals import Signal
from firmware_host.players.kinds import player_kind
from firmware_host.players.time_control import time_control
from firmware_host.session.events import Press
from firmware_host.session.match_timer import ClockStop
from firmware_host.web import protocol as ask
from firmware_host.web import view
from firmware_host.web.commands import CommandHandler
from firmware_host.web.moves import moves_from
from firmware_host.web.roles import HOST, PLAYERS, WATCHER, Role
from tests.support.real_board import Standing
from tests.support.stories import at_a_real_board


def request(host: Host, move: str) -> None:
    """Request a move as a page does."""

    def fail(page: str, error: RefusedError) -> None:
        raise AssertionError((page, error))

    handler = CommandHandler(host, fail, lambda: None)
    handler.note()
    handler.take(ask.RequestCommand(n=1, rev=host.status().rev, move=move), "page-1")


def lit(host: Host) -> dict[str, Signal]:
    return {p: light.signal for p, light in host.status().lights.items() if light.level == 1}


def asked(host: Host) -> Any:
    return view.state(host, "en")["request"]


@pytest.mark.parametrize("layout", ["square-reed", "square-hall"])
@at_a_real_board()
async def test_a_requested_move_is_lit_until_hands_have_made_it(at: Standing, layout: str) -> None:
    await at.ready()
    at.host.seating.rename(0, "Ola")
    request(at.host, "C4C3")
    await at.until(lambda: at.host.status().request == "C4C3")
    assert lit(at.host)["C4"] == Signal.WHITE
    assert lit(at.host)["C3"] == Signal.BLUE
    assert asked(at.host) | {"piece": None} == {
        "move": "C4C3",
        "sentence": "giraffe from C4 to C3",
        "brief": "to C3",
        "from": at.places["C4"],
        "to": at.places["C3"],
        "takes": False,
        "piece": None,
    }
    assert render(at.host.status().turn_line) == "Ola moves"
    assert render(at.host.status().next_step[0]) == (
        "Now Ola plays. Make this move on the board: giraffe from C4 to C3 (C4C3)."
    )
    await at.move("C4", "C3")
    await at.until(lambda: at.moves == ["C4C3"])
    await at.until(lambda: at.host.status().request == "" and asked(at.host) is None)
    assert render(at.host.status().turn_line) == "It is B's turn."
    assert Signal.BLUE not in lit(at.host).values()
    at.host.post(Press(at.host.now(), "back"))  # taken back, it is not requested again
    await at.until(lambda: at.moves == [])
    await at.move("C3", "C4")
    await at.until(lambda: not at.host.controller.session.view.repair.needed)
    assert at.host.status().request == ""


@at_a_real_board()
async def test_a_capture_is_made_in_two_steps(at: Standing) -> None:
    await at.ready()
    request(at.host, "B3B2")
    await at.until(lambda: lit(at.host).get("B2") == Signal.RED)
    captive = at.board.lying(at.places["B2"])[-1]
    at.board.lift(at.places["B2"])
    at.board.put(at.places["hand.A.C"], captive)
    await at.until(lambda: lit(at.host).get("B3") == Signal.WHITE)
    await at.move("B3", "B2")
    await at.until(lambda: at.moves == ["B3B2"])


@at_a_real_board()
async def test_another_move_ends_a_request(at: Standing) -> None:
    await at.ready()
    request(at.host, "C4C3")
    await at.until(lambda: at.host.status().request == "C4C3")
    request(at.host, "B3B2")
    await at.until(lambda: at.host.status().request == "B3B2")
    await at.move("B4", "A3")
    await at.until(lambda: at.moves == ["B4A3"])
    await at.until(lambda: at.host.status().request == "")
    assert not at.host.controller.session.view.repair.needed


@at_a_real_board()
async def test_a_request_is_withdrawn(at: Standing) -> None:
    await at.ready()
    request(at.host, "C4C3")
    await at.until(lambda: at.host.status().request == "C4C3")
    request(at.host, "")
    await at.until(lambda: at.host.status().request == "")
    assert Signal.BLUE not in lit(at.host).values()
    await at.move("C4", "C3")
    await at.until(lambda: at.moves == ["C4C3"])


@at_a_real_board()
async def test_a_request_waits_until_the_board_is_in_order(at: Standing) -> None:
    await at.ready()
    at.board.lift(at.places["A4"])
    await at.until(lambda: not isinstance(at.host.controller.session.view.verdict, Still))
    request(at.host, "C4C3")
    await at.until(lambda: at.host.status().request == "C4C3")
    for _ in range(5):  # a hand holds a piece: nothing else is asked of it
        await asyncio.sleep(0.1)
        assert at.host.controller.advice.requested_move is None
        *others, waits = at.host.status().next_step
        assert others
        assert render(waits) == "A waits for this move on the board: giraffe from C4 to C3 (C4C3)."
    at.board.put(at.places["A4"])
    await at.until(lambda: "C3" in lit(at.host))
    await at.move("C4", "C3")
    await at.until(lambda: at.moves == ["C4C3"])


@at_a_real_board(layout="square-reed", game="shogi")
async def test_a_promotion_that_no_sensor_feels_is_known_from_the_request(at: Standing) -> None:
    await at.ready()
    await at.move("7g", "7f")
    await at.until(lambda: at.moves == ["7g7f"])
    await at.move("3c", "3d")
    await at.until(lambda: at.moves == ["7g7f", "3c3d"])
    request(at.host, "8h2b+")
    await at.until(lambda: at.host.status().request == "8h2b+")
    captive = at.board.lying(at.places["2b"])[-1]
    at.board.lift(at.places["2b"])
    if "hand.black.B" in at.places:
        at.board.put(at.places["hand.black.B"], captive)
    await at.move("8h", "2b")
    await at.until(lambda: at.moves[-1:] == ["8h2b+"])
    assert not at.host.status().question


@at_a_real_board()
async def test_each_page_says_whose_move_waits(at: Standing) -> None:
    def says(role: Role) -> str:
        told = view.state(at.host, "en", role=role)
        return " ".join(told["next_step"])

    await at.ready()
    at.host.seating.rename(0, "Ola")
    request(at.host, "C4C3")
    own = "Your move waits for hands at the board: giraffe from C4 to C3 (C4C3)."
    await at.until(lambda: "C3" in lit(at.host))
    assert says(PLAYERS[0]) == own
    assert view.state(at.host, "en", role=PLAYERS[0])["messages"][0] == own
    for role in (PLAYERS[1], WATCHER, HOST):
        assert says(role).startswith("Now Ola plays. Make this move on the board: giraffe")
    await at.move("C4", "C3")
    await at.until(lambda: at.moves == ["C4C3"])
    assert "waits" not in says(PLAYERS[0])


@pytest.mark.parametrize("before", [(), ("C4C3", "A1A2")])
def test_a_request_outlives_the_program(
    stand: Callable[..., None], tmp_path: Path, before: tuple[str, ...]
) -> None:
    file = tmp_path / "request.json"

    async def first(at: Standing) -> None:
        await at.ready()
        for text in before:
            await at.move(text[:2], text[2:])
            await at.until(lambda text=text: at.moves[-1:] == [text])
        request(at.host, "B3B2")
        await at.until(lambda: file.exists() and "B3B2" in file.read_text())  # also after a kill

    async def second(at: Standing) -> None:
        await at.ready()
        await at.until(lambda: lit(at.host).get("B2") == Signal.RED)
        assert at.host.status().request == "B3B2"
        if before:
            captive = at.board.lying(at.places["B2"])[-1]
            at.board.lift(at.places["B2"])
            at.board.put(at.places["hand.A.C"], captive)
            await at.move("B3", "B2")
            await at.until(lambda: at.moves == [*before, "B3B2"])
        else:
            at.host.new_game("robot-duel", {}, "square-reed")
        await at.until(lambda: file.read_text() == "{}\n")

    async def third(at: Standing) -> None:
        await at.ready()
        assert at.host.status().request == ""

    for story in (first, second, third):
        stand(story)


@at_a_real_board()
async def test_a_request_waits_while_the_board_is_used_for_a_lesson(at: Standing) -> None:
    await at.ready()
    request(at.host, "C4C3")
    await at.until(lambda: at.host.status().request == "C4C3")
    at.host.lesson_mode.learn("robot-duel-01")
    await at.until(lambda: at.host.status().lesson is not None)
    assert at.host.status().request == ""
    at.host.lesson_mode.learn("")
    await at.until(lambda: at.host.status().request == "C4C3")


@pytest.mark.parametrize("change", [{"plies": 1}, {"position": ""}, {"game": "shogi"}, {"move": 5}])
def test_a_request_of_another_match_is_over(
    stand: Callable[..., None], tmp_path: Path, change: dict[str, object]
) -> None:
    file = tmp_path / "request.json"

    async def first(at: Standing) -> None:
        await at.ready()
        request(at.host, "C4C3")

    async def second(at: Standing) -> None:
        await at.ready()
        assert at.host.status().request == ""

    stand(first)
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    stand(second)


@at_a_real_board()
async def test_what_cannot_be_requested_is_refused(at: Standing) -> None:
    await at.ready()
    for move in ("C4C2", "nonsense", "resign"):
        with pytest.raises(RefusedError):
            request(at.host, move)
    at.host.seating.set_kind(0, player_kind("level:plans"))
    with pytest.raises(RefusedError):
        request(at.host, "C4C3")
    assert at.host.status().request == ""


@at_a_real_board()
async def test_the_moves_of_a_piece(at: Standing) -> None:
    await at.ready()
    found = moves_from(at.host, at.places["B4"], "en")
    assert {each["move"]: each["to"] for each in found} == {
        move: [at.places[move[2:]]] for move in ("B4A3", "B4C3")
    }
    assert found[0]["sentence"].startswith("lion from B4")
    assert moves_from(at.host, at.places["B1"], "en") == []
    assert moves_from(at.host, "nowhere", "en") == []


@at_a_real_board()
async def test_the_clock_stands_while_hands_make_a_requested_move(at: Standing) -> None:
    await at.ready()
    at.host.time_with(time_control("10m"))
    await at.move("C4", "C3")
    await at.until(lambda: at.moves == ["C4C3"])
    clock = at.host.controller.clock
    await at.until(lambda: clock.shown is not None and clock.shown.running == 1)
    request(at.host, "A1A2")
    await at.until(lambda: clock.shown is not None and clock.shown.stopped is ClockStop.MACHINE)
    request(at.host, "")
    await at.until(lambda: clock.shown is not None and clock.shown.running == 1)
