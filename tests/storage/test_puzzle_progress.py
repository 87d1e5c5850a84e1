"""The file of the puzzles: what was answered wrong comes back after one, three and seven days."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games import FINISHED
from firmware_host.i18n.messages import render
from firmware_host.lessons.puzzles import endgames_of, puzzles_of
from firmware_host.storage.learner_notes import LearnerNotes
from firmware_host.storage.puzzle_progress import PuzzleProgress, Waiting

DAY = date(2026, 11, 29)


def later(days: int) -> date:
    return DAY + timedelta(days)


@pytest.fixture
def progress(tmp_path: Path) -> PuzzleProgress:
    return PuzzleProgress(tmp_path / "puzzles.json")


def test_a_puzzle_that_is_solved_at_once_does_not_come_back(progress: PuzzleProgress) -> None:
    progress.solve("shogi-p1", "Ania", DAY)
    assert dict(progress.of("Ania")) == {"shogi-p1": None}
    assert not progress.of("Ola")


def test_a_wrong_answer_comes_back_after_1_3_and_7_days(progress: PuzzleProgress) -> None:
    progress.miss("shogi-p1", "Ania", DAY)
    for on, due, days in ((1, 4, 3), (4, 11, 7)):
        progress.solve("shogi-p1", "Ania", later(on - 1))  # too early: it changes nothing
        assert progress.of("Ania")["shogi-p1"] == Waiting(later(on), WAITED[on])
        progress.solve("shogi-p1", "Ania", later(on))
        assert progress.of("Ania")["shogi-p1"] == Waiting(later(due), days)
    progress.solve("shogi-p1", "Ania", later(11))
    assert progress.of("Ania")["shogi-p1"] is None


WAITED = {1: 1, 4: 3}


def test_what_a_thread_goes_through_does_not_change(tmp_path: Path) -> None:
    notes = LearnerNotes(
        tmp_path / "notes.json", str, unsaved=lambda why: why, unreadable=lambda why, kept: why
    )
    notes.put("Ania", "shogi-p1", "solved")
    for each in notes.of("Ania"):
        notes.put("Ania", f"{each}-next", "solved")
    assert len(notes.of("Ania")) == 2


def test_another_wrong_answer_begins_again(progress: PuzzleProgress) -> None:
    progress.miss("shogi-p1", "", DAY)
    progress.solve("shogi-p1", "", later(1))
    progress.miss("shogi-p1", "", later(4))
    assert progress.of("")["shogi-p1"] == Waiting(later(5), 1)
    progress.solve("shogi-p2", "", DAY)
    progress.miss("shogi-p2", "", DAY)
    assert progress.of("")["shogi-p2"] == Waiting(later(1), 1)


def test_a_school_of_300_has_room(tmp_path: Path) -> None:
    courses = [each(game) for game in FINISHED for each in (puzzles_of, endgames_of)]
    puzzles = [each.name for course in courses for each in course]
    own = [f"own-{number:012x}" for number in range(20)]
    texts = dict.fromkeys([*puzzles, *own], "2026-12-03 7")
    file = tmp_path / "puzzles.json"
    learners = {f"{number:030}": texts for number in range(300)}
    file.write_text(json.dumps(learners), encoding="utf-8")
    progress = PuzzleProgress(file)
    progress.solve("shogi-p1", "one more", DAY)
    assert progress.trouble is None
    again = PuzzleProgress(file)
    assert dict(again.of("one more")) == {"shogi-p1": None}
    assert len(again.of(f"{299:030}")) == len(texts)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b"]), st.sampled_from(["", "Ola"]), st.booleans(), st.integers(0, 9)
    ),
    max_size=20,
)


@given(steps=STEPS)
def test_what_was_kept_is_read_again(
    steps: list[tuple[str, str, bool, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("state") / "puzzles.json"
    progress = PuzzleProgress(file)
    for puzzle, learner, right, day in steps:
        (progress.solve if right else progress.miss)(puzzle, learner, later(day))
    again = PuzzleProgress(file)
    assert again.trouble is None
    for learner in ("", "Ola"):
        assert dict(again.of(learner)) == dict(progress.of(learner))


@pytest.mark.parametrize(
    "text",
    [
        "[",
        "[]",
        '{"": []}',
        '{"": {"a": "won"}}',
        '{"": {"a": "2026-13-01 1"}}',
        '{"": {"a": "2026-12-01 2"}}',
        '{"": {"a": 1}}',
    ],
)
def test_a_damaged_file_is_put_aside(tmp_path: Path, text: str) -> None:
    file = tmp_path / "puzzles.json"
    file.write_text(text, encoding="utf-8")
    progress = PuzzleProgress(file)
    assert progress.trouble is not None
    assert "kept as puzzles-damaged.json" in render(progress.trouble)
    assert (tmp_path / "puzzles-damaged.json").read_text(encoding="utf-8") == text
    progress.solve("a", "", DAY)
    assert PuzzleProgress(file).trouble is None
