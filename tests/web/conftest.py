"""Fixtures for tests of the page's server."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from engine.games import make
from engine.match import Match
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.session.record import entry_of
from firmware_host.storage.journal import Head, Journal, Player
from firmware_host.web.server import LOOPBACK, create_app
from hardware.layout import serving
from tests.web.stub_host import HOME, Page, StubHost

DUEL = ("B3B2", "B1B2", "C4C3", "A1A2", "C3C2", "B2B3", "A4B3")
"""A takes the lion of B."""
NOW = time.time()


@pytest.fixture
def host() -> StubHost:
    return StubHost()


@pytest.fixture
def simulated_host(tmp_path: Path) -> Iterator[SimulatedHost]:
    """Give a whole simulated board to the tests of a file that says `host = simulated_host`."""
    host = SimulatedHost(tmp_path)
    host.open(Start("robot-duel"))
    yield host
    host.close()


@pytest.fixture
def client(host: StubHost) -> Iterator[TestClient]:
    with TestClient(create_app(host, LOOPBACK), base_url=HOME) as client:
        yield client


@pytest.fixture
def page(client: TestClient) -> Iterator[Page]:
    with client.websocket_connect("ws://localhost/ws") as session:
        yield Page(session)


@pytest.fixture
def keep(tmp_path: Path) -> Callable[..., Path]:
    """Keep a match in the state directory, by the name of its file."""

    def keep(
        name: str,
        match: Match | Sequence[str] = DUEL,
        players: Sequence[tuple[str, str]] = (),
        at: float = NOW,
        origin: str = "",
    ) -> Path:
        if not isinstance(match, Match):
            played = Match.begin(make("robot-duel"))
            for text in match:
                played = played.play(played.game.parse_move(played.position, text))
            match = played
        path = tmp_path / f"{name}.jsonl"
        layout = serving(match.game.name)[0].name
        journal = Journal(path, Head(match.game, layout, None, name, origin))
        journal.players = tuple(Player(*each) for each in players)
        journal.write(tuple(map(entry_of, match.steps())))
        journal.close()
        os.utime(path, (at, at))
        return path

    return keep


def random_match(name: str, plies: int, seed: int = 1) -> Match:
    """Return a match of random moves."""
    match, rng = Match.begin(make(name)), Random(seed)
    while match.outcome is None and match.plies < plies:
        match = match.play(rng.choice(list(match.legal)))
    return match


def listing(client: TestClient, **query: Any) -> Any:
    """Return the list of past matches, once all journals are read."""
    while True:
        told = client.get("/api/matches", params=query).json()
        if told["reading"] is None:
            return told
