"""The level that follows the results of a name."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.search.opponents import LEVELS, STEPS
from firmware_host.i18n.messages import render
from firmware_host.opponents.fitting_levels import MOST_NAMES, FittingLevels, next_level
from firmware_host.players.kinds import FITS_YOU, PlayerKind
from firmware_host.session.events import Claimed, Press
from tests.support.advisers import at, requested_of
from tests.support.journals import read_back
from tests.support.stories import at_a_board

NAMES = [level.name for level in STEPS]
FIRST = NAMES.index(LEVELS[0].name)
FILE = "fitting-levels.json"


def after(levels: FittingLevels, game: str, won: dict[str, bool]) -> None:
    """Let a match begin, go on, and end."""
    levels.begin()
    levels.follow(game, None)
    levels.follow(game, won)


def test_a_win_goes_up_a_loss_goes_down_and_no_further_than_the_steps() -> None:
    up = [next_level(name, won=True) for name in NAMES]
    down = [next_level(name, won=False) for name in NAMES]
    assert up == [*NAMES[1:], NAMES[-1]]
    assert down == [NAMES[0], *NAMES[:-1]]


@pytest.mark.parametrize("strength", [0, 1, 2.5, 4])
def test_a_person_among_the_levels_wins_about_half_of_the_games(
    tmp_path: Path, strength: float
) -> None:
    """Each level wins three games of four against the one below, and the person is as strong as
    the level of that number; the lowest has the number 0.
    """
    levels, rng, won = FittingLevels(tmp_path / FILE), Random(1), 0
    for number in range(400):
        ahead = strength - (NAMES.index(levels.level("shogi", ["Ania"])) - FIRST) / 2
        wins = rng.random() < 1 / (1 + 3**-ahead)
        after(levels, "shogi", {"Ania": wins})
        won += wins and number >= 100
    levels.file.close()
    assert 0.4 <= won / 300 <= 0.6


def test_the_file_has_a_level_for_each_name_and_game(tmp_path: Path) -> None:
    levels = FittingLevels(tmp_path / FILE)
    after(levels, "shogi", {"Ania": True, "Ola": False})
    after(levels, "shogi", {"ania": True})
    after(levels, "abalone", {"Ania": True})
    levels.file.close()
    kept = FittingLevels(tmp_path / FILE)
    assert kept.level("shogi", ["ANIA"]) == "first-steps"
    assert kept.level("abalone", ["Ania"]) == "below-first-steps"
    assert kept.level("shogi", ["Ania", "Ola"]) == "below-newcomer"
    assert kept.level("robotory", []) == "newcomer"


def test_a_result_counts_once_and_not_if_it_is_taken_back(tmp_path: Path) -> None:
    levels = FittingLevels(tmp_path / FILE)
    levels.begin()
    assert not levels.follow("shogi", {"Ania": True})  # resumed at its end
    assert not levels.follow("shogi", None)
    assert levels.follow("shogi", {"Ania": True})
    assert not levels.follow("shogi", {"Ania": True})
    assert levels.level("shogi", ["Ania"]) == NAMES[FIRST + 1]
    assert levels.follow("shogi", None)
    assert levels.level("shogi", ["Ania"]) == NAMES[FIRST]
    assert not levels.follow("shogi", {})  # a draw
    levels.file.close()


def test_the_latest_names_are_kept(tmp_path: Path) -> None:
    levels = FittingLevels(tmp_path / FILE)
    for number in range(MOST_NAMES + 1):
        after(levels, "shogi", {f"{number}": True})
    levels.file.close()
    kept = FittingLevels(tmp_path / FILE)
    assert [kept.level("shogi", [name]) for name in ("0", "1", str(MOST_NAMES))] == [
        NAMES[FIRST],
        NAMES[FIRST + 1],
        NAMES[FIRST + 1],
    ]


@pytest.mark.parametrize("text", ["[]", "{", '{"shogi": {"a": "none"}}', '{"shogi": 1}'])
def test_a_file_that_cannot_be_read_is_left_out(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FILE).write_text(text)
    assert FittingLevels(tmp_path / FILE).level("shogi", ["a"]) == NAMES[FIRST]
    assert len(caplog.records) == 1


@at_a_board()
async def test_the_machine_follows_the_results_at_the_board(board: Any, tmp_path: Path) -> None:
    host = at(board)
    host.seating.rename(0, "Ania")
    host.seating.set_hands_move(False)
    host.seating.set_kind(1, PlayerKind(level=FITS_YOU))
    await board.play("C4C3", rest=3)
    assert requested_of(board).match.plies == 1

    def shown() -> str:
        return render(host.status().opponents.choices["level:fits-you"])

    assert shown() == "the machine: fits you, now newcomer"
    host.post(Claimed(host.now(), "resign", 1))
    await asyncio.sleep(1)
    players = (("Ania", "person"), ("", "level:fits-you newcomer"))
    assert read_back(tmp_path / "match.jsonl").players == players, "the level that was played"
    assert shown() == "the machine: fits you, now half newcomer, half first steps"
    host.seating.fitting.file.close()
    assert json.loads((tmp_path / FILE).read_text()) == {
        "robot-duel": {"ania": "below-first-steps"}
    }
    host.post(Press(host.now(), "back"))
    await asyncio.sleep(1)
    assert shown() == "the machine: fits you, now newcomer"


@at_a_board()
async def test_a_match_of_people_changes_no_level(board: Any) -> None:
    host = at(board)
    host.seating.rename(0, "Ania")
    await board.play("C4C3")
    host.post(Claimed(host.now(), "resign", 1))
    await asyncio.sleep(1)
    assert host.status().outcome is not None
    assert host.seating.fitting.level("robot-duel", ["Ania"]) == NAMES[FIRST]


def test_a_player_who_comes_after_the_end_changes_no_level(tmp_path: Path) -> None:
    levels = FittingLevels(tmp_path / FILE)
    levels.begin()
    levels.follow("shogi", None)
    assert not levels.follow("shogi", {})  # no machine played at the level that fits
    assert not levels.follow("shogi", {"Ania": True})  # it has come since
    assert levels.level("shogi", ["Ania"]) == NAMES[FIRST]
    assert not levels.follow("shogi", None)  # the last move is taken back, and played again
    assert levels.follow("shogi", {"Ania": True})
    levels.file.close()


@at_a_board(game="chaturaji")
async def test_one_of_several_people_without_a_name_wins(board: Any) -> None:
    host = at(board)
    host.seating.set_kind(3, PlayerKind(level=FITS_YOU))
    for seat in (1, 2, 3):
        host.post(Claimed(host.now(), "resign", seat))
    await asyncio.sleep(1)
    assert host.status().outcome.winners == {0}
    assert host.seating.fitting.level("chaturaji", [""]) == NAMES[FIRST + 1]
