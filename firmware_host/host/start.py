"""What a board starts with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Start:
    """The match that a board starts with: the last one, a chosen one, or a new one of a game."""

    game: str | None = None
    """The name of the game; None: that of the last match."""
    options: Mapping[str, object] = field(default_factory=dict)
    """The options of that game."""
    layout: str | None = None
    """The name of the board; None: that of the last match, or the best for the game."""
    match: str | None = None
    """The file of the saved match to resume; None: the last one."""
    new: bool = False
    """Whether a new match begins, even if the last one is not over."""
    clock: str | None = None
    """The clock of new matches, as `time_control` reads it; None: the usual one."""
