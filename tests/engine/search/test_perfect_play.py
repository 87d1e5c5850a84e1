"""The second player of Robot Duel wins from the start with the book of the program."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from engine.search import search
from engine.search.evaluation import evaluator_of
from engine.search.solved.numbering import number_of
from engine.search.solved.values import Listed, listed, second_player

Player = Callable[[Match], Any]
LONGEST = 78


def looks(nodes: int) -> Callable[[], bool]:
    """Return a `stop` that allows this many calls, one per 32 positions."""
    left = iter(range(nodes // 32))
    return lambda: next(left, None) is None


def perfect(match: Match) -> Any:
    """Play the best move, from the book or a search of at most 100,000 positions."""
    earlier = [before.position for before in match.past()][::-1]
    return (
        search(match.game, match.position, earlier, stop=looks(100_000), every=False).moves[0].move
    )


def opponent(kind: str, chance: Random) -> Player:
    """Return a player that plays at random, greedily, or by search without the book."""

    def at_random(match: Match) -> Any:
        return chance.choice(list(match.legal))

    def greedy(match: Match) -> Any:
        evaluator = evaluator_of(match.game, match.position)
        return max(match.legal, key=lambda move: (evaluator.noise(move), chance.random()))

    def searching(match: Match) -> Any:
        result = search(
            match.game, match.position, stop=looks(chance.choice((300, 1000, 3000))), every=True
        )
        good = [judged for judged in result.moves if judged.grade != "losing"] or result.moves
        return chance.choice(good[:3]).move

    return {"random": at_random, "greedy": greedy, "searching": searching}[kind]


def wins(seed: int) -> bool:
    """Play a game; the first player and the option of promotion change from game to game."""
    chance = Random(seed)
    game = make("robot-duel", {"promotion": ("optional", "mandatory")[seed % 2]})
    first = opponent(("random", "greedy", "searching")[seed // 2 % 3], chance)
    match = Match.begin(game)
    while not match.outcome and match.plies <= LONGEST:
        match = match.play((first, perfect)[match.turn](match))
    return match.outcome is not None and match.outcome.winners == {1}


@pytest.mark.parametrize("seed", range(6))
def test_the_second_player_wins(seed: int) -> None:
    assert wins(seed)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(6, 200))
def test_the_second_player_always_wins(seed: int) -> None:
    assert wins(seed)


def test_it_needs_no_search_for_what_it_knows_by_heart() -> None:
    game = make("robot-duel")
    result = search(game, game.start(), stop=lambda: True)
    assert {judged.text: judged.plies for judged in result.moves} == {
        "B4A3": -78,
        "B4C3": -78,
        "C4C3": -78,
        "B3B2": -76,
    }
    after = game.play(game.start(), game.parse_move(game.start(), "B3B2"))
    result = search(game, after, stop=lambda: True)
    assert result.moves[0].plies == 75
    assert result.moves[0].chance == 1


def test_where_a_lion_never_wins_at_home_nothing_is_known() -> None:
    game = make("robot-duel", {"try_rule": "none"})
    result = search(game, game.start(), stop=lambda: True)
    assert all(judged.plies is None for judged in result.moves)


def test_a_list_holds_what_it_was_made_of() -> None:
    lost = {5: 2, 6: 78, 200_000: 172, 249_442_766: 8}
    known = Listed(listed(lost))
    assert len(known) == 4
    assert [known(number) for number in (5, 6, 200_000, 249_442_766)] == [2, 78, 172, 8]
    assert not any(known(number) for number in (0, 4, 7, 199_999, 249_442_765))


def test_what_comes_with_the_program_is_small() -> None:
    book = second_player()
    start = number_of(make("robot-duel").start())
    assert start is not None
    assert book.lost(start) == 78
    assert isinstance(book.lost, Listed)
    assert 30_000 < len(book.lost) < 100_000
