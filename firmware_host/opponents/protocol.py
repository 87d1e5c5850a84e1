"""The protocol between the host and the analysis subprocess: one JSON object a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from engine.match import AnyGame, Match
from engine.search.explain import MoveReason
from engine.search.grades import FINE

EARLIER: Final = 60
"""At most this many earlier positions are sent; older ones hardly ever return."""


class Task(msgspec.Struct, frozen=True):
    """A position to analyse, or one in which an opponent has to move."""

    number: int
    home: str
    """The module of the game."""
    kind: str
    """The class of the game."""
    options: Mapping[str, str]
    position: str
    earlier: Sequence[str]
    """The positions before it, oldest first."""
    lifted: Sequence[str] = ()
    """The moves of the piece in hand, which are graded first."""
    level: str = ""
    """The level of the opponent that chooses a move; empty to analyse all moves."""
    seed: int = 0
    """The seed of the opponent's random choices."""
    seconds: float = 5.0
    """The time limit."""
    state: str = ""
    """The directory that may have tables of solved games; empty to use none."""
    fine: float = FINE
    """The winning chance that a fine move may give away."""


class RatedMove(msgspec.Struct, frozen=True):
    """A legal move with its value for the player who makes it."""

    move: str
    chance: float
    grade: str
    why: MoveReason | None = None
    line: Sequence[str] = ()
    """The expected line, only for the best move."""
    plies: int | None = None
    """The number of plies to the win, negative to the loss, 0 for a draw; None if it is unknown."""


class Analysis(msgspec.Struct, frozen=True):
    """An answer to a task; later ones know more."""

    number: int
    """The number of the task."""
    moves: Sequence[RatedMove] = ()
    """Best first."""
    chosen: str = ""
    """The move that the opponent makes."""
    perfect: int | None = None
    """The plies to the end of the position under perfect play, as in `RatedMove.plies`."""
    final: bool = False
    """Whether no better answer follows."""
    fault: str = ""
    """The fault of the game's table, in one line; the analysis works without the table."""


def task(number: int, match: Match, **more: Any) -> Task:
    """Return the task of the position of a match."""
    game: AnyGame = match.game
    text = game.position_text
    past = [before.position for before, _ in zip(match.past(), range(EARLIER), strict=False)]
    return Task(
        number,
        type(game).__module__,
        type(game).__qualname__,
        dict(game.options),
        text(match.position),
        [text(position) for position in reversed(past)],
        **more,
    )


write: Final = msgspec.json.Encoder().encode
read_task: Final = msgspec.json.Decoder(Task).decode
read_answer: Final = msgspec.json.Decoder(Analysis).decode
