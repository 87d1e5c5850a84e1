"""Refills of Robotory: where no sensor sees them they are asked about and named."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.i18n.messages import render
from firmware_host.lights.scene import scene
from firmware_host.text import announcements

BLIND = ("stock", "pool")


def begun(timeline: Any, plies: int = 2, sensing: str = "polarity"):
    """A board without sensed stocks on which both players have placed a token."""
    board = timeline("robotory", sensing, unsensed=BLIND).rest()
    for act, move in (("e3+", "P w e3"), ("a1+", "P w a1"))[:plies]:
        board.hands(act).choose(move).rest()
    assert board.moves == ["P w e3", "P w a1"][:plies]
    return board


# ---- asked about and named


def test_naming_the_move_that_was_seen_says_that_nothing_came_before_it(timeline: Any) -> None:
    board = begun(timeline).hands("b1/").rest().choose("P b b1").rest()
    assert board.moves == ["P w e3", "P w a1", "P b b1"]
    assert board.session.view.match.turn == 1


def test_what_is_named_unasked_answers_if_it_cannot_be_made_now(timeline: Any) -> None:
    board = begun(timeline).hands("b1/").rest().choose("P b b1").rest()
    assert board.moves == ["P w e3", "P w a1", "P b b1"]


def test_a_refill_that_is_named_unasked_where_none_is_asked_about_was_made(timeline: Any) -> None:
    board = begun(timeline).choose("F 1w").rest()
    assert board.moves == ["P w e3", "P w a1", "F 1w"]


@pytest.mark.parametrize("lifted", [1.2 + 0.002 * n for n in range(0, 50, 7)])
def test_a_token_that_is_put_back_just_as_it_seems_taken_back(timeline: Any, lifted: float) -> None:
    # The other player then refills the same, and names it: that is no late name of the first.
    board = begun(timeline, sensing="presence").rest(3).choose("F 1w").rest()
    board.hands(f"a1- {lifted} a1+").rest(3).choose("F 1w").rest()
    assert board.moves == ["P w e3", "P w a1", "F 1w", "F 1w"]


def test_a_refill_like_the_other_players_of_a_moment_ago_is_named(timeline: Any) -> None:
    """The sensors showed that one, where a stock was empty; nothing shows this one."""
    start = ".......W.....B....R...../3w1b:0w3b 3w3b d"
    board = timeline("robotory", "presence", start).rest().hands("pool.w- stock.dark.w+").rest()
    board.hands("stock.light.w- a1+").rest().hands("stock.dark.b- d5+").rest()
    before = ["F 1w", "P w a1", "P b d5"]
    assert board.moves == before
    assert board.choose("F 1w").rest().moves == [*before, "F 1w"]


def test_a_refill_like_the_one_just_shown_is_asked_about_when_it_is_said_again(
    timeline: Any,
) -> None:
    start = ".......W.....B....R...../2w1b:0w3b 3w3b d"
    board = timeline("robotory", "presence", start).rest().hands("pool.w- stock.dark.w+").rest()
    assert board.choose("F 1w").rest().moves == ["F 1w"]  # a late name of what was seen
    assert board.choose("F 1w").rest().asked == [{"F 1w", ""}]
    board.press("yes").rest()
    assert board.moves == ["F 1w", "F 1w"]


def test_a_refill_may_be_named_before_anything_is_seen(timeline: Any) -> None:
    board = begun(timeline).choose("F 1w").rest().hands("b1/").rest().choose("P b b1").rest()
    assert board.moves == ["P w e3", "P w a1", "F 1w", "P b b1"]


def test_naming_a_refill_forgets_nothing_that_a_hand_has_begun(timeline: Any) -> None:
    board = begun(timeline)
    board.hands("e3-").choose("F 1w").rest(0.3).hands("d3- e3+").rest()
    board.choose("M R d3-e3").rest()
    assert board.moves == ["P w e3", "P w a1", "F 1w", "M R d3-e3"]


def test_a_refill_between_two_quick_plies(timeline: Any) -> None:
    start = ".......W.....B....R...../0w2b:2w0b 9w9b l"
    board = timeline("robotory", "polarity", start, unsensed=BLIND).rest()
    board.hands("d1/ 0.1 a3/").rest().choose("F 1w1b").rest()
    assert board.moves == ["P b d1", "F 1w1b", "P b a3"]


def test_a_move_that_no_sensor_shows_is_named_while_a_bystander_is_straightened(
    timeline: Any,
) -> None:
    board = begun(timeline).hands("c6+").rest().choose("P w c6").rest()
    board.hands("a1- 0.2").choose("F 1w").hands("0.3 a1+").rest()
    assert board.moves == ["P w e3", "P w a1", "P w c6", "F 1w"]


# ---- named while what was done before it still waits to be shown


def test_a_refill_that_is_named_while_a_token_of_either_colour_was_just_placed(
    timeline: Any,
) -> None:
    board = timeline("robotory").rest().hands("stock.light.b- c1+").rest().choose("P b c1").rest()
    board.hands("stock.dark.w- b1+ 0.15").choose("F 1b").rest()
    assert board.moves == ["P b c1", "?", "F 1b"]
    assert board.asked == [{"P w b1", "P b b1"}]
    assert board.choose("P w b1").rest().moves == ["P b c1", "P w b1", "F 1b"]


def robot_gone_on(timeline: Any) -> Any:
    """Return a board on which a robot has gone further than is shown. A token has just been
    straightened; now a better reading waits.
    """
    start = "...W.ww..wwwB.b.b..w.R.b/1w2b:1w0b 4w8b l"
    board = timeline("robotory", "presence", start).rest()
    board.hands("b2- c3- d2- e2- 0.013 d2+ 0.13 d2- 0.005 c3+ 0.15 c3- 0.012 b2+ 0.085 b2- b3-")
    board.hands("0.35 b3+").rest(1.6)
    assert board.moves == ["M R e2-d2-c3"]
    return board.hands("c4- 0.25 c4+ 0.45")


def test_a_refill_that_is_named_while_a_better_reading_waits_comes_after_that(
    timeline: Any,
) -> None:
    board = robot_gone_on(timeline).choose("F 3w").rest()
    assert board.moves == ["M R e2-d2-c3-b2-b3", "F 3w"]


def token_taken_back(timeline: Any, away: float) -> Any:
    """Return a board on which dark has lifted the token that it placed last."""
    board = timeline("robotory", "presence", unsensed=BLIND).rest()
    for cell in ("e3", "a1", "c6", "d1"):
        board.hands(f"{cell}+").rest().choose(f"P w {cell}").rest()
    return board.hands(f"d1- {away}")


@pytest.mark.parametrize("away", [0.3, 1.0, 3.0])
def test_a_refill_in_place_of_a_token_that_only_a_lift_tells_of(timeline: Any, away: float) -> None:
    board = token_taken_back(timeline, away).choose("F 1w").rest()
    assert board.moves == ["P w e3", "P w a1", "P w c6", "F 1w"]


def test_the_button_of_a_seat_ends_what_was_done_before_it(timeline: Any) -> None:
    board = robot_gone_on(timeline).press("dark").rest()
    assert board.moves == ["M R e2-d2-c3-b2-b3", "F 3w"]  # there is no other refill
    board = token_taken_back(timeline, 1.0).press("dark").rest()
    assert board.moves == ["P w e3", "P w a1", "P w c6", "?"]
    assert board.asked == [{"F 1w", "F 1b"}]


def test_the_button_of_a_seat_also_ends_what_is_asked_about_then(timeline: Any) -> None:
    board = timeline("robotory").rest().hands("stock.light.b- c1+").rest().choose("P b c1").rest()
    board.hands("stock.dark.w- b1+ 0.15").press("light").rest()
    assert board.asked == [{"P w b1", "P b b1"}, {"F 1w", "F 1b"}]
    assert board.choose("P w b1").choose("F 1b").rest().moves == ["P b c1", "P w b1", "F 1b"]


# ---- named after much else was played


# ---- seen by stocks or the pool


def test_the_last_token_of_the_pool_ends_the_game(timeline: Any) -> None:
    start = "..w....W.....B....R...../2w2b:1w2b 1w5b d"
    board = timeline("robotory", "presence", start).rest().hands("pool.w-").rest()
    assert board.moves == ["F 1w"]
    assert board.session.view.outcome.reason == "energy"


# ---- done one token after the other

EMPTY = ".......W.....B....R...../0w0b:2w2b 9w7b l"  # the stock of light
ONE_WHITE, ONE_BLACK = "pool.w- stock.light.w+", "pool.b- stock.light.b+"
ANY_REST = {"stock.light.w", "stock.light.b", "pool.w", "pool.b"}


def says(board: Any) -> str:
    return " ".join(render(each) for each in announcements.status(board.session.view, 1).says)


def lit_trays(board: Any) -> set[str]:
    lights = scene(board.session.view, board.now)
    return {place for place in lights if place in board.sight.trays}


def test_where_tokens_are_counted_a_refill_is_read_when_it_is_complete(timeline: Any) -> None:
    board = timeline("robotory", "polarity", EMPTY).rest()
    for more in ("3 more tokens go", "2 more tokens go", "1 more token goes"):
        board.hands(ONE_WHITE).rest(8)
        assert board.moves == []
        assert says(board) == f"{more} to the stock of light."
        assert lit_trays(board) == ANY_REST
    board.hands(ONE_BLACK).rest()
    assert board.moves == ["F 3w1b"]
    assert "more token" not in says(board)
    assert not lit_trays(board)


def test_where_they_are_not_counted_one_token_is_no_refill(timeline: Any) -> None:
    board = timeline("robotory", "presence", EMPTY).rest().hands(ONE_WHITE).rest(2)
    assert board.moves == []
    assert says(board).startswith("3 more tokens go to the stock of light, unless they are there")
    assert lit_trays(board) == ANY_REST
    assert said_by_button(board) == [("F 4w", "takes 4 white tokens from the pool")]
    board.hands(f"{ONE_WHITE} {ONE_WHITE} {ONE_WHITE}").rest()  # that no sensor feels
    assert board.asked == [{"F 4w", ""}]
    assert "3 more tokens" in says(board)
    assert lit_trays(board) == ANY_REST
    board.choose("F 4w").rest()
    assert board.moves == ["F 4w"]
    assert not lit_trays(board)


@pytest.mark.parametrize("pause", [1, 8])
def test_the_button_of_the_seat_ends_a_refill(timeline: Any, pause: float) -> None:
    board = timeline("robotory", "presence", EMPTY).rest().hands(ONE_WHITE).rest(pause)
    assert board.press("light").rest(1).moves == ["F 4w"]


@pytest.mark.parametrize("pause", [1, 8])
def test_the_next_players_move_ends_a_refill(timeline: Any, pause: float) -> None:
    board = timeline("robotory", "presence", EMPTY).rest().hands(ONE_WHITE).rest(pause)
    board.hands("stock.dark.w- a1+").rest().choose("P w a1").rest()
    assert board.moves == ["F 4w", "P w a1"]


@pytest.mark.parametrize("pause", [1, 8])
@pytest.mark.parametrize("sensing", ["presence", "polarity"])
def test_a_token_that_is_taken_out_again_was_no_refill(
    timeline: Any, sensing: str, pause: float
) -> None:
    board = timeline("robotory", sensing, EMPTY).rest().hands(ONE_WHITE).rest(pause)
    board.hands("stock.light.w- pool.w+").rest()
    assert (board.moves, board.asked) == ([], [])
    assert says(board) == "It is light's turn."


@pytest.mark.parametrize("sensing", ["presence", "polarity"])
def test_a_refill_is_named_before_all_tokens_are_there(timeline: Any, sensing: str) -> None:
    board = timeline("robotory", sensing, EMPTY).rest().hands(ONE_WHITE).rest(1)
    board.choose("F 1w3b").rest(1)
    assert board.moves == ["F 1w3b"]
    assert "to the stock of light." in says(board)
    board.hands(f"{ONE_BLACK} {ONE_BLACK} {ONE_BLACK}").rest()
    assert board.moves == ["F 1w3b"]
    assert "more token" not in says(board)
    assert "belongs" not in says(board)


def test_a_refill_of_two_colours_is_asked_about_when_both_are_there(timeline: Any) -> None:
    board = timeline("robotory", "presence", EMPTY).rest()
    board.hands(f"{ONE_WHITE} 7 {ONE_BLACK}").rest()
    assert board.asked == [{"F 3w1b", "F 2w2b", "F 1w3b"}]
    assert says(board).startswith("2 more tokens go to the stock of light")


@pytest.mark.parametrize("sensing", ["presence", "polarity"])
def test_a_refill_that_is_taken_back_goes_back_to_the_pool(timeline: Any, sensing: str) -> None:
    board = timeline("robotory", sensing, EMPTY).rest().hands(f"{ONE_WHITE} " * 4).rest(1)
    board.choose("F 4w").rest().press("back").rest()
    assert board.moves == []
    assert says(board) == "The extra tokens in the stock of light go back to the pool."
    board.hands("stock.light.w- pool.w+ " * 4).rest()
    assert says(board) == "It is light's turn."
    assert board.moves == []


def test_one_token_that_fills_the_stock_is_a_refill(timeline: Any) -> None:
    start = ".......W.....B....R...../0w3b:2w2b 9w4b l"
    board = timeline("robotory", "presence", start).rest().hands(ONE_WHITE).rest(1)
    assert board.moves == ["F 1w"]


# ---- said with a button


def said_by_button(board: Any) -> list[tuple[str, str]]:
    told = announcements.status(board.session.view, 1).unsensed_moves
    return [(each.move, render(each.words)) for each in told if each.words]


def test_a_refill_that_no_sensor_shows_can_be_said(timeline: Any) -> None:
    board = timeline("robotory").rest()
    assert said_by_button(board) == []  # both stocks are full
    board = begun(timeline)
    assert said_by_button(board) == [
        ("F 1w", "takes 1 white token from the pool"),
        ("F 1b", "takes 1 black token from the pool"),
    ]
    board.hands("d3-")
    assert len(said_by_button(board)) == 2  # the buttons stay where they are
    board.hands("d3+").rest().choose("F 1w").rest()
    assert board.moves[-1] == "F 1w"


def test_what_sensors_show_is_not_said_by_button(timeline: Any) -> None:
    assert said_by_button(timeline("robot-duel").rest()) == []
