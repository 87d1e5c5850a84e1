"""The table of the solved Robot Duel: what hints say by it, and what is wrong with damaged ones."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.games.robot_duel import RobotDuel
from engine.match import Match
from engine.search import search
from engine.search.solved import losses
from engine.search.solved.losses import BLOCK, BLOCKS, HEAD, Losses, TablebaseError, packed
from engine.search.solved.numbering import POSITIONS, number_of
from firmware_host.__main__ import main
from firmware_host.i18n.messages import render
from firmware_host.opponents.protocol import Analysis, task
from firmware_host.opponents.worker import Inbox, Worker
from firmware_host.storage import tablebase
from firmware_host.storage.tablebase import book_of, table_path
from firmware_host.text.outcomes import outcome_messages

GAME = RobotDuel()
START = GAME.start()


def after(*moves: str) -> Any:
    position = START
    for move in moves:
        position = GAME.play(position, GAME.parse_move(position, move))
    return position


LOST = {number_of(after("B4A3")): 40, number_of(after("B3B2", "B1B2")): 16, POSITIONS - 1: 172}
"""What the table of these tests holds: nothing of it is true."""


def blocks(lost: Mapping[Any, int]) -> Iterator[bytes]:
    for number in range(BLOCKS):
        known = bytearray(min(BLOCK, POSITIONS - number * BLOCK))
        for each, plies in lost.items():
            if each // BLOCK == number:
                known[each % BLOCK] = plies // 2
        yield bytes(known)


@pytest.fixture(scope="module")
def table() -> bytes:
    *parts, head = packed(blocks(LOST))
    return head + b"".join(parts)


@pytest.fixture(scope="module")
def digest() -> str:
    return hashlib.sha256(b"".join(blocks(LOST))).hexdigest()


@pytest.fixture
def state(tmp_path: Path, table: bytes) -> Path:
    table_path(tmp_path).write_bytes(table)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("lampion: ")
    assert err.count("\n") == 1
    return err


def test_a_table_gives_back_what_is_lost(table: bytes) -> None:
    known = Losses(table)
    assert {number: known(number) for number in LOST} == LOST
    assert not any(known(number) for number in (0, POSITIONS // 2, POSITIONS - 2))
    assert len(table) < losses.LARGEST_BYTES


def hinted(capsys: pytest.CaptureFixture[str], state: Path) -> list[str]:
    """Return the lines for people."""
    assert main(("hint", "robot-duel", "--state", str(state), "--time", "0.2")) == 0
    return capsys.readouterr().out.splitlines()


def test_hints_say_the_outcome_where_it_is_near(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    near = {number_of(after("B4A3")): 14, number_of(after("B3B2", "B1B2")): 12}
    *parts, head = packed(blocks(near))
    table_path(tmp_path).write_bytes(head + b"".join(parts))
    first, *rows = (line.split() for line in hinted(capsys, tmp_path))
    assert first == ["move", "chance", "grade", "outcome", "depth", "line"]
    assert rows[0][:6] == ["B4A3", "100.0%", "best", "wins", "in", "15"]
    assert rows[-1][:6] == ["B3B2", "0.0%", "losing", "loses", "in", "14"]
    assert not {"draw", "wins", "loses"} & {word for row in rows[1:-1] for word in row}


def test_where_the_end_is_far_away_the_search_grades_and_perfect_play_is_told_once(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *rows, last = hinted(capsys, state)
    assert "outcome" not in first
    assert last == "With perfect play by both sides you win in the end."
    chances = [float(row.split()[1].rstrip("%")) for row in rows]
    assert len(rows) == 4
    assert all(10 < chance < 90 for chance in chances)
    assert not any("wins" in row or "loses" in row for row in rows)


def test_hints_for_programs_say_the_outcome_of_every_move(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("hint", "robot-duel", "--state", str(state), "--json")) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {each["move"]: each["plies"] for each in told} == {
        "B4A3": 41,
        "B4C3": 0,
        "C4C3": 0,
        "B3B2": -18,
    }


def test_the_table_is_of_no_other_game(state: Path) -> None:
    assert book_of(RobotDuel(), state) is not None
    assert book_of(SimpleNamespace(name="shogi"), state) is None
    other = RobotDuel({"try_rule": "none"})
    book = book_of(other, state)
    result = search(other, START, stop=lambda: True, book=book)
    assert all(judged.plies is None for judged in result.moves)


def test_a_position_that_comes_round_once_too_often_is_drawn_whatever_the_table_says(
    state: Path,
) -> None:
    earlier = [after("B4A3")] * 3
    result = search(GAME, START, earlier, stop=lambda: True, book=book_of(GAME, state))
    assert {judged.text: judged.plies for judged in result.moves}["B4A3"] == 0


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda data: b"", "an empty file"),
        (lambda data: data[:100], "cut short"),
        (lambda data: data[:-1], "cut short"),
        (lambda data: data + b"!", "too long"),
        (lambda data: b"\x89PNG" + data, "no table of Robot Duel"),
        (lambda data: data[:HEAD] + bytes(len(data) - HEAD), "is damaged in block"),
    ],
)
def test_a_damaged_table_is_refused(
    tmp_path: Path, table: bytes, capsys: pytest.CaptureFixture[str], damage: Any, why: str
) -> None:
    path = table_path(tmp_path)
    path.write_bytes(damage(table))
    said = refused(capsys, "hint", "robot-duel", "--state", str(tmp_path))
    assert why in said
    assert path.name in said


def test_a_block_that_unpacks_to_something_else_is_damaged(table: bytes) -> None:
    head, *_ = packed([b"\0"])
    small = bytes(table[: len(losses.MAGIC)])
    del head
    *parts, whole = packed([*[b"\0"] * (BLOCKS - 1), b"\0" * (BLOCK + 9)])
    assert whole.startswith(small)
    known = Losses(whole + b"".join(parts))
    with pytest.raises(TablebaseError, match="damaged in block 0"):
        known(0)


# ---- taking a table


def test_a_table_is_taken_by_its_checksum(
    tmp_path: Path,
    table: bytes,
    digest: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, state = tmp_path / "elsewhere", tmp_path / "state"
    file.write_bytes(table)
    words = ("tablebase", str(file), "--state", str(state))
    assert "not the table of Robot Duel" in refused(capsys, *words)
    assert not table_path(state).exists()
    monkeypatch.setattr(tablebase, "DIGEST", digest)
    assert main(words) == 0
    assert table_path(state).read_bytes() == table
    assert f"{table_path(state)}: imported, {len(table):,} bytes" in capsys.readouterr().out


def test_what_is_no_table_is_not_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "letter").write_text("Dear friend")
    for file, why in (
        (str(tmp_path / "nothing"), "No such file"),
        ("/dev/zero", "regular file"),
        (str(tmp_path / "letter"), "no table of Robot Duel"),
    ):
        assert why in refused(capsys, "tablebase", file, "--state", str(tmp_path))
    assert not table_path(tmp_path).exists()


def asked_with(state: Path) -> list[Analysis]:
    """Return what the analysis process says of the start."""
    read, _ = os.pipe()
    worker = Worker(Inbox(read))
    answers = worker.answers(task(1, Match.begin(GAME), state=str(state), seconds=1.0))
    return [next(answers), *islice(answers, 1)]


def test_the_analysis_says_what_is_far_away_only_of_the_position(state: Path) -> None:
    answer, _ = asked_with(state)
    assert {each.plies for each in answer.moves} == {None}
    assert answer.perfect == 41


def test_the_analysis_judges_without_a_table_that_is_damaged(tmp_path: Path, table: bytes) -> None:
    table_path(tmp_path).write_bytes(table[:HEAD] + bytes(len(table) - HEAD))
    said, answer = asked_with(tmp_path)
    assert "is damaged in block" in said.fault
    assert str(table_path(tmp_path)) in said.fault
    assert len(answer.moves) == 4


@pytest.mark.parametrize(
    ("plies", "best", "sentence"),
    [
        (13, 13, "A wins in 13 moves, counting both sides."),
        (1, 1, "A wins in 1 move."),
        (0, None, "A leads to a draw."),
        (-24, 0, "A loses in 24 moves, counting both sides."),
        (-1, None, "A loses in 1 move."),
    ],
)
def test_an_outcome_is_a_sentence(plies: int, best: int | None, sentence: str) -> None:
    assert [render(each) for each in outcome_messages({"A": plies}, best)] == [sentence]


def test_where_every_move_loses_it_matters_who_holds_out() -> None:
    said = [render(each) for each in outcome_messages({"A": -78, "B": -76}, -78)]
    assert said == [
        "A lasts longest: 78 more moves, counting both sides.",
        "B lasts 76 more moves, counting both sides.",
        "Your opponent can win now, but only without a mistake.",
    ]
