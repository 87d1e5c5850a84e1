"""The steps of a past match, from its start on, and its turning points."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from engine.game import Claim, Seat, Throw
from engine.match import Match
from engine.search.turning_points import JudgedPly, choices, turning_points
from firmware_host.i18n.messages import Message
from firmware_host.players.kinds import people, seated_called
from firmware_host.storage.game_records import settled
from firmware_host.storage.journal import Players, Resumed


class Turn(NamedTuple):
    """A turning point of a match that is looked at."""

    step: int
    """The index of the step before the move."""
    played: Match
    """The match after the move."""
    ply: JudgedPly
    """The judgement of the move."""


class Review:
    """A past match that is looked at, and the step or the turning point that is shown."""

    def __init__(self, id: str, saved: Resumed) -> None:
        self.id = id
        """The id of the match in the library."""
        self.layout = saved.layout
        """The name of the board on which it was played."""
        self.players: Players = saved.players
        self.whole = settled(saved.matches[0], saved.record)
        """The match up to its end."""
        moves = (step for step in self.whole.steps() if not isinstance(step.move, Throw))
        self.steps: Sequence[Match] = [self.whole.first, *moves]
        """A throw of the dice is no step of its own."""
        self.at = self.last
        """The index of the step that is shown."""
        self.plies: list[JudgedPly] = []
        """The moves that are judged so far."""
        self.expected = len(choices(self.whole))
        """The number of moves that will be judged."""
        self.turns: Sequence[Turn] | None = None
        """The turning points; None until all moves are judged."""
        self._turn: int | None = None  # the index of the turning point that is shown

    @classmethod
    def of(cls, id: str, path: Path) -> Review:
        """Return the match of that id from its journal; JournalError if it cannot be read."""
        return cls(id, Resumed(path))

    @property
    def match(self) -> Match:
        """The match up to the step that is shown. At a turning point its throw has fallen."""
        if self.turn is not None:
            assert self.turn.played.before is not None
            return self.turn.played.before
        return self.steps[self.at]

    @property
    def turn(self) -> Turn | None:
        """The turning point that is shown, before its move; None if a step is shown."""
        return None if self.turns is None or self._turn is None else self.turns[self._turn]

    @property
    def next_turn(self) -> int | None:
        """The index of the next turning point: from the end the first one, from each the one after
        it; None if there is none.
        """
        if not self.turns or (self._turn is None and self.at < self.last):
            return None
        following = 0 if self._turn is None else self._turn + 1
        return following if following < len(self.turns) else None

    def judged(self) -> None:
        """All moves are judged that will be: from now on the turning points are known. They are
        moves of people, unless only machines played.
        """
        line = self.whole.steps()
        seats = people(player.kind for player in self.players) or None
        self.turns = [
            Turn(_step_before(line, each.number), line[each.number], each)
            for each in turning_points(self.whole, self.plies, seats)
        ]

    def go_to_turn(self, number: int) -> None:
        """Show a turning point."""
        assert self.turns is not None
        self._turn, self.at = number, self.turns[number].step

    @property
    def last(self) -> int:
        """The index of the last step."""
        return len(self.steps) - 1

    def go(self, at: int) -> bool:
        """Show that step, or the one that is nearest to it; return whether it is another one."""
        before = self._turn, self.at
        self._turn, self.at = None, max(0, min(self.last, at))
        return (self._turn, self.at) != before

    @property
    def goes_on(self) -> bool:
        """Whether a new match can begin after the last move that is shown."""
        made = (step for step in self.steps[self.at :: -1] if not isinstance(step.move, Claim))
        return next(made).outcome is None

    def called(self, seat: Seat) -> Message:
        """Return what the player of a seat is called."""
        return seated_called(self.match.game, self.players, seat)


def _step_before(line: Sequence[Match], number: int) -> int:
    return sum(not isinstance(step.move, Throw) for step in line[:number])
