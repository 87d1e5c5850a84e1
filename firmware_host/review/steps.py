"""The steps of a past match: its start, and the match after each move or claim."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.game import Claim, Seat, Throw
from engine.match import Match
from firmware_host.i18n.messages import Message
from firmware_host.players.kinds import kind_written, player_called
from firmware_host.storage.game_records import settled
from firmware_host.storage.journal import Player, Players, Resumed


class Review:
    """A past match that is looked at, and the step that is shown."""

    def __init__(self, id: str, saved: Resumed) -> None:
        self.id = id
        """The id of the match in the library."""
        self.layout = saved.layout
        """The name of the board on which it was played."""
        self.players: Players = saved.players
        self.steps: Sequence[Match] = _steps(settled(saved.matches[0], saved.record))
        """A throw of the dice is no step of its own."""
        self.at = self.last
        """The index of the step that is shown."""

    @classmethod
    def of(cls, id: str, path: Path) -> Review:
        """Return the match of that id from its journal; JournalError if it cannot be read."""
        return cls(id, Resumed(path))

    @property
    def match(self) -> Match:
        """The match as far as it is shown."""
        return self.steps[self.at]

    @property
    def last(self) -> int:
        """The index of the last step."""
        return len(self.steps) - 1

    def go(self, at: int) -> bool:
        """Show that step, or the one that is nearest to it; return whether it is another one."""
        before, self.at = self.at, max(0, min(self.last, at))
        return self.at != before

    @property
    def goes_on(self) -> bool:
        """Whether a match can go on from the last move that is shown."""
        made = (step for step in self.steps[self.at :: -1] if not isinstance(step.move, Claim))
        return next(made).outcome is None

    def called(self, seat: Seat) -> Message:
        """Return what the player of a seat is called."""
        player = self.players[seat] if seat < len(self.players) else Player("", "")
        return player_called(self.match.game, seat, player.name, kind_written(player.kind))


def _steps(match: Match) -> list[Match]:
    line = match.steps()
    start = line[0].before if line else match
    assert start is not None
    return [start, *(step for step in line if not isinstance(step.move, Throw))]
