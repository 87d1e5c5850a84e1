"""What people are asked about moves of Robotory, and what their answers and names settle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.match import Match
from firmware_host.session.events import Choose
from firmware_host.session.session import Session


def test_each_move_that_is_asked_about_is_said_once(timeline: Any) -> None:
    board = timeline("robotory").rest().hands("stock.light.w- b2+").rest(10)
    said = " ".join(board.says())
    assert "The sensors cannot tell which move light played. Which was it?" in said
    assert said.count("P w b2") == said.count("P b b2") == 1


def test_an_answer_is_not_forgotten_by_what_comes_later(timeline: Any) -> None:
    board = timeline("robotory", "polarity").rest()
    board.hands("stock.light.w- e3+").rest().hands("stock.dark.w- e2+").rest()
    board.hands("e3- d3- e3+").rest(0.45).hands("e2- e3- e2+").rest(25.0)
    assert board.asked == [{"M R d3-e3", "M R d3-e3-e2"}, {"M R e3-e2", ""}]
    says = board.says()
    assert any("Which was it?" in each for each in says)  # no robot is ever promoted
    board.press("yes").rest()
    assert len(board.asked) == 2
    board.choose("M R d3-e3-e2").rest()
    board.hands("stock.dark.b- a1/").rest(20.0)
    assert board.moves == ["P w e3", "P w e2", "M R d3-e3-e2", "P b a1"]
    assert not board.asked


@pytest.mark.parametrize("number", [0, 1])
def test_of_two_questions_with_the_same_candidates_the_one_is_answered_that_is_meant(
    timeline: Any, number: int
) -> None:
    board = timeline("robotory")
    ways = [["P b a1", "P b a2"], ["P b a2", "P b a1"]]
    board.session = Session(board.game, board.sight, [_played(board, way) for way in ways])
    assert board.asked == [{"P b a1", "P b a2"}] * 2
    board.feed(Choose(board.now, "P b a2", number))
    assert board.moves == ways[1 - number]


def test_an_answer_that_comes_too_late_answers_nothing_else(timeline: Any) -> None:
    board = timeline("robotory")
    ways = [["P b a1", "P b a3"], ["P b a1", "P b a4"], ["P b a2", "P b a3"]]
    board.session = Session(board.game, board.sight, [_played(board, way) for way in ways])
    board.feed(Choose(board.now, "P b a1", 0))
    assert board.asked == [{"P b a3", "P b a4"}]
    board.feed(Choose(board.now, "P b a3", 0))  # where nothing of the kind is asked
    assert board.asked == [{"P b a3", "P b a4"}]
    assert board.session.view.unplaced == "P b a3"
    board.feed(Choose(board.now, "P b a1", 0))  # said twice
    assert board.asked == [{"P b a3", "P b a4"}]
    assert board.session.view.unplaced == ""


def test_a_name_that_was_given_to_no_question_is_taken_where_it_is_likeliest(
    timeline: Any,
) -> None:
    board = timeline("robotory")
    ways = [["P b a1", "P b a2", "P b a3"], ["P b a4", "P b a3"]]
    board.session = Session(board.game, board.sight, [_played(board, way) for way in ways])
    assert board.asked == [{"P b a1", "P b a4"}, {"P b a2", "P b a3"}, {"P b a3", ""}]
    board.feed(Choose(board.now, "P b a3"))
    assert board.moves == ways[0]


def _played(board: Any, texts: Sequence[str]) -> Match:
    match = Match.begin(board.game)
    for text in texts:
        match = match.play(board.game.parse_move(match.position, text))
    return match
