"""Two boards that play one match over a real broker, which is killed again and again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.support.boards_on_mqtt import at_a_broker, play_at_both, two_boards
from tests.support.journals import moves_in
from tests.support.mosquitto import NEEDED, Mosquitto
from tests.support.stories import asynchronous

pytestmark = NEEDED
KILLS = 20


@asynchronous
async def test_a_move_is_lit_at_the_other_board(broker: Mosquitto, tmp_path: Path) -> None:
    boards = two_boards(tmp_path, broker.port)
    async with at_a_broker(*boards):
        for number, text in enumerate(("C4C3", "A1A2")):
            await play_at_both(boards, number, text)
        assert [each.moves for each in boards] == [["C4C3", "A1A2"]] * 2


@asynchronous
async def test_what_is_played_while_the_broker_is_away_comes_later(
    broker: Mosquitto, tmp_path: Path
) -> None:
    attic, kitchen = boards = two_boards(tmp_path, broker.port)
    async with at_a_broker(*boards):
        broker.kill()
        await attic.until(lambda: not attic.host.opponents.linked.connected)
        await kitchen.until(lambda: "There is no connection to the other board." in kitchen.says)
        await attic.play("C4C3", rest=0.1)
        await attic.until(lambda: attic.moves == ["C4C3"])
        broker.start()  # it has forgotten everything
        await kitchen.until(lambda: kitchen.host.status().request == "C4C3")


@asynchronous
async def test_a_board_that_was_off_gets_what_the_other_one_has_retained(
    broker: Mosquitto, tmp_path: Path
) -> None:
    attic, kitchen = two_boards(tmp_path, broker.port)
    kitchen.host.close()
    async with at_a_broker(attic):
        await attic.play("C4C3", rest=0.1)
        await attic.until(lambda: attic.moves == ["C4C3"])
        await asyncio.sleep(0.2)
    (tmp_path / "attic").rename(tmp_path / "gone")
    unused, kitchen = two_boards(tmp_path, broker.port)
    unused.host.close()
    async with at_a_broker(kitchen):
        await kitchen.until(lambda: kitchen.host.status().request == "C4C3")


async def play_while_the_broker_is_killed(
    folder: Path, broker: Mosquitto, moves: tuple[str, ...], kills: int
) -> None:
    """Play a match over a broker that is killed so often, each time at another moment."""
    rng = Random(7)
    boards = two_boards(folder, broker.port)

    async def kill() -> None:
        for _ in range(kills):
            await asyncio.sleep(rng.uniform(0.1, 0.8))
            broker.kill()
            await asyncio.sleep(rng.uniform(0.0, 0.3))
            await asyncio.to_thread(broker.start)

    async with at_a_broker(*boards):
        killing = asyncio.create_task(kill())
        for number, text in enumerate(moves):
            await play_at_both(boards, number, text)
        await killing
        for each in boards:
            assert tuple(each.moves) == moves
            await each.until(lambda each=each: each.host.opponents.linked.connected)
    assert broker.kills == kills
    for name in ("attic", "kitchen"):
        assert tuple(moves_in(folder / name / "match.jsonl")) == moves


@asynchronous
async def test_kills_of_the_broker_lose_nothing(
    broker: Mosquitto, tmp_path: Path, whole_game: tuple[str, ...]
) -> None:
    await play_while_the_broker_is_killed(tmp_path, broker, whole_game[:4], 4)


@pytest.mark.deep
@asynchronous
async def test_many_kills_of_the_broker_lose_nothing_of_a_whole_match(
    broker: Mosquitto, tmp_path: Path, whole_game: tuple[str, ...]
) -> None:
    await play_while_the_broker_is_killed(tmp_path, broker, whole_game, KILLS)
