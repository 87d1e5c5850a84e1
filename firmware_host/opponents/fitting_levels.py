"""The level that fits a person, by name and game: a small file beside the match.

Everybody begins at the lowest level that people choose among. A win moves the person up one step, a
loss down one, and a draw changes nothing. A step is half of a level, and there are two below the
lowest level: a beginner who wins half of the games against that level wins about half of all games.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from engine.search.opponents import BY_NAME, LEVELS, STEPS
from firmware_host.i18n.messages import warn
from firmware_host.storage.files import DeferredFile, load

LARGEST_FILE: Final = 1 << 17
MOST_NAMES: Final = 100
"""At most this many names of a game are kept, the latest ones."""

_NAMES: Final = tuple(level.name for level in STEPS)
_FIRST: Final = LEVELS[0].name
"""The level at which everybody begins."""


def next_level(level: str, won: bool) -> str:
    """Return the level after a game that a person has won or lost against this level."""
    number = _NAMES.index(level) + (1 if won else -1)
    return _NAMES[max(0, min(len(_NAMES) - 1, number))]


class FittingLevels:
    """The level of each name in each game, saved in a file."""

    def __init__(self, file: Path) -> None:
        self.file = DeferredFile(
            file, warn("The levels that fit the players are not saved: {why}.")
        )
        otherwise = "everybody begins at the first level"
        self._levels = load(file, LARGEST_FILE, _parse, otherwise) or {}
        self._before: dict[str, str] | None = None
        """The levels of the game before the match was counted; None if it is not counted."""
        self._was_open = False
        """Whether the match was seen unfinished: a match that is resumed at its end was counted."""

    def begin(self) -> None:
        """Start with another match."""
        self._before, self._was_open = None, False

    def level(self, game: str, names: Collection[str]) -> str:
        """Return the level that fits the weakest of these people."""
        known = self._levels.get(game, {})
        levels = [known.get(name.casefold(), _FIRST) for name in names]
        return min(levels, key=_NAMES.index, default=_FIRST)

    def follow(self, game: str, won: dict[str, bool] | None) -> bool:
        """Count the result of the match in play once; return whether that changed anything. `won`
        says by name who has won; None while the match goes on, nothing for a draw and where the
        machine plays at another level. A result that is taken back does not count. A player who
        takes a seat after the end changes nothing.
        """
        known = self._levels.get(game, {})
        if won is None:
            self._was_open = True
            after, self._before = known if self._before is None else self._before, None
        elif self._was_open and self._before is None:
            self._before, after = known, dict(known)
            for name, has_won in won.items():
                level = after.pop(name.casefold(), _FIRST)
                after[name.casefold()] = next_level(level, has_won)
            after = dict(list(after.items())[-MOST_NAMES:])
        else:
            return False
        if list(after.items()) == list(known.items()):
            return False
        self._levels[game] = after
        self.file.put((json.dumps(self._levels, ensure_ascii=False) + "\n").encode())
        return True


def _parse(data: bytes) -> dict[str, dict[str, str]]:
    plain: Any = json.loads(data)
    return {
        str(game): {str(name): _known(level) for name, level in levels.items()}
        for game, levels in plain.items()
    }


def _known(level: object) -> str:
    if level not in BY_NAME:
        raise ValueError(f"no level {level!r}")
    return str(level)
