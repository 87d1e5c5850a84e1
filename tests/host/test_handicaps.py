"""Handicap games at a board."""

from __future__ import annotations

from typing import Any

from firmware_host.web.view import game_on_board
from tests.support.stories import at_a_board


@at_a_board(layout="square-reed", game="shogi", handicap="two_pieces")
async def test_a_handicap_game_of_shogi_is_read(board: Any) -> None:
    await board.play("5a5b", "7g7f")
    assert board.moves == ["5a5b", "7g7f"]
    shown = game_on_board(board.host.game, board.host.layout, "en")
    assert shown["is_handicap"]
    assert shown["single_owner_kinds"] == []  # gote may take a rook


@at_a_board(layout="hex-hall", game="abalone", handicap="2")
async def test_white_begins_without_two_marbles_at_the_board(board: Any) -> None:
    host = board.host
    assert host.position().ejected == (2, 0)
    assert len(host.table.at(host.table.place("out.white"))) == 2
    await board.play("c5d5")
    assert board.moves == ["c5d5"]


@at_a_board(layout="hex-reed", game="abalone")
async def test_with_a_handicap_everybody_keeps_the_seat(board: Any) -> None:
    host = board.host
    host.seating.rename(0, "Ania")
    host.seating.swap()
    assert host.status().players == ("", "Ania")
    host.new_game("abalone", {"handicap": "1"}, "hex-reed")
    host.seating.swap()
    assert host.status().players == ("", "Ania")
