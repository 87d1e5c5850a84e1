"""Rests: from when what hands did may be gone through once more."""

from __future__ import annotations

import pytest

from engine.games import make
from engine.match import Match
from engine.reading.evidence import FIRM_KEPT, REMEMBERED
from engine.reading.footprints import Sight
from engine.reading.lines import Line
from engine.reading.observations import Edges
from engine.reading.rests import Rest, Rests
from engine.reading.tracks import Track

GAME = make("robot-duel")


@pytest.fixture
def start() -> Line:
    return Line.of(Match.begin(GAME), Sight(GAME))


def after(line: Line, *texts: str) -> Line:
    for text in texts:
        line = line.step(GAME.parse_move(line.match.position, text))
    return line


def rest(at: float, line: Line) -> Rest:
    tracks = [Track(line, at, at, 1.0, {})]
    return Rest.of(tracks, at, tracks)


def begun(edges: Edges, start: Line) -> Rests:
    rests = Rests(edges)
    rests.begin(rest(0.0, start))
    return rests


def test_men_that_stand_wrongly_are_gone_back_to_only_if_nothing_else_is_remembered(
    start: Line,
) -> None:
    rests = begun(Edges(), start)
    wrong = rest(5.0, start)
    rests.add(wrong, right=False)
    assert (rests.last, rests.last_is_firm, rests.firm().at) == (wrong, False, 0.0)
    late = rest(REMEMBERED + 1.0, start)
    rests.add(late, right=False)
    assert (rests.last_is_firm, rests.firm()) == (True, late)


@pytest.mark.parametrize(("touched", "firm"), [(1.0, [18.0]), (4.0, [3.0, 18.0])])
def test_a_firm_rest_is_forgotten_with_what_hands_did_after_it(
    start: Line, touched: float, firm: list[float]
) -> None:
    edges = Edges()
    edges.add(touched, "A1", 1)
    rests = begun(edges, start)
    rests.add(rest(REMEMBERED + 3.0, start), right=True)
    # Until hands did something men stood as at the rest, so it may as well have been later.
    assert [rests.firm().at] == [firm[-1]]
    assert len(rests.firm_lines) == len(firm)


def test_no_more_than_so_many_firm_rests_are_kept(start: Line) -> None:
    rests = begun(Edges(), start)
    for number in range(1, FIRM_KEPT + 3):
        rests.add(rest(number / 10, start), right=True)
    assert len(rests.firm_lines) == FIRM_KEPT
    assert rests.firm().at == (FIRM_KEPT + 2) / 10


def test_who_begins_anew_knows_nothing_of_what_came_after(start: Line) -> None:
    rests = begun(Edges(), start)
    one = after(start, "B4C3")
    rests.add(rest(1.0, one), right=True)
    rests.add(rest(2.0, after(one, "A1A2")), right=False)
    anew = rests.anew(lambda line: line)
    assert (anew.last.at, anew.last.line, anew.firm_lines) == (1.0, one, [one])
    again = rests.again(lambda line: line)
    assert (again.last.at, again.firm_lines) == (2.0, [start, one])


def test_of_what_was_before_people_were_asked_not_all_is_remembered(start: Line) -> None:
    rests = begun(Edges(), start)
    for at in range(1, 2 * FIRM_KEPT):
        rests.begin(rest(at, start), afresh=False)
    assert len(rests.firm_lines) == FIRM_KEPT


def test_a_sensor_that_is_believed_again_and_reads_otherwise_leaves_its_place_open(
    start: Line,
) -> None:
    edges = Edges()
    for place, reading in start.expected.items():
        edges.add(0.0, place, reading if place != "A1" else 0)
    blind = Line(start.match, start.sight, frozenset({"A1", "B1"}), start.expected)
    rests = Rests(edges)
    rests.begin(rest(1.0, blind))
    track = rests.anew(lambda line: start).last.tracks[0]
    assert (track.line, track.open) == (start, {"A1"})


def test_what_a_line_remembers_is_read_anew_with_it(start: Line) -> None:
    undone, guessed = after(start, "C4C3"), after(start, "B4A3")
    tracks = [Track(guessed, 1.0, 1.0, 1.0, {}, undone=((undone, 0.5),), guessed=guessed)]
    rests = Rests(Edges())
    rests.begin(Rest.of(tracks, 1.0, tracks))
    fresh = Line.of(Match.begin(GAME), Sight(GAME))
    (each,) = rests.anew(lambda line: after(fresh, *line.match.moves())).last.tracks
    assert each.guessed is each.line
    assert [(line.before, at) for line, at in each.undone] == [(fresh, 0.5)]
