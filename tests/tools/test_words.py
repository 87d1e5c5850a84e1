"""The list of words that the project does not use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import words


@pytest.fixture
def sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(words, "ROOT", tmp_path)
    return tmp_path / "page.md"


@pytest.mark.parametrize(
    "text",
    [
        "It takes two men.",
        "own_men = 3",
        "So many seconds later",
        "It begins anew.",
        "Who pauses loses nothing.",
        "Whoever throws again is refused.",
    ],
)
def test_a_word_that_is_not_used_is_found(sentence: Path, text: str) -> None:
    sentence.write_text(text, encoding="utf-8")
    (line,) = words.found(sentence)
    assert line.startswith("page.md:1: ")


@pytest.mark.parametrize(
    "text",
    ["A piece is a comment on the mandate.", "Who wins?", "The player who moves", 'rows["men"]'],
)
def test_other_words_are_left_alone(sentence: Path, text: str) -> None:
    sentence.write_text(text, encoding="utf-8")
    assert list(words.found(sentence)) == []


def test_translations_are_not_english(sentence: Path) -> None:
    catalogue = sentence.with_suffix(".po")
    catalogue.write_text('msgid "No men."\nmsgstr "Who anew, men."\n', encoding="utf-8")
    assert len(list(words.found(catalogue))) == 1
