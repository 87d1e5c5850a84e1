"""The names of the players: a small file beside the match, one name for each seat.

Names belong to the people at the table, not to a match: they stay until somebody changes them, also
in the next match and in another game.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from engine.game import Seat
from firmware_host.i18n.messages import warn
from firmware_host.players.names import problem
from firmware_host.storage.files import DeferredFile, load

MOST_BYTES: Final = 4096
"""No such file is larger."""


class PlayerNames:
    """The names by seat, kept in a file."""

    def __init__(self, file: Path) -> None:
        self.file = DeferredFile(file, warn("The names of the players are not saved: {why}."))
        self._names = load(file, MOST_BYTES, _parse, "the players go by their seats") or {}

    def of(self, seats: int) -> tuple[str, ...]:
        """Return the names of the first `seats` seats; empty for a player without a name."""
        return tuple(self._names.get(seat, "") for seat in range(seats))

    def rename(self, seat: Seat, name: str) -> None:
        """Name the player of a seat (see `problem`); an empty name stands for that of the seat."""
        self._names[seat] = name
        names = self.of(max(self._names) + 1)
        self.file.put((json.dumps(names, ensure_ascii=False) + "\n").encode())


def _parse(data: bytes) -> dict[Seat, str]:
    names = json.loads(data)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("not a list of names")
    return {seat: name for seat, name in enumerate(names) if problem(name) is None}
