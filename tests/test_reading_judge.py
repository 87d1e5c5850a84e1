"""The judge of the benchmark: what became of a move, and which questions were needless."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from benchmarks.reading_judge import Judge, Score
from engine.footprints import Sight
from engine.games import make
from firmware_host.evening import Line, Recorded, Truth

GAME = make("robot-duel")
SIGHT = Sight(GAME, "presence", ("hand",))
FIRST: tuple[Line, ...] = (
    {"t": 0.0, "places": SIGHT.readings(GAME.start())},
    {"t": 1.0, "places": {"B3": 0}},
    {"t": 1.4, "places": {"B2": 0}},
    {"t": 1.5, "places": {"B2": 1}},
)
LIFTED: Line = {"t": 3.0, "places": {"C1": 0}}
SWAPPED: tuple[Line, ...] = ({"t": 3.4, "places": {"B2": 0}}, {"t": 3.5, "places": {"B2": 1}})
TRUTH = (
    Truth(1, 0, "B3B2", begun=1.0, marks=(1.0, 1.5), seen=1.5, visible=True),
    Truth(2, 1, "C1B2", begun=3.0, marks=(3.0, 3.5), seen=3.5, visible=True),
)


def judged(seen: tuple[Line, ...], *second: tuple[str, ...]) -> Score:
    """Judge a reader that has read the first move of two, and what it then made of the second."""
    record: list[Any] = [(0.0, ()), (1.6, (("B3B2",),))]
    record += [(3.6 + at, (("B3B2",), texts)) for at, texts in enumerate(second)]
    recorded = Recorded({}, [*FIRST, *seen], TRUTH, ["B3B2", "C1B2"])
    watcher: Any = SimpleNamespace(recorded=recorded, history=record)
    return Judge(GAME, SIGHT, GAME.start(), watcher).judge(record[-1][1])


def test_what_is_read_or_not() -> None:
    assert judged((LIFTED, *SWAPPED), ("C1B2",)).fates == {"read": 2}
    assert judged((LIFTED, *SWAPPED), ("B1B2",)).fates == {"read": 1, "wrong": 1}
    assert judged((LIFTED, *SWAPPED)).fates == {"read": 1, "unread": 1}


def test_what_was_shown_first() -> None:
    score = judged((LIFTED, *SWAPPED), ("C1C2",), ("C1B2",))
    assert score.fates == {"read": 2}
    assert score.momentary == 1


def test_a_man_that_was_lifted_only_may_still_be_in_the_hand() -> None:
    """Whatever the ply before has touched."""
    question = ("C1B2", "")
    assert judged((LIFTED,), question, ("C1B2",)).fates == {"read": 1, "asked": 1}
    assert judged((LIFTED, *SWAPPED), question, ("C1B2",)).fates == {"read": 1, "needless": 1}
