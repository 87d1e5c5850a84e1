"""Pieces that are straightened, and rows that are pushed one by one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.session_parts import reader_of

SENSINGS = ("presence", "polarity")


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("pause", [0.4, 0.8])
@pytest.mark.parametrize("waited", [0.6, 1.3, 3.0])
def test_a_player_who_pushes_one_by_one_begins_with_a_piece_of_the_last_player(
    timeline: Any, sensing: str, waited: float, pause: float
) -> None:
    board = timeline("abalone", sensing, "sssss/ssssss/ss5/8/3s5/8/2S1SSS/SSSSSS/SS1SS 0 0 w 0 1")
    board.hands(f"1 e4- d3= {waited} d3- e3= 0.6 c3- {pause} d3+ {pause} b3- {pause} c3+ 25")
    # white may have gone on to e3, too, but rather not after so long
    assert "e4d3" in board.session.record[0].texts
    assert "e4e3" not in board.moves


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("thought", [0.0, 20.0])
def test_a_move_is_read_after_many_pieces_were_straightened(
    timeline: Any, sensing: str, thought: float
) -> None:
    board = timeline("shogi", sensing).hands("1 7g- 0.3 7f+ 1")
    for cell in ["9g", "8g", "6g", "5g", "4g", "3g", "2g", "1g", "8h", "2h", "5i", "7f"] * 2:
        board.hands(f"{cell}- 0.2 {cell}+ 0.8")
    board.hands(f"{thought} 2g- 0.2 2g+ {thought} 3c- 0.3 3d+ 5 [7g7f, 3c3d]")


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_is_straightened_while_the_other_moves_costs_once(
    timeline: Any, sensing: str
) -> None:
    board = timeline(sensing=sensing).hands("1 C4- 0.05 B3- 0.15 B2- 0.08 B2+ 0.05 C4+ 0.1")
    line, unexplained = reader_of(board.session).likeliest
    assert line.match.text == "B3B2"
    assert unexplained == pytest.approx(0.65, abs=0.1)  # the captive has not come yet
