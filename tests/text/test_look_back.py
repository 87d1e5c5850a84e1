"""What is said of judged moves."""

from __future__ import annotations

import pytest

from engine.games import make
from engine.search.explain import MoveReason
from engine.search.turning_points import GoodMoves, JudgedPly
from firmware_host.i18n.messages import LANGUAGES, render, say
from firmware_host.text.look_back import better_messages, good_moves_message

GAME = make("robot-duel")
LETS_WIN = MoveReason("lets-win", ending="lion-captured")
TAKES = MoveReason("takes-for-nothing", ("B2",), ("C",))


@pytest.mark.parametrize(
    ("found", "of", "said"),
    [
        (14, 18, "Ola found 14 of 18 good moves."),
        (9, 18, "Ola found 9 of 18 good moves."),
        (8, 18, "Ola found 8 good moves."),
        (1, 18, "Ola found 1 good move."),
        (0, 18, None),
        (0, 0, None),
    ],
)
def test_good_moves_are_told_kindly(found: int, of: int, said: str | None) -> None:
    message = good_moves_message(say("Ola"), GoodMoves(found, of))
    assert (None if message is None else render(message)) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_good_moves_are_told_in_each_language(language: str) -> None:
    for moves in (GoodMoves(14, 18), GoodMoves(2, 18)):
        message = good_moves_message(say("Ola"), moves)
        assert message is not None
        said = render(message, language)
        assert said.startswith("Ola")
        assert str(moves.found) in said


def said(ply: JudgedPly, lit: bool = False) -> list[str]:
    return [render(each) for each in better_messages(GAME, GAME.start(), ply, lit=lit)]


def test_what_is_bad_about_a_move_is_said_before_the_better_one() -> None:
    assert said(JudgedPly(0, 0.0, "B3B2", 0.5, why=LETS_WIN, best_why=TAKES)) == [
        "Then your opponent takes your lion and wins.",
        "Better: chick from B3 takes chick on B2 (B3B2).",
    ]


def test_what_is_good_about_the_better_move_is_said_after_it() -> None:
    assert said(JudgedPly(0, 0.0, "B3B2", 0.5, best_why=TAKES), lit=True) == [
        "Better: chick from B3 takes chick on B2 (B3B2) ★.",
        "It wins the chick on B2: nothing can take back.",
    ]
    assert said(JudgedPly(0, 0.0, "B3B2", 0.5)) == [
        "Better: chick from B3 takes chick on B2 (B3B2)."
    ], "without a reason nothing is said"
