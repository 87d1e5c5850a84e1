"""The simulated table: what hands can do, and the file that it is stored in."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from engine.game import Game, Piece
from engine.games import make
from firmware_host.i18n.messages import RefusedError, render
from firmware_host.simulation.virtual_table import (
    BOX,
    VERSION,
    TableFileError,
    VirtualTable,
)
from hardware.layout import load
from hardware.simulated.board import SimulatedBoard
from tests.support.stories import at_a_board

DUEL = make("robot-duel")
HEAD: dict[str, Any] = {"lampion": "table", "version": VERSION, "game": "robot-duel"}


def table_for(
    game: Game[Any, Any] = DUEL, layout: str = "square-reed"
) -> tuple[VirtualTable, SimulatedBoard]:
    plan = load(layout)
    board = SimulatedBoard(plan)
    table = VirtualTable(game, plan.game(game.name).places, board, slots=plan.slots)
    table.set_up(game.pieces(game.start()))
    return table, board


def on(table: VirtualTable, name: str) -> Any:
    """Return the top piece on a place of the game."""
    return table.at(table.place(name))[-1]


def shown(table: VirtualTable) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for piece in table.pieces:
        found.setdefault(table.name(piece.place), []).append((piece.owner, piece.face))
    return found


def test_set_up_lays_a_magnet_under_every_piece() -> None:
    table, board = table_for()
    assert len(table.pieces) == 8
    assert {place for place in board.layout.cells if board.lying(place)} == {
        table.place(name) for name in DUEL.pieces(DUEL.start())
    }


def test_a_hand_lifts_and_puts_and_the_magnet_follows() -> None:
    table, board = table_for()
    chick = on(table, "B3")
    table.lift(chick.number, "me")
    assert board.lying("E4") == ()
    table.put(chick.number, table.place("A3"), "me")
    assert board.lying("E4") == ()
    assert board.lying("D4") == (1,)
    assert chick.place == "D4"


def test_a_hand_holds_one_piece() -> None:
    table, _ = table_for()
    table.lift(on(table, "B3").number, "me")
    with pytest.raises(RefusedError, match="hand is full"):
        table.lift(on(table, "A4").number, "me")


def test_a_hand_cannot_take_a_piece_from_another_hand() -> None:
    table, _ = table_for()
    chick = on(table, "B3")
    table.lift(chick.number, "me")
    with pytest.raises(RefusedError, match="Someone else"):
        table.lift(chick.number, "you")
    with pytest.raises(RefusedError, match="not holding"):
        table.put(chick.number, BOX, "you")


def test_a_piece_moved_meanwhile_is_refused() -> None:
    table, _ = table_for()
    seen = table.rev
    chick = on(table, "B3")
    table.lift(chick.number, "me", seen)
    table.put(chick.number, table.place("A3"), "me")
    with pytest.raises(RefusedError, match="moved meanwhile"):
        table.lift(chick.number, "you", seen)
    table.lift(chick.number, "you", table.rev)


def test_a_piece_of_an_earlier_match_is_refused() -> None:
    table, _ = table_for()
    chick = on(table, "B3")
    table.set_up(DUEL.pieces(DUEL.start()))
    with pytest.raises(RefusedError, match="no longer"):
        table.lift(chick.number, "me")


def test_a_piece_put_onto_another_swaps_it_into_the_hand() -> None:
    table, board = table_for()
    mine, theirs = on(table, "B3"), on(table, "B2")
    table.lift(mine.number, "me")
    table.put(mine.number, table.place("B2"), "me")
    assert table.held_by("me") is theirs
    assert board.lying(table.place("B2")) == (1,)


def test_a_piece_laid_into_a_hand_tray_changes_sides_with_its_front_up() -> None:
    table, _ = table_for()
    theirs = on(table, "B2")
    table.flip(theirs.number, "me")
    assert theirs.face == "+C"
    table.lift(theirs.number, "me")
    table.put(theirs.number, table.place("hand.A.C"), "me")
    assert (theirs.owner, theirs.face) == ("A", "C")


def test_a_piece_that_is_put_back_keeps_its_owner() -> None:
    table, _ = table_for()
    piece = on(table, "B2")
    table.lift(piece.number, "me")
    table.put(piece.number, table.place("hand.A.C"), "me")
    table.turn(piece.number, "me")
    assert piece.owner == "B"
    table.lift(piece.number, "me")
    table.put_back(piece.number, "me")
    assert piece.owner == "B"


def test_turning_a_piece_over_turns_its_pole() -> None:
    table, board = table_for(layout="square-hall")
    chick = on(table, "B3")
    table.flip(chick.number, "me")
    assert chick.face == "+C"
    assert board.lying(table.place("B3")) == (-1,)


def test_a_piece_without_a_back_shows_nothing_when_turned() -> None:
    table, _ = table_for()
    lion = on(table, "B4")
    table.flip(lion.number, "me")
    assert lion.face == ""


def test_a_hand_that_goes_gives_back_what_it_held() -> None:
    table, board = table_for()
    chick = on(table, "B3")
    table.lift(chick.number, "me")
    table.release("me")
    assert table.name(chick.place) == "B3"
    assert board.lying(table.place("B3")) == (1,)


def test_a_piece_that_cannot_go_back_goes_into_the_box() -> None:
    table, _ = table_for()
    mine, theirs = on(table, "B3"), on(table, "B2")
    table.lift(mine.number, "me")
    table.put(mine.number, table.place("B2"), "me")
    table.release("me")
    assert theirs.place == BOX


def test_set_up_of_a_later_position_keeps_the_rest_in_the_box() -> None:
    table, _ = table_for()
    pieces = dict(DUEL.pieces(DUEL.start()))
    del pieces["B1"]
    table.set_up(pieces)
    assert [(piece.owner, piece.kind) for piece in table.at(BOX)] == [("B", "L")]


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        ("shogi", "square-reed"),
        ("chaturaji", "square-hall"),
        ("robotory", "hex-hall"),
        ("abalone", "hex-reed"),
    ],
)
def test_hands_make_every_move_of_a_game(name: str, layout: str) -> None:
    game = make(name)
    check_moves(game, layout, plies=24)


def test_hands_make_every_kind_of_duel_move() -> None:
    check_moves(DUEL, "square-hall", plies=60)


def check_moves(game: Game[Any, Any], layout: str, plies: int) -> None:
    """Play a game with hands; after each move the pieces must stand where the rules have them."""
    table, _ = table_for(game, layout)
    position = game.start()
    for ply in range(plies):
        moves = game.legal(position)
        if not moves:
            break
        before, position = position, game.play(position, moves[(7 * ply) % len(moves)])
        for each in position, before, position:  # it is taken back, and played again
            follow(table, game.pieces(each))
            agrees(table, game.pieces(each))


def follow(table: VirtualTable, pieces: dict[str, Piece]) -> None:
    for step in table.steps_to(pieces):
        table.lift(step.piece, "hands")
        table.finish(step, "hands")
        assert table.held_by("hands") is None, "the hand came away with another piece"
    assert table.steps_to(pieces) == []


def agrees(table: VirtualTable, pieces: dict[str, Piece]) -> None:
    """Check that every piece is where the rules have it, and nothing else is on the board."""
    wanted = {
        place: [(piece.owner, piece.kind)] * piece.count
        for place, piece in pieces.items()
        if place in table.places
    }
    found = {
        place: [
            (None if piece[0] == "" else table.game.seats.index(piece[0]), piece[1])
            for piece in pieces
        ]
        for place, pieces in shown(table).items()
        if place != BOX
    }
    if table.game.name == "robotory":  # energy has no owner, although it lies in a stock
        wanted = {place: [(None, kind) for _, kind in pieces] for place, pieces in wanted.items()}
    assert found == wanted


# ---- the file


def test_the_file_holds_where_the_pieces_lie(tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    table, _ = table_for()
    for start, end in (("B3", "A3"), ("B2", "hand.A.C"), ("A1", "board:A1")):
        piece = on(table, start)
        table.lift(piece.number, "me")
        table.put(piece.number, table.place(end), "me")
    table.flip(on(table, "A3").number, "me")
    table.lift(on(table, "C4").number, "me")  # in the hand when the program ends
    file.write_text(table.text())

    again, board = table_for()
    again.load(file, (*board.layout.cells, *board.layout.slots))
    before = shown(table)
    before.setdefault("C4", before.pop("board:", []))
    assert shown(again) == before
    assert board.lying("A1") == (1,)
    assert board.lying("D4") == (-1,)


def test_a_file_of_version_1_is_read(tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    table, board = table_for()
    row = {"place": "A2", "kind": "C", "owner": "B", "face": "back"}
    file.write_text(json.dumps({**HEAD, "version": 1, "men": [row]}))
    table.load(file, board.layout.cells)
    assert shown(table) == {"A2": [("B", "+C")]}


def test_the_file_may_be_edited_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    table, board = table_for()
    text = table.text()
    assert '{"place": "B3", "kind": "C", "owner": "A"}' in text
    file.write_text(text.replace('"B3"', '"A2"'))
    table.load(file, board.layout.cells)
    assert on(table, "A2").owner == "A"
    assert table.at(table.place("B3")) == ()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('{"lampion": "ta', "not JSON"),
        ("[" * 100_000 + "]" * 100_000, "not JSON"),
        (" " * 300_000 + "{}", "longer than"),
        ("[1, 2]", "not the file of a table"),
        (json.dumps({**HEAD, "version": 9, "pieces": []}), "version 9"),
        (json.dumps({**HEAD, "version": True, "pieces": []}), "version True"),
        (json.dumps({**HEAD, "game": "shogi", "pieces": []}), "pieces of shogi"),
        (json.dumps({**HEAD, "pieces": {}}), "must be a list"),
        (json.dumps({**HEAD, "pieces": [{"place": "Z9", "kind": "C"}]}), "no place 'Z9'"),
        (json.dumps({**HEAD, "pieces": [{"place": "A1", "kind": "Q"}]}), "no kind 'Q'"),
        (
            json.dumps({**HEAD, "pieces": [{"place": "A1", "kind": "C", "owner": "X"}]}),
            "no seat 'X'",
        ),
        (json.dumps({**HEAD, "pieces": [{"place": "A1", "kind": "C", "pole": 2}]}), "pole must"),
        (json.dumps({**HEAD, "pieces": [{"place": "A1", "kind": "C", "face": "up"}]}), "face must"),
        (
            json.dumps({**HEAD, "pieces": [{"place": "A1", "kind": "C", "colour": "r"}]}),
            "only face",
        ),
        (json.dumps({**HEAD, "pieces": [{"place": "A1", "kind": "C"}] * 2}), "has a piece already"),
        (json.dumps({**HEAD, "pieces": [7]}), "piece 1"),
    ],
)
def test_a_broken_file_is_one_clear_line_and_changes_nothing(
    tmp_path: Path, content: str, why: str
) -> None:
    table, board = table_for()
    before = shown(table)
    file = tmp_path / "table.json"
    file.write_text(content)
    with pytest.raises(TableFileError, match=why) as caught:
        table.load(file, board.layout.cells)
    assert "\n" not in str(caught.value)
    assert shown(table) == before


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    table, board = table_for()
    os.mkfifo(tmp_path / "table.json")
    with pytest.raises(TableFileError, match="Not a regular file"):
        table.load(tmp_path / "table.json", board.layout.cells)


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    table, board = table_for()
    with pytest.raises(TableFileError, match="No such file"):
        table.load(tmp_path / "none.json", board.layout.cells)


@at_a_board()
async def test_simulated_hands_take_over_the_piece_that_the_page_holds(board: Any) -> None:
    """The board is set up again while the pointer still drags a captured lion."""
    host, finished = board.host, []
    table, pieces = host.table, host.pieces
    lion, chick = on(table, "B1"), on(table, "B3")
    table.lift(chick.number, "page-1")
    table.put(chick.number, lion.place, "page-1")
    assert table.held_by("page-1") is lion
    pieces.bring(host.game.start(), "page-1", "", finished.append)
    while pieces.moving:
        await asyncio.sleep(0.1)
    assert finished == [None]
    agrees(table, host.game.pieces(host.game.start()))


@at_a_board()
async def test_simulated_hands_leave_the_piece_that_another_page_holds(board: Any) -> None:
    host, finished = board.host, []
    lion = on(host.table, "B1")
    host.table.lift(lion.number, "page-2")
    host.pieces.bring(host.game.start(), "page-1", "", finished.append)
    while host.pieces.moving:
        await asyncio.sleep(0.1)
    assert [str(error) for error in finished if error] == ["Someone else holds that piece."]
    assert host.table.held_by("page-2") is lion


@at_a_board(game="shogi")
async def test_injected_faults_have_the_names_of_the_game(board: Any) -> None:
    simulated = board.host.board
    simulated.stick(board.host.table.place("2a"), closed=True)
    (said,) = board.host.pieces.broken()
    assert render(said) == "2a: the sensor is stuck and always sees a piece."
    simulated.repair()
    simulated.stick("south.1", closed=True)
    (said,) = board.host.pieces.broken()
    assert not render(said).startswith("south.1")
