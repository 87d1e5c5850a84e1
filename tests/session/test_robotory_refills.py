"""Refills of Robotory: where no sensor sees them they are asked about and named."""

from __future__ import annotations

from typing import Any

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


# ---- done one token after the other

EMPTY = ".......W.....B....R...../0w0b:2w2b 9w7b l"  # the stock of light
ONE_WHITE, ONE_BLACK = "pool.w- stock.light.w+", "pool.b- stock.light.b+"
ANY_REST = {"stock.light.w", "stock.light.b", "pool.w", "pool.b"}


def lit_trays(board: Any) -> set[str]:
    lights = scene(board.session.view, board.now)
    return {place for place in lights if place in board.sight.trays}


def test_where_tokens_are_counted_a_refill_is_read_when_it_is_complete(timeline: Any) -> None:
    board = timeline("robotory", "polarity", EMPTY).rest()
    for more in ("3 more tokens go", "2 more tokens go", "1 more token goes"):
        board.hands(ONE_WHITE).rest(8)
        assert board.moves == []
        assert " ".join(board.says()) == f"{more} to the stock of light."
        assert lit_trays(board) == ANY_REST
    board.hands(ONE_BLACK).rest()
    assert board.moves == ["F 3w1b"]
    assert "more token" not in " ".join(board.says())
    assert not lit_trays(board)


def test_where_they_are_not_counted_one_token_is_no_refill(timeline: Any) -> None:
    board = timeline("robotory", "presence", EMPTY).rest().hands(ONE_WHITE).rest(2)
    assert board.moves == []
    assert board.says()[0].startswith(
        "3 more tokens go to the stock of light, unless they are there"
    )
    assert lit_trays(board) == ANY_REST
    assert said_by_button(board) == [("F 4w", "takes 4 white tokens from the pool")]
    board.hands(f"{ONE_WHITE} {ONE_WHITE} {ONE_WHITE}").rest()  # that no sensor feels
    assert board.asked == [{"F 4w", ""}]
    assert "3 more tokens" in " ".join(board.says())
    assert lit_trays(board) == ANY_REST
    board.choose("F 4w").rest()
    assert board.moves == ["F 4w"]
    assert not lit_trays(board)


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
