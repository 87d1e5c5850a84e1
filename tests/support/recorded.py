"""A recording of a simulated match, with the truth: which moves were meant, and when."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Line = dict[str, Any]
"""A line of a recording, without the header."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What really happened in one ply, or in a takeback."""

    ply: int
    """1 for the first; after a takeback the number of plies that stand."""
    seat: int
    text: str
    """The move; `--` for a forced pass; empty for a takeback."""
    back: int = 0
    """How many plies were taken back."""
    style: str = ""
    begun: float = 0.0
    """The hand's first touch."""
    let_go: float = 0.0
    """When the hand let go of the last thing that belongs to the move, before any chatter."""
    seen: float = 0.0
    """The last act of the move that a sensor sees; one more piece in a heap may not be seen."""
    marks: tuple[float, ...] = ()
    """When the move changed the readings of cells; those of trays if it changed no cell."""
    quiet: float = 0.0
    """When all readings were at rest."""
    visible: bool = False
    """Whether any sensor saw the move itself; none sees a pass, or one more piece in a heap."""
    settled: bool = True
    """Whether all pieces were then where the rules have them: no captured piece is forgotten."""


@dataclass(frozen=True)
class Recorded:
    """A recording and its truth."""

    header: Mapping[str, Any]
    lines: Sequence[Line]
    truth: Sequence[Truth]
    moves: Sequence[str]
    """The moves that stand at the end."""

    def write(self, path: Path) -> None:
        """Write the recording as a file that `lampion replay` reads."""
        write_recording(path, self.header, self.lines)


def write_recording(path: Path, header: Mapping[str, Any], lines: Iterable[Line]) -> None:
    """Write header and lines as one JSON object a line."""
    with path.open("w", encoding="utf-8") as file:
        for line in (header, *lines):
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
