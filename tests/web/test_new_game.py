"""A page begins a game with its players and its clock: all of it, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from engine.games import make
from firmware_host.host.simulated import SimulatedHost
from firmware_host.session.events import Claimed
from firmware_host.storage.journal import Player, Resumed
from tests.web.conftest import simulated_host
from tests.web.stub_host import Page

WANTED: dict[str, Any] = {
    "game": "chaturaji",
    "layout": "square-hall",
    "options": {"dice": "2"},
    "names": ["Ania", "", " Ola ", ""],
    "player_kinds": ["person", "level:plans", "person", "level:first-steps"],
    "clock": "5m+3s",
}
host = simulated_host


def begin(page: Page, **changed: Any) -> str:
    """Begin the wanted game but for some fields; None leaves a field out."""
    fields = {name: each for name, each in (WANTED | changed).items() if each is not None}
    return page.answer("game", **{"rev": page.state["rev"]} | fields)


def table(host: SimulatedHost) -> tuple[Any, ...]:
    """All that a new game may change."""
    status = host.status()
    assert status.opponents is not None
    clock = status.clock.control if status.clock else None
    seats = status.players, status.opponents.player_kinds
    return host.game, host.layout.name, *seats, clock, status.match_rev


def test_one_command_changes_all_of_the_table(host: SimulatedHost, page: Page) -> None:
    assert begin(page) == ""
    game = make("chaturaji", {"dice": "2"})
    kinds = ("person", "level:plans", "person", "level:first-steps")
    assert table(host)[:5] == (game, "square-hall", ("Ania", "", "Ola", ""), kinds, "5m+3s")
    assert host.seating.players(game) == tuple(map(Player, ("Ania", "", "Ola", ""), kinds))


def test_what_is_not_said_stays(host: SimulatedHost, page: Page) -> None:
    assert begin(page) == ""
    left_out = dict.fromkeys(("names", "player_kinds", "clock"))
    assert begin(page, game="robot-duel", options={}, **left_out) == ""
    kinds = ("person", "level:plans")
    assert table(host)[:5] == (make("robot-duel"), "square-hall", ("Ania", ""), kinds, "5m+3s")
    assert begin(page, clock="none") == ""
    assert table(host)[4] is None


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"game": "chess"}, "no game 'chess'"),
        ({"options": {"dice": "3"}}, "dice"),
        ({"layout": "hex-reed"}, "chaturaji"),
        ({"layout": "nowhere"}, "nowhere"),
        ({"names": ["Ania", "Ola"]}, "4 seats"),
        ({"names": ["a" * 31, "", "", ""]}, "at most 30 characters"),
        ({"names": ["Ania", "O\nla", "", ""]}, "control characters"),
        ({"player_kinds": ["person"]}, "4 seats"),
        ({"player_kinds": ["person", "person", "person", "level:genius"]}, "No player"),
        ({"player_kinds": ["usi:/bin/sh", "person", "person", "person"]}, "No player"),
        ({"clock": "soon"}, "soon is no clock"),
        ({"clock": "0m"}, "0m is no clock"),
    ],
)
def test_a_refusal_changes_nothing(
    host: SimulatedHost, page: Page, changed: dict[str, Any], why: str
) -> None:
    before = table(host)
    assert why in begin(page, **changed)
    assert table(host) == before


def test_the_match_before_keeps_its_own_players(
    host: SimulatedHost, page: Page, tmp_path: Path
) -> None:
    host.seating.rename(0, "Jan")
    host.post(Claimed(host.now(), "resign", 0))
    assert begin(page, rev=host.status().rev) == ""
    (kept,) = tmp_path.glob("match-*.jsonl")
    match = Resumed(kept)
    assert match.game == make("robot-duel")
    assert [player.name for player in match.players] == ["Jan", ""]


def test_games_say_who_would_play_and_how(host: SimulatedHost, client: TestClient) -> None:
    host.seating.rename(0, "Ania")
    games = {each["name"]: each for each in client.get("/api/games").json()}
    seats = games["chaturaji"]["seats"]
    assert [seat["label"] for seat in seats] == list(make("chaturaji").seats)
    assert seats[0]["player"] == "Ania"
    assert {seat["player_kind"] for seat in seats} == {"person"}
    kinds = {each["kind"]: each["about"] for each in games["shogi"]["player_kinds"]}
    assert kinds["person"] == "a person"
    assert kinds["level:sees-one"] == "level 3 of 6: sees one move ahead"
    presets = {each["label"]: each for each in games["chaturaji"]["presets"]}
    assert presets["Two dice"]["options"] == {"dice": "2"}
    assert presets["Two dice"]["begins"] == 0
    options = {each["name"]: each["only_if"] for each in games["chaturaji"]["options"]}
    assert options["two_dice_order"] == {"dice": ["2"]}
    assert options["dice"] == {}
