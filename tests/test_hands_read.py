"""Random games made by simulated hands of every style: what is read is what was meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from random import Random

import pytest

from engine.footprints import Sight
from engine.games import make
from engine.match import Match
from firmware_host.evening import Recorded
from firmware_host.events import Choose, Event, Frame, Tick
from firmware_host.random_games import play_random
from firmware_host.record import Entry
from firmware_host.session import Session

GAMES = 200
PARTS = 10
"""The games are shared out, so that a failure says which ones."""
GAME = make("robot-duel")


def events(recorded: Recorded, answers: bool) -> Iterator[Event]:
    readings: Mapping[str, int] = {}
    for line in recorded.lines:
        if "places" in line:
            readings = {p: v for p, v in (readings | line["places"]).items() if v}
            yield Frame(line["t"], readings)
        elif answers:
            yield Choose(line["t"], line["choose"])
    yield Tick(recorded.lines[-1]["t"] + 10.0)


def read(recorded: Recorded, sensing: str, answers: bool) -> list[Entry]:
    session = Session(GAME, Sight(GAME, sensing), [Match.begin(GAME)])
    for event in events(recorded, answers):
        session.handle(event)
    return [entry for entry in session.record if entry.kind == "move"]


def trouble(sensing: str, answers: bool, seeds: range) -> str:
    """Return what was read wrong: moves that stand and were not meant, or were not read at all.

    Where the sensors cannot know and nobody answers, what was meant must be among what is asked.
    """
    wrong = []
    for seed in seeds:
        recorded = play_random(GAME, Random(seed), sensing)
        found = [entry.texts for entry in read(recorded, sensing, answers)]
        asked_of = sensing == "presence" and not answers
        for number, (text, texts) in enumerate(zip_longest(recorded.moves, found), 1):
            if texts != (text,) and not (asked_of and texts and text in texts):
                wrong.append(f"seed {seed}, ply {number}: meant {text}, read {texts}")
                break
    return "; ".join(wrong)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("sensing", ["polarity", "presence"])
def test_random_games_by_hand(sensing: str, part: int) -> None:
    assert trouble(sensing, False, range(part, GAMES, PARTS)) == ""


def test_random_games_by_hand_with_people_who_answer() -> None:
    assert trouble("presence", True, range(0, GAMES, 4)) == ""
