"""What every game gets from the contract without writing it."""

from __future__ import annotations

from engine.game import Place
from engine.games import make
from engine.games.robot_duel import RobotDuel


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
