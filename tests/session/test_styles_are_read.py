"""Random games made by simulated hands of every style: what is read is what was meant.

Some in every run; fifty of every game on either sensing with `make deep`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from random import Random

import pytest

from engine.games import NAMES, make
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.session.events import Choose, Dice, Event, Frame, Tick
from firmware_host.session.outbox import Note
from firmware_host.session.session import Session
from tests.support.random_games import play_random
from tests.support.recorded import Recorded
from tests.support.sampling import a_few

SENSINGS = ("polarity", "presence")
GAMES = {"robot-duel": 6, "shogi": 1, "chaturaji": 1, "robotory": 1, "abalone": 1}
"""How many are read in every run, by how long they take; failures name the seed. With `make deep`
it is eight times as many, and fifty others.
"""
MANY = range(10_000, 10_050)
MISREAD = {
    ("robotory", "polarity"): {10010, 10020, 10022, 10041, 10043},
}
"""The games in which a move is read wrongly or not at all, as measured."""
PLIES = 60
TAKEBACKS = 0.15
"""After this share of the plies one to three are taken back, where any are."""


def events(recorded: Recorded, answers: bool) -> Iterator[Event]:
    readings: Mapping[str, int] = {}
    for line in recorded.lines:
        if "places" in line:
            readings = {p: v for p, v in (readings | line["places"]).items() if v}
            yield Frame(line["t"], readings)
        elif "dice" in line:
            yield Dice(line["t"], tuple(line["dice"]))
        elif answers:
            yield Choose(line["t"], line["choose"])
    yield Tick(recorded.lines[-1]["t"] + 10.0)


def read(
    name: str, sensing: str, seed: int, answers: bool, takebacks: float = 0.0
) -> tuple[Recorded, Session, list[Note]]:
    """Return a random game, and what was read and told of it."""
    game = make(name)
    recorded = play_random(game, Random(seed), sensing, plies=PLIES, takebacks=takebacks)
    session = Session(game, Sight(game, sensing), [Match.begin(game)])
    told = [note for event in events(recorded, answers) for note in session.handle(event)]
    return recorded, session, told


def trouble(
    name: str,
    sensing: str,
    seed: int,
    answers: bool = True,
    certain: bool = False,
    takebacks: float = 0.0,
) -> str:
    """Return the first move of a game that was read wrongly or not at all, or nothing.

    Unless it must be `certain`, it is enough that what was meant is among what is asked: people
    answer after a time that is drawn, which may be before the question.
    """
    recorded, session, _ = read(name, sensing, seed, answers, takebacks)
    found = [entry.texts for entry in session.record if entry.kind == "move"]
    for number, (text, texts) in enumerate(zip_longest(recorded.moves, found), 1):
        if texts is None or text not in texts or (certain and len(texts) > 1):
            other = " or ".join(texts or ("nothing",))
            return f"{name} {sensing} seed {seed}, ply {number}: meant {text}, read {other}"
    return ""


EVERY_BOARD = [(name, sensing) for name in NAMES for sensing in SENSINGS]
# In Robotory on presence boards people say too late here what no sensor shows, in some games.
BOARDS = [board for board in EVERY_BOARD if board != ("robotory", "presence")]


def misread(name: str, sensing: str, seeds: range) -> list[str]:
    """Return what goes wrong in games in which that is not known."""
    known = MISREAD.get((name, sensing), set())
    found = [trouble(name, sensing, seed) for seed in seeds if seed not in known]
    return [each for each in found if each]


@pytest.mark.parametrize("more", [False, pytest.param(True, marks=pytest.mark.deep)])
@pytest.mark.parametrize(("name", "sensing"), BOARDS)
def test_random_games_by_hand(name: str, sensing: str, more: bool) -> None:
    few = GAMES.get(name, 1)
    assert misread(name, sensing, range(few, 8 * few) if more else range(few)) == []


@pytest.mark.parametrize("more", [False, pytest.param(True, marks=pytest.mark.deep)])
@pytest.mark.parametrize(("name", "sensing"), BOARDS)
def test_random_games_with_takebacks(name: str, sensing: str, more: bool) -> None:
    wrong = [
        trouble(name, sensing, seed, takebacks=TAKEBACKS)
        for seed in (range(1, 8) if more else range(1))
    ]
    assert [each for each in wrong if each] == []


@pytest.mark.deep
@pytest.mark.parametrize("sensing", SENSINGS)
def test_random_games_by_hand_when_nobody_answers(sensing: str) -> None:
    wrong = [trouble("robot-duel", sensing, seed, answers=False) for seed in range(40)]
    assert [each for each in wrong if each] == []


@pytest.mark.deep
@pytest.mark.parametrize(
    ("sensing", "seeds"), [("polarity", range(60)), ("presence", range(0, 60, 4))]
)
def test_where_the_sensors_or_people_tell_nothing_stays_open(sensing: str, seeds: range) -> None:
    wrong = [trouble("robot-duel", sensing, seed, certain=True) for seed in seeds]
    assert [each for each in wrong if each] == []


ONCE_MISREAD = (
    ("robot-duel", "polarity", 10692),  # a piece comes to a cell that another has just left
    ("robot-duel", "presence", 10026),  # an end for a moment, and a position that stood before
    ("robot-duel", "presence", 10154),  # a capture that begins like two moves taken back
    ("robot-duel", "polarity", 40253),  # a capture between two looks that people name
    ("robot-duel", "polarity", 40412),  # a lion that was only touched on the way
    ("chaturaji", "polarity", 10042),  # a piece that rocks while all others rest
    ("shogi", "polarity", 10022),  # a move that stands is named six moves later
    ("shogi", "polarity", 40885),  # a piece that rocks until it is taken
    ("abalone", "polarity", 40287),  # a marble that rolls until the other player has moved
    ("abalone", "polarity", 40621),  # a row, moved on while one of it may still roll
    ("abalone", "polarity", 40832),
    ("robotory", "presence", 10114),  # a line that was named otherwise, and took back a ply
    ("robotory", "presence", 80160),  # one comes from a stock that reads the same without it
    ("robotory", "presence", 80193),  # an answer soon after a question about another move
    ("robotory", "presence", 85407),  # a move is named while an earlier one is asked about
    ("robotory", "presence", 11199),  # two tokens are placed, and named in another order than shown
    ("robotory", "presence", 20207),  # each names his move while an earlier one is asked about
    ("robotory", "presence", 20221),  # … and before it is
    ("robotory", "presence", 70322),  # a refill is named that either player may have made last
    ("robotory", "polarity", 80292),  # a token is eaten two looks after it was placed
    ("robotory", "polarity", 10600),  # … and a robot that rests where it might have ended
    ("chaturaji", "presence", 82610),  # a rook goes back, after three players could not move
)


@pytest.mark.deep
@pytest.mark.parametrize(("name", "sensing", "seed"), ONCE_MISREAD)
def test_what_was_once_misread(name: str, sensing: str, seed: int) -> None:
    assert trouble(name, sensing, seed) == ""


ONCE_BLAMED = (
    ("shogi", "polarity", 38),  # a move went on after a rest, and is named
    ("shogi", "presence", 7),
    ("shogi", "polarity", 33),  # a piece is off to be taken when the move before is named
    ("shogi", "presence", 74),
)


@pytest.mark.parametrize(("name", "sensing", "seed"), a_few(ONCE_BLAMED, 2))
def test_no_sensor_is_said_to_fail_where_all_work(name: str, sensing: str, seed: int) -> None:
    _, _, told = read(name, sensing, seed, answers=True)
    assert [note.details for note in told if note.event == "fault"] == []


@pytest.mark.deep
@pytest.mark.parametrize(("name", "sensing"), EVERY_BOARD)
def test_many_random_games_by_hand(name: str, sensing: str) -> None:
    assert misread(name, sensing, MANY) == []
