"""Options of a game are never confused with anything else, on the page and on the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest
from starlette.testclient import TestClient

import engine.games
from engine.game import Option
from engine.games import FINISHED, NAMES, make
from engine.games.robot_duel import RobotDuel
from firmware_host.__main__ import main
from firmware_host.cli import arguments, sim
from firmware_host.host import host as loop
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.web import view
from firmware_host.web.learning import OWN_CLOCK
from firmware_host.web.server import LOOPBACK, create_app
from hardware import layout as layouts
from hardware.layout import Layout

PRETEND = "pretend"


class Pretend(RobotDuel):
    """A game whose options have the names of all fields that are sent with them."""

    name = PRETEND
    title = "Pretend"
    known_options = (
        *RobotDuel.known_options,
        *(
            Option(name, ("one", "two"), f"It is called {name}.")
            for name in (
                *("game", "layout", "rev", "type", "n", "options", "name", "set", "position"),
                *("seed", "port", "state", "record", "elements", "onsubmit", "constructor"),
            )
        ),
        Option("length", ("3", "1..9"), "It is a number."),
    )
    kinds: ClassVar[Mapping[str, str]] = RobotDuel.kinds


@pytest.fixture(params=[*NAMES, PRETEND])
def name(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    game = str(request.param)
    if game == PRETEND:
        pretend_that_it_is_there(monkeypatch)
    return game


def pretend_that_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a sixth game, on the boards that serve Robot Duel."""
    home = ModuleType("pretended")
    vars(home)["Pretend"] = Pretend
    monkeypatch.setitem(sys.modules, "pretended", home)
    homes = {**engine.games._CLASSES, PRETEND: ("pretended", "Pretend")}
    monkeypatch.setattr(engine.games, "_CLASSES", homes)
    for module in (engine.games, loop, arguments):
        monkeypatch.setattr(module, "NAMES", tuple(homes))
    load = layouts.load

    def loaded(which: str | Path) -> Layout:
        board = load(which)
        if "robot-duel" not in board.games:
            return board
        served = replace(board.games["robot-duel"], name=PRETEND)
        return replace(board, games={**board.games, PRETEND: served})

    monkeypatch.setattr(layouts, "load", loaded)
    monkeypatch.setattr(layouts, "_offered", lambda: tuple(map(loaded, layouts.NAMES)))


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[Callable[[], SimulatedHost]]:
    """Make hosts in turn, with the same state directory."""
    made: list[SimulatedHost] = []

    def host() -> SimulatedHost:
        if made:
            made[-1].close()
        made.append(SimulatedHost(tmp_path))
        return made[-1]

    yield host
    made[-1].close()


def last_values(name: str) -> dict[str, str]:
    """Return another value than the default for every option of a game."""
    return {
        option.name: option.values[-1].rpartition("..")[2] for option in make(name).known_options
    }


def test_the_page_may_choose_every_option(hosts: Callable[[], SimulatedHost], name: str) -> None:
    host = hosts()
    host.open(Start("shogi"))
    wanted = last_values(name)
    with (
        TestClient(create_app(host, LOOPBACK), base_url="http://localhost") as client,
        client.websocket_connect("ws://localhost/ws") as page,
    ):
        told = next(each for each in client.get("/api/games").json() if each["name"] == name)
        offered = [option for option in make(name).known_options if option.name != OWN_CLOCK]
        assert [each["name"] for each in told["options"]] == [each.name for each in offered]
        for each, option in zip(told["options"], offered, strict=True):
            assert tuple(each["values"]) == option.values
        boards = [each["name"] for each in told["layouts"]]
        fields = {"game": name, "layout": boards[-1], "options": wanted}
        page.send_text(json.dumps({"type": "game", "n": 1, "rev": host.status().rev, **fields}))
        answer = said(page, "answer", "refused")
        assert answer == {"type": "answer", "n": 1}
    assert (host.game.name, host.game.options) == (name, wanted)
    assert host.layout.name == boards[-1]
    assert host.status().options == wanted
    host = hosts()
    host.open(Start())
    assert (host.game.name, host.game.options) == (name, wanted), "the journal has them"


def said(page: Any, *kinds: str) -> Any:
    """Return the next message of a kind."""
    while True:
        event = page.receive()
        message = json.loads(event["text"]) if event.get("text") else {}
        if message.get("type") in kinds:
            return message


def test_the_command_line_may_choose_every_option(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun: list[Start] = []
    monkeypatch.setattr(sim, "simulate", lambda start, **_: begun.append(start))
    wanted = last_values(name)
    chosen = [word for option in wanted.items() for word in ("--set", "=".join(option))]
    assert main(["sim", "--game", name, *chosen]) == 0
    assert begun == [Start(name, wanted)]
    assert main(["legal", name, *chosen]) == 0
    game = make(name, wanted)
    moves = sorted(game.move_text(game.start(), move) for move in game.legal(game.start()))
    assert capsys.readouterr().out.splitlines() == moves


def test_a_game_begins_on_the_board_that_suits_it(hosts: Callable[[], SimulatedHost]) -> None:
    """No reed switch knows the colour of a token: Robotory has another board first."""
    host = hosts()
    begun = {}
    for name in FINISHED:
        host.open(Start(name))
        begun[name] = host.layout.name
        boards = [board.name for board in host.games()[name]]
        assert boards[0] == host.layout.name
        assert sorted(boards) == sorted(n for n in layouts.NAMES if name in layouts.load(n).games)
    assert begun == {
        "robot-duel": "square-reed",
        "shogi": "square-reed",
        "chaturaji": "square-reed",
        "robotory": "hex-hall",
        "abalone": "hex-reed",
    }


def test_the_chooser_says_what_the_sensors_feel(hosts: Callable[[], SimulatedHost]) -> None:
    host = hosts()
    host.open(Start("shogi"))
    with TestClient(create_app(host, LOOPBACK), base_url="http://localhost") as client:
        games = {each["name"]: each["layouts"] for each in client.get("/api/games").json()}
        polish = {each["name"]: each for each in client.get("/api/games?lang=pl").json()}
    hall, reed = games["robotory"]
    assert hall == {
        "name": "hex-hall",
        "label": "hexagonal board, Hall sensors",
        "sensing": "Hall sensors see which side is up.",
        "caution": "",
    }
    assert reed["label"] == "hexagonal board, reed switches"
    assert reed["sensing"] == "Reed switches see that a piece is there."
    assert reed["caution"] == (
        "Reed switches cannot see the colour of a token: "
        "the board knows it by the stock that it came from."
    )
    assert all(board["caution"] == "" for board in games["abalone"])
    assert "Kontaktrony" in polish["robotory"]["layouts"][1]["caution"]


def test_players_sit_where_their_pieces_stand_whatever_their_colours(
    hosts: Callable[[], SimulatedHost],
) -> None:
    host = hosts()
    host.open(Start("chaturaji", {"seats": "green,black,red,yellow"}))
    seats = view.board(host, "en")["seats"]
    assert [(seat["name"], seat["facing"], seat["light"]) for seat in seats] == [
        ("green", 0, "edge.south"),
        ("black", 90, "edge.west"),
        ("red", 180, "edge.north"),
        ("yellow", 270, "edge.east"),
    ]
    host.controller.look(0.0)
    host.controller.draw(1.0)
    assert "edge.south" in view.state(host, "en")["lights"], "green throws first"
    assert "edge.south" in host.controller._colours
