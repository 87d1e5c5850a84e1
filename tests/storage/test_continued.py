"""A match that goes on from a move of another match has all that the other had by then."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games import make
from firmware_host.session.match_clock import SeatTime
from firmware_host.session.match_timer import TimeSheet
from firmware_host.storage.game_records import continued
from firmware_host.storage.journal import Head, Journal, JournalError, Player, Resumed
from tests.storage.test_journal import LINE
from tests.support.journals import record

PLAYERS = (Player("Ania", "person"), Player("", "level:plans"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "match-1.jsonl"
    journal = Journal(path, Head(make("robot-duel"), "square-reed", None, "5f0c", clock="5m"))
    journal.players = PLAYERS
    for count in range(1, len(LINE) + 1):
        played = tuple((SeatTime(300_000 - 9 * n), SeatTime(200_000 - n)) for n in range(count))
        journal.write(record(*LINE[:count]), TimeSheet(played, (SeatTime(1), SeatTime(2))))
    journal.close()
    return path


def test_moves_players_and_times_are_there(path: Path) -> None:
    whole = Resumed(path)
    copy = Resumed(continued(path.parent, path, 2))
    assert copy.record == whole.record[:2]
    assert copy.players == PLAYERS
    assert whole.times is not None
    assert copy.times == TimeSheet(whole.times.played[:2], whole.times.played[1])
    assert (copy.head.clock, copy.head.origin) == ("5m", "match 5f0c 2")
    assert copy.head.id not in ("", "5f0c")


def test_from_the_start_the_clock_begins_again(path: Path) -> None:
    copy = Resumed(continued(path.parent, path, 0))
    assert (copy.record, copy.times, copy.head.clock) == ((), None, "5m")
    assert copy.players == PLAYERS


def test_a_move_that_is_not_there_leaves_no_file(path: Path) -> None:
    with pytest.raises(JournalError, match=f"only {len(LINE)} moves"):
        continued(path.parent, path, len(LINE) + 1)
    assert list(path.parent.iterdir()) == [path]
