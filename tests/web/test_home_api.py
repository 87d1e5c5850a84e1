"""What the view in which games begin is told, with a whole simulated board behind it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from engine.games import make
from engine.match import Match
from firmware_host.host.simulated import SimulatedHost
from firmware_host.lessons.loader import lessons_of
from firmware_host.web.keys import Keys
from firmware_host.web.roles import HOST, PLAYERS, WATCHER
from firmware_host.web.server import LOOPBACK, create_app
from tests.web.conftest import DUEL, NOW, simulated_host
from tests.web.stub_host import HOME

KEYS = Keys("7" * 32)
PEOPLE = (("Ania", "person"), ("Ola", "person"))
host = simulated_host


def home(client: TestClient, language: str = "en") -> Any:
    return client.get(f"/api/home?lang={language}").json()


def test_nothing_goes_on_before_anything_was_played(
    host: SimulatedHost, client: TestClient
) -> None:
    told = home(client)
    assert (told["unfinished"], told["names"]) == (None, [])
    count = sum(len(lessons_of(name)) for name in host.games())
    assert told["lessons"] == {"done": 0, "count": count}
    host.lesson_mode.done.add(lessons_of("shogi")[0].name)
    host.lesson_mode.done.add("a lesson of another version")
    assert home(client)["lessons"] == {"done": 1, "count": count}
    assert client.get("/api/home?learner=Ania").json()["lessons"] == {"done": 0, "count": count}


def test_the_newest_match_that_is_not_finished_goes_on(
    client: TestClient, keep: Callable[..., Path]
) -> None:
    keep("match-1", DUEL[:2], PEOPLE, NOW - 300)
    keep("match-2", DUEL[:3], (("Ania", "person"), ("", "level:plans")), NOW - 200)
    keep("match-3", DUEL, PEOPLE, NOW - 100)  # finished
    keep("match-4", (), PEOPLE, NOW)  # nothing was played
    told = home(client)
    match = told["unfinished"]
    assert (match["id"], match["plies"], match["in_play"]) == ("match-2", 3, False)
    assert (match["names"], match["turn"]) == (
        ["Ania", "the machine (plans)"],
        "It is the machine's turn.",
    )
    assert {(each["place"], each["owner"]) for each in match["pieces"]} >= {("C3", "A")}
    assert match["picture"]["game"] == "robot-duel"
    assert home(client, "pl")["unfinished"]["turn"] == "Na ruchu: komputer."


def test_whoever_throws_the_die_is_to_play(client: TestClient, keep: Callable[..., Path]) -> None:
    game = make("chaturaji")
    match = Match.begin(game)
    match = match.play(match.legal[0])
    match = match.play(match.legal[0])
    players = tuple((name, "person") for name in ("Ania", "Ola", "Jan", "Ewa"))
    keep("match-1", match, players)
    told = home(client)["unfinished"]
    assert match.acting == 1
    assert told["turn"] == "It is Ola's turn."


def test_a_match_that_cannot_be_read_is_passed_over(
    client: TestClient, keep: Callable[..., Path]
) -> None:
    keep("match-1", DUEL[:2], PEOPLE, NOW - 300)
    keep("match-2", DUEL[:3], PEOPLE, NOW - 200).write_text("no journal\n")
    assert home(client)["unfinished"]["id"] == "match-1"


def test_names_are_those_of_people_the_latest_first_and_each_once(
    client: TestClient, keep: Callable[..., Path]
) -> None:
    keep("match-1", DUEL, PEOPLE, NOW - 300)
    keep("match-2", DUEL, (("ola", "person"), ("Deep", "level:plans")), NOW - 200)
    keep("match-3", DUEL, (("Jan", "person"), ("", "person")), NOW - 100)
    assert home(client)["names"] == ["Jan", "ola", "Ania"]
    assert home(client)["played"] >= 3


def test_only_the_host_is_told(host: SimulatedHost) -> None:
    app = create_app(host, LOOPBACK, KEYS)
    for role, status in ((HOST, 200), (PLAYERS[0], 403), (WATCHER, 403)):
        with TestClient(app, base_url=HOME) as client:
            assert client.get(f"/api/home?token={KEYS.token(role)}").status_code == status
