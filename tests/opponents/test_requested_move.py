"""How hands make a move that was asked for: what is lit, and what is said."""

from __future__ import annotations

from typing import Any

from engine.games import make
from engine.games.robotory import Refill
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.i18n.messages import render, warn
from firmware_host.lights.signals import Light, Pattern, Signal
from firmware_host.opponents.requested_move import RequestedMove
from firmware_host.session.session import Session


def requested(board: Any, text: str) -> RequestedMove:
    match = board.session.view.match
    return RequestedMove(board.session.view, match.game.parse_move(match.position, text))


def test_the_captive_goes_first_then_the_piece(timeline: Any) -> None:
    board = timeline().rest(1)
    made = requested(board, "B3B2")
    lit = made.lights(board.session.view)
    assert lit["B2"] == Light(Signal.RED, Pattern.HEARTBEAT)
    assert lit["hand.A.C"] == Light(Signal.BLUE, Pattern.BREATHE)
    board.hands("B2- hand.A.C+").rest(0.5)
    assert made.lights(board.session.view) == {
        "B3": Light(Signal.WHITE, Pattern.FROM),
        "B2": Light(Signal.BLUE, Pattern.TO),
    }


def test_a_captive_in_the_hand_is_no_part_of_the_next_capture(timeline: Any) -> None:
    board = timeline().rest(1).hands("C4- C3+").rest(1).hands("B1- C2+").rest(1)
    board.hands("B2- B3- B2+").rest(1)  # A has taken the chick, and holds it
    made = requested(board, "C2B2")
    assert [step.end for step in made.plan(board.session.view)] == ["hand.B.C", "B2"]
    board.hands("hand.A.C+").rest(0.5)
    assert [step.end for step in made.plan(board.session.view)] == ["hand.B.C", "B2"]


def test_a_drop_comes_from_its_tray_and_a_chick_is_turned_over(timeline: Any) -> None:
    board = timeline(position="gle/1C1/3/ELG b C 1").rest(1)
    assert requested(board, "C*A3").lights(board.session.view) == {
        "hand.A.C": Light(Signal.WHITE, Pattern.FROM),
        "A3": Light(Signal.BLUE, Pattern.TO),
    }
    turning = timeline(sensing="polarity", position="2l/C1e/1E1/L2 b Ggc 1").rest(1)
    said = requested(turning, "A2A1+").says(turning.session.view, warn("it"))
    assert "Turn it over as you do." in render(said[1])


def test_a_refill_is_said_only_where_no_stock_shows_it() -> None:
    game = make("robotory")
    match = Match.begin(game)
    while match.plies < 6:  # by then the stock of the side to move has no more of a colour
        match = match.play(match.legal[0])
    refills = [move for move in match.legal if isinstance(move, Refill)]
    for unsensed, said in ((), {True, False}), (("stock", "pool"), {True}):
        view = Session(game, Sight(game, "presence", unsensed), [match]).view
        assert {RequestedMove(view, each).is_unseen(view) for each in refills} == said
