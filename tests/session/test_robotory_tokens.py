"""Tokens of Robotory by hand: placed, straightened, lifted, and put where others have just been."""

from __future__ import annotations

import pytest

from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from engine.reading.history import History
from engine.reading.hypothesis import Hand, Hypothesis, PlyRecord, Way
from engine.reading.observations import Edges
from engine.reading.reader import Reader
from engine.reading.verdict import Settled
from engine.reading.weighing import Weighing

BLIND = ("stock", "pool")


@pytest.mark.parametrize("gap", [0.05, 0.25, 0.6])
def test_tokens_are_lifted_one_after_another_where_no_stock_tells(gap: float) -> None:
    game = make("robotory")
    match = Match.begin(game)
    for text in ("P w d5", "P b c6", "P w e3", "P b a1"):
        match = match.play(game.parse_move(match.position, text))
    sight = Sight(game, "polarity", BLIND)
    levels = sight.readings(match.position)
    reader = Reader([History.of(match, sight)], levels)
    for number, place in enumerate(("a1", "e3", "c6"), 1):
        del levels[place]
        reader.touch(number * gap, place, 0)
    reader.levels = levels
    verdict = reader.verdict(3 * gap + 0.5)
    assert isinstance(verdict, Settled)
    assert [line.match.moves() for line in verdict.lines] == [["P w d5"]]


@pytest.mark.parametrize(("reading", "puts"), [(-1, [0, -1]), (1, [])])
def test_a_token_that_is_replaced_at_once_by_one_of_the_other_colour_has_left(
    reading: int, puts: list[int]
) -> None:
    edges = Edges()
    for at, read in ((0.0, 1), (1.0, 0), (1.005, reading)):
        edges.add(at, "e2", read)
    found = edges.placements(0.5, 2.0, 3.0, {"e2": reading})
    assert [put.reading for put in found if put.at <= 1.0 or reading < 0] == puts


def test_a_player_who_puts_a_token_while_the_one_before_still_rocks_has_not_touched_that() -> None:
    game = make("robotory")
    line = History.of(Match.begin(game), Sight(game))
    line = line.step(game.parse_move(line.match.position, "P w e3"))
    edges = Edges()
    for at, reading in ((1.0, 1), (1.073, 0), (1.089, 1)):
        edges.add(at, "e3", reading)
    put = PlyRecord(Way.ARRIVED, 1.0, hand=Hand(frozenset({"e3"}), 1.0))
    hypothesis = Hypothesis(line, put, 1.0, 0.0, {})
    assert not Weighing(edges).opened(hypothesis, 1.2)
    edges.add(1.3, "e3", 0)
    edges.add(1.34, "e3", 1)
    assert Weighing(edges).opened(hypothesis, 1.4) == {"e3"}
