"""The judgements of a past match: each move, the better one, and the turning points."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from engine.match import Match
from engine.search.turning_points import JudgedPly, choices
from firmware_host.web.judgements import judgements
from hardware.layout import serving
from tests.support.stories import asynchronous
from tests.web.conftest import DUEL, listing, random_match, simulated_host

host = simulated_host


def judged(client: TestClient, name: str, **query: Any) -> list[Any]:
    answer = client.get(f"/api/matches/{name}/judgements", params=query)
    assert answer.status_code == 200
    return [json.loads(line) for line in answer.text.splitlines()]


def test_moves_are_judged_with_the_better_move_and_the_turning_points(
    client: TestClient, keep: Callable[..., Path]
) -> None:
    keep("match-1")  # its third move lets B take the lion; B does not see it
    listing(client)
    first, *moves, last = judged(client, "match-1")
    assert first == {"number": len(DUEL)}
    assert [each["index"] for each in moves] == list(range(len(DUEL)))
    assert [each["step"] for each in moves] == list(range(1, len(DUEL) + 1))
    assert [each["seat"] for each in moves] == [number % 2 for number in range(len(DUEL))]
    assert moves[-1]["share"] == moves[-1]["chance"] == 1.0  # A wins
    for each in moves:
        assert {"text", "sentence", "from", "to", "why"} == each["best"].keys()
        assert 0 <= each["share"] <= 1
    worst = max(moves, key=lambda each: each["loss"])
    assert worst["index"] in last["turning_points"]
    assert worst["why"]
    assert not worst["good"]
    assert not any(each["why"] and each["best"]["why"] for each in moves), "one reason is enough"
    assert any(each["best"]["why"] for each in moves)
    assert any("good move" in each for each in last["good_moves"])
    review = client.get("/api/matches/match-1").json()
    cells = {place["id"] for place in review["board"]["places"]}
    assert worst["best"]["to"] in cells
    again = judged(client, "match-1", lang="pl")
    assert [each["loss"] for each in again[1:-1]] == [each["loss"] for each in moves], "kept"
    assert again[1]["best"]["sentence"] != moves[0]["best"]["sentence"]


def test_only_moves_of_people_are_turning_points(
    client: TestClient, keep: Callable[..., Path]
) -> None:
    keep("match-1", players=(("", "level:newcomer"), ("Ola", "person")))
    listing(client)
    _, *moves, last = judged(client, "match-1")
    seats = {each["index"]: each["seat"] for each in moves}
    assert {seats[index] for index in last["turning_points"]} == {1}
    machine = [each["loss"] for each in moves if each["seat"] == 0]
    assert max(machine) > 0.15, "the machine gave more away"
    assert last["good_moves"][0].startswith(("The machine", "Ola"))


def test_a_better_move_that_takes_leads_from_the_piece_that_moves(
    client: TestClient, keep: Callable[..., Path]
) -> None:
    keep("match-1", ("B3B2", "A1A2"))  # the chick on B2 gives check, and was to be taken
    listing(client)
    _, _, move, _ = judged(client, "match-1")
    places = serving("robot-duel")[0].game("robot-duel").places
    assert move["best"]["to"] == places["B2"]
    assert move["best"]["from"] in (places["B1"], places["C1"])


def test_a_game_for_four_has_no_curve_and_throws_are_not_judged(
    client: TestClient, keep: Callable[..., Path]
) -> None:
    keep("match-1", random_match("chaturaji", 5))
    listing(client)
    first, *moves, _ = judged(client, "match-1")
    review = client.get("/api/matches/match-1").json()
    assert first["number"] == len(moves) <= len(review["plies"])
    assert {each["index"] for each in moves} <= {each["index"] for each in review["plies"]}
    assert all(review["plies"][each["step"] - 1]["index"] == each["index"] for each in moves)
    assert all(each["share"] is None for each in moves)


def test_judgements_of_no_match_are_refused(client: TestClient) -> None:
    answer = client.get("/api/matches/match-9/judgements", params={"lang": "en"})
    assert (answer.status_code, answer.json()["reason"]) == (
        404,
        "There is no such match any more.",
    )


class KnownAtOnce:
    """A look back whose judgements are all kept."""

    async def follow(self, match: Match) -> AsyncGenerator[JudgedPly]:
        for number in choices(match):
            yield JudgedPly(number, 0.5, match.steps()[number].text, 0.5)


@asynchronous
async def test_the_board_has_its_turn_between_judgements_that_are_kept() -> None:
    match = random_match("abalone", 20)
    turns = 0

    async def play() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    board = asyncio.create_task(play())
    lines = judgements(KnownAtOnce(), match, (), serving("abalone")[0], "en")  # type: ignore[arg-type]
    seen = [turns async for _ in lines]
    board.cancel()
    assert len(set(seen)) >= len(seen) - 1, "the board had a turn between any two moves"
