"""Disputes: what people said is not on the record, and they tell anew what was played."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from benchmarks.reading_games import PLIES, Board
from benchmarks.reading_watcher import Watcher, standing
from engine.footprints import Sight
from engine.games import make
from firmware_host.random_games import play_random
from firmware_host.telling import status

PAUSE = 7.0


def said(board: Any) -> str:
    return " ".join(message.text for message in status(board.session, 1).says)


def answers(board: Any) -> list[str]:
    return [choice.move for choice in status(board.session, 1).question]


@pytest.fixture
def disputed(timeline: Any) -> Any:
    """C4C3 and A1A2 were played; people say A4A3, which no rule allows."""
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1)
    board.choose("A4A3").rest(PAUSE)
    return board


def test_what_was_said_and_is_not_shown_is_asked_about_once_all_is_calm(disputed: Any) -> None:
    assert disputed.last("ask") == {"seat": 0, "moves": ["C4C3", "A1A2"], "anew": 2}
    assert answers(disputed) == ["tell", "keep"]
    assert "not on the record" in said(disputed)
    assert disputed.moves == ["C4C3", "A1A2"]  # nothing is given up before people say so


def test_nothing_is_asked_as_long_as_hands_are_at_work(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).choose("B4A3")
    board.rest(4).hands("A1-").rest(4)
    assert not board.asked
    assert board.hands("A1+").rest(PAUSE).last("ask")["anew"] == 1


def test_who_says_that_the_record_is_right_is_asked_no_more(disputed: Any) -> None:
    disputed.press("no").rest(30)
    assert answers(disputed) == []
    disputed.hands("B4- A3+").rest(PAUSE)
    assert disputed.moves == ["C4C3", "A1A2", "B4A3"]
    assert disputed.events.count("ask") == 1


def test_play_that_goes_on_says_that_the_record_is_right(disputed: Any) -> None:
    disputed.hands("B4- A3+").rest(1)
    assert disputed.moves == ["C4C3", "A1A2", "B4A3"]
    assert answers(disputed) == []


def test_moves_are_told_one_after_the_other_until_they_lead_to_the_men(disputed: Any) -> None:
    disputed.press("yes").rest(1)
    assert disputed.moves == []
    assert "name the moves" in said(disputed)
    disputed.choose("A1A2").rest(1)  # the other player is to move
    assert disputed.moves == []
    assert "{move} fits nowhere" in said(disputed)
    disputed.choose("C4C3")
    assert disputed.moves == ["C4C3"]
    disputed.hands("B4- A3+ 1 A3- B4+").rest(3)  # nothing is read meanwhile
    assert disputed.moves == ["C4C3"]
    disputed.choose("A1A2").rest(1)
    assert "name the moves" not in said(disputed)
    disputed.hands("B4- A3+").rest(1)
    assert disputed.moves == ["C4C3", "A1A2", "B4A3"]


def test_or_the_men_are_put_as_they_are_shown(disputed: Any) -> None:
    disputed.press("yes").rest(1).choose("C4C3").rest(1)
    disputed.hands("A2- A1+").rest(1)
    assert "name the moves" not in said(disputed)
    assert disputed.hands("B1- C2+").rest(1).moves == ["C4C3", "B1C2"]


def test_who_goes_back_further_may_tell_from_there(disputed: Any) -> None:
    disputed.press("yes").rest(1).choose("C4C3").press("back").rest(1)
    assert disputed.moves == []
    assert disputed.choose("C4C3").choose("A1A2").rest(1).moves == ["C4C3", "A1A2"]


def test_yes_twice_says_nothing_of_sensors(disputed: Any) -> None:
    disputed.press("yes").press("yes").rest(1)
    assert not disputed.session.sensors.failing
    assert disputed.choose("C4C3").choose("A1A2").rest(1).moves == ["C4C3", "A1A2"]


def test_what_people_were_asked_and_answered_is_not_told_anew(timeline: Any) -> None:
    men = "1n2kg1n1/l3gs1bl/p2p1ppp1/1pP3s1p/4p2P1/3P5/PPG1PPP1P/3S1R2L/LNB1KGSN1 w Rp 1"
    board = timeline("shogi", position=men).hands("1 3d- 0.45 2e- 0.5 2e+ 0.8 7d- 0.6 7c+").rest(2)
    board.choose("7d7c+").hands("8d- 0.4 8e+").rest(2)
    assert board.moves == ["3d2e", "7d7c+", "8d8e"]
    board.choose("5a5b").rest(PAUSE)
    assert board.last("ask") == {"seat": 1, "moves": ["8d8e"], "anew": 1}


@pytest.mark.parametrize(("sensing", "seed"), [("presence", 31), ("polarity", 7)])
def test_who_plays_faster_than_anybody_can_say_what_no_sensor_sees_tells_it_anew(
    sensing: str, seed: int
) -> None:
    """More than two moves a second, a third of which nobody sees, and colours that no reed sees:
    the board loses the thread, and says so.
    """
    unsensed = ("stock", "pool")
    game, period = make("robotory"), Board("robotory", sensing, False).look()
    recorded = play_random(
        game, Random(seed), sensing, ("blitz",), PLIES, unsensed, answers=None, period=period
    )
    watcher = Watcher(recorded, game, Sight(game, sensing, unsensed), game.start())
    read = [" or ".join(texts) for texts in watcher.watch()]
    assert read == [truth.text for truth in standing(recorded.truth, float("inf"))]
    assert watcher.told_anew
