"""A lesson: a position, a goal to reach in a number of moves, and what the board says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from engine.game import Place
from engine.match import AnyGame, AnyMove
from engine.search.solved.winning_play import WinningPlay
from firmware_host.lessons import goals
from firmware_host.lessons.goals import Goal, LessonMove


class Course(Enum):
    """The courses that a lesson may belong to."""

    LESSONS = "lesson"
    """Lessons that people wrote: they explain something."""
    PUZZLES = "puzzle"
    """Puzzles: one first move is right, and nothing is explained."""
    ENDGAMES = "endgame"
    """Long wins of a solved game, to be played out against the best defence."""
    OWN = "own"
    """Puzzles from the learner's own matches."""


@dataclass(frozen=True)
class Lesson:
    """A lesson as its file defines it."""

    name: str
    """Its unique name: `shogi-03`."""
    game: AnyGame
    title: str
    task: str
    """The task, in one or two sentences."""
    position: Any
    moves: int
    """The number of moves of the learner that reach the goal."""
    goal: Goal
    right: tuple[str, ...] = ()
    """All first moves that reach the goal; to search for them during play would take long."""
    lift: Place = ""
    """The place that glows until a piece is lifted; empty if learners have to find it."""
    blue: tuple[Place, ...] | None = None
    """Where the piece lifted there may go; None if the file does not say."""
    red: tuple[Place, ...] | None = None
    """The places where it may capture; None if the file does not say."""
    dark: tuple[Place, ...] = ()
    """Places that must not glow then."""
    attempts: tuple[tuple[str, str], ...] = ()
    """Moves that the rules refuse here, each with the code of the reason."""
    wrong: tuple[tuple[str, str], ...] = ()
    """Legal first moves that miss the goal, each with the sentence for it."""
    chapter: str = ""
    """The title of the chapter that it belongs to, such as `Taking`; empty without chapters."""
    course: Course = Course.LESSONS
    """The course that it belongs to."""
    play: WinningPlay | None = None
    """The whole play to the win, if that is known: then `right` need not hold all first moves."""

    @property
    def seat(self) -> int:
        """The seat of the learner: the one to act."""
        return self.game.turn(self.position)

    def solutions(self, position: Any, moves: int) -> Iterator[AnyMove]:
        """Yield the moves that reach the goal within `moves` moves against every reply; with a
        known play against the best defence, the fastest first.
        """
        if self.play is None:
            return goals.leading(self.goal, self.game, self.position, position, moves)
        wins = self.play.wins(self.game, position)
        return (move for move in sorted(wins, key=wins.__getitem__) if wins[move] < 2 * moves)

    def is_done_by(self, before: Any, move: AnyMove, after: Any) -> bool:
        """Return whether a move of the learner reaches the goal."""
        return goals.met(self.goal, LessonMove(self.game, self.position, before, move, after))

    def leads_on(self, position: Any, move: AnyMove, moves: int) -> bool:
        """Return whether a move, the first of `moves`, leads to the goal."""
        if self.play is None and moves == self.moves:
            return self.game.move_text(position, move) in self.right
        return move in self.solutions(position, moves)

    def why_wrong(self, text: str) -> str:
        """Return the sentence for a first move that misses the goal, or an empty one."""
        return dict(self.wrong).get(text, "")
