"""A summary of a match for the list of past matches: its game, its players, its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from engine.game import Outcome
from engine.match import AnyGame
from firmware_host.storage.journal import JournalError, Resumed

LONGEST_PROBLEM: Final = 300


class PieceOnCell(msgspec.Struct):
    """A piece on a cell: the kind on its upper face, and the name of its owner's seat or `""`."""

    place: str
    face: str
    owner: str


class Ending(msgspec.Struct):
    """How a match ended."""

    winners: tuple[int, ...]
    reason: str
    points: tuple[int, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """The same as the games say it."""
        return Outcome(frozenset(self.winners), self.reason, self.points)


class Summary(msgspec.Struct):
    """The facts about a match that need no replay."""

    id: str = ""
    """The id in its journal; empty if it has none."""
    game: str = ""
    """The name of its game; empty if the journal cannot be read."""
    options: dict[str, str] = {}
    layout: str = ""
    players: tuple[tuple[str, str], ...] = ()
    """The name and the kind of player of each seat; empty if they are not known."""
    entries: int = 0
    """The number of moves, throws and claims."""
    plies: int = 0
    points: tuple[int, ...] = ()
    """The points by seat, if the game counts them."""
    ending: Ending | None = None
    """None while it is not finished."""
    pieces: list[PieceOnCell] = []
    """The pieces on the cells in the last position."""
    origin: str = ""
    """As in the head of the journal."""
    damaged: bool = False
    """Whether a part of the journal cannot be read, so that moves may be missing."""
    problem: str = ""
    """Why nothing of the journal can be read."""


def pieces_on_cells(game: AnyGame, position: Any) -> list[PieceOnCell]:
    """Return the pieces on the cells."""
    cells = set(game.cells())
    return [
        PieceOnCell(place, piece.kind, "" if piece.owner is None else game.seats[piece.owner])
        for place, piece in game.pieces(position).items()
        if place in cells
    ]


def summary_of(path: Path) -> Summary:
    """Read and replay a journal. One that cannot be read has a summary that says why."""
    try:
        kept = Resumed(path)
    except (JournalError, OSError) as error:
        why = str(error).removeprefix(f"{path}: ")[:LONGEST_PROBLEM]
        return Summary(problem=why)
    match, game = kept.matches[0], kept.game
    outcome = match.outcome if len({each.outcome for each in kept.matches}) == 1 else None
    ending = None
    if outcome is not None:
        ending = Ending(tuple(sorted(outcome.winners)), outcome.reason, outcome.points)
    return Summary(
        id=kept.head.id,
        game=game.name,
        options=dict(game.options),
        layout=kept.layout,
        players=tuple((player.name, player.kind) for player in kept.players),
        entries=len(kept.record),
        plies=sum(entry.kind == "move" for entry in kept.record),
        points=tuple(game.points(match.position)),
        ending=ending,
        pieces=pieces_on_cells(game, match.position),
        origin=kept.head.origin,
        damaged=not kept.whole,
    )
