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
from engine.reading.hypothesis import Hypothesis
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


def test_a_token_is_eaten_as_soon_as_it_lies_there(board: Any) -> None:
    table = board(position(b3="b", a2="W"))
    table.hands("1 stock.light.b- 0.2 b4/ 0.057 b4- 0.13 c4- b3- 0.2 b3/").rest()
    assert table.moves == ["P b b4", "M B c4-b4-b3"]
    assert not table.asked


def test_a_robot_is_moved_on_while_it_still_rolls(board: Any) -> None:
    table = board(position(d4="b", d5="b"))
    rolls = " ".join(["0.004 d4- 0.012 d4/", "0.02 d4- 0.02 d4/"] * 4)
    table.hands(f"1 d4- 0.5 c4- 0.4 d4/ {rolls} 0.006 d4- 0.08 d5- 0.03 d5/").rest(0.5)
    table.hands("stock.light.w- 0.3 a1+").rest()
    assert table.moves == ["M B c4-d4", "M B d4-d5", "P w a1"]


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
    """Two sensors see at once who slides between them; he was not moved from further back for that,
    though the other player had straightened another robot before.
    """
    table = board("......Wb.w.Bbw.wwR.w...b/2w0b:2w0b 5w10b d")
    table.hands("1.6 d3- 0.4 c4- 0.33 c4+ 0.48 c5- 0.29 c4- 0.75 c5+ 3.7 b3- 2.1 b3+ 0.54")
    table.hands("d5- 0.72 d5+ 0.025 c5-").rest()
    # it may be asked whose way it was, but a shorter one is not likelier
    assert table.session.record[0].texts[0] != "M R d3-c4"
    assert "M R d3-c4-c5" in table.session.record[0].texts


def test_a_robot_exchanged_for_a_token_between_two_looks_is_read_from_what_it_ate(
    board: Any,
) -> None:
    table = board(position("2w2b:1w0b 7w7b l", a2="w", a3="w"))
    table.hands("1 b3- 0.15 a2- 0.15 stock.dark.w+ 0.02 stock.dark.b+ 0.02 stock.dark.b+")
    table.rest()
    table.hands("stock.light.w- 0.3 c3+").rest()
    assert table.moves == ["M W b3-a2-a3", "F 1w2b", "P w c3"]


def test_a_way_over_eleven_cells_is_read_among_the_many_there_are(board: Any) -> None:
    way = ["b2", "c2", "d1", "e1", "e2", "e3", "d4", "c5", "c4", "d3", "d2"]
    robots = {"a1": "R", "a4": "W", "b5": "B"}
    table = board(position("1w2b:1w2b 1w5b l", **robots, **dict.fromkeys(way, "w")))
    at = "a1"
    table.rest(1.0)
    for cell in way:
        table.hands(f"{at}- 0 {cell}- 0.15 {cell}+")
        at = cell
    table.rest()
    assert table.moves == ["M R a1-" + "-".join(way)]


def test_a_refill_that_is_named_late_is_no_other_one(board: Any) -> None:
    table = board(position("0w0b:0w0b 8w8b l", a2="w", b4="b")).rest()
    table.hands("stock.light.w+ 0.02 stock.light.b+ 0.02 stock.light.b+ 0.02 stock.light.b+")
    table.rest().hands("b3- 0.2 a2- 0.1 a2+").rest()
    table.hands("c4- 0.2 b4- 0.1 b4/").rest()
    table.choose("F 1w3b").rest()
    assert table.moves == ["F 1w3b", "M W b3-a2", "M B c4-b4"]


BLIND = ("stock", "pool")


def test_both_players_may_refill_alike_one_after_the_other(board: Any) -> None:
    table = board(position("1w2b:1w2b 8w8b l"), unsensed=BLIND).rest()
    table.choose("F 1w").rest(3.0).choose("F 1w").rest()
    assert table.moves == ["F 1w", "F 1w"]
    assert table.session.view.match.turn == 0


def test_what_was_named_need_not_have_been_seen(board: Any) -> None:
    table = board(position("1w2b:1w2b 8w8b l"), unsensed=BLIND).rest()
    table.choose("F 1w").rest(1.0).choose("F 1b").rest(1.0)
    table.hands("a1+").rest().choose("P w a1").rest()
    table.hands("a2/").rest().choose("P b a2").rest()
    assert table.moves == ["F 1w", "F 1b", "P w a1", "P b a2"]
    assert not table.asked


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


def test_energy_that_is_taken_off_after_the_robot_has_landed(timeline: Any) -> None:
    board = timeline("robotory", "polarity").rest()
    for act in ("stock.light.w- e3+", "stock.dark.w- e2+", "stock.light.w- e1+"):
        board.hands(act).rest()
    board.hands("e1- d3- e1+ 0.5 e2- 0.5 e3-").rest()
    assert board.moves[3:] == ["M R d3-e3-e2-e1"]
    assert not board.asked


def test_tokens_that_chatter_when_they_are_lifted_were_not_put_back(timeline: Any) -> None:
    start = "W...B.......w.....w.Rww./2w2b:1w2b 2w6b l"
    board = timeline("robotory", "polarity", start).rest()
    way = ("e1", "e2", "e3", "d4", "c4")
    for at, to in pairwise(way):
        board.hands(f"{to}- 0.001 {to}+ 0.001 {to}- 0.01 {at}- 0.37 {to}+ 0.1")
    board.rest()
    assert board.moves == ["M R e1-e2-e3-d4-c4"]


def test_nobody_refills_while_a_robot_that_is_slid_rests_for_a_moment(timeline: Any) -> None:
    start = "W...B.......w.....w.Rww./2w2b:1w2b 2w6b l"
    board = timeline("robotory", "presence", start).rest()
    for at, to in pairwise(("e1", "e2", "e3", "d4")):
        board.hands(f"{to}- 0.01 {at}- 0.37 {to}+ 0.1")
    board.rest(20.0)
    assert board.moves == ["M R e1-e2-e3-d4"]
    assert not board.asked


@pytest.mark.parametrize("sensing", ["polarity", "presence"])
def test_a_robot_pauses_on_its_way_to_a_token_that_is_off_already(
    timeline: Any, sensing: str
) -> None:
    """Else the next player would hold that token, or its sensor would be stuck."""
    board = timeline("robotory", sensing, ".Wbbbb..bw.bBbbwwR.w.w.w/0w0b:0w0b 7w6b l").rest()
    board.hands("c3- 0.85 e2- d3- 0.4 e2+ 0.4 e2- d2- 0.4 d2+ 1.5 d2- 0.04 c3+").rest()
    assert board.moves == ["M R d3-e2-d2-c3"]
    assert "fault" not in board.events


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
    return Weighing(edges).guess(Hypothesis(line, 0.5, 0.5, 0.0, {}), 1.1)


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


def test_a_robot_that_is_lifted_while_a_token_is_put_is_moved_by_the_next_player(
    timeline: Any,
) -> None:
    """No tray shows whence the token comes, and the robot has stood too long to be carried on."""
    pieces = "...bW.Bw.bb.......Rb...w/0w4b:1w2b 8w2b d"
    board = timeline("robotory", "presence", pieces).hands("1 d4- 0.1 e4- 0.8 e4+").rest(3.4)
    board.choose("M R d4-e4")  # and nobody has refilled before that
    board.hands("3.4 e4- 0.23 d1+ 0.63 d5- 0.01 d5+ 0.24 c2- 0.06 c2+").rest(2)
    assert (board.moves, board.asked) == (["M R d4-e4", "P b d1", "M R e4-d5"], [])
