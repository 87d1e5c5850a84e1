"""A look back at a match: chances, better moves, turning points."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine, Sequence
from pathlib import Path

import pytest

from engine.games import make
from engine.match import Match
from engine.search.turning_points import JudgedPly, position_of, turning_points
from firmware_host.opponents.analysis import COMMAND
from firmware_host.opponents.kept_judgements import KeptJudgements
from firmware_host.opponents.look_back import MOST_KEPT, LookBacks, look_back, own_turning_points
from firmware_host.storage.journal import Head, Journal, Player
from firmware_host.storage.library import Library
from tests.support.journals import recorded


def played(name: str, moves: Sequence[str]) -> Match:
    match = Match.begin(make(name))
    for text in moves:
        match = match.play(match.game.parse_move(match.position, text))
    return match


def looked_back(match: Match, command: tuple[str, ...] = COMMAND) -> list[JudgedPly]:
    async def run() -> list[JudgedPly]:
        return [each async for each in look_back(match, command=command)]

    return asyncio.run(asyncio.wait_for(run(), 60))


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
        assert each.forced is (len(before.legal) == 1)


def test_a_bad_move_has_a_reason_and_the_best_move_has_none() -> None:
    *_, bad, best = looked_back(played("robot-duel", ["B3B2", "B1B2", "B4B3", "B2B3"]))
    assert (bad.chance, bad.why and bad.why.code) == (0, "lets-win")  # the other lion takes it
    assert bad.best_chance > 0.25
    assert (best.best, best.chance, best.best_chance, best.why) == ("B2B3", 1, 1, None)
    assert best.best_why is not None
    assert best.best_why.code == "wins"


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


def read_all(backs: LookBacks, match: Match) -> Coroutine[None, None, list[JudgedPly]]:
    async def read() -> list[JudgedPly]:
        return [each async for each in backs.follow(match)]

    return read()


def test_two_readers_of_a_match_share_one_search() -> None:
    async def run() -> None:
        backs = LookBacks()
        match = played("robot-duel", ["B3B2", "B1B2"])
        first, second = await asyncio.gather(read_all(backs, match), read_all(backs, match))
        assert len(first) == 2
        assert first == second == await read_all(backs, match)
        await backs.close()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_match_that_nobody_reads_is_no_longer_judged() -> None:
    async def run() -> None:
        backs = LookBacks(command=("/bin/sleep", "60"))
        reader = backs.follow(played("robot-duel", ["B3B2"]))
        waiting = asyncio.ensure_future(anext(reader))
        await asyncio.sleep(0.1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert await read_all(backs, played("robot-duel", [])) == []  # nothing blocks it
        await backs.close()

    asyncio.run(asyncio.wait_for(run(), 20))


def test_the_next_reader_goes_on_where_the_last_one_left() -> None:
    async def run() -> None:
        backs = LookBacks()
        match = played("robot-duel", ["B3B2", "B1B2", "B4B3"])
        reader = backs.follow(match)
        first = await anext(reader)
        await reader.aclose()  # type: ignore[attr-defined]
        again = await read_all(backs, match)
        assert again[0] is first
        assert [each.number for each in again] == [0, 1, 2]
        await backs.close()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_only_the_last_matches_are_kept_in_memory() -> None:
    async def run() -> int:
        backs = LookBacks()
        texts = [text for _, text in zip(range(MOST_KEPT + 5), first_moves(), strict=False)]
        for text in texts:
            reader = backs.follow(played("abalone", [text]))
            waiting = asyncio.ensure_future(anext(reader))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        await backs.close()
        return len(backs._known)

    assert asyncio.run(asyncio.wait_for(run(), 60)) == MOST_KEPT


def first_moves() -> list[str]:
    """The moves with which Abalone can begin: each makes another match."""
    match = played("abalone", [])
    return [match.game.move_text(match.position, move) for move in match.legal]


# ---- on the disk

WORKER_FAILS = ("/bin/false",)


def test_no_match_is_judged_twice(tmp_path: Path) -> None:
    match = played("robot-duel", ["B3B2", "B1B2", "B4B3", "B2B3"])

    async def run(*command: str) -> list[JudgedPly]:
        backs = LookBacks(tmp_path, command or COMMAND)
        judged = await read_all(backs, match)
        await backs.close()
        return judged

    judged = asyncio.run(asyncio.wait_for(run(), 60))
    assert [each.number for each in judged] == [0, 1, 2, 3]
    assert asyncio.run(asyncio.wait_for(run(*WORKER_FAILS), 60)) == judged
    (file,) = (tmp_path / "look-back").iterdir()
    file.write_text("[]")
    assert asyncio.run(asyncio.wait_for(run(*WORKER_FAILS), 60)) == [], "it does not fit"


def keep_match(state: Path, name: str, match: Match, *players: str) -> None:
    journal = Journal(state / f"{name}.jsonl", Head(match.game, "square-reed", None, name))
    journal.players = tuple(Player(each, "person") for each in players)
    journal.write(recorded(match))
    journal.close()


def test_the_second_best_move_is_judged_too(blunder: tuple[Match, list[JudgedPly]]) -> None:
    for each in blunder[1]:
        assert (each.second_chance is None) is each.forced
        assert each.forced or 0 <= each.second_chance <= each.best_chance


def test_the_turning_points_of_a_player(
    blunder: tuple[Match, list[JudgedPly]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, judged = blunder
    keep_match(tmp_path, "match-1", match, "Ania", "Ola")
    keep_match(tmp_path, "match-2", played("robot-duel", ["C4C3"]), "Ola", "Ania")
    library = Library(tmp_path)
    library.update()
    assert own_turning_points(library, "Ania") == [], "nobody has looked back"
    KeptJudgements(tmp_path).keep(match, judged)
    points = own_turning_points(library, "ania")
    turned = turning_points(match, judged, [0])
    assert "B3A3" in [match.steps()[each.number].text for each in turned]
    assert points == [position_of(match, each) for each in turned]
    for point in points:
        game = make(point.game, point.options)
        position = game.parse_position(point.position)
        assert game.turn(position) == 0
        assert point.better in [game.move_text(position, move) for move in game.legal(position)]
    assert own_turning_points(library, "A") == own_turning_points(library, "") == []
    monkeypatch.setattr("firmware_host.opponents.look_back.MOST_POINTS", 1)
    assert own_turning_points(library, "Ania") == points[:1]
    library.close()
