"""The matches that a state directory keeps: which there are, which of them is gone on with."""

from __future__ import annotations

import time
from operator import itemgetter
from pathlib import Path
from typing import Final

from firmware_host.storage.journal import JournalError, Text
from firmware_host.text.storage_status import SavedMatch

MOST_LISTED: Final = 50
MANY: Final = 200
"""More matches than this are mentioned: people may want to delete some."""


def kept_files(state: Path) -> list[Path]:
    """Return the journals of earlier matches, the one that was played last first."""
    found: list[tuple[float, Path]] = []
    try:
        for path in state.glob("match-*.jsonl"):
            found.append((path.lstat().st_mtime, path))
    except OSError:  # what cannot be looked at cannot be gone on with
        return []
    return [path for _, path in sorted(found, key=itemgetter(0), reverse=True)]


def kept_matches(state: Path) -> tuple[SavedMatch, ...]:
    """Return the latest matches that can be read."""
    found: list[SavedMatch] = []
    for path in kept_files(state):
        try:
            text, played = Text(path), path.lstat().st_mtime
        except (JournalError, OSError):
            continue
        at = time.strftime("%Y-%m-%d %H:%M", time.localtime(played))
        plies = sum(entry.kind == "move" for entry in text.record())
        found.append(SavedMatch(path.name, text.head.game.title, at, plies))
        if len(found) == MOST_LISTED:
            break
    return tuple(found)
