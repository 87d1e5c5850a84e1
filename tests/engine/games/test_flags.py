"""What it means in each game that a player's time is up."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Claim, Outcome
from engine.games import NAMES, make
from engine.games.abalone import Abalone
from engine.games.chaturaji import Chaturaji
from engine.games.robot_duel import RobotDuel
from engine.games.robotory import Robotory


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_a_claim_for_a_flag_that_falls(name: str) -> None:
    game: Any = make(name)
    for seat, called in enumerate(game.seats):
        start = game.start()
        claim = game.time_up(start, seat)
        assert claim == Claim(seat, "flag")
        assert claim in game.claims(start, seat)
        assert game.parse_move(start, f"{called} flag") == claim
        after = game.play(start, claim)
        assert game.parse_position(game.position_text(after)) == after
        if len(game.seats) == 2:
            outcome = game.outcome(after)
            assert (outcome.winners, outcome.reason) == ({1 - seat}, "flag")
            assert outcome.reason in game.endings
            assert not game.legal(after)
            assert game.time_up(after, 1 - seat) is None


def test_robot_duel_and_robotory_write_whose_time_was_up() -> None:
    duel, robotory = RobotDuel(), Robotory()
    over = duel.play(duel.start(), Claim(1, "flag"))
    assert duel.position_text(over) == "gle/1c1/1C1/ELG b - 1 flag:B"
    assert over.passed().passed() == over
    dark = robotory.play(robotory.start(), Claim(1, "flag"))
    assert robotory.position_text(dark).endswith(" flag:dark")
    assert robotory.outcome(dark) == Outcome(frozenset({0}), "flag", (1, 2))


def test_a_seat_of_chaturaji_leaves_the_game_like_one_that_resigns() -> None:
    game = Chaturaji()
    flagged = game.play(game.start(), Claim(2, "flag"))
    assert flagged == game.play(game.start(), Claim(2, "resign"))
    assert game.outcome(flagged) is None
    assert game.time_up(flagged, 2) is None
    assert game.move_text(game.start(), Claim(2, "flag")) == "N flag"


def test_abalone_goes_by_its_rule_whatever_clock_there_is() -> None:
    for clock in ("none", "10"):
        game = Abalone({"clock": clock, "flag_rule": "ejections"})
        claim = game.time_up(game.start(), 0)
        assert claim is not None
        outcome = game.outcome(game.play(game.start(), claim))
        assert outcome == Outcome(frozenset(), "flag-equal", (0, 0))
