"""A match that goes on from a move of another match has all that the other had by then."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games import make
from engine.match import Match
from firmware_host.session.match_clock import SeatTime
from firmware_host.session.match_timer import TimeSheet
from firmware_host.storage.game_records import continued
from firmware_host.storage.journal import Head, Journal, JournalError, Player, Resumed
from tests.storage.test_journal import LINE
from tests.support.journals import record, recorded

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


def test_the_machine_plays_at_the_level_at_which_it_played(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "match-1.jsonl", Head(make("robot-duel"), "square-reed", None))
    journal.players = (Player("Ania", "person"), Player("", "level:fits-you newcomer"))
    journal.write(record(*LINE[:2]))
    journal.close()
    copy = Resumed(continued(tmp_path, journal.path, 1))
    assert copy.players == (Player("Ania", "person"), Player("", "level:newcomer"))


def test_the_throw_that_followed_comes_along_on_request(tmp_path: Path) -> None:
    match = Match.begin(make("chaturaji"))
    while match.plies < 2:
        match = match.play(match.legal[0])
    journal = Journal(tmp_path / "match-1.jsonl", Head(match.game, "square-reed", None, "one"))
    journal.write(recorded(match))
    journal.close()
    kinds = [entry.kind for entry in journal.record]
    assert kinds == ["throw", "move", "throw", "move"]
    for ply, thrown, length in ((0, False, 0), (0, True, 1), (1, False, 2), (1, True, 3)):
        copy = Resumed(continued(tmp_path, journal.path, ply, thrown=thrown))
        assert copy.record == journal.record[:length]
    assert Resumed(continued(tmp_path, journal.path, 2, thrown=True)).record == journal.record


def test_a_move_that_is_not_there_leaves_no_file(path: Path) -> None:
    with pytest.raises(JournalError, match=f"only {len(LINE)} moves"):
        continued(path.parent, path, len(LINE) + 1)
    assert list(path.parent.iterdir()) == [path]
