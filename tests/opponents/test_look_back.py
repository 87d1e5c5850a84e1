"""A look back at a match: chances, better moves, turning points."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.games import make
from engine.match import Match
from firmware_host.opponents.analysis import COMMAND
from firmware_host.opponents.look_back import (
    MOST_KEPT,
    MOST_TURNING,
    JudgedPly,
    LookBacks,
    choices,
    curve,
    look_back,
    turning_points,
)


def played(name: str, moves: Sequence[str]) -> Match:
    match = Match.begin(make(name))
    for text in moves:
        match = match.play(match.game.parse_move(match.position, text))
    return match


def looked_back(match: Match, command: tuple[str, ...] = COMMAND) -> list[JudgedPly]:
    async def run() -> list[JudgedPly]:
        return [each async for each in look_back(match, command=command)]

    return asyncio.run(asyncio.wait_for(run(), 60))


def ply(number: int, chance: float, best: float) -> JudgedPly:
    return JudgedPly(number, chance, "", best, None, ())


@pytest.fixture(scope="module")
def blunder() -> tuple[Match, list[JudgedPly]]:
    """The lion walks beside the other lion, which takes it."""
    match = played("robot-duel", ["B3B2", "A1A2", "B4B3", "B1C2", "B3A3", "C2B2"])
    return match, looked_back(match)


def test_each_move_has_its_chance_and_the_best_move(
    blunder: tuple[Match, list[JudgedPly]],
) -> None:
    match, judged = blunder
    assert [each.number for each in judged] == list(range(6))
    for each in judged:
        before = match.steps()[each.number].before
        assert before is not None
        assert before.game.parse_move(before.position, each.best) in before.legal
        assert 0 <= each.chance <= each.best_chance <= 1
        assert each.line[0] == each.best


def test_a_bad_move_has_a_reason_and_the_best_move_has_none() -> None:
    *_, bad, best = looked_back(played("robot-duel", ["B3B2", "B1B2", "B4B3", "B2B3"]))
    assert (bad.chance, bad.why and bad.why.code) == (0, "lets-win")  # the other lion takes it
    assert bad.best_chance > 0.25
    assert (best.best, best.chance, best.best_chance, best.why) == ("B2B3", 1, 1, None)


def test_throws_passes_and_claims_are_no_choices() -> None:
    game = make("chaturaji")
    match = Match.begin(game)
    while match.plies < 8:
        match = match.play(game.legal(match.position)[0])
    kinds = [type(match.steps()[number].move).__name__ for number in choices(match)]
    assert kinds
    assert not {"Throw", "Pass", "Claim"} & set(kinds)
    duel = played("robot-duel", ["B3B2"])
    resigned = duel.play(duel.game.parse_move(duel.position, "resign"))
    assert choices(resigned) == [0]


def test_turning_points_are_the_largest_losses_in_the_order_of_play() -> None:
    losses = [0.1, 0.2, 0.5, 0.0, 0.3, 0.4]
    plies = [ply(number, 0.9 - loss, 0.9) for number, loss in enumerate(losses)]
    assert [each.number for each in turning_points(plies)] == [2, 4, 5]
    assert len(turning_points(plies)) == MOST_TURNING
    assert turning_points(plies[:1]) == []


def test_the_curve_is_the_chance_of_the_first_seat() -> None:
    match = played("robot-duel", ["B3B2", "B1B2"])
    assert curve(match, [ply(0, 0.4, 0.5), ply(1, 0.9, 0.9)]) == [
        (0, 0.4),
        (1, pytest.approx(0.1)),
    ]
    assert curve(Match.begin(make("chaturaji")), [ply(0, 0.4, 0.5)]) == []


def test_the_search_ends_with_the_iterator(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    worker = ("/bin/sh", "-c", f"echo $$ > {pid_file}; exec sleep 60")

    async def run() -> None:
        judged = look_back(played("robot-duel", ["B3B2"]), command=worker)
        waiting = asyncio.ensure_future(anext(judged))
        while not (pid_file.exists() and pid_file.read_text().strip()):
            await asyncio.sleep(0.02)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await judged.aclose()

    asyncio.run(asyncio.wait_for(run(), 20))
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


def test_a_search_that_crashes_ends_the_look_back() -> None:
    assert looked_back(played("robot-duel", ["B3B2", "B1B2"]), ("/bin/false",)) == []


# ---- for several readers


def test_two_readers_of_a_match_share_one_search() -> None:
    async def run() -> None:
        backs = LookBacks()
        match = played("robot-duel", ["B3B2", "B1B2"])

        async def read() -> list[JudgedPly]:
            return [each async for each in backs.follow("a", match)]

        first, second = await asyncio.gather(read(), read())
        assert len(first) == 2
        assert first == second == await read()
        await backs.close()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_match_that_nobody_reads_is_no_longer_judged() -> None:
    async def run() -> None:
        backs = LookBacks(command=("/bin/sleep", "60"))
        reader = backs.follow("a", played("robot-duel", ["B3B2"]))
        waiting = asyncio.ensure_future(anext(reader))
        await asyncio.sleep(0.1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        again = LookBacks.follow(backs, "b", played("robot-duel", []))
        assert [each async for each in again] == []  # the first one does not block it
        await backs.close()

    asyncio.run(asyncio.wait_for(run(), 20))


def test_only_the_last_matches_are_kept() -> None:
    async def run() -> int:
        backs = LookBacks()
        for number in range(MOST_KEPT + 5):
            assert [each async for each in backs.follow(number, played("robot-duel", []))] == []
        return len(backs._known)

    assert asyncio.run(asyncio.wait_for(run(), 60)) == MOST_KEPT
