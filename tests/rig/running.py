"""`lampion run` on the board of a rig, and the moves that it has read at its end."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from firmware_host.storage import journal, recording
from firmware_host.storage.journal import Journal
from firmware_host.storage.match_files import MATCH

RECORDINGS = Path(__file__).parents[1] / "recordings"
READY = "without a page"
"""Its output as soon as it plays."""


def command(folder: Path, name: str, played: str, bus: int = 1) -> list[str]:
    """Start the match of a recording in a folder; return the command that resumes it on a board of
    this layout.
    """
    header = recording.read(RECORDINGS / f"{played}.jsonl").header
    state, config = folder / "state", folder / "lampion.toml"
    state.mkdir()
    start = None if header.position == header.game.start() else header.position
    Journal.begin(state / MATCH, header.game, name, start).close()
    lines = [f'layout = "{name}"', f'game = "{header.game.name}"', f'state = "{state}"']
    lines += ['page = "off"', "[i2c]", f"bus = {bus}"]
    config.write_text("\n".join(lines), "utf-8")
    return [sys.executable, "-m", "firmware_host", "run", "--config", str(config)]


def moves(state: Path) -> tuple[list[str], int]:
    """Return the moves of the match on the disk, and the number of possible histories."""
    found = journal.resume(state / MATCH)
    assert found is not None
    return found.matches[0].moves(), len(found.matches)


def wanted(played: str) -> list[str]:
    """Return the moves that the program must read."""
    return list(json.loads((RECORDINGS / f"{played}.json").read_text("utf-8"))["moves"])
