"""Moves that people name one after the other, of which none can be told alone."""

from __future__ import annotations

from typing import Any

import pytest

START = "sss1s/2s1s1/1ss2ss/3s1s2/1s1s2S2/3S2S1/1SSS2S/SSSS2/1SS1S 0 0 b 0 1"
PUSHED_BACK = "1 c2- 0.49 d3+ 0.022 d3- 0.2 c2+ 0.05 e4- 0.17 d3/ 0.08 f5- 0.16 e4/"
"""A marble comes to d3, stands there for a blink, and is pushed back to c2 by the next player."""


def test_two_moves_that_only_together_explain_what_stands(timeline: Any) -> None:
    board = timeline("abalone", "polarity", START).hands(PUSHED_BACK).rest(0.75)
    assert board.moves == []
    board.choose("c2d3").rest(0.26).choose("f5e4").rest()
    assert (board.moves, board.asked) == (["c2d3", "f5e4"], [])
    board.hands("a2- 0.3 d2+").rest()
    assert board.moves == ["c2d3", "f5e4", "a2b2"]


def test_names_do_not_stand_for_what_hands_have_not_done(timeline: Any) -> None:
    board = timeline("abalone", "polarity", START)
    board.hands("1 a2- 0.3 a2+").rest(0.75)
    board.choose("c2d3").rest(0.26).choose("f5e4").rest()
    assert board.moves == []


BUMPED = "c6- 0.041 d5+ 0.041 d5- 0.01 d5+ 0.003 c6+"
"""A token is lifted, as it seems, before another comes to stand beside it, and back at once."""


def test_a_token_that_was_named_is_rather_bumped_than_taken_back(timeline: Any) -> None:
    board = timeline("robotory", "presence").hands("1 c6+").rest().choose("P w c6").rest()
    board.hands(BUMPED).rest(1.2).choose("P b d5").rest()
    assert (board.moves, board.asked) == (["P w c6", "P b d5"], [])


def test_a_name_while_the_next_player_has_lifted_a_man_to_take_it(timeline: Any) -> None:
    """It is the name of what has just been done, be that not shown yet, and of nothing before."""
    men = "bw....Wbww..B..b.Rbwwb../2w1b:0w0b 7w8b d"
    board = timeline("robotory", "presence", men).hands("1 b3- 1")  # the robot goes to a2
    board.hands("d1- 0.1 d3- 0.12 e2- 0.3 e1- 0.53 d1+ 1.67 b4- 0.002 b4+ 0.004 b4- 0.14")
    board.hands("b5- 0.006 b5+ 0.23 c4- 0.3 b4+ 2.3 c1- 0.3")
    board.choose("F 1b").hands("0.3 d1- 0.35 c1+").rest(2)
    made = ["M W b3-a2", "M R d3-e2-e1-d1", "M B c4-b4", "F 1b", "M R d1-c1"]
    assert (board.moves, board.asked) == (made, [])


@pytest.mark.parametrize("waited", [0.01, 0.025, 0.04, 0.06, 0.2])
def test_a_name_waits_for_what_sensors_have_only_begun_to_show(
    timeline: Any, waited: float
) -> None:
    # The token that was refilled is taken up by mistake, and put back just before people speak.
    men = "......W..b.....b.B....R./2w1b:3w0b 8w9b d"
    board = timeline("robotory", "presence", men).hands("1 stock.dark.b+ 1.8 stock.dark.b- 0.35")
    board.hands(f"stock.dark.b+ {waited}").choose("F 1w").hands("0.95 a2+").rest(2)
    assert (board.moves, board.asked) == (["F 1b", "F 1w", "P w a2"], [])
