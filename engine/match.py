"""A match: a game in progress, as an immutable value.

A match is a position and the move that led to it, linked to the match before. Playing returns a
new match; taking back returns an earlier one. Two explanations of what a hand did are two matches
with a common past. Throws and claims are recorded like moves, so a replay needs nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from engine.game import CHANCE, Claim, Game, Outcome, Pass, PlaceSet, Seat, Throw

AnyGame: TypeAlias = Game[Any, Any]
AnyMove: TypeAlias = Any  # a game's own moves, Throw, Pass or Claim


@dataclass(frozen=True, eq=False)
class Match:
    """One moment of a match; `before` and `move` are None at its start."""

    game: AnyGame
    position: Any
    before: Match | None = None
    move: AnyMove | None = None
    plies: int = 0
    """The number of moves and passes (not throws, not claims) up to here."""

    @classmethod
    def begin(cls, game: AnyGame, position: Any | None = None) -> Match:
        """Return a match that starts in `position`, or in the game's start."""
        return cls(game, game.start() if position is None else position)

    def play(self, move: AnyMove) -> Match:
        """Return the match after a legal move, throw or claim; else IllegalMoveError."""
        counted = not isinstance(move, Throw | Claim)
        position = self.game.play(self.position, move)
        return Match(self.game, position, self, move, self.plies + counted)

    @cached_property
    def turn(self) -> Seat:
        """The seat to act, or CHANCE."""
        return self.game.turn(self.position)

    @cached_property
    def acting(self) -> Seat:
        """The seat to act, even if the dice are to fall for it first."""
        if self.turn != CHANCE:
            return self.turn
        return self.game.turn(self.game.play(self.position, self.legal[0])) if self.legal else 0

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the match ended, repetition included; None while it goes on."""
        return self.game.outcome(self.position, self.earlier)

    @property
    def earlier(self) -> list[Any]:
        """The positions before this one, oldest first."""
        return [match.position for match in self.past()][::-1]

    @cached_property
    def legal(self) -> Sequence[AnyMove]:
        """The legal moves; nothing when the match is over."""
        return () if self.outcome else self.game.legal(self.position)

    def candidates(self, touched: PlaceSet, within: PlaceSet | None = None) -> Sequence[AnyMove]:
        """Return what the game's `candidates` returns; nothing when the match is over."""
        return () if self.outcome else self.game.candidates(self.position, touched, within)

    @cached_property
    def text(self) -> str:
        """The move that led here in the game's notation; empty at the start."""
        return self.before.game.move_text(self.before.position, self.move) if self.before else ""

    @cached_property
    def seat(self) -> Seat:
        """The seat that made the last move: the seat to act before it, or the claim's seat."""
        if isinstance(self.move, Claim):
            return self.move.seat
        return self.before.turn if self.before else CHANCE

    def past(self) -> Iterator[Match]:
        """Yield the matches before this one, the latest first."""
        match = self.before
        while match is not None:
            yield match
            match = match.before

    @property
    def first(self) -> Match:
        """The match at its start."""
        return self.back(self.plies + 1)

    def steps(self) -> list[Match]:
        """Return the match after each move so far, throws and claims included, in order."""
        return [self, *self.past()][-2::-1]  # without the start, to which no move led

    def moves(self) -> list[str]:
        """Return the texts of the moves and passes so far."""
        return [step.text for step in self.steps() if not isinstance(step.move, Throw | Claim)]

    def back(self, plies: int) -> Match:
        """Return the match `plies` moves earlier; the throw before the undone move stays.

        A shorter match returns its start.
        """
        match = self
        while plies and match.before is not None:
            plies -= not isinstance(match.move, Throw | Claim)
            match = match.before
        return match

    def forced_pass(self) -> Pass | None:
        """Return the forced pass, or None if a piece can move."""
        if self.game.has_passes and self.turn != CHANCE and self.legal:
            first = self.legal[0]  # a lazy list of thousands of moves makes only this one
            if isinstance(first, Pass) and len(self.legal) == 1:
                return first
        return None
