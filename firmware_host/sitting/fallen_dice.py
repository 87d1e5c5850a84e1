"""The dice as they fell last: for how long people see them, and the turns lost with them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.game import Pass, Seat
from firmware_host.sitting.match_in_play import MatchInPlay
from firmware_host.sitting.notes import Note
from firmware_host.sitting.record import PASS_TEXT

NUMBER: Final = 1.6
"""Seconds for which the number is shown, before the men that it moves."""
LOST: Final = 5.0
"""Seconds for which it is shown and said at least that a turn was lost: nobody has anything to do
for it, and the next seat may throw at once."""
NEVER: Final = float("-inf")


class FallenDice:
    """What is to be seen of the dice of a match, for some time after they fell."""

    def __init__(self, play: MatchInPlay) -> None:
        self._play = play
        self._fell_at = NEVER
        self._lost_at: dict[Seat, float] = {}

    def note(self, notes: Iterable[Note]) -> None:
        """Take from what has happened when dice fell and turns were lost."""
        for note in notes:
            if note.event == "throw":
                self._fell_at = note.at
            elif note.event == "move" and note.details["move"] == PASS_TEXT:
                self._lost_at[note.details["seat"]] = note.at

    @property
    def moved_nobody(self) -> bool:
        """Whether the turn that they fell for was lost."""
        return isinstance(self._play.match.move, Pass)

    def number(self, now: float) -> tuple[int, ...]:
        """Return the dice that people are to see at a moment; () when they have seen them."""
        fallen = self._play.fallen
        if fallen is None or now >= self._fell_at + (LOST if self.moved_nobody else NUMBER):
            return ()
        return fallen.dice

    def lost(self, now: float) -> tuple[Seat, ...]:
        """Return the seats that have just lost a turn, the last one last."""
        lost = []
        for seat, at in sorted(self._lost_at.items(), key=lambda item: item[1]):
            moves = [e.texts for e in self._play.record if e.kind == "move" and e.seat == seat]
            if now < at + LOST and moves[-1:] == [(PASS_TEXT,)]:
                lost.append(seat)
        return tuple(lost)

    def times(self) -> Iterable[float]:
        """Return when what it says changes by itself; times that have passed may be among them."""
        return self._fell_at + NUMBER, *(at + LOST for at in self._lost_at.values())
