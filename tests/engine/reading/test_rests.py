"""Rests: the time from which edges are processed again."""

from __future__ import annotations

import pytest

from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from engine.reading.history import History
from engine.reading.hypothesis import Hypothesis, PlyRecord, Way
from engine.reading.observations import Edges
from engine.reading.quiescence import Rest

GAME = make("robot-duel")
STOOD = PlyRecord(Way.ARRIVED, 1.0)


@pytest.fixture
def start() -> History:
    return History.of(Match.begin(GAME), Sight(GAME))


def after(line: History, *texts: str) -> History:
    for text in texts:
        line = line.step(GAME.parse_move(line.match.position, text))
    return line


def test_a_rest_has_the_cost_of_the_history_that_pieces_stood_as(start: History) -> None:
    stood = Hypothesis(after(start, "B4C3"), STOOD, 1.0, 1.0, {}, pauses=0.4)
    cheaper = Hypothesis(start, STOOD, 1.0, 0.5, {})
    assert Rest.of([cheaper, stood], 2.0, [stood]).cost == (1.4, 1)


def test_a_sensor_that_is_believed_again_and_reads_otherwise_leaves_its_place_open(
    start: History,
) -> None:
    edges = Edges()
    for place, reading in start.expected.items():
        edges.add(0.0, place, reading if place != "A1" else 0)
    blind = History(start.match, start.sight, frozenset({"A1", "B1"}), start.expected)
    hypotheses = [Hypothesis(blind, STOOD, 1.0, 1.0, {})]
    (hypothesis,) = (
        Rest.of(hypotheses, 1.0, hypotheses).with_lines(lambda line: start, edges).hypotheses
    )
    assert (hypothesis.line, hypothesis.open) == (start, {"A1"})
