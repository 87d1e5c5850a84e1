"""Turning points and good moves, from judgements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.games import make
from engine.match import Match
from engine.search.turning_points import (
    MOST_TURNING,
    GoodMoves,
    JudgedPly,
    choices,
    curve,
    good_moves,
    position_of,
    turning_points,
)

OPENING = ("B3B2", "B1B2", "B4B3", "A1A2", "C4C3", "A2A1")


def played(name: str, moves: Sequence[str]) -> Match:
    match = Match.begin(make(name))
    for text in moves:
        match = match.play(match.game.parse_move(match.position, text))
    return match


def dice_match(plies: int, **options: str) -> Match:
    match = Match.begin(make("chaturaji", options))
    while match.plies < plies:
        match = match.play(match.game.legal(match.position)[0])
    return match


def ply(number: int, chance: float, best: float) -> JudgedPly:
    return JudgedPly(number, chance, f"best of {number}", best)


def test_throws_passes_and_claims_are_no_choices() -> None:
    match = dice_match(8)
    kinds = [type(match.steps()[number].move).__name__ for number in choices(match)]
    assert kinds
    assert not {"Throw", "Pass", "Claim"} & set(kinds)
    duel = played("robot-duel", ["B3B2"])
    resigned = duel.play(duel.game.parse_move(duel.position, "resign"))
    assert choices(resigned) == [0]


def test_turning_points_are_the_largest_losses_in_the_order_of_play() -> None:
    match, losses = played("robot-duel", OPENING), [0.1, 0.2, 0.5, 0.0, 0.3, 0.4]
    plies = [ply(number, 0.9 - loss, 0.9) for number, loss in enumerate(losses)]
    assert [each.number for each in turning_points(match, plies)] == [2, 4, 5]
    assert len(turning_points(match, plies)) == MOST_TURNING
    assert turning_points(match, plies[:1]) == []


def test_of_equal_losses_the_earlier_ones_are_turning_points() -> None:
    match = played("robot-duel", OPENING)
    plies = [ply(number, 0.0, 1.0) for number in range(6)]
    assert [each.number for each in turning_points(match, plies)] == [0, 1, 2]


def test_no_move_turns_a_match_that_is_lost() -> None:
    match = played("robot-duel", OPENING)
    plies = [ply(0, 0.0, 0.24), ply(1, 0.0, 0.26)]
    assert [each.number for each in turning_points(match, plies)] == [1]


def test_the_same_advice_is_given_a_player_once() -> None:
    match = played("robot-duel", OPENING)
    plies = [replace(ply(number, 0.9 - number / 10, 1.0), best="B2B3") for number in range(2, 6)]
    assert [each.number for each in turning_points(match, plies)] == [4, 5]


def test_turning_points_of_some_seats() -> None:
    match = played("robot-duel", OPENING)
    plies = [ply(number, 0.4, 0.9) for number in range(6)]
    assert [each.number for each in turning_points(match, plies, {1})] == [1, 3, 5]
    assert turning_points(match, plies, ()) == []


def test_with_four_players_half_as_much_turns_the_match() -> None:
    match = dice_match(8)
    number = choices(match)[0]
    plies = [ply(number, 0.2, 0.29)]
    assert turning_points(match, plies) == plies
    assert turning_points(match, [ply(number, 0.2, 0.27)]) == []
    assert turning_points(match, [ply(number, 0.0, 0.12)]) == [], "it is lost"
    assert turning_points(played("robot-duel", OPENING), [ply(0, 0.41, 0.5)]) == []


def test_two_teams_begin_with_as_much_as_two_players() -> None:
    match = dice_match(8, teams="true")
    number = choices(match)[0]
    assert turning_points(match, [ply(number, 0.2, 0.34)]) == []
    assert turning_points(match, [ply(number, 0.2, 0.36)]) != []


def test_a_turning_point_is_a_position_to_play_again() -> None:
    match = played("robot-duel", OPENING)
    point = position_of(match, JudgedPly(1, 0.25, "A1A2", 0.9))
    assert (point.game, point.options) == ("robot-duel", dict(match.game.options))
    assert point.better == "A1A2"
    assert match.game.parse_position(point.position) == match.steps()[0].position


def test_a_turning_point_says_whether_one_move_alone_was_good() -> None:
    match = played("robot-duel", OPENING)

    def is_unique(second: float | None) -> bool:
        return position_of(match, JudgedPly(1, 0.25, "A1A2", 0.9, second_chance=second)).is_unique

    assert is_unique(0.7)
    assert not is_unique(0.85)
    assert not is_unique(None), "not known"


def test_a_turning_point_with_dice_has_them() -> None:
    match = dice_match(8)
    number = choices(match)[0]
    point = position_of(match, ply(number, 0.1, 0.5))
    game = match.game
    assert game.turn(game.parse_position(point.position)) == match.steps()[number].seat


def test_good_moves_are_counted_where_there_was_something_to_find() -> None:
    match = played("robot-duel", OPENING)
    plies = [
        ply(0, 0.5, 0.54),
        ply(1, 0.9, 0.9),
        ply(2, 0.4, 0.54),
        replace(ply(3, 0.9, 0.9), forced=True),
        ply(4, 0.1, 0.1),
    ]
    assert good_moves(match, plies) == [GoodMoves(1, 2), GoodMoves(1, 1)]
    assert good_moves(match, []) == [GoodMoves(0, 0)] * 2


def test_the_curve_is_the_chance_of_the_first_seat() -> None:
    match = played("robot-duel", ["B3B2", "B1B2"])
    assert curve(match, [ply(0, 0.4, 0.5), ply(1, 0.9, 0.9)]) == [
        (0, 0.4),
        (1, pytest.approx(0.1)),
    ]
    assert curve(Match.begin(make("chaturaji")), [ply(0, 0.4, 0.5)]) == []
