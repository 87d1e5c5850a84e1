"""Recorded matches are read as they were played.

Beside every `recordings/NAME.jsonl` stands `NAME.json`: what must be read of it. `moves` are those
that must stand at the end; `position` where they lead; `open`, if there, the candidates of the
questions that stay open; `refused` and `faults` what must be told, each once at least and in
that order. Only `moves` is needed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware_host.__main__ import main
from firmware_host.cli import replay
from firmware_host.storage import recording

HERE = Path(__file__).parents[1] / "recordings"
FILES = sorted(HERE.glob("*.jsonl"))
MISREAD = {
    "chaturaji-presence-captive-at-once",
    "chaturaji-presence-captor-adjusted-after",
    "robot-duel-polarity-lifted-after-a-takeback",
    "shogi-presence-taken-back-slowly",
}
"""These were read once, by more terms than anybody could maintain; now more is asked in them."""
LONG = {
    "abalone-presence-begun-again",
    "abalone-presence-slid-slowly",
    "chaturaji-polarity-captive-before-his-captor",
    "chaturaji-polarity-captive-while-all-must-pass",
    "chaturaji-presence-told-when-held-after-takebacks",
    "robot-duel-polarity-an-end-for-a-moment",
    "robot-duel-polarity-an-old-line-that-waits",
    "robot-duel-polarity-the-other-answer-after-a-takeback",
    "robotory-polarity-one-robot-moved-by-both",
    "robotory-polarity-refills-in-between",
}
"""These take long to read, and are like others."""
KNOWN = [pytest.mark.xfail(strict=True), pytest.mark.deep]
KEYS = {"about", "moves", "position", "open", "refused", "faults"}


def must(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    assert found.keys() <= KEYS
    return found


def marks(name: str) -> list[pytest.MarkDecorator]:
    return KNOWN if name in MISREAD else [pytest.mark.deep] if name in LONG else []


@pytest.mark.parametrize(
    "file",
    [pytest.param(file, marks=marks(file.stem), id=file.stem) for file in FILES],
)
def test_what_is_read_is_what_was_played(file: Path) -> None:
    wanted = must(file)
    session = replay.begin(recording.read(file))
    notes = list(replay.replay(recording.read(file), session))
    possible = [line.match for line in session.view.shown]
    assert wanted["moves"] in [match.moves() for match in possible]
    left = set(wanted.get("open", ()))
    assert left >= {text for entry in session.view.question.open for text in entry.texts}
    assert bool(session.view.question.open) == bool(left)
    if "position" in wanted:
        assert wanted["position"] in [
            session.game.position_text(match.position)
            for match in possible
            if match.moves() == wanted["moves"]
        ]
    for kind, key, what in (("refused", "reason", "refused"), ("fault", "fault", "faults")):
        if what in wanted:
            told = [note.details[key] for note in notes if note.event == kind]
            assert list(dict.fromkeys(told)) == wanted[what]


@pytest.mark.deep
@pytest.mark.parametrize(
    "file", [file for file in FILES if file.stem not in MISREAD], ids=lambda file: file.stem
)
def test_the_command_says_the_same(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file), "--json"]) == 0
    printed, complaints = capsys.readouterr()
    assert complaints == ""
    end = json.loads(printed.splitlines()[-1])
    wanted = must(file)
    assert end["event"] == "end"
    assert set(end["open"]) <= set(wanted.get("open", ()))
    if not end["open"]:
        assert end["moves"] == wanted["moves"]
        assert end["position"] == wanted.get("position", end["position"])


def one_of_each() -> list[Path]:
    found = {}
    for file in FILES:
        header = recording.read(file).header
        found.setdefault(header.game.name, file)
    return list(found.values())


def test_the_command_as_people_run_it() -> None:
    """One recording of each game, in a process of its own."""
    files = one_of_each()
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "firmware_host", "replay", str(file)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        for file in files
    ]
    assert len(running) == 5
    for file, process in zip(files, running, strict=True):
        said, complaints = process.communicate(timeout=60)
        assert process.returncode == 0, complaints
        assert " ".join(must(file)["moves"]) in said.decode("utf-8").splitlines()[-1]


def test_there_is_something_of_everything() -> None:
    """All games, both sensings, trays with and without sensors, and not too much of it."""
    boards = set()
    for file in FILES:
        header = recording.read(file).header
        boards.add((header.game.name, header.sensing, bool(header.unsensed)))
        if header.game.name == "chaturaji":  # its trays are never sensed
            boards.add((header.game.name, header.sensing, True))
    assert len(boards) == 5 * 2 * 2
    assert sum(file.stat().st_size for file in HERE.iterdir() if file.is_file()) < 1_500_000


def test_a_move_that_was_not_made_is_noticed(tmp_path: Path) -> None:
    """The comparison itself can fail: another last move, another position."""
    file = next(file for file in FILES if file.stem == "shogi-put-right")
    copy = tmp_path / file.name
    copy.write_bytes(file.read_bytes())
    wrong = must(file)
    wrong["moves"][-1] = "4a3b"
    copy.with_suffix(".json").write_text(json.dumps(wrong))
    with pytest.raises(AssertionError):
        test_what_is_read_is_what_was_played(copy)
