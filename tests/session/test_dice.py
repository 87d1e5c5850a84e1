"""Throws that are forced, cannot fall, or belong to another match."""

from __future__ import annotations

from typing import Any


def test_a_forced_pass_plays_itself_and_is_said(timeline: Any) -> None:
    board = timeline("chaturaji").throw(4).rest()  # the elephant is shut in at the start
    assert board.told[-1] == ("move", {"seat": 0, "move": "--"})
    assert board.session.view.match.seat == 0
    board.throw(3).hands("1 a7- c6+ 5 [--, a7c6]")


def test_a_throw_that_cannot_fall_is_no_throw(timeline: Any) -> None:
    timeline("chaturaji").throw(6).throw(1, 2).hands("5 all: dice:")
    timeline("robot-duel").throw(3).hands("5 all:")


def test_a_throw_that_fell_again_is_none_of_the_next_match(timeline: Any) -> None:
    board = timeline("chaturaji").throw(5).rest(1).throw(5)
    board.new_match().hands("0.05 b2- 0.4 b2+ 1 dice:")
