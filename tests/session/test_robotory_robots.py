"""Robotory as its hands play it: robots that both players move, and ways over many cells."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from engine.reading.evidence import OFF
from engine.reading.footprints import Sight
from engine.reading.history import History
from engine.reading.hypothesis import Hypothesis, PlyRecord, Way
from engine.reading.observations import Edges
from engine.reading.weighing import Weighing
from tests.support.sampling import all_but
from tests.support.session_parts import reader_of

CELLS = [f"{column}{row}" for column, most in zip("abcde", (4, 5, 6, 5, 4), strict=True)
         for row in range(1, most + 1)]  # fmt: skip


def position(stocks: str = "2w2b:2w2b 3w5b l", **pieces: str) -> str:
    """Return the text of a position with these pieces; robots stand where the start has them."""
    robots = {} if {"W", "B", "R"} <= set(pieces.values()) else {"b3": "W", "c4": "B", "d3": "R"}
    standing = robots | pieces
    return "".join(standing.get(cell, ".") for cell in CELLS) + "/" + stocks


@pytest.fixture
def board(timeline: Any) -> Any:
    """Return a maker of boards that sense poles and trays."""

    def made(text: str, sensing: str = "polarity", unsensed: tuple[str, ...] = ()) -> Any:
        return timeline("robotory", sensing, text, unsensed)

    return made


def test_a_robot_takes_between_two_looks_before_the_other_player_fetches_tokens(board: Any) -> None:
    """A player who fetches tokens plays on, as if the token had been seen to go."""
    table = board("Rw.wb.W..ww..b....Bw.b.b/0w0b:0w0b 5w3b l")
    table.hands("1 a1- 0.04 c1- 0.08 c1+ 0.14 c2- 0.1 b3- 0.02 b1- 0.21 b5+ 0.07 b5- 0.1")
    table.hands("pool.w- 0.01 pool.w- 0.03 pool.b- 0.03 pool.b- 0.18 stock.light.w+ 0.01")
    table.hands("stock.light.w+ 0.03 stock.light.b+ 0.02 stock.light.b+ 0.08").rest(2)
    # their hands overlapped: it may have been the other way round
    meant = ["M R a1-b1-c2-c1", "M W b3-a2", "F 2w2b"]
    assert all(text in e.texts for text, e in zip(meant, table.session.record, strict=True))


@pytest.mark.parametrize("sensing", ["polarity", "presence"])
@pytest.mark.parametrize("hop", [0.2, 0.35])
@pytest.mark.parametrize("pause", all_but([0.5, 0.8, 1.0], [0.8]))
def test_a_robot_that_eats_step_by_step_may_have_been_moved_by_one_player(
    timeline: Any, sensing: str, hop: float, pause: float
) -> None:
    """Both may have moved it, the one after the other: what was meant is read, or among what is
    asked.
    """
    table = timeline("robotory", sensing)
    for drop in ("light.w- 0.8 d2+", "dark.b- 0.8 d1/", "light.w- 0.8 c1+", "dark.b- 0.8 b1/"):
        table.rest(4.2).hands(f"stock.{drop}")
    table.rest(4.2)
    for here, there in pairwise(["d3", "d2", "d1", "c1", "b1"]):
        table.hands(f"{there}- {hop} {here}- {hop} {there}+").rest(pause)
    table.rest(3.0).hands("stock.dark.w- 0.8 e1+").rest(25)
    assert "M R d3-d2-d1-c1-b1" in table.session.record[4].texts
    assert "P w e1" in table.session.record[-1].texts


@pytest.mark.parametrize("sensing", ["polarity", "presence"])
def test_a_player_who_takes_the_next_token_off_before_the_robot_goes_on_may_not_have_replied(
    timeline: Any, sensing: str
) -> None:
    """The other hand clears the way while the robot stands for long: that is no pause."""
    table = timeline("robotory", sensing, "...bw....ww.WBw...b..Rww/0w2b:0w0b 2w6b l").rest(1)
    table.hands("0.6 e3- 0.19 e2- 0.36 e3+ 0.23 e4- 2 e3- 0.63 e4+").rest(8)
    assert {"M R e2-e3", "M R e2-e3-e4"} <= set(table.session.record[0].texts)
    assert "M R e3-e4" in table.session.record[-1].texts


def test_a_robot_beyond_which_tokens_are_taken_off_has_been_let_go_of(board: Any) -> None:
    """Both players may have moved it, the one after the other, as the turn after that bears out."""
    table = board(position(c3="b", c2="b", d2="w", d1="w", c1="b"))
    table.hands("1 c2- 0.02 d3- 0.22 c2+ 0.49 c3- 1 c2- 0.06 d1- 0.31 d1+ 0.27 d2-")
    table.hands("0.75 d1- 0.1 c1- 0.18 c1+").rest(1.5)
    table.hands("stock.dark.w- 0.4 a1+").rest(25)
    assert "M R d3-c3-c2" in table.session.record[0].texts
    assert table.moves[-1] == "P w a1"


def test_a_robot_that_is_slid_on_by_the_other_player_had_ended_where_it_stood(board: Any) -> None:
    """Two sensors see a robot at once that slides between them. That does not mean that it came
    from further back, though the other player had straightened another robot before.
    """
    table = board("......Wb.w.Bbw.wwR.w...b/2w0b:2w0b 5w10b d")
    table.hands("1.6 d3- 0.4 c4- 0.33 c4+ 0.48 c5- 0.29 c4- 0.75 c5+ 3.7 b3- 2.1 b3+ 0.54")
    table.hands("d5- 0.72 d5+ 0.025 c5-").rest()
    # it may be asked whose way it was, but a shorter one is not likelier
    assert table.session.record[0].texts[0] != "M R d3-c4"
    assert "M R d3-c4-c5" in table.session.record[0].texts


BLIND = ("stock", "pool")


def test_both_players_may_refill_alike_one_after_the_other(board: Any) -> None:
    table = board(position("1w2b:1w2b 8w8b l"), unsensed=BLIND).rest()
    table.choose("F 1w").rest(3.0).choose("F 1w").rest()
    assert table.moves == ["F 1w", "F 1w"]
    assert table.session.view.match.turn == 0


def test_tokens_after_a_capture_are_not_all_taken_for_captured_ones(board: Any) -> None:
    table = board(position("2w2b:2w2b 9w9b l", a3="w"), unsensed=BLIND).rest()
    table.hands("b3- 0.05 a3- 0.06 a3+ 0.3 b4/ 0.5 e3+ 0.25 b2/ 0.25 c1+").rest()
    names = {text for entry in table.session.record for text in entry.texts}
    assert {"P b b4", "P w e3", "P b b2", "P w c1"} <= names


def test_a_robot_that_was_straightened_on_the_way_may_have_been_moved_by_both(board: Any) -> None:
    table = board(position("2w2b:2w2b 6w8b l", a2="w", b2="w", b1="w", c1="w")).rest()
    table.hands("b3- 0.2 a2- 0.1 a2+").rest(1.0).hands("a2- 0.3 a2+").rest(2.0)
    table.hands("b2- 0.2 a2- 0.1 b2+").rest(1.0).hands("b2- 0.3 b2+").rest(2.0)
    table.hands("b1- 0.2 b2- 0.1 b1+").rest(1.0)
    table.hands("stock.dark.w- 0.3 e3+").rest(25.0)
    texts = {text for entry in table.session.record for text in entry.texts}
    assert "M W b3-a2" in texts


def guess(sensing: str, *gone: str) -> float:
    """What a line seems to cost on which these places have read nothing for a moment."""
    game = make("robotory")
    start = game.parse_position("ww.w.w.W.....B....R...../2w2b:2w2b 1w9b l")
    sight = Sight(game, sensing)
    line, edges = History.of(Match.begin(game, start), sight), Edges()
    for place, reading in line.expected.items():
        edges.add(0.0, place, reading)
    for place in gone:
        edges.add(1.0, place, 0)
    return Weighing(edges).guess(Hypothesis(line, PlyRecord(Way.START, 0.5), 0.5, 0.0, {}), 1.1)


def test_a_robot_may_eat_many_tokens_in_one_ply() -> None:
    assert guess("presence", "a1") + OFF < guess("presence", "a1", "a2")
    assert guess("presence", "a1", "a2", "a4", "b2") < guess("presence", "a1", "a2") + OFF


def test_a_stock_that_is_otherwise_tells_before_anything_else_does() -> None:
    assert guess("presence", "a1", "stock.dark.w") == guess("presence", "a1") + OFF


def test_a_token_that_the_next_player_bumps_into_was_not_eaten(board: Any) -> None:
    table = board(position(d3="b", d2="b", b3="W", c4="B", e2="R"), "presence")
    table.hands("1 d3- 0.5 e2- 0.37 d3+ 0.28 d2- 0.004 d2+ 0.24 e1+").rest(0.2)
    line, _ = reader_of(table.session).likeliest
    assert line.match.moves()[0] == "M R e2-d3"
