"""A journal, and files of matches, in a directory of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.games import make
from firmware_host.storage.journal import Journal
from firmware_host.storage.recording import RecordingHeader


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


@pytest.fixture
def begin(path: Path) -> Iterator[Any]:
    """Begin journals that are closed in the end."""
    begun: list[Journal] = []

    def begin(*arguments: Any) -> Journal:
        begun.append(Journal.begin(path, *arguments))
        return begun[-1]

    yield begin
    for journal in begun:
        journal.close()


@pytest.fixture
def header() -> RecordingHeader:
    game = make("robot-duel")
    return RecordingHeader(game, "presence", game.start(), ())
