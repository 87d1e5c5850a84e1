"""The demonstration: simulated hands play on the board that the page shows."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli import replay
from firmware_host.host import demo
from firmware_host.simulation.people import STYLES
from firmware_host.simulation.virtual_table import BOX
from firmware_host.storage import recording
from firmware_host.storage.journal import resume
from tests.support.stories import at_a_board


@pytest.mark.parametrize(
    ("game", "layout"),
    [
        ("robot-duel", "square-reed"),
        pytest.param("robot-duel", "square-hall", marks=pytest.mark.deep),
        ("chaturaji", "square-reed"),
        pytest.param("shogi", "square-hall", marks=pytest.mark.deep),
        pytest.param("abalone", "hex-reed", marks=pytest.mark.deep),
    ],
)
@at_a_board()
async def test_hands_demonstrate_a_game(board: Any, game: str, layout: str) -> None:
    playing = asyncio.create_task(demo.play(board.host, 7))
    await asyncio.sleep(60)
    assert not playing.done()
    assert len(board.moves) >= 8 or board.host.status().outcome is not None
    playing.cancel()
    await asyncio.sleep(5)
    assert not [
        piece for piece in board.host.table.pieces if piece.hand
    ]  # it put down what it held
    saved = recording.parse(b"".join(board.host.record_as_test()))
    session = replay.begin(saved)
    for _ in replay.replay(saved, session):
        pass
    assert session.record == board.host.controller.session.record


@pytest.mark.deep
def test_the_demonstration_goes_from_match_to_match(sit: Any, tmp_path: Path) -> None:
    async def story(board: Any) -> None:
        playing = asyncio.create_task(demo.play(board.host, 3))
        await asyncio.sleep(500)
        assert not playing.done()
        playing.cancel()

    sit(story)
    ended = [resume(file) for file in tmp_path.glob("match-*.jsonl")]
    assert len(ended) >= 2
    assert all(kept is not None and kept.matches[0].outcome is not None for kept in ended)


@at_a_board()
async def test_the_demonstration_waits_while_people_move_pieces(board: Any) -> None:
    playing = asyncio.create_task(demo.play(board.host, 3))
    await asyncio.sleep(10)
    table = board.host.table
    piece = next(piece for piece in table.pieces if not piece.hand)
    place = piece.place
    table.lift(piece.number, "somebody")
    await asyncio.sleep(1)
    before = table.rev
    await asyncio.sleep(30)
    assert table.rev == before  # as long as somebody holds a piece
    assert [each.hand for each in table.pieces if each.hand] == ["somebody"]
    table.put(piece.number, place, "somebody")
    before = list(board.moves)
    await asyncio.sleep(30)
    assert not playing.done()
    assert board.moves != before  # it plays on, or has begun another game
    playing.cancel()


def test_a_piece_slid_from_cell_to_cell_is_in_one_place(
    sit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen_twice = replace(STYLES["blitz"], slide=1.0, gap=(-0.02, -0.01), stops=0.0)
    monkeypatch.setattr(demo, "person", lambda name, rng: seen_twice)

    async def story(board: Any) -> None:
        match = board.host.controller.session.view.match
        table = board.host.table
        piece = table.at(table.place("C4"))[-1]
        await demo.make_move(board.host, match.game.parse_move(match.position, "C4C3"), 1)
        assert board.moves == ["C4C3"]
        assert [each.number for each in table.at(table.place("C3"))] == [piece.number]

    sit(story)


@at_a_board()
async def test_hands_that_miss_a_piece_put_the_pieces_right(board: Any) -> None:
    table, match = board.host.table, board.host.controller.session.view.match
    piece = table.at(table.place("C4"))[-1]
    table.lift(piece.number, "somebody")
    table.put(piece.number, BOX, "somebody")
    await demo.make_move(board.host, match.game.parse_move(match.position, "C4C3"), 1)
    assert [each.number for each in table.at(table.place("C4"))] == [piece.number]


@pytest.mark.parametrize("seed", range(3))
@at_a_board()
async def test_the_hands_of_a_machine_try_no_other_move_on_the_board(
    board: Any, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    unsure = replace(STYLES["beginner"], hover=1.0, rest=1.0, rest_time=(2.0, 2.5))
    monkeypatch.setattr(demo, "person", lambda name, rng: unsure)
    match = board.host.controller.session.view.match
    move = match.game.parse_move(match.position, "B4A3")
    making = asyncio.create_task(demo.make_move(board.host, move, seed))
    read = set()
    while not making.done():
        read.add(tuple(board.moves))
        await asyncio.sleep(0.1)
    assert board.moves == ["B4A3"]
    assert read == {(), ("B4A3",)}  # others would have seen another move, and gone on from there


@at_a_board()
async def test_hands_stop_when_a_lesson_takes_the_table(board: Any) -> None:
    match = board.host.controller.session.view.match
    move = match.game.parse_move(match.position, "C4C3")
    making = asyncio.create_task(demo.make_move(board.host, move, 1))
    await asyncio.sleep(0.1)
    board.host.lesson_mode.learn("robot-duel-01")
    await asyncio.sleep(2.0)  # sooner than a table counts as left alone
    assert making.done()
    assert board.host.aside.use is not None
