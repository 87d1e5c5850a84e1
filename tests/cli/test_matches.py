"""`lampion matches` lists what was played."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.games import make
from engine.match import Match
from firmware_host.__main__ import main
from firmware_host.session.record import entry_of
from firmware_host.storage.journal import Head, Journal, Player
from firmware_host.storage.match_archive import archive


def keep(state: Path, name: str, game: str, move: str, *players: str, at: float) -> None:
    rules = make(game)
    match = Match.begin(rules)
    match = match.play(rules.parse_move(match.position, move))
    journal = Journal(state / name, Head(rules, "square-reed", None))
    journal.players = tuple(Player(each, "person") for each in players)
    journal.write(tuple(map(entry_of, match.steps())))
    journal.close()
    os.utime(state / name, (at, at))


@pytest.fixture
def state(tmp_path: Path) -> Path:
    keep(tmp_path, "match-1.jsonl", "robot-duel", "C4C3", "Ania", "Ola", at=1)
    keep(tmp_path, "match-2.jsonl", "shogi", "7g7f", "Tomek", "Ola", at=2)
    keep(tmp_path, "match.jsonl", "shogi", "2g2f", at=3)
    (tmp_path / "match-bad.jsonl").write_bytes(b"nonsense\n")
    return tmp_path


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["matches", *arguments]) == 0
    return [line.split("  ", 1)[1] for line in capsys.readouterr().out.splitlines()]


def test_all_matches_the_latest_first(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert listed(capsys, "--state", str(state)) == [
        "match-bad.jsonl  This file cannot be read: line 1: this is no journal of a match",
        "match.jsonl  Shogi, sente, gote: Not finished, 1 move",
        "match-2.jsonl  Shogi, Tomek, Ola: Not finished, 1 move",
        "match-1.jsonl  Robot Duel, Ania, Ola: Not finished, 1 move",
    ]


def test_those_of_a_player_or_a_game(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ("--state", str(state))
    assert [line[:9] for line in listed(capsys, "ola", *where)] == ["match-2.j", "match-1.j"]
    assert len(listed(capsys, "ola", "tomek", *where)) == 1
    assert len(listed(capsys, "--game", "shogi", *where)) == 2
    assert main(["matches", "--most", "1", *where]) == 0
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 1
    assert "3 more" in told.err


def test_an_empty_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert listed(capsys, "--state", str(tmp_path / "none")) == []


def test_a_journal_and_an_archive_are_imported(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = tmp_path / "all.zip"
    packed.write_bytes(b"".join(archive(sorted(state.glob("match-[12].jsonl")))))
    other = tmp_path / "other"
    assert main(["import", str(packed), "--state", str(other)]) == 0
    kept = capsys.readouterr().out.splitlines()
    assert len(kept) == len(list(other.glob("match-*.jsonl"))) == 2
    assert main(["import", str(state / "match.jsonl"), "--state", str(other)]) == 0
    assert main(["import", str(state / "match.jsonl"), "--state", str(other)]) == 0
    assert len(set(capsys.readouterr().out.splitlines())) == 1  # it is there already
    assert len(list(other.glob("match-*.jsonl"))) == 3
    assert main(["import", str(state / "match-bad.jsonl"), "--state", str(other)]) == 1
    assert "this is no journal of a match" in capsys.readouterr().err
    packed.write_bytes(b"nonsense")
    assert main(["import", str(packed), "--state", str(other)]) == 1
    assert "no archive" in capsys.readouterr().err
    assert len(list(other.glob("match-*.jsonl"))) == 3


def test_a_record_has_the_names_of_its_players(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "match-2.jsonl", "--state", str(state)]) == 0
    assert "Tomek" in capsys.readouterr().out
