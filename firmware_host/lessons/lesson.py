"""A lesson: a position, one thing to do in so many moves, and how the board says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.game import Place
from engine.match import AnyGame, AnyMove
from firmware_host.lessons import goals
from firmware_host.lessons.goals import Goal, LessonPlies


@dataclass(frozen=True)
class Lesson:
    """One lesson, as its file has it."""

    name: str
    """By which it is called: `shogi-03`."""
    game: AnyGame
    title: str
    tell: str
    """What is to be done, in one or two sentences."""
    position: Any
    moves: int
    """In so many own moves it can be done."""
    goal: Goal
    right: tuple[str, ...] = ()
    """All first moves that reach the goal; to look for them while people play would take long."""
    lift: Place = ""
    """The place that glows until something is lifted; empty: it is to be found."""
    blue: tuple[Place, ...] | None = None
    """Where a man lifted there may be put; None: not said."""
    red: tuple[Place, ...] | None = None
    """What it may take; None: not said."""
    dark: tuple[Place, ...] = ()
    """What must not glow then."""
    attempts: tuple[tuple[str, str], ...] = ()
    """Moves that the rules refuse here, each with the code of the reason."""
    wrong: tuple[tuple[str, str], ...] = ()
    """Legal first moves that miss the goal, each with the sentence for it."""

    @property
    def seat(self) -> int:
        """Who learns: the seat to act."""
        return self.game.turn(self.position)

    def solutions(self, position: Any, moves: int) -> Iterator[AnyMove]:
        """Yield the moves by which it is done in so many own moves from there, whatever is replied
        to them.
        """
        return goals.leading(self.goal, self.game, self.position, position, moves)

    def is_done_by(self, before: Any, move: AnyMove, after: Any) -> bool:
        """Whether an own move does what is asked."""
        return goals.met(self.goal, LessonPlies(self.game, self.position, before, move, after))

    def leads_on(self, text: str) -> bool:
        """Whether a first move that does not do it yet leads there."""
        return text in self.right

    def why_wrong(self, text: str) -> str:
        """Return the sentence for a first move of that text that misses the goal; or nothing."""
        return dict(self.wrong).get(text, "")
