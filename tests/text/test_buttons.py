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
WHICH = "which piece to move"
IN_PLAY = "1 C4- C3+ 1"


def being_set_up(timeline: Any) -> Any:
    """A piece is missing when the board is switched on, or its sensor fails."""
    board = timeline()
    board.session = Session(board.game, board.sight)
    del board.readings["B3"]
    board.feed(Frame(0.0, dict(board.readings)))
    return board.rest(2)


def after_the_end(timeline: Any) -> Any:
    return timeline().hands(IN_PLAY).claim("resign", 1).rest(1)


MOMENTS: dict[str, tuple[Callable[[Any], Any], dict[str, str]]] = {
    "at the start": (lambda timeline: timeline().hands("1"), {"hint": WHICH}),
    "in play": (
        lambda timeline: timeline().hands(IN_PLAY),
        {"back": "C4C3", "wrong": ASK, "hint": WHICH},
    ),
    "with a hint": (
        lambda timeline: timeline().hands(f"{IN_PLAY} <hint>"),
        {"back": "C4C3", "wrong": ASK, "hint": "where to"},
    ),
    "with all of a hint": (
        lambda timeline: timeline().hands(f"{IN_PLAY} <hint> <hint> <hint>"),
        {"back": "C4C3", "wrong": ASK, "hint": "hide it"},
    ),
    "asked about a promotion": (
        lambda timeline: timeline(position="2l/C1e/1E1/L2 b Ggc 1").hands("1 A2- A1+ 3"),
        {"yes": "A2A1+", "no": "A2A1", "back": "the last move", "wrong": ASK, "hint": WHICH},
    ),
    "asked what no button answers": (
        lambda timeline: timeline("robotory", unsensed=("stock", "pool")).hands("1 c3+ 3"),
        {"back": "the last move", "wrong": ASK, "hint": WHICH},
    ),
    "being set up": (being_set_up, {"yes": "everything is in place"}),
    "with a piece where it may not go": (
        lambda timeline: timeline().hands(f"{IN_PLAY} 4 A1- C2+ 6"),
        {"back": "C4C3", "wrong": ASK},
    ),
    "before a throw": (lambda timeline: timeline("chaturaji").hands("1"), {}),
    "after a throw": (
        lambda timeline: timeline("chaturaji").hands("1 (3) 1"),
        {"back": "3", "wrong": ASK, "hint": WHICH},
    ),
    "after a throw that allows no move": (
        lambda timeline: timeline("chaturaji").hands("1 (4) 6"),
        {"back": "the lost turn", "wrong": ASK},
    ),
    "after the end": (
        after_the_end,
        {"yes": "another match", "back": "C4C3, resign", "wrong": ASK},
    ),
}


@pytest.mark.parametrize(("moment", "does"), MOMENTS.values(), ids=MOMENTS)
def test_a_button_is_said_to_do_something_if_it_does(
    timeline: Any, moment: Callable[[Any], Any], does: dict[str, str]
) -> None:
    useful = announcements.status(moment(timeline).session.view, 1).buttons
    assert {button: render(said) for button, said in useful.items()} == does
    for button in BUTTONS:
        board = moment(timeline)
        before = announcements.status(board.session.view, 1)
        board.press(button)
        assert (announcements.status(board.session.view, 1) != before) == (button in useful), button


def test_a_resignation_is_taken_back_with_the_last_move(timeline: Any) -> None:
    board = after_the_end(timeline)
    assert [entry.texts for entry in board.session.record] == [("C4C3",), ("resign",)]
    board.press("back")
    assert board.session.record == ()
    assert Claim(1, "resign") in board.game.claims(board.session.view.match.position, 1)
