"""What every game gets from the contract without writing it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Claim, Game, IllegalMoveError, Place
from engine.games import make
from engine.games.robot_duel import RobotDuel
from tools.new_game.template import Template


class NumberedCells(RobotDuel):
    """Robot Duel on cells with names that are no letter and number."""

    def cells(self) -> tuple[Place, ...]:
        return tuple(f"r{row}c{column}" for row in range(3) for column in range(3))


def test_the_names_of_cells_tell_how_far_apart_they_are() -> None:
    game = make("shogi")
    assert game.distance("7g", "7f") == 1
    assert game.distance("B3", "C4") == 1
    assert game.distance("a1", "a5") == 4


def test_cells_with_other_names_lie_in_reading_order_on_a_square() -> None:
    game = NumberedCells()
    assert game.coordinates("r1c2") == (2, 1)
    assert game.distance("r0c0", "r1c1") == 1
    assert game.distance("r0c0", "r2c1") == 2


@pytest.mark.parametrize("game", [RobotDuel(), Template()], ids=["named tuple", "dataclass"])
def test_a_position_with_a_field_resigned_can_be_resigned(game: Game[Any, Any]) -> None:
    start, text = game.start(), f"{game.seats[1]} resign"
    claim = game.parse_move(start, text)
    assert game.claims(start, 1)[0] == claim == Claim(1, "resign")
    assert game.move_text(start, claim) == text
    after = game.play(start, claim)
    assert after.resigned == 1
    outcome = game.outcome(after)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ({0}, "resign")
    assert not game.claims(after, 0)
    with pytest.raises(IllegalMoveError, match="claim 'resign': it cannot be made here"):
        game.play(after, Claim(0, "resign"))


def test_a_seat_whose_time_is_up_resigns_unless_the_game_knows_flags() -> None:
    with_flags, without = RobotDuel(), Template()
    assert with_flags.time_up(with_flags.start(), 1) == Claim(1, "flag")
    assert without.time_up(without.start(), 1) == Claim(1, "resign")
    over = with_flags.play(with_flags.start(), Claim(0, "flag"))
    assert with_flags.time_up(over, 1) is None


def test_a_position_without_that_field_offers_no_claim() -> None:
    game = make("shogi")
    assert Game.claims(game, game.start(), 0) == ()
