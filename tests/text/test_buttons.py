"""What is said of the buttons of a board is so: the others do nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.game import Claim
from firmware_host.i18n.messages import render
from firmware_host.session.events import Frame
from firmware_host.session.session import Session
from firmware_host.text import announcements

BUTTONS = ("yes", "no", "back", "wrong", "hint")

ASK = "ask again, or take back"

PROMOTING = "2l/C1e/1E1/L2 b Ggc 1"


def at_the_start(timeline: Any) -> Any:
    return timeline().rest(1)


def in_play(timeline: Any) -> Any:
    return timeline().hands("1 C4- C3+").rest(1)


def with_the_hint_shown(timeline: Any) -> Any:
    return in_play(timeline).press("hint")


def with_all_of_the_hint_shown(timeline: Any) -> Any:
    return in_play(timeline).press("hint").press("hint").press("hint")


def asked_about_a_promotion(timeline: Any) -> Any:
    return timeline(position=PROMOTING).hands("1 A2- A1+").rest(3)


def asked_what_no_button_answers(timeline: Any) -> Any:
    return timeline("robotory", unsensed=("stock", "pool")).hands("1 c3+").rest(3)


def being_set_up(timeline: Any) -> Any:
    """A man is missing when the board is switched on, or its sensor fails."""
    board = timeline()
    board.session = Session(board.game, board.sight)
    del board.readings["B3"]
    board.feed(Frame(0.0, dict(board.readings)))
    return board.rest(2)


def put_right(timeline: Any) -> Any:
    """A man was put where he may not go."""
    return in_play(timeline).hands("4 A1- C2+").rest(6)


def before_a_throw(timeline: Any) -> Any:
    return timeline("chaturaji").rest(1)


def after_a_throw(timeline: Any) -> Any:
    return timeline("chaturaji").rest(1).throw(3).rest(1)


def after_a_throw_that_moves_nobody(timeline: Any) -> Any:
    return timeline("chaturaji").rest(1).throw(4).rest(6)


def after_the_end(timeline: Any) -> Any:
    return in_play(timeline).claim("resign", 1).rest(1)


MOMENTS: dict[Callable[[Any], Any], dict[str, str]] = {
    at_the_start: {"hint": "which piece to move"},
    in_play: {"back": "C4C3", "wrong": ASK, "hint": "which piece to move"},
    with_the_hint_shown: {"back": "C4C3", "wrong": ASK, "hint": "where to"},
    with_all_of_the_hint_shown: {"back": "C4C3", "wrong": ASK, "hint": "hide it"},
    asked_about_a_promotion: {
        "yes": "A2A1+",
        "no": "A2A1",
        "back": "the last move",
        "wrong": ASK,
        "hint": "which piece to move",
    },
    asked_what_no_button_answers: {
        "back": "the last move",
        "wrong": ASK,
        "hint": "which piece to move",
    },
    being_set_up: {"yes": "everything is in place"},
    put_right: {"back": "C4C3", "wrong": ASK},
    before_a_throw: {},
    after_a_throw: {"back": "3", "wrong": ASK, "hint": "which piece to move"},
    after_a_throw_that_moves_nobody: {"back": "the lost turn", "wrong": ASK},
    after_the_end: {"yes": "another match", "back": "C4C3, resign", "wrong": ASK},
}


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.__name__)
def test_a_button_is_said_to_do_something_if_it_does(
    timeline: Any, moment: Callable[[Any], Any]
) -> None:
    useful = announcements.status(moment(timeline).session.view, 1).buttons
    assert {button: render(does) for button, does in useful.items()} == MOMENTS[moment]
    for button in BUTTONS:
        board = moment(timeline)
        before = announcements.status(board.session.view, 1)
        board.press(button)
        assert (announcements.status(board.session.view, 1) != before) == (button in useful), button


def test_what_is_taken_back_is_what_was_said(timeline: Any) -> None:
    """After a resignation that and the last move go together."""
    board = after_the_end(timeline)
    assert [entry.texts for entry in board.session.record] == [("C4C3",), ("resign",)]
    board.press("back")
    assert board.session.record == ()
    assert Claim(1, "resign") in board.game.claims(board.session.view.match.position, 1)
