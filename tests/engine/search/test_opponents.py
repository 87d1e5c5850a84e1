"""Opponents of six strengths: what all do, and that a stronger level is stronger."""

from __future__ import annotations

from random import Random
from statistics import mean
from typing import Any

import pytest

from engine.games import NAMES, make
from engine.match import Match
from engine.search import search
from engine.search.evaluation import evaluator_of
from engine.search.opponents import BY_NAME, LEVELS, NO_BOOK, STEPS, Level, choose
from tests.support.rules import after, line

FIRST_STEPS = BY_NAME["first-steps"]
NEWCOMER = BY_NAME["newcomer"]
SEEING = Level("seeing", 2, 0.12, 0.0)


def never() -> bool:
    return False


def chosen(
    name: str, level: Level, texts: str = "", position: str = "", seeds: int = 12
) -> set[str]:
    """Return the moves of a level for several random numbers."""
    game = make(name)
    *earlier, last = line(game, position or game.start(), *texts.split())
    found = (
        choose(game, last, earlier, level=level, chance=Random(seed).random, stop=never)
        for seed in range(seeds)
    )
    return {game.move_text(last, move) for move in found}


@pytest.mark.parametrize(
    "level",
    [*LEVELS[1:4], pytest.param(LEVELS[4], marks=pytest.mark.deep)],
    ids=lambda level: level.name,
)
def test_a_win_in_one_is_played(level: Level) -> None:
    assert chosen("robot-duel", level, position="l2/2L/3/E1G b CEcg 1") == {"C2C1"}


def test_a_newcomer_overlooks_a_win_in_half_of_its_turns() -> None:
    game = make("robot-duel")
    position = game.parse_position("l2/2L/3/E1G b CEcg 1")
    legal = list(game.legal(position))
    (win,) = [move for move in legal if game.move_text(position, move) == "C2C1"]
    played = [
        choose(game, position, level=NEWCOMER, chance=Random(seed).random, stop=never)
        for seed in range(400)
    ]
    assert set(played) == set(legal)
    share = NEWCOMER.random_share(game)
    expected = 400 * (1 - share + share / len(legal))
    assert abs(played.count(win) - expected) < 40  # four standard deviations
    again = choose(game, position, level=NEWCOMER, chance=Random(7).random, stop=never)
    assert again == played[7]


def test_the_lower_levels_move_at_random() -> None:
    for name in NAMES:
        shares = [level.random_share(make(name)) for level in LEVELS]
        assert 1 > shares[0] > shares[1]
        assert shares == sorted(shares, reverse=True)
        assert shares[-1] == 0
        assert (shares[1] > 0) is (name in ("shogi", "abalone"))


def one_after_another(*numbers: float) -> Any:
    """Return a chance that gives these numbers, and 0.5 after them."""
    left = list(numbers)
    return lambda: left.pop(0) if left else 0.5


def test_first_steps_makes_any_move_for_its_share_of_shogi() -> None:
    game = make("shogi")
    position = game.parse_position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    mate = game.parse_move(position, "G*5b")
    share = FIRST_STEPS.random_share(game)

    def played(*numbers: float) -> Any:
        chance = one_after_another(*numbers)
        return choose(game, position, level=FIRST_STEPS, chance=chance, stop=never)

    legal = list(game.legal(position))
    assert legal[0] != mate != legal[-1]
    assert [played(share - 0.01, number) for number in (0.0, 0.999)] == [legal[0], legal[-1]]
    assert played(share, 0.0) == mate


def test_between_two_levels_half_of_the_moves_are_those_of_each() -> None:
    game = make("robot-duel")
    position = game.parse_position("l2/2L/3/E1G b CEcg 1")
    win, last = game.parse_move(position, "C2C1"), list(game.legal(position))[-1]
    assert win != last
    for name, weaker, stronger in (
        ("below-newcomer", last, last),
        ("below-first-steps", last, win),
        ("below-sees-one", win, win),
    ):
        for number, expected in ((0.49, weaker), (0.5, stronger)):
            chance = one_after_another(number, 0.4, 0.999)
            move = choose(game, position, level=BY_NAME[name], chance=chance, stop=never)
            assert move == expected, (name, number)


def test_there_is_a_step_between_each_two_levels_and_two_below_the_lowest() -> None:
    assert STEPS[2::2] == LEVELS
    assert STEPS[0].random_share(make("robot-duel")) == STEPS[0].random_share(make("abalone")) == 1
    for number in range(1, len(STEPS), 2):
        assert STEPS[number].parts == (STEPS[number - 1], STEPS[number + 1])
    assert len(BY_NAME) == len(STEPS)


def test_only_the_strongest_uses_the_book_of_robot_duel() -> None:
    """One answer to C4C3 wins, 77 plies later: no beginner sees that."""
    assert chosen("robot-duel", BY_NAME["strong"], "C4C3", seeds=1) == {"A1A2"}
    for level in LEVELS[:3]:
        assert len(chosen("robot-duel", level, "C4C3")) > 1


def test_what_was_taken_is_taken_back() -> None:
    taking = "l2/g2/C2/1L1 b C2EG 1"
    assert chosen("robot-duel", FIRST_STEPS, "A3A2", taking) == {"A1A2"}
    assert len(chosen("robot-duel", FIRST_STEPS, "C4C3")) > 1


def test_first_steps_plays_many_moves_and_the_strongest_the_best_one() -> None:
    assert len(chosen("robot-duel", FIRST_STEPS)) > 1
    strong = Level("strong", 4, 0.0, 0.0)
    assert len(chosen("robot-duel", strong)) == 1


def test_a_losing_level_gives_nothing_away() -> None:
    """A whole rook behind, the silver is not put before a pawn."""
    position = "kr7/9/9/9/4p4/9/4S4/9/8K b - 1"
    played = chosen("shogi", SEEING, position=position, seeds=16)
    assert len(played) > 2
    assert "5g5f" not in played


OPENING = (
    "wB,wP,2,nK,nE,nH,1/wH,wP,2,nP,nP,nP,nP/wE,wP,3,nB,2/wK,wP,6/6,eP,eK/sP,4,eB,eP,eE"
    "/1,sP,sP,sP,2,eP,eH/sB,sH,sE,sK,2,eP,1 S 5 0,0,0,0 - quiet=3"
)


@pytest.mark.parametrize(("name", "position"), [("abalone", ""), ("chaturaji", OPENING)])
def test_where_moves_give_away_little_a_level_does_too(name: str, position: str) -> None:
    """In Abalone the worst first move gives three points of a hundred away."""
    game = make(name)
    start = game.parse_position(position) if position else game.start()
    one = Level("one", 1, 0.12, 0.0)
    judged = search(game, start, stop=never, deepest=1).moves
    lost = {each.move: judged[0].chance - each.chance for each in judged}
    played = [
        choose(game, start, level=one, chance=Random(seed).random, stop=never) for seed in range(40)
    ]
    assert len(set(played)) > 2
    assert mean(map(lost.__getitem__, played)) < 0.6 * mean(lost.values())


def test_a_level_sees_one_turn_for_each_ply_where_more_play() -> None:
    """North's elephant, two turns later, is seen three turns deep and not two."""
    raja = "3,nK,4/1,nE,6/8/wK,7/8/8/7,eK/sK,7 S 5 0,0,0,0 - quiet=3"
    two, three = (Level("looking", turns, 0.02, 0.0) for turns in (2, 3))
    assert chosen("chaturaji", two, position=raja) == {"a1a2", "a1b1", "a1b2"}
    assert chosen("chaturaji", three, position=raja) == {"a1a2"}


@pytest.mark.parametrize(("texts", "not_back"), [("", set()), ("c4c5 i9h8", {"c6c5"})])
def test_a_level_follows_a_dozen_moves_and_no_piece_to_and_fro(
    texts: str, not_back: set[str]
) -> None:
    """There are six dozen moves. After two of them the move back is among the best twelve."""
    game = make("abalone")
    position = after(game, game.start(), *texts.split())
    judged = search(game, position, stop=never, deepest=1).moves
    dozen = {each.text for each in judged[:12]}
    assert not_back <= dozen
    wild = Level("wild", 1, 9.0, 0.0)
    assert chosen("abalone", wild, texts, seeds=100) == dozen - not_back


def test_a_beginners_mistakes_are_punished_by_captures() -> None:
    """A level that plays wildly makes other mistakes too."""
    game = make("robot-duel")
    position = game.parse_position("g1e/3/l1L/3 b 2CEG 1")
    judged = search(game, position, stop=never, deepest=3, book=NO_BOOK).moves

    def quietly_bad(text: str) -> bool:
        (each,) = [each for each in judged if each.text == text]
        if each.grade != "losing" or len(each.moves) < 2:
            return False
        after = game.play(position, each.move)
        return not evaluator_of(game, after).noise(each.moves[1])

    def played(gentle: bool) -> set[str]:
        level = Level("wild", 1, 9.0, 0.0, gentle)
        text = game.position_text(position)
        return chosen("robot-duel", level, position=text, seeds=25)

    assert any(map(quietly_bad, played(gentle=False)))
    assert not any(map(quietly_bad, played(gentle=True)))


@pytest.mark.parametrize("level", [NEWCOMER, FIRST_STEPS], ids=lambda level: level.name)
@pytest.mark.parametrize("name", NAMES)
def test_the_lowest_levels_play_every_game(name: str, level: Level) -> None:
    game = make(name)
    position = game.start()
    while game.turn(position) < 0:
        position = game.play(position, game.legal(position)[0])
    move = choose(game, position, level=level, chance=lambda: 0.2, stop=never)
    assert move in list(game.legal(position))


def test_it_moves_at_once_when_stopped() -> None:
    game = make("shogi")
    for level in STEPS:
        move = choose(game, game.start(), level=level, chance=lambda: 0.9, stop=lambda: True)
        assert move in list(game.legal(game.start()))


@pytest.mark.deep
@pytest.mark.parametrize("number", range(1, 5))
def test_each_level_beats_the_one_below(number: int) -> None:
    """A hundred games of Robot Duel; the figures of more of them are in docs/search.md."""
    game, points = make("robot-duel"), 0.0
    for each in range(100):
        rng, seat = Random(each), each % 2
        match = Match.begin(game)
        while not match.outcome and match.plies < 200:
            level = LEVELS[number if match.turn == seat else number - 1]
            if match.plies < 2:
                match = match.play(rng.choice(list(match.legal)))
                continue
            earlier = [before.position for before in match.past()][::-1]
            how: Any = {"level": level, "chance": rng.random, "stop": never}
            match = match.play(choose(game, match.position, earlier, **how))
        winners = match.outcome.winners if match.outcome else ()
        points += (seat in winners) / len(winners) if winners else 0.5
    assert 58 <= points <= 95
