"""Tokens of Robotory by hand: placed, straightened, lifted, and put where others have just been."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from engine.reading.evidence import BURST
from engine.reading.footprints import Sight
from engine.reading.history import History
from engine.reading.hypothesis import Hypothesis
from engine.reading.observations import Edges
from engine.reading.reader import Reader
from engine.reading.verdict import Settled
from engine.reading.weighing import Weighing

BLIND = ("stock", "pool")
LAST_BLACK = "......W.....B....R....../2w1b:2w2b 3w5b l"  # in the stock of light


def test_two_tokens_placed_in_one_breath(timeline: Any) -> None:
    board = timeline("robotory", "polarity", unsensed=BLIND).rest().hands("e3+ 0.15 a1/").rest()
    assert board.moves == ["P w e3", "P b a1"]


@pytest.mark.parametrize("gap", [0.027, 0.057])
def test_a_player_who_adjusts_a_token_while_the_next_is_placed_may_have_carried_it_on(
    timeline: Any, gap: float
) -> None:
    board = timeline("robotory", "polarity").rest().hands("stock.light.w- 0.4 d1+").rest(1.0)
    # The token on e1 is lifted, and one is on e1 again after c5 was filled: be it the other one.
    board.hands("stock.dark.w- 0.18 e1+ 0.09 e1- 0.06 stock.light.w- 0.17 c5+")
    board.hands(f"{gap} e1+").rest()
    assert board.asked == [{"P w e1", "P w c5"}, {"P w c5", "P w e1"}]
    board.choose("P w e1").rest()
    assert board.moves == ["P w d1", "P w e1", "P w c5"]


@pytest.mark.parametrize("unsensed", [(), BLIND])
@pytest.mark.parametrize("away", [0.2, 0.45])
def test_a_token_that_is_bumped_into_while_the_next_is_placed_was_not_taken_back(
    timeline: Any, unsensed: tuple[str, ...], away: float
) -> None:
    board = timeline("robotory", "polarity", unsensed=unsensed).rest().hands("stock.light.b- d1/")
    board.rest(1.3).hands(f"stock.dark.w- 0.4 d1- {away - 0.13:.2f} c1+ 0.13 d1/").rest()
    assert board.moves == ["P b d1", "P w c1"]


def test_a_token_placed_where_a_robot_came_from_that_still_rocks(timeline: Any) -> None:
    board = timeline("robotory", "polarity").rest()
    board.hands("stock.light.w- e3+").rest().hands("stock.dark.w- e2+").rest()
    board.hands("e3- d3- 0.4 e3+ 0.01 e3- 0.01 e3+ 0.02 e3- 0.01 stock.dark.b- 0.01 e3+")
    board.hands("0.05 d3/").rest()
    assert board.moves[2:] == ["M R d3-e3", "P b d3"]


def test_a_token_that_rocks_when_it_is_put_down_is_not_taken_by_that(timeline: Any) -> None:
    """A robot and a token beside it are lifted and put back: what the token behind that did
    before is no capture.
    """
    start = "......W.b...BR........../2w2b:2w2b 10w9b l"
    board = timeline("robotory", "presence", start, unsensed=BLIND).rest()
    board.hands("c6+ 0.002 c6- 0.002 c6+").rest().choose("P w c6").rest()
    board.hands("c5- 0.45 b5- 0.45 c5+ 0.55 b5+").rest()
    assert board.moves == ["P w c6"]
    assert not board.asked


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
    hypothesis = Hypothesis(
        line, 1.0, 1.0, 0.0, {}, last_ply_places=frozenset({"e3"}), last_ply_rocks_until=1.0 + BURST
    )
    assert not Weighing(edges).opened(hypothesis, 1.2)
    edges.add(1.3, "e3", 0)
    edges.add(1.34, "e3", 1)
    assert Weighing(edges).opened(hypothesis, 1.4) == {"e3"}


def test_a_token_that_wobbles_until_the_other_player_has_taken_his(timeline: Any) -> None:
    """A player who took it from the stock only then has not put it there."""
    wobbles = "0.024 c1- 0.065 c1/ 0.016 c1- 0.008 c1/ 0.097 c1- 0.016 c1/ 0.008 c1- 0.008 c1/"
    board = timeline("robotory", "polarity").hands(f"1 stock.light.b- 0.1 c1/ {wobbles}")
    board.hands("0.18 stock.dark.b- 0.2 e1/ 0.13 stock.light.w- 0.15 a4+").rest()
    assert board.moves == ["P b c1", "P b e1", "P w a4"]
    assert not board.asked


@pytest.mark.parametrize("gap", [0.1, 0.3])
def test_a_token_that_left_its_stock_for_an_earlier_move_is_not_placed_twice(
    timeline: Any, gap: float
) -> None:
    board = timeline("robotory", "polarity").hands("1 stock.light.b- .15 a2/").rest(1)
    # Light tries b2 first; dark has taken a token for d2 just before, none for d4.
    board.hands("stock.dark.b- .14 d2/ .06 stock.light.b- .13 b2/ .98 b2- .11 d4/")
    board.hands(f"{gap} stock.dark.b- .12 b2/").rest(3)
    assert board.moves == ["P b a2", "P b d2", "P b d4", "P b b2"]


@pytest.mark.parametrize("gone", [1.8, 2.5])
def test_where_a_token_was_only_tried_the_next_player_may_put_his(
    timeline: Any, gone: float
) -> None:
    """Nobody holds a token that has been placed while another is, and for long after."""
    board = timeline("robotory", "presence", LAST_BLACK).hands("1 stock.light.b- 1 b2+ 0.67 b2-")
    board.hands("0.31 c2+").rest(gone).hands("b2+").rest(3)
    assert board.moves == ["P b c2", "?"]
    assert board.asked == [{"P w b2", "P b b2"}]
