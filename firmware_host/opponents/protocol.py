"""What the board and its adviser write to each other: one JSON object a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from engine.match import AnyGame, Match
from engine.search.explain import MoveReason
from engine.search.grades import FINE

EARLIER: Final = 60
"""So many of the match's positions are told at most; what lies longer back hardly ever returns."""


class Task(msgspec.Struct, frozen=True):
    """A position to be judged, or one in which a move is to be made."""

    number: int
    home: str
    """The module of the game."""
    kind: str
    """Its class there."""
    options: Mapping[str, str]
    position: str
    earlier: Sequence[str]
    """The positions before it, oldest first."""
    lifted: Sequence[str] = ()
    """The moves of the man in the hand: what they are worth is wanted first."""
    level: str = ""
    """How strong an opponent is to choose a move; empty: all moves are to be judged."""
    seed: int = 0
    """What the opponent's chance begins with."""
    seconds: float = 5.0
    """So long it may think at most."""
    state: str = ""
    """The directory that may hold tables of solved games; empty: they are not to be asked."""
    fine: float = FINE
    """So much of the winning chance a fine move may give away."""


class RatedMove(msgspec.Struct, frozen=True):
    """A legal move and what it is worth to who makes it."""

    move: str
    chance: float
    grade: str
    why: MoveReason | None = None
    line: Sequence[str] = ()
    """How play would go on; of the best move only."""
    plies: int | None = None
    """In how many plies it wins, or, negative, loses; 0: it draws; None: no table says so, or it is
    far away."""


class Analysis(msgspec.Struct, frozen=True):
    """What is known by now about the position of a task; a later one knows more."""

    number: int
    """Of the task."""
    moves: Sequence[RatedMove] = ()
    """Best first."""
    chosen: str = ""
    """The move that the opponent makes."""
    perfect: int | None = None
    """The same of the position itself, however far away, if both sides play perfectly."""
    fault: str = ""
    """What is wrong with the table of the game, in one line; it was judged without."""


def task(number: int, match: Match, **more: Any) -> Task:
    """Return the task of what a match has come to."""
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
