"""Whole games of Robotory by simulated hands: people name their moves, or only answer."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.reading_games import BenchmarkBoard
from benchmarks.reading_watcher import Watcher, standing
from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.session.events import Choose, Frame, Tick
from firmware_host.session.session import Session
from tests.support.random_games import play_random

BLIND = ("stock", "pool")


@pytest.mark.parametrize("seed", range(3))
def test_random_games_on_polarity_are_read_right(seed: int) -> None:
    game = make("robotory")
    recorded = play_random(game, Random(seed), "polarity")
    session = Session(game, Sight(game, "polarity"), [Match.begin(game)])
    readings: dict[str, int] = {}
    for line in recorded.lines:
        if "places" in line:
            readings = {p: v for p, v in (readings | line["places"]).items() if v}
            session.handle(Frame(line["t"], readings))
        else:
            session.handle(Choose(line["t"], line["choose"]))
        assert len(session.view.shown) <= 8
    session.handle(Tick(recorded.lines[-1]["t"] + 10.0))
    assert [entry.texts for entry in session.record] == [(text,) for text in recorded.moves]


@pytest.mark.deep
@pytest.mark.parametrize(
    ("seed", "sensing", "style", "plies", "unsensed", "takebacks"),
    [
        # A token is placed, and straightened before the robot sets out: it is none that this takes.
        (5, "polarity", "fidgety", 23, BLIND, 0.0),
        # Nobody knows whether somebody has refilled before a robot goes a long way.
        (91019, "presence", "mixed", 14, (), 0.1),
    ],
)
def test_games_by_hand_in_which_people_answer_what_is_asked(
    seed: int,
    sensing: str,
    style: str,
    plies: int,
    unsensed: tuple[str, ...],
    takebacks: float,
) -> None:
    game = make("robotory")
    period = BenchmarkBoard("robotory", sensing, not unsensed).look()
    recorded = play_random(
        game,
        Random(seed),
        sensing,
        (style,),
        plies,
        unsensed,
        takebacks=takebacks,
        answers=None,
        period=period,
    )
    watcher = Watcher(recorded, game, Sight(game, sensing, unsensed), game.start())
    meant = [truth.text for truth in standing(recorded.truth, float("inf"))]
    assert [" or ".join(texts) for texts in watcher.watch()] == meant


@pytest.mark.deep
def test_what_is_played_while_much_is_asked_waits_for_answers() -> None:
    """Four plies a second, and of most tokens no sensor sees the colour: people cannot answer as
    fast as they play, but no answer comes too late.
    """
    game = make("robotory")
    recorded = play_random(game, Random(19), "presence", ("blitz",), 14, answers=None)
    watcher = Watcher(recorded, game, Sight(game, "presence"), game.start())
    assert [" or ".join(texts) for texts in watcher.watch()] == [
        truth.text for truth in recorded.truth
    ]
