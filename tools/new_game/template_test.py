"""The rules of Template. test_contract.py beside this file tries every game."""

from __future__ import annotations

from engine.games import make
from engine.games.template import Template

GAME = Template()


def test_the_number_of_games_is_known() -> None:
    assert [GAME.perft(GAME.start(), depth) for depth in (1, 2, 3)] == [3, 10, 28]


def test_it_is_made_by_its_name() -> None:
    assert make("template") == GAME


def test_the_far_row_wins() -> None:
    outcome = GAME.outcome(GAME.parse_position("w../.b./... b"))
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ({0}, "far-row")
