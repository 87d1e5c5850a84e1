"""Facts about moves that sentences need: their effects, and the results of exchanges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from engine.game import CHANCE, Outcome, Pass, Piece, Place, Seat, Threat, Throw
from engine.match import AnyGame, AnyMove
from engine.search.evaluation import evaluator_of

_LONGEST: Final = 10
"""The most captures in an exchange that is followed."""
_MOST_ALTERNATIVES: Final = 60


@dataclass(frozen=True, slots=True)
class MoveReason:
    """A code with the data for its sentence."""

    code: str
    """One of `CODES` of `engine.search.explain`."""
    places: tuple[Place, ...] = ()
    """The places in the sentence; that of its subject first."""
    kinds: tuple[str, ...] = ()
    """The kind of the piece on each place; keys of `Game.kinds`."""
    ending: str = ""
    """The key of `Game.endings` if the move ends the game; else empty."""
    n: int = 0
    of: int = 0
    """The number of throws that do it, and of all throws."""
    then: int = 0
    """The number of such throws after the move."""
    won: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    """The kinds of the pieces that an exchange wins and loses, in its order."""


class BoardFacts:
    """The values and sides of pieces in a game, and the results of exchanges."""

    def __init__(self, game: AnyGame, position: Any) -> None:
        evaluator = evaluator_of(game, position)
        self.game = game
        self.sides = evaluator.sides
        self._values = evaluator.piece_values

    def value(self, piece: Piece | None) -> int:
        """Return the value of a piece to its captor; 0 for none."""
        return 0 if piece is None else self._values.get(piece.kind, 0)

    def hostile(self, seat: Seat, piece: Piece | None) -> bool:
        """Return whether a piece belongs to another side than the seat."""
        return (
            piece is not None
            and piece.owner is not None
            and seat != CHANCE
            and self.sides[piece.owner] != self.sides[seat]
        )

    def captures(self, position: Any, place: Place) -> list[MoveEffect]:
        """Return the captures on a place by the seat to act, the cheapest piece first."""
        game = self.game
        seat = game.turn(position)
        if not self.hostile(seat, game.pieces(position).get(place)):
            return []
        effects = [
            MoveEffect(self, position, move)
            for move in game.candidates(position, frozenset([place]))
            if not isinstance(move, Throw | Pass)
        ]
        taking = [effect for effect in effects if effect.end == place and place in effect.captured]
        return sorted(taking, key=lambda effect: self.value(effect.piece))

    def exchange_gain(self, position: Any, place: Place, left: int = _LONGEST) -> int:
        """Return the gain of the seat to act from an exchange on a place; 0 if it does not pay.

        Both sides go on as long as it pays.
        """
        return self._gain(self.exchange(position, place, left), place)

    def exchange(self, position: Any, place: Place, left: int = _LONGEST) -> list[MoveEffect]:
        """Return the captures on a place, by the seat to act first; none if that does not pay.

        Both sides go on as long as it pays, each with its cheapest piece.
        """
        effects = self.captures(position, place) if left else []
        if not effects:
            return []
        captures = [effects[0], *self.exchange(effects[0].after, place, left - 1)]
        return captures if self._gain(captures, place) > 0 else []

    def _gain(self, captures: Sequence[MoveEffect], place: Place) -> int:
        """Return what the side that captures first gains from captures by turns."""
        gain = 0
        for effect in reversed(captures):
            gain = self.value(effect.captured[place]) - gain
        return gain

    def throws(self, position: Any, seat: Seat) -> Throws:
        """Return the throws of the next turn that take pieces of the seat's side."""
        throws = self.game.legal(position)
        if self.game.turn(position) != CHANCE:
            return Throws(self._captured_in_turn(position, seat), 0)
        found: Counter[Place] = Counter()
        for throw in throws:
            found.update(self._captured_in_turn(self.game.play(position, throw), seat).keys())
        return Throws(found, len(throws))

    def _captured_in_turn(self, position: Any, seat: Seat) -> Counter[Place]:
        """Return where a turn, also its second move, can take pieces of the seat's side."""
        game, found = self.game, Counter[Place]()
        for move in game.legal(position):
            if isinstance(move, Pass):
                continue
            effect = MoveEffect(self, position, move)
            found |= Counter(
                place
                for place, piece in effect.captured.items()
                if piece.owner is not None and not self.hostile(seat, piece)
            )
            if game.turn(effect.after) == effect.seat and effect.outcome is None:
                found |= self._captured_in_turn(effect.after, seat)
        return found


@dataclass(frozen=True, slots=True)
class Throws:
    """The effects of the throws of one turn."""

    taking: Counter[Place]
    """By place: the number of throws that take the piece there."""
    count: int
    """The number of throws; 0 without dice."""


class MoveEffect:
    """The effects of one move in a position."""

    def __init__(self, facts: BoardFacts, position: Any, move: AnyMove) -> None:
        self.facts = facts
        self.game: AnyGame = facts.game
        self.position = position
        self.move = move
        self.seat: Seat = self.game.turn(position)

    @cached_property
    def after(self) -> Any:
        """The position after the move."""
        return self.game.play(self.position, self.move)

    @cached_property
    def pieces_before(self) -> dict[Place, Piece]:
        """The pieces before the move."""
        return self.game.pieces(self.position)

    @cached_property
    def pieces_after(self) -> dict[Place, Piece]:
        """The pieces after the move."""
        return self.game.pieces(self.after)

    @cached_property
    def changes(self) -> Mapping[Place, Piece | None]:
        """The places that the move changes."""
        if isinstance(self.move, Throw | Pass):
            return {}
        return self.game.changes(self.position, self.move)

    @cached_property
    def captured(self) -> Mapping[Place, Piece]:
        """The captured enemy pieces by their place."""
        cells, before = set(self.game.cells()), self.pieces_before
        gone = {
            place: before[place]
            for place in self.changes
            if place in cells
            and self.facts.hostile(self.seat, before.get(place))
            and self.changes[place] != before[place]
        }
        came = Counter(
            (piece.owner, piece.kind)
            for place, piece in self.changes.items()
            if place in cells and piece is not None and piece != before.get(place)
        )
        kept = {}
        for place, piece in gone.items():
            if came[piece.owner, piece.kind]:  # it was only pushed
                came[piece.owner, piece.kind] -= 1
            else:
                kept[place] = piece
        return kept

    @cached_property
    def end(self) -> Place | None:
        """The target of the moved piece; None unless exactly one piece moves."""
        cells = set(self.game.cells())
        ends = [
            place
            for place, piece in self.changes.items()
            if place in cells
            and piece is not None
            and piece != self.pieces_before.get(place)
            and piece.owner in (self.seat, None)
        ]
        return ends[0] if len(ends) == 1 else None

    @cached_property
    def start(self) -> Place | None:
        """The cell or tray that the piece came from; None if that is not clear."""
        cells = set(self.game.cells())
        starts = [
            place
            for place, piece in self.pieces_before.items()
            if place in self.changes
            and piece.owner in (self.seat, None)
            and (
                self.changes[place] is None
                or (place not in cells and (self.changes[place] or piece).count < piece.count)
            )
        ]
        same = [
            place
            for place in starts
            if self.piece and self.pieces_before[place].kind == self.piece.kind
        ]
        starts = same or starts  # tokens eaten on the way are gone too
        return starts[0] if len(starts) == 1 else None

    @property
    def piece(self) -> Piece | None:
        """The moved piece as it stands after the move."""
        return None if self.end is None else self.pieces_after.get(self.end)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the move ends the game, if it does."""
        return self.game.outcome(self.after)

    @property
    def wins(self) -> bool:
        """Whether the move wins the game."""
        return self.outcome is not None and self.seat in self.outcome.winners

    @property
    def pushed_off(self) -> bool:
        """Whether a row pushes the captured pieces over the edge."""
        return bool(self.captured) and self.is_row

    @cached_property
    def fallen(self) -> Place | None:
        """The cell from which a pushed row loses its last piece; None if no piece falls."""
        if not self.pushed_off:
            return None
        (first,) = list(self.captured)[:1]
        pushed = [
            place
            for place in (first, *self.game.path(self.position, self.move))
            if self.facts.hostile(self.seat, self.pieces_before.get(place))
        ]
        return max(pushed, key=lambda place: self.game.distance(first, place))

    def replies(self, place: Place) -> list[MoveEffect]:
        """Return the answers to the move that change or cross a place."""
        if self.outcome is not None:
            return []
        moves = self.game.candidates(self.after, frozenset([place]))
        return [
            MoveEffect(self.facts, self.after, move)
            for move in moves
            if not isinstance(move, Throw | Pass)
        ]

    @cached_property
    def alternatives(self) -> tuple[MoveEffect, ...]:
        """The noisy moves in the same position, at most a few dozen."""
        moves = evaluator_of(self.game, self.position).noisy_moves() or ()
        noisy = moves[:_MOST_ALTERNATIVES]
        return tuple(MoveEffect(self.facts, self.position, move) for move in noisy)

    @property
    def is_row(self) -> bool:
        """Whether a row of pieces moves."""
        return bool(self.game.path(self.position, self.move) & self.pieces_before.keys())

    @cached_property
    def exchange(self) -> int:
        """The value of the captures less the loss on the target cell."""
        captured = sum(map(self.facts.value, self.captured.values()))
        return captured - (self.exchange_loss(self.end) if self.end else 0)

    @cached_property
    def steps_inwards(self) -> int:
        """The steps that the mover's pieces gain towards the middle, if that counts."""
        before, after = evaluator_of(self.game, self.position), evaluator_of(self.game, self.after)
        return after.centrality(self.seat) - before.centrality(self.seat)

    @cached_property
    def endangered(self) -> tuple[Threat, ...]:
        """The threats of the moved piece against royal, unprotected or more valuable pieces."""
        if self.outcome is not None or self.end is None or self.game.turn(self.after) == self.seat:
            return ()
        found = []
        for threat in self.game.threats(self.after):
            if self.end in threat.by and threat.kind in ("check", "undefended", "attacked"):
                dearer = self.facts.value(self.pieces_after.get(threat.place)) > self.facts.value(
                    self.piece
                )
                if threat.kind != "attacked" or dearer:
                    found.append(threat)
        return tuple(found)

    def exchange_loss(self, place: Place) -> int:
        """Return what the next player wins by an exchange on a place; with dice the worst case."""
        if not self.throws_after:
            return self.facts.exchange_gain(self.after, place)
        taken = any(throws.taking[place] for throws in self.throws_after)
        return self.facts.value(self.pieces_after.get(place)) if taken else 0

    @cached_property
    def throws_after(self) -> tuple[Throws, ...]:
        """The throws against the mover's side until it moves again, by turn.

        Nothing if no dice come next and there is only one other side.
        """
        return self._throws_against(self.after)

    @cached_property
    def throws_before(self) -> tuple[Throws, ...]:
        """The same without the move; nothing if that is unknown."""
        return self._throws_against(self.position)

    def _throws_against(self, position: Any) -> tuple[Throws, ...]:
        if self.outcome is not None:
            return ()
        opposing_turns = evaluator_of(self.game, self.position).opposing_turns(position)
        if not opposing_turns and self.game.turn(position) == CHANCE:
            opposing_turns = (position,)
        return tuple(self.facts.throws(each, self.seat) for each in opposing_turns)


def effects_of(facts: BoardFacts, position: Any, moves: Sequence[AnyMove]) -> list[MoveEffect]:
    """Return the effects of a line of moves."""
    effects = []
    for move in moves:
        effect = MoveEffect(facts, position, move)
        effects.append(effect)
        if effect.outcome is not None:
            break
        position = effect.after
    return effects
