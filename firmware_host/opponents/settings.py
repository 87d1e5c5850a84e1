"""The player kinds and the limits of grading, by seat: a small file beside the match.

The choices belong to the people at the table, not to a match.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from engine.game import Seat
from firmware_host.i18n.messages import warn
from firmware_host.players.kinds import PlayerKind, player_kind
from firmware_host.storage.files import DeferredFile, load

LARGEST_FILE: Final = 8192
OLD_NAME: Final = "company.json"
"""The name of the file in older versions; it is read as long as there is no new one."""
MOST_GRADED: Final = 6
"""The largest limit of pieces a turn whose moves are graded."""


class OpponentSettings:
    """The choices of a table, saved in a file."""

    def __init__(self, file: Path) -> None:
        self.file = DeferredFile(file, warn("The choices for the seats are not saved: {why}."))
        self._players: dict[Seat, PlayerKind] = {}
        self._limits: dict[Seat, int] = {}
        self.hands_move = True
        """Whether simulated hands make the machine's moves."""
        self._load()

    def player(self, seat: Seat) -> PlayerKind | None:
        """Return the chosen player kind of a seat; None if none was chosen."""
        return self._players.get(seat)

    def set_player(self, seat: Seat, who: PlayerKind) -> None:
        """Choose the player kind of a seat."""
        self._players[seat] = who
        self._save()

    def limit(self, seat: Seat) -> int:
        """Return the most pieces a turn whose moves are graded; 0 for all pieces."""
        return self._limits.get(seat, 0)

    def set_limit(self, seat: Seat, most: int) -> None:
        """Set that limit."""
        self._limits[seat] = _limit(most)
        self._save()

    def set_hands_move(self, on: bool) -> None:
        """Choose whether simulated hands make the machine's moves."""
        self.hands_move = on
        self._save()

    def _save(self) -> None:
        plain = {
            "seats": {str(seat): who.text for seat, who in self._players.items()},
            "graded": {str(seat): most for seat, most in self._limits.items()},
            "hands": self.hands_move,
        }
        self.file.put((json.dumps(plain) + "\n").encode())

    def _load(self) -> None:
        path = self.file.path
        if not path.exists():
            path = path.with_name(OLD_NAME)
        choices = load(path, LARGEST_FILE, _parse, "people play at all seats")
        if choices is not None:
            self._players, self._limits, self.hands_move = choices


def _parse(data: bytes) -> tuple[dict[Seat, PlayerKind], dict[Seat, int], bool]:
    plain: Any = json.loads(data)
    players = {int(seat): player_kind(str(text)) for seat, text in plain["seats"].items()}
    limits = {int(seat): _limit(int(graded)) for seat, graded in plain["graded"].items()}
    return players, limits, bool(plain["hands"])


def _limit(most: int) -> int:
    return max(0, min(MOST_GRADED, most))
