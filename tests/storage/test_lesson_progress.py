"""The file of the solved lessons: by learner, with and without a hint, and in its older form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.i18n.messages import render
from firmware_host.players.names import LONGEST, problem
from firmware_host.storage import learner_notes
from firmware_host.storage.lesson_progress import LessonProgress, Solved

NAMES = st.text(max_size=LONGEST).filter(lambda name: problem(name) is None)
SOLVED = st.lists(st.tuples(st.text(max_size=12), NAMES, st.sampled_from(Solved)), max_size=20)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "lessons.json"


def test_each_learner_has_a_list(file: Path) -> None:
    progress = LessonProgress(file)
    progress.add("shogi-01", "Ania")
    progress.add("shogi-02", "Ania", Solved.HINT)
    progress.add("shogi-01", "Ola", Solved.HINT)
    for each in (progress, LessonProgress(file)):
        assert dict(each.of("Ania")) == {"shogi-01": Solved.ALONE, "shogi-02": Solved.HINT}
        assert dict(each.of("Ola")) == {"shogi-01": Solved.HINT}
        assert not each.of("")
        assert each.learners == ("Ania", "Ola")


def test_what_was_solved_alone_stays_so_and_a_hint_can_be_made_good(file: Path) -> None:
    progress = LessonProgress(file)
    progress.add("shogi-01", how=Solved.HINT)
    progress.add("shogi-01")
    progress.add("shogi-01", how=Solved.HINT)
    assert LessonProgress(file).of("")["shogi-01"] is Solved.ALONE


def test_a_file_without_learners_is_read_and_belongs_to_nobody_by_name(file: Path) -> None:
    file.write_text('["shogi-01", "abalone-07"]', encoding="utf-8")
    progress = LessonProgress(file)
    assert progress.trouble is None
    assert progress.learners == ()
    assert dict(progress.of("")) == dict.fromkeys(("shogi-01", "abalone-07"), Solved.ALONE)
    progress.add("shogi-02", "Ania", Solved.HINT)
    again = LessonProgress(file)
    assert dict(again.of("")) == dict(progress.of(""))
    assert dict(again.of("Ania")) == {"shogi-02": Solved.HINT}


@pytest.mark.parametrize(
    "text",
    [
        "3",
        '{"": ["shogi-01"]}',
        '{"": {"shogi-01": "often"}}',
        '{"": {"shogi-01": ["hint"]}}',
        json.dumps({"a" * 31: {}}),
        '["shogi-01", 1]',
    ],
)
def test_a_file_that_says_something_else_is_put_aside(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    progress = LessonProgress(file)
    assert progress.trouble is not None
    assert progress.learners == ()
    assert not progress.of("")
    assert file.with_name("lessons-damaged.json").read_text(encoding="utf-8") == text
    progress.add("shogi-01")
    assert dict(LessonProgress(file).of("")) == {"shogi-01": Solved.ALONE}


def test_a_file_never_grows_too_long_to_be_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learner_notes, "MOST_BYTES", 60)
    progress = LessonProgress(file)
    progress.add("shogi-01", "Ania")
    progress.add("shogi-01", "somebody with a longer name")
    assert progress.trouble is not None
    assert render(progress.trouble) == (
        "The finished lessons cannot be saved: too many names; delete some in lessons.json, "
        "then start again."
    )
    assert "shogi-01" in progress.of("somebody with a longer name")
    assert LessonProgress(file).learners == ("Ania",)


def test_what_could_not_be_saved_is_saved_later_and_the_trouble_is_over(tmp_path: Path) -> None:
    file = tmp_path / "later" / "lessons.json"
    progress = LessonProgress(file)
    progress.add("shogi-01", "Ania")
    assert progress.trouble is not None
    file.parent.mkdir()
    progress.add("shogi-01", "Ania")
    assert progress.trouble is None
    assert dict(LessonProgress(file).of("Ania")) == {"shogi-01": Solved.ALONE}


@given(SOLVED)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, solved: list[tuple[str, str, Solved]]
) -> None:
    file = tmp_path_factory.mktemp("state") / "lessons.json"
    progress = LessonProgress(file)
    for lesson, learner, how in solved:
        progress.add(lesson, learner, how)
    again = LessonProgress(file)
    for _, learner, _ in solved:
        assert dict(again.of(learner)) == dict(progress.of(learner))
    for lesson, learner, how in solved:
        assert again.of(learner)[lesson] in (how, Solved.ALONE)
