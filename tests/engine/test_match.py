"""Matches as values: they share their past, and everything follows from it."""

from __future__ import annotations

import pytest

from engine.game import CHANCE, Claim, IllegalMoveError, Outcome, Pass, Throw
from engine.games import make
from engine.match import Match

DUEL = make("robot-duel")
CHATURAJI = make("chaturaji")


def played(match: Match, *texts: str) -> Match:
    for text in texts:
        match = match.play(match.game.parse_move(match.position, text))
    return match


def test_a_match_begins_in_the_start_or_anywhere() -> None:
    match = Match.begin(DUEL)
    assert (match.position, match.before, match.move, match.plies) == (DUEL.start(), None, None, 0)
    assert (match.text, match.seat, match.turn) == ("", CHANCE, 0)
    assert match.moves() == match.steps() == []
    there = DUEL.parse_position("1le/1L1/3/E2 w GgCc 1")
    assert Match.begin(DUEL, there).turn == 1


def test_two_continuations_share_their_past() -> None:
    common = played(Match.begin(DUEL), "C4C3", "A1A2")
    one, other = played(common, "B3B2"), played(common, "B4A3")
    assert one.before is common is other.before
    assert one.moves() == ["C4C3", "A1A2", "B3B2"]
    assert other.moves() == ["C4C3", "A1A2", "B4A3"]
    assert [step.text for step in one.steps()] == one.moves()
    assert [step.seat for step in one.steps()] == [0, 1, 0]
    assert list(one.past()) == [common, common.before, common.before.before]


def test_what_is_illegal_cannot_be_played() -> None:
    match = Match.begin(DUEL)
    with pytest.raises(IllegalMoveError):
        match.play(Throw((3,)))
    with pytest.raises(IllegalMoveError):
        match.play(Claim(0, "declare"))


def test_going_back_counts_moves_and_passes_and_leaves_the_throw() -> None:
    match = Match.begin(CHATURAJI).play(Throw((4,)))
    passing = match.forced_pass()
    assert passing == Pass()
    match = match.play(passing).play(Throw((3,)))
    thrown = match
    match = played(match, "a7c6")
    assert match.plies == 2
    assert match.moves() == ["--", "a7c6"]
    assert match.back(1) is thrown  # its throw stands again
    assert thrown.turn == 1
    begun = match.back(2)
    assert (begun.turn, begun.plies) == (0, 0)
    assert begun.move == Throw((4,))
    assert match.back(9).before is None
    assert match.back(0) is match


def test_a_pass_is_forced_only_where_nothing_moves() -> None:
    match = Match.begin(CHATURAJI)
    assert match.turn == CHANCE
    assert match.forced_pass() is None
    assert match.play(Throw((3,))).forced_pass() is None
    assert match.play(Throw((4,))).forced_pass() == Pass()
    assert Match.begin(DUEL).forced_pass() is None


def test_claims_are_in_the_line_but_are_no_moves() -> None:
    match = played(Match.begin(DUEL), "C4C3").play(Claim(0, "resign"))
    assert match.moves() == ["C4C3"]
    assert match.plies == 1
    assert match.seat == 0  # the claiming seat, not the seat to move
    assert match.outcome == Outcome(frozenset({1}), "resign")
    assert match.legal == ()
    assert match.back(1).before is None


def test_repetition_counts_the_whole_match() -> None:
    match = Match.begin(DUEL)
    round_trip = ("C4C3", "A1A2", "C3C4", "A2A1")
    for _ in range(2):
        match = played(match, *round_trip)
        assert match.outcome is None
    match = played(match, *round_trip)  # the start for the fourth time
    assert match.outcome == Outcome(frozenset(), "repetition")
    assert match.legal == ()
    assert match.back(1).outcome is None
    assert Match.begin(DUEL, match.position).outcome is None  # the position itself has no past
