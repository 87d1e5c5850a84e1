"""The search of Chaturaji: what the dice may bring, and greedy replies."""

from __future__ import annotations

from math import exp
from random import Random
from typing import Any

import pytest

from engine.game import CHANCE
from engine.games import make
from engine.match import AnyGame
from engine.search import search
from engine.search.evaluation import evaluator_of


def never() -> bool:
    return False


def with_a_throw(game: AnyGame, seed: int, plies: int) -> Any:
    """Return a position of a random game in which there is a choice."""
    chance = Random(seed)
    position = game.start()
    while True:
        legal = game.legal(position)
        if not legal:
            position = game.start()
            continue
        plies -= 1
        if plies < 0 and game.turn(position) != CHANCE and len(legal) > 2:
            return position
        position = game.play(position, chance.choice(legal))


def chance_of(game: AnyGame, position: Any, seat: int, turns: int) -> float:
    """Return a seat's chance in the ordinary game, straight from the rules."""
    outcome = game.outcome(position)
    if outcome is not None:
        if not outcome.winners:
            return 0.25
        return (seat in outcome.winners) / len(outcome.winners)
    if turns == 0:
        evaluator = evaluator_of(game, position)
        side_scores = evaluator.side_scores()
        return 1 / sum(exp((each - side_scores[seat]) / evaluator.scale) for each in side_scores)
    moves = list(game.legal(position))
    turn = game.turn(position)
    if turn == CHANCE:
        thrown = [chance_of(game, game.play(position, move), seat, turns) for move in moves]
        return sum(thrown) / len(thrown)
    if turn != seat:
        evaluator = evaluator_of(game, position)
        moves = [max(moves, key=evaluator.noise)]
    return max(chance_of(game, game.play(position, move), seat, turns - 1) for move in moves)


@pytest.mark.parametrize("seed", range(4))
def test_it_finds_what_the_rules_give(seed: int) -> None:
    game = make("chaturaji")
    position = with_a_throw(game, seed, 60)
    seat = game.turn(position)
    for judged in search(game, position, stop=never, deepest=3).moves:
        after = game.play(position, judged.move)
        assert judged.chance == pytest.approx(chance_of(game, after, seat, 2))
        assert judged.depth == 3


def test_it_takes_a_raja() -> None:
    game = make("chaturaji")
    position = with_a_throw(game, 2, 4)  # the boat of S reaches the raja of W
    best, *others = search(game, position, stop=never, deepest=3).moves
    assert best.text == "c3a5"
    assert {each.grade for each in others} == {"doubtful"}


@pytest.mark.parametrize(
    "options",
    [
        {"teams": "true"},
        {"dice": "0"},
        {"dice": "2"},
        {"teams": "true", "dice": "0"},
        {"end": "last_army"},
        {"end": "n_rounds", "rounds": "3"},
    ],
    ids=str,
)
def test_every_option_is_searched(options: dict[str, str]) -> None:
    game = make("chaturaji", options)
    position = with_a_throw(game, 2, 12)
    result = search(game, position, stop=never, deepest=2)
    assert {each.move for each in result.moves} == set(game.legal(position))
    assert all(0 <= each.chance <= 1 for each in result.moves)
    assert result.depth == 2


def test_partners_share_their_chance() -> None:
    game = make("chaturaji", {"teams": "true"})
    position = with_a_throw(game, 2, 4)
    best, *others = search(game, position, stop=never, deepest=1).moves
    assert best.chance > 0.5
    assert {each.chance for each in others} == {0.5}


def test_points_count_where_they_decide() -> None:
    for goal, better in (("points", True), ("last_army", False)):
        game = make("chaturaji", {"end": goal})
        position = with_a_throw(game, 2, 4)._replace(scores=(0, 0, 9, 0))
        side_scores = evaluator_of(game, position).side_scores()
        assert (side_scores[2] > max(side_scores[:2]) + 5) is better
