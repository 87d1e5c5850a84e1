"""`lampion review` looks back at a match."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from engine.search.turning_points import JudgedPly, choices
from firmware_host.__main__ import main
from firmware_host.cli import review
from firmware_host.opponents.kept_judgements import KeptJudgements
from firmware_host.opponents.look_back import LookBacks
from firmware_host.storage.journal import Head, Journal, Player
from firmware_host.storage.paths import state_directory
from tests.support.journals import recorded
from tests.support.look_backs import KnownLookBack

RECORDINGS = Path(__file__).parents[1] / "recordings"
BLUNDER = ("B3B2", "B1B2", "B4B3", "B2B3")
"""The lion of A walks beside that of B, which takes it."""


def blunder() -> Match:
    match = Match.begin(make("robot-duel"))
    for text in BLUNDER:
        match = match.play(match.game.parse_move(match.position, text))
    return match


def keep(path: Path, *players: tuple[str, str]) -> None:
    journal = Journal(path, Head(make("robot-duel"), "square-reed", None, "one"))
    journal.players = tuple(Player(*each) for each in players)
    journal.write(recorded(blunder()))
    journal.close()


@pytest.fixture(autouse=True)
def _no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Report no progress, however slow this machine is."""
    monkeypatch.setattr(review, "REPORT_S", math.inf)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    keep(tmp_path / "match-1.jsonl", ("Ania", "person"), ("Ola", "person"))
    return tmp_path


def test_the_turning_points_of_a_journal(run: Any, state: Path) -> None:
    lines = run("review", "match-1.jsonl", "--state", str(state), "--language", "en")
    assert lines[0] == "Ola wins: the lion is captured."
    assert any(line.startswith("Ola found ") for line in lines)
    told = lines[lines.index("Move 3, Ania: lion from B4 to B3 (B4B3)") :]
    assert told[1] == "Then the lion on B2 takes your lion on B3 and wins."
    assert told[2].startswith("Better: ")


def test_it_speaks_the_language_that_was_chosen(run: Any, state: Path) -> None:
    lines = run("review", str(state / "match-1.jsonl"), "--state", str(state), "--language", "pl")
    assert any(line.startswith("Ruch 3, Ania: ") for line in lines)


def test_the_last_match_is_looked_at_by_default(run: Any, tmp_path: Path) -> None:
    keep(tmp_path / "match.jsonl", ("Ewa", "person"), ("", "level:newcomer"))
    lines = run("review", "--state", str(tmp_path), "--language", "en")
    assert lines[0].startswith("The machine wins")
    assert "Move 3, Ewa: lion from B4 to B3 (B4B3)" in lines
    assert not any("Move 2," in line for line in lines), "the machine moved there"


def test_a_match_that_was_looked_at_needs_no_search(
    run: Any, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run("review", "match-1.jsonl", "--state", str(state))
    monkeypatch.setattr(review, "LookBacks", without_search)
    assert run("review", "match-1.jsonl", "--state", str(state)) == first


def without_search(state: Path) -> LookBacks:
    return LookBacks(state, ("/bin/false",))


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every move be judged beforehand, as a good one."""

    def good(kept: KeptJudgements, match: Match) -> tuple[JudgedPly, ...]:
        line = match.steps()
        return tuple(JudgedPly(number, 0.5, line[number].text, 0.5) for number in choices(match))

    monkeypatch.setattr(KeptJudgements, "of", good)


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("suffix", ["usi", "txt"])
def test_records_of_other_programs(run: Any, state: Path, suffix: str) -> None:
    form = {"usi": "usi", "txt": "text"}[suffix]
    text = "\n".join(run("export", "match-1.jsonl", "--to", form, "--state", str(state)))
    path = state / f"game.{suffix}"
    path.write_text(text + "\n")
    lines = run("review", str(path), "--state", str(state), "--language", "en")
    assert lines[-1] == "No single move decided this match."
    assert any("found 2 of 2 good moves." in line for line in lines)


@pytest.mark.usefixtures("judged")
def test_a_recording(run: Any, state: Path) -> None:
    path = RECORDINGS / "page-robot-duel-second-player-wins.jsonl"
    lines = run("review", str(path), "--state", str(state), "--language", "en")
    assert lines[0] == "B wins: the lion is captured."


def test_the_time_is_bounded_and_a_look_at_a_part_says_so(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(KnownLookBack):
        def __init__(self, state: Path) -> None:
            super().__init__(*[JudgedPly(n, 0.5, BLUNDER[n], 0.5) for n in range(4)])

        async def close(self) -> None:
            pass

    monkeypatch.setattr(review, "LookBacks", Slow)
    monkeypatch.setattr(review, "REPORT_S", 0.0)
    where = ("--state", str(state), "--language", "en")
    assert main(["review", "match-1.jsonl", "--time", "0.4", *where]) == 0
    out, err = capsys.readouterr()
    assert "No single move" not in out
    assert "Looking at move 2 of 4 …" in err
    assert "of 4 moves are judged" in err


def test_what_cannot_be_looked_at_is_refused_in_one_line(
    refused: Any, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = ("--state", str(state))
    assert "there is no such match" in refused(1, "review", "match-9.jsonl", *where)
    assert "there is no such match" in refused(1, "review", "--state", str(state / "none"))
    assert "Is a directory" in refused(1, "review", str(state), *where)
    bad = state / "notes.md"
    bad.write_text("nonsense\n")
    assert "say what it is with --from: kif" in refused(1, "review", str(bad), *where)
    assert "notes.md" in refused(1, "review", str(bad), "--from", "kif", *where)
    assert "--from" in refused(1, "review", str(bad), "--from", "pgn", *where)
    (state / "match-2.jsonl").write_text("nonsense\n")
    assert "no journal" in refused(1, "review", "match-2.jsonl", *where)
    assert "--time" in refused(2, "review", "match-1.jsonl", "--time", "0")
    monkeypatch.setattr(review, "LookBacks", without_search)
    assert "no move could be judged" in refused(1, "review", "match-1.jsonl", *where)


def test_nothing_is_written_beside_a_match_that_is_kept_elsewhere(run: Any, state: Path) -> None:
    other = state / "other"
    run("review", str(state / "match-1.jsonl"), "--state", str(other))
    assert [each.name for each in state.iterdir() if each.name == "look-back"] == []
    assert list((state_directory(str(other)) / "look-back").iterdir())
